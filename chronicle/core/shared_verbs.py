"""The verbs that every game shares, with their handlers: attendance, narration, statements, corrections,
secrets and gaps work the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from chronicle.core.campaign import Session
from chronicle.core.declare import Action, main, option
from chronicle.core.diagnostic import DiagnosticKind, Fact, ask_whether, listed, with_article
from chronicle.core.emblems import EMBLEM
from chronicle.core.field_types import (
    NAME,
    NAMES,
    TEXT,
    EitherOf,
    MapOf,
    OneOrMany,
    choice,
    in_role,
    is_unrecorded,
    label,
)
from chronicle.core.fix import (
    AddToSettings,
    Fix,
    RemoveEntry,
    RemoveItem,
    RemoveKey,
    SetKey,
    drop_entry,
    make_fix,
    replace_with,
    set_key,
)
from chronicle.core.game_context import GameContext, Playable
from chronicle.core.gaps import EVERYTHING, UNCERTAIN_STATES
from chronicle.core.house_rules import FORMULAS
from chronicle.core.misread import shown
from chronicle.core.names import PLAYER, Named, fold
from chronicle.core.play_field_types import SPEECH
from chronicle.core.presence import presence_key, start_of_presence_gap
from chronicle.core.questions import Question
from chronicle.core.record import Step
from chronicle.core.references import ReferenceTarget, resolve_entry_reference
from chronicle.core.secrets import Opening, Proof, Secret, is_seal, read_opening, seal_of
from chronicle.core.source import ScalarNode, place_of
from chronicle.core.stated_figures import (
    Assert,
    Correct,
    Snapshot,
    assert_figures,
    correct_figures,
    take_snapshot,
)
from chronicle.core.telling import TextRole


class Tell(Action):
    """Tell what happens: pure narration, nothing is rolled or paid."""

    verb = "tell"
    synonyms = ("narrate", "story", "narration")
    example = "tell: Petra knew about the two of them all along"
    story = main(TEXT, "what happens (Markdown)", text_role=TextRole.PROSE)


class Say(Action):
    """Speech in play-script lines. While it runs, the last speaker's player acts."""

    verb = "say"
    synonyms = ("quote", "speech", "dialogue")
    default_actor_text = "each speaker's player"
    example = "say: |\n    Petra: You had the letter.\n    Gus: It was a gas bill."
    lines = main(in_role("speaks", SPEECH), "one 'Name: words' a line", text_role=TextRole.SPOKEN)


class Aside(Action):
    """Talk at the table that is worth keeping and not part of the story."""

    verb = "aside"
    synonyms = ("comment", "table talk", "ooc")
    about_table = True
    default_actor_text = "no player: it is not play"
    example = "aside: Dave laughed so hard that we had to stop"
    talk = main(
        EitherOf(SPEECH, TEXT, words="a remark, or 'Name: words' lines"),
        "what the players said",
        names_players=True,
    )


class Gap(Action):
    """Something is missing from the record here. What was due across the gap counts as unknown, not as wrong."""

    verb = "gap"
    synonyms = ("missing", "hole")
    about_table = True
    default_actor_text = "no player"
    example = "gap: dinner; no one took notes\n  uncertain: [purses, turns]\n  until: scene"
    missing = main(TEXT, "what is missing, as far as you know", default=None)
    uncertain = option(
        OneOrMany(choice(*UNCERTAIN_STATES), words="one or more of " + listed(UNCERTAIN_STATES)),
        "what is unknown because of it: " + listed(UNCERTAIN_STATES) + " (the default)",
        default=(),
    )
    until = option(
        label(NAME),
        "what ends it: the next entry with this verb, or the entry with this id; without it, only this "
        "moment is missing",
    )

    def touches(self, state_kind: str) -> bool:
        """Whether it makes something uncertain."""
        return not self.uncertain or EVERYTHING in self.uncertain or state_kind in self.uncertain


class Arrive(Action):
    """A player joins the session late."""

    verb = "arrive"
    synonyms = ("late", "comes late")
    about_table = True
    default_actor_text = "no player"
    example = "arrive: Cleo"
    players = main(NAMES, "the players who came", names_players=True)


class Leave(Action):
    """A player leaves the session early."""

    verb = "leave"
    synonyms = ("leaves early",)
    about_table = True
    default_actor_text = "no player"
    example = "leave: Dov"
    players = main(NAMES, "the players who went", names_players=True)


class Skip(Action):
    """A player is away or does not answer. The turn passes to the next player."""

    verb = "skip"
    default_actor_text = "no player"
    example = "skip: Dov\n  note: his train is late"
    players = main(NAMES, "the players whose turn passes, in order", names_players=True)


class EndSession(Action):
    """The session is over. Scenes can stay open; the next session goes on from here."""

    verb = "end session"
    synonyms = ("end evening", "stop")
    about_table = True
    default_actor_text = "no player"
    example = "end session: pizza arrived"
    words = main(TEXT, "how it ended", default=None)


class PlayStarts(Action):
    """The log begins here, in the middle of a campaign. The entries above it are given: free, and outside turns."""

    verb = "play starts"
    about_table = True
    default_actor_text = "no player"
    example = "play starts:"
    words = main(TEXT, "what happened before", default=None)


class KeepSecret(Action):
    """A secret that readers must not see until `reveal`. It needs an `id`."""

    verb = "secret"
    about_table = True
    example = "secret: Marit has known since Easter\n  id: marit-knows"
    hides = ("secret", "about")
    secret = main(TEXT, "the secret, in clear (this file is not published unredacted)")
    about = option(NAME, "who or what it is about")


class Sealed(Action):
    """A secret of which only the seal is in the log, to prove it later. It needs an `id`."""

    verb = "sealed"
    about_table = True
    example = "sealed: sha256:4b1f...\n  id: ana-bid-3\n  kind: bid"
    seal = main(label(NAME), "sha256: and 64 hexadecimal digits, as 'chronicle seal' gives it")
    kind = option(
        label(NAME), "what is sealed: a bid, a trait, a card ...", default=ScalarNode("secret")
    )
    about = option(NAME, "who or what it is about")


class Reveal(Action):
    """Open a secret. A sealed one is verified against its opening."""

    verb = "reveal"
    example = "reveal: ana-bid-3\n  opening: '[\"chronicle-seal-1\", 3, ...]'"
    secret = main(label(NAME), "the id of the entry that made the secret")
    opening = option(TEXT, "the line that was sealed, exactly as it was written")
    value = option(TEXT, "the secret in plain words, if it was not sealed")


class Ask(Action):
    """A question that the story leaves open. Pages list it until an entry `answers` it."""

    verb = "question"
    synonyms = ("ask",)
    default_actor_text = "no player: it is not play"
    example = "question: Who lit the lamp that year?\n  id: who-lit-it"
    words = main(TEXT, "the question, as a reader would ask it")
    about = option(NAMES, "who or what it is about", default=())
    of = option(label(NAME), "the id of the entry that left it open in other words")


class Emblem(Action):
    """Choose the drawings for persons and objects on the site."""

    verb = "emblem"
    default_actor_text = "no player: it is not play"
    example = "emblem: {Petra: key}"
    chosen = main(
        MapOf(NAME, EMBLEM, "a mapping from a name to a drawing"),
        "{name: drawing}; with 'dark' after the drawing it is white on black",
    )


class AdoptRule(Action):
    """A house rule of your group holds from now on. Entries cite its id with 'under:'. The figures that it computes
    need no citation."""

    verb = "house rule"
    default_actor_text = "no player: the group agrees"
    example = "house rule: A player who comes late frames no scene\n  id: late\n  computes: {may: present > 2}"
    rule = main(TEXT, "the rule in your words")
    touches = option(label(NAMES), "ids of the rules it bends; without it, any rule", default=())
    computes = option(
        FORMULAS, "{name: formula}: the figures that it computes in place of the rules of the book"
    )


class EndRule(Action):
    """A house rule of your group no longer holds."""

    verb = "end house rule"
    default_actor_text = "no player: the group agrees"
    example = "end house rule: late"
    what = main(label(NAME), "its id")


def _tell_story(play: GameContext[Any], action: Tell) -> None:
    play.step.tell(action.story)


def _tell_speech(play: GameContext[Any], action: Say) -> None:
    speech_text = "\n\n".join(f"**{line.speaker}:** {line.words}" for line in action.lines)
    play.step.tell(speech_text)
    for line in action.lines:
        subject = play.find(line.speaker, (), "speaker")
        if subject is not None:
            play.step.player = (
                subject.name if subject.kind == PLAYER else play.rulebook.player_of(play, subject)
            )


def _add_table_talk(play: GameContext[Any], action: Aside) -> None:
    talk = action.talk
    talk_text = (
        str(talk)
        if isinstance(talk, str)
        else "\n\n".join(f"**{line.speaker}:** {line.words}" for line in talk)
    )
    play.step.talk = f"{talk_text}\n\n{play.step.talk}".strip()


def _open_gap(play: GameContext[Any], action: Gap) -> None:
    play.gaps.add(play.step.number, action.uncertain, _ending_words(play, action))
    play.step.headline = "The record has a gap"
    if action.missing:
        play.step.talk = f"{action.missing}\n\n{play.step.talk}".strip()


def _ending_words(play: GameContext[Any], action: Gap) -> tuple[str, ...]:
    """The verb or the id that ends a gap; empty if it ends at once."""
    if action.until is None:
        return ()
    end_text = action.until.strip()
    end_verb = next((verb for verb in play.rulebook.by_verb if fold(verb) == fold(end_text)), "")
    entry_ids = [
        str(entry_with_id.id)
        for session in play.campaign.sessions
        for entry_with_id in session.actions
        if entry_with_id.id
    ]
    is_known = bool(end_verb) or end_text in entry_ids
    similar = [] if is_known else play.names.nearest(end_text, [*play.rulebook.by_verb, *entry_ids])
    play.require(
        is_known,
        "T60",
        f"no verb of this game and no id of an entry is '{end_text}'{ask_whether(end_text, similar)}",
        at=action.place("until"),
        fix=(*replace_with(similar, is_told=True), make_fix(SetKey("until", "end session"))),
        kind=DiagnosticKind.UNREADABLE,
    )
    return tuple(word for word in (end_verb, end_text) if word and word in (end_verb, *entry_ids))


def _players_coming_or_going(play: GameContext[Any], action: Arrive | Leave) -> Iterator[Named]:
    """The players of an entry who come to the table, or leave it. Reports those who are there, or away, already."""
    is_leaving = isinstance(action, Leave)
    for typed_name in action.players:
        subject = play.find(typed_name, (PLAYER,), "player")
        if subject is not None and play.require(
            (subject.id in play.present) is is_leaving,
            "T66",
            f"{subject.name} is {'not at the table' if is_leaving else 'at the table already'}",
            at=place_of(typed_name, action.path),
            kind=DiagnosticKind.BOOKKEEPING,
            since=start_of_presence_gap(play),
            state_kind="cast",
            fix=name_removal_fix(typed_name, action.players),
        ):
            yield subject


def _arrive(play: GameContext[Any], action: Arrive) -> None:
    for subject in _players_coming_or_going(play, action):
        play.present.append(subject.id)
        play.present.sort(key=[player.name for player in play.players].index)
        play.settle(presence_key(subject.id))
        play.event(f"{subject.name} joins the table", kind="arrives", subject=subject.id)


def _leave(play: GameContext[Any], action: Leave) -> None:
    for subject in _players_coming_or_going(play, action):
        play.present.remove(subject.id)
        play.event(f"{subject.name} leaves the table", kind="leaves", subject=subject.id)


def _pass_turns(play: GameContext[Any], action: Skip) -> None:
    play.step.headline = "A turn passes over"
    for typed_name in action.players:
        subject = play.find(typed_name, (PLAYER,), "player")
        if subject is not None and play.rulebook.skip(play, subject.name):
            play.event(f"{subject.name}'s turn passes over", kind="skipped", subject=subject.id)
        elif subject is not None:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "T82",
                f"it is not {subject.name}'s turn, so none can pass over",
                at=place_of(typed_name, action.path),
                fix=name_removal_fix(typed_name, action.players),
            )


def name_removal_fix(typed_name: ScalarNode, typed_names: Sequence[ScalarNode]) -> Fix:
    """The fix that removes a name from an entry, or the whole entry if it is the only name."""
    return make_fix(RemoveItem(str(typed_name)) if len(typed_names) > 1 else RemoveEntry())


def _adopt_rule(play: GameContext[Any], action: AdoptRule) -> None:
    step = play.step
    step.headline = "A rule of this table's own"
    rule_id = str(action.id) if action.id is not None else play.mint("house-rule")
    play.report_unknown_touches(rule_id, action.touches, action.path)
    play.adopt(rule_id, action.rule, action.touches, action.computes, action.path)
    play.event(f"in force as '{rule_id}': {action.rule}", kind="house rule", subject=rule_id)


def _end_rule(play: GameContext[Any], action: EndRule) -> None:
    step = play.step
    step.headline = "A rule of this table's own ends"
    rule = play.adopted_rules.rules.get(play.cited(action.what))
    if rule is None or rule.ending_step_number:
        rule_ids = list(play.adopted_rules.rules)
        similar_ids = [] if rule is not None else play.names.nearest(action.what, rule_ids)
        play.unreadable(
            "T52",
            f"'{action.what}' has ended before"
            if rule is not None
            else f"no house rule '{action.what}'{ask_whether(action.what, similar_ids)}",
            at=action.place("main"),
            fix=make_fix(RemoveEntry())
            if rule is not None
            else replace_with(similar_ids, is_told=True),
            facts=[play.because(rule.ending_step_number, "it ended here")]
            if rule is not None
            else (),
        )
        return
    if rule.adopting_step_number:
        play.link_steps(step.number, rule.adopting_step_number)
    play.abandon(rule.id)
    play.event(f"no longer in force: {rule.text}", kind="house rule", subject=rule.id)


def _end_session(play: GameContext[Any], action: EndSession) -> None:
    play.step.headline = "The evening ends"
    if action.words:
        play.step.talk = f"{action.words}\n\n{play.step.talk}".strip()


def _play_starts(play: GameContext[Any], action: PlayStarts) -> None:
    play.step.headline = "Play starts"
    earlier_steps = [step for step in play.steps if step is not play.step]
    start_numbers = (step.number for step in earlier_steps if isinstance(step.action, PlayStarts))
    first_start = next(start_numbers, 0)
    play_start = play.rulebook.began(play)
    if not first_start and play_start and play.steps[play_start - 1].session < play.step.session:
        first_start = play_start
    if first_start:
        play.report(
            DiagnosticKind.SUSPICIOUS,
            "T80",
            "play has started before; entries above this one in its session are not checked",
            facts=[play.because(first_start, "it started here")],
            fix=drop_entry(when="if they are to be checked"),
        )
    play.given = False
    if action.words:
        play.step.talk = f"{action.words}\n\n{play.step.talk}".strip()


def _require_id(play: GameContext[Any], action: Action) -> str:
    if action.id is None:
        free_id = next(id for n in count(1) if (id := f"secret-{n}") not in play.vault.secrets)
        play.unreadable(
            "T70",
            "a secret needs an id, so that it can be revealed",
            fix=make_fix(SetKey("id", free_id), safe=True),
        )
        return play.mint("secret")
    return str(action.id)


def _keep_secret(play: GameContext[Any], action: KeepSecret) -> None:
    secret_id = _require_id(play, action)
    step = play.step
    step.hidden = True
    play.vault.store(
        Secret(
            secret_id,
            step.player,
            "secret",
            step.number,
            step.session,
            value=str(action.secret),
            subject=str(action.about or ""),
        )
    )


def _store_seal(play: GameContext[Any], action: Sealed) -> None:
    secret_id = _require_id(play, action)
    step = play.step
    play.require(
        is_seal(action.seal),
        "T71",
        f"{shown(action.seal)} is no seal",
        at=action.place("main"),
        help="a seal is 'sha256:' and 64 hexadecimal digits; 'chronicle seal' makes one",
        kind=DiagnosticKind.UNREADABLE,
    )
    secret = Secret(
        secret_id,
        step.player,
        str(action.kind),
        step.number,
        step.session,
        seal=str(action.seal),
        subject=str(action.about or ""),
    )
    play.vault.store(secret)
    step.headline = f"Seals {with_article(action.kind)}"


def _reveal(play: GameContext[Any], action: Reveal) -> None:
    step = play.step
    secret = play.vault.secrets.get(action.secret)
    if secret is None:
        similar_ids = play.names.nearest(action.secret, list(play.vault.secrets))
        play.unreadable(
            "T72",
            f"no secret has the id '{action.secret}'{ask_whether(action.secret, similar_ids)}",
            at=action.place("main"),
            fix=replace_with(similar_ids, is_told=True),
            since=None if similar_ids else 0,
        )
        return
    secret_step = play.steps[secret.step_number - 1]
    play.require(
        not secret.revealed_by,
        "T73",
        f"'{action.secret}' was revealed before",
        at=action.place("main"),
        kind=DiagnosticKind.BOOKKEEPING,
        fix=make_fix(RemoveEntry()),
        facts=(play.because(secret.revealed_by, "revealed here"),) if secret.revealed_by else (),
    )
    if secret.seal:
        _open_seal(play, action, secret)
    elif action.value is not None and secret.value and str(action.value) != secret.value:
        play.report(
            DiagnosticKind.BOOKKEEPING,
            "T74",
            "the secret was written down in other words",
            at=action.place("value"),
            fix=(
                make_fix(RemoveKey("value")),
                *(replace_with([secret.value]) if "\n" not in secret.value else ()),
            ),
            facts=(Fact("as kept", secret_step.action.place("main")),),
        )
    secret.value = secret.value or str(action.value or "")
    secret.revealed_by = step.number
    play.reopen(secret_step.number).hidden = False
    play.link_steps(step.number, secret_step.number)
    step.headline = f"Reveals {with_article(secret.kind)}"
    revealed_text = secret.value or "What it says is not shown"
    play.event(f"{revealed_text} ({secret.proof})", kind="reveals", subject=secret.secret_id)


def _open_seal(play: GameContext[Any], action: Reveal, secret: Secret) -> None:
    if action.opening is None:
        play.unknown(
            "T75",
            "a sealed secret is revealed without its opening, so nothing is proven",
            fix=set_key("opening"),
            help="the kept line proves the secret",
        )
        return
    opening = read_opening(action.opening)
    opening_place = action.place("opening")
    if seal_of(action.opening) != secret.seal:
        play.illegal(
            "T76",
            "this opening does not match the seal",
            at=opening_place,
            facts=(play.because(secret.step_number, "sealed here"),),
            help="copy the kept line exactly, in single quotes",
        )
    elif opening is None:
        play.unreadable("T76", "the opening matches, but it is no opening line", at=opening_place)
    elif wrong_purpose := _mismatched_purpose(play, secret, opening):
        play.illegal(
            "T77",
            f"this opening was made for {wrong_purpose}",
            at=opening_place,
            facts=(play.because(secret.step_number, "sealed here"),),
        )
    else:
        secret.proof = Proof.SEALED
        secret.value = opening.value


def _mismatched_purpose(play: GameContext[Any], secret: Secret, opening: Opening) -> str:
    """The purpose of an opening that matches its seal but not the secret; empty if it fits."""
    if (opening.session, opening.secret_id) != (secret.session, secret.secret_id):
        return f"'{opening.secret_id}' in session {opening.session}"
    secret_entry = play.steps[secret.step_number - 1].action
    if "kind" in secret_entry.source and fold(opening.kind) != fold(secret.kind):
        return f"{with_article(opening.kind)}, and the seal is on {with_article(secret.kind)}"
    actor_names = (
        [str(secret_entry.by)]
        if secret_entry.by is not None and not is_unrecorded(secret_entry.by)
        else []
    )
    sealer_names = [name for name in (secret.player, *actor_names) if name]
    if not sealer_names or fold(opening.player) in map(fold, sealer_names):
        return ""
    subject = play.names.find(opening.player)
    if isinstance(subject, Named) and subject in [play.names.find(name) for name in sealer_names]:
        return ""
    return f"{opening.player}, and the seal is {sealer_names[0]}'s"


def _add_question(play: GameContext[Any], action: Ask) -> None:
    step = play.step
    step.headline = str(action.words)
    subjects = [play.find(typed_name, (), "character or thing") for typed_name in action.about]
    target = _find_entry(play, action.of, "of") if action.of else None
    subject_ids = tuple(subject.id for subject in subjects if subject is not None)
    play.questions.questions.append(
        Question(
            str(action.words),
            step.number,
            subject_ids,
            target.step_number if target is not None else 0,
        )
    )


def _choose_emblems(play: GameContext[Any], action: Emblem) -> None:
    play.step.headline = "Emblems are chosen"
    for typed_name, emblem in action.chosen.items():
        subject = play.find(typed_name, (), "character or thing")
        if subject is not None and emblem.motif:
            play.emblems[subject.id] = emblem


def _find_entry(
    play: GameContext[Any], reference: ScalarNode, key: str
) -> ReferenceTarget[Step] | None:
    """The entry that a reference under a key means, or None."""
    help = f"give the entry that '{key}' means an id"
    return resolve_entry_reference(play, reference, "T81", help)


def link_see_entries(play: GameContext[Any], action: Action) -> None:
    """Link an entry with the entries in its ``see``."""
    for reference in action.see:
        target = _find_entry(play, reference, "see")
        if target is not None:
            play.link_steps(play.step.number, target.step_number)


def close_questions(play: GameContext[Any], action: Action) -> None:
    """Close the questions that an entry answers."""
    for reference in action.answers:
        target = _find_entry(play, reference, "answers")
        if target is not None:
            play.questions.answer_by_step.setdefault(target.step_number, play.step.number)
            play.link_steps(play.step.number, target.step_number)


COMMON_HANDLERS: Mapping[type[Action], Callable[[Any, Any], None]] = {
    Tell: _tell_story,
    Say: _tell_speech,
    Aside: _add_table_talk,
    Gap: _open_gap,
    Assert: assert_figures,
    Correct: correct_figures,
    Snapshot: take_snapshot,
    Arrive: _arrive,
    Leave: _leave,
    Skip: _pass_turns,
    EndSession: _end_session,
    PlayStarts: _play_starts,
    KeepSecret: _keep_secret,
    Sealed: _store_seal,
    Reveal: _reveal,
    Ask: _add_question,
    Emblem: _choose_emblems,
    AdoptRule: _adopt_rule,
    EndRule: _end_rule,
}
COMMON_VERBS = tuple(COMMON_HANDLERS)


def common_session_start(play: GameContext[Any], session: Session) -> None:
    """Set who is at the table, from the head of the session. Unknown names are reported."""
    if not play.rulebook.stretch_verbs and type(play.rulebook).left_out is Playable.left_out:
        play.doubt = None  # What an entry of the last session left in doubt is settled by now.
    header = session.header
    all_names = [player.name for player in play.players]

    def known_players(typed_names: tuple[ScalarNode, ...], head_key: str) -> list[str]:
        player_ids: list[str] = []
        for typed_name in typed_names:
            subject = play.names.find(typed_name, (PLAYER,))
            if isinstance(subject, Named):
                player_ids.append(subject.id)
            else:
                is_number = typed_name.strip().isascii() and typed_name.strip().isdigit()
                fixes = (
                    *replace_with(subject.similar, is_told=True),
                    make_fix(RemoveItem(str(typed_name), key=head_key)),
                    make_fix(AddToSettings("players", (str(typed_name),))),
                )
                diagnostic = play.unreadable(
                    "T50",
                    f"players are named here, not counted: {typed_name}"
                    if is_number
                    else f"no player '{typed_name}'{subject.message}",
                    at=place_of(typed_name, session.path),
                    fix=() if is_number else fixes,
                    help=f"write their names: [{', '.join(play.seats)}]" if is_number else (),
                )
                play.tainted["present:"] = diagnostic
        return player_ids

    play.settle("present:", *map(presence_key, all_names))
    absent_names = known_players(header.absent, "absent")
    # If no named player is known, all count as present.
    present_names = (
        all_names
        if header.present is None
        else known_players(header.present, "present") or all_names
    )
    # A list of who is there often has the players only; the facilitator runs the game all the same.
    names_at_table = {*present_names, play.runner} - {*absent_names}
    play.present = [name for name in all_names if name in names_at_table]
    play.given = any(isinstance(action, PlayStarts) for action in session.actions)


def common_session_end(play: GameContext[Any], session: Session) -> None:
    """The end of a session's log: entries are no longer given."""
    play.given = False
