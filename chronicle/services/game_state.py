"""The state of play as data: phase, obligations, possible actions and actions that are not allowed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from random import Random
from typing import Any, Final

from chronicle.core.answers import Move, Obligation, Standing
from chronicle.core.declare import Action
from chronicle.core.diagnostic import amount_in_units, listed
from chronicle.core.field_types import TEXT, Choice, FieldType, MapOf, role_of, roleless
from chronicle.core.game import Game
from chronicle.core.game_context import GameContext
from chronicle.core.law import player_named
from chronicle.core.ledger import owner_of
from chronicle.core.names import PLAYER, Named, Names, fold
from chronicle.core.replay import Replay
from chronicle.core.shared_verbs import COMMON_VERBS, EndSession
from chronicle.core.state_data import uncertainty_note
from chronicle.services import block_data
from chronicle.services.spans import NameMarker
from chronicle.services.usage import RECENT_STEP_COUNT, Usage
from chronicle.syntax.one_line import write_line
from chronicle.words import word

_QUOTED: Final = re.compile(r"[\"“][^\"”]*[\"”]")


def state_of_play(
    replay: Replay[Any], mark_names: NameMarker, *, panel: bool = True
) -> dict[str, Any]:
    """The state of play of a replay. Without ``panel``, the panel of the game is left out."""
    play = replay.play
    game = replay.rulebook
    is_over = has_session_ended(replay)
    obligations = open_obligations(replay)
    obliged_verbs = {obligation.verb for obligation in obligations}
    usage = Usage(play.steps[-RECENT_STEP_COUNT:], play.names, game)
    standing = game.standing(play)
    asked_verbs = verbs_to_show_first(replay, obligations)
    moves = sorted(
        (move for move in game.options(play) if not (is_over and move.verb == EndSession.verb)),
        key=lambda move: (
            not move.agreed_words,
            move.verb not in asked_verbs,
            -usage.likelihood(move.verb),
        ),
    )
    legal_verbs = {move.verb for move in moves}
    # A verb of an optional rule that the campaign does not play with is no action of it.
    played_verbs = [verb for verb in game.own_verbs if not game.why_not_played(play, verb)]
    barred_rows = [row for row in barred_verbs(replay, legal_verbs) if row["verb"] in played_verbs]
    # An epilogue may go on, but once the story is over Chronicle asks for no entry.
    proposed_moves = [] if game.over(play) and not obligations else moves
    mentioned_verbs = {move.verb for move in proposed_moves} | {
        barred_row["verb"] for barred_row in barred_rows
    }
    possible_throws = [
        obligation
        for obligation in (() if is_over else game.may_fall(play))
        if obligation.verb in legal_verbs
    ]
    rare_verbs = _rare_verbs(replay) - {obligation.verb for obligation in possible_throws}
    state: dict[str, Any] = {
        "step": len(play.steps),
        **_overview_data(replay, mark_names, moves, standing),
        "may_end": can_session_end(replay),
        "due": [_obligation_data(play, obligation, mark_names) for obligation in obligations],
        "falls": [_obligation_data(play, obligation, mark_names) for obligation in possible_throws],
        "odds": [mark_names(line) for line in game.odds(play, obligations)],
        "next": [
            _move_data(replay, move, settles_obligation, move.verb in rare_verbs)
            for move, settles_obligation in _sort_obliged_first(
                proposed_moves, obliged_verbs, rare_verbs
            )
        ],
        "buttons": [
            {"verb": verb, "label": label}
            for verb, label in action_buttons(
                game,
                legal_verbs,
                # "Before play. Bo makes a character.": what comes is in the second sentence.
                (asked_verbs or verbs_mentioned(standing.more, game.by_verb))
                - {barred_row["verb"] for barred_row in barred_rows},
                play.steps[-1].action.verb if play.steps else "",
            ).items()
            if verb in played_verbs or verb not in game.own_verbs
        ],
        # "It is Ana's turn" does not ask for its end.
        "asked": sorted(
            verb
            for verb in asked_verbs - {barred_row["verb"] for barred_row in barred_rows}
            if verb in standing.asks
            or (verb in legal_verbs and re.search(rf"\b{verb}s?\b", fold(standing.headline)))
        ),
        "requests": [
            {"verb": verb, "label": verb.capitalize()}
            for verb in game.requests
            if verb in played_verbs
        ],
        "always": [action_class.verb for action_class in COMMON_VERBS],
        "not_now": barred_rows,
        "perhaps": sorted(
            (own_verb for own_verb in played_verbs if own_verb not in mentioned_verbs),
            key=lambda own_verb: -usage.likelihood(own_verb),
        ),
    }
    if panel:
        panel_blocks = (*game.panel(play), *uncertainty_note(play, game.measures))
        state["panel"] = block_data.blocks_data(panel_blocks, mark_names)
    return state


def next_on_turn(replay: Replay[Any]) -> str:
    """Who is on turn after the player who is now, if turns go round. The replay is passed on to that player."""
    game, play = replay.rulebook, replay.play
    player_on_turn = game.standing(play).turn
    is_over = has_session_ended(replay)
    if is_over or not player_on_turn or not game.skip(play, player_on_turn):
        return ""
    next_player = game.standing(play).turn
    return next_player if next_player != player_on_turn else ""


def action_buttons(
    game: Game[Any], legal_verbs: Set[str], asked_verbs: Set[str], last_verb: str = ""
) -> Mapping[str, str]:
    """The verbs of the action buttons with their labels: of the sets of the game, the one with a verb that the moment
    asks for; of several, the one with the most legal verbs that no other set has; of equals, the one that has the verb
    of the last entry. A verb that is asked for and may be legal (a link of a map, depending on its names) only keeps
    the set of the last entry. A game without sets gets its first verbs."""
    if not game.buttons:
        return {verb: verb.capitalize() for verb in (*[*game.own_verbs][:11], "tell", "say")}
    set_count_by_verb = Counter(verb for labels in game.buttons for verb in labels)

    def button_set_rank(label_by_verb: Mapping[str, str]) -> tuple[bool, int, bool]:
        own_verbs = {verb for verb in label_by_verb if set_count_by_verb[verb] == 1}
        is_asked = not (asked_verbs & legal_verbs).isdisjoint(label_by_verb)
        is_going_on = last_verb in own_verbs and not own_verbs.isdisjoint(asked_verbs - {last_verb})
        return is_asked or is_going_on, len(own_verbs & legal_verbs), last_verb in own_verbs

    return max(game.buttons, key=button_set_rank)


def payments(play: GameContext[Any], first_posting: int) -> Iterator[str]:
    """The payments of players in the postings from index ``first_posting`` on, in words."""
    change_by_owner_and_unit: Counter[tuple[str, str]] = Counter()
    for posting in play.ledger.postings[first_posting:]:
        change_by_owner_and_unit[owner_of(posting.source), posting.unit] -= posting.amount
        change_by_owner_and_unit[owner_of(posting.target), posting.unit] += posting.amount
    players_by_payment: dict[tuple[int, str], list[str]] = {}
    for (owner, unit), change in change_by_owner_and_unit.items():
        subject = play.names.find(owner)
        if change and isinstance(subject, Named) and subject.kind == PLAYER:
            players_by_payment.setdefault((change, unit), []).append(subject.name)
    for (change, unit), players in players_by_payment.items():
        verb_form = ("pay" if change < 0 else "get") + ("s" if len(players) == 1 else "")
        yield f"{listed(players)} {verb_form} {amount_in_units(abs(change), unit)}"


def open_obligations(replay: Replay[Any]) -> list[Obligation]:
    """The open obligations; none after the session has ended."""
    return [] if has_session_ended(replay) else replay.rulebook.due(replay.play)


def verbs_to_show_first(replay: Replay[Any], obligations: Iterable[Obligation]) -> set[str]:
    """The verbs to show first: those of obligations, those in the headline, and those that play waits for."""
    game = replay.rulebook
    standing = game.standing(replay.play)
    return {
        *(obligation.verb for obligation in obligations),
        *verbs_mentioned(standing.headline, game.by_verb),
        *standing.asks,
    }


def verbs_mentioned(headline: str, action_classes: Mapping[str, type[Action]]) -> set[str]:
    """The verbs that a headline mentions, by name or by an unambiguous synonym, for one or several."""
    synonym_counts = Counter(
        verb_name for action_class in action_classes.values() for verb_name in action_class.synonyms
    )
    verb_by_name = {
        fold(verb_name): verb
        for verb, action_class in action_classes.items()
        for verb_name in (verb, *action_class.synonyms)
        if synonym_counts[verb_name] < 2
    }
    longest_patterns_first = sorted(map(re.escape, verb_by_name), key=len, reverse=True)
    headline_words = fold(_QUOTED.sub("", headline)).replace("-", " ")
    return {
        verb_by_name[verb_name]
        for verb_name in re.findall(rf"\b({'|'.join(longest_patterns_first)})s?\b", headline_words)
    }


def has_session_ended(replay: Replay[Any]) -> bool:
    """Whether the session has ended, and no entry of the story follows."""
    first_step_number = replay.sessions[-1].first_step if replay.sessions else 0
    for step in reversed(replay.play.steps):
        if step.number < first_step_number or not step.action.about_table:
            return False
        if isinstance(step.action, EndSession):
            return True
    return False


def can_session_end(replay: Replay[Any]) -> bool:
    """Whether the session could end now: something was played in it."""
    steps, sessions = replay.play.steps, replay.sessions
    has_begun = bool(steps and sessions) and steps[-1].number >= sessions[-1].first_step
    return has_begun and not has_session_ended(replay)


def _overview_data(
    replay: Replay[Any], mark_names: NameMarker, moves: Collection[Move], standing: Standing
) -> dict[str, Any]:
    play = replay.play
    actors = {move.by for move in moves} - {""}
    player_on_turn = standing.turn or (actors.pop() if len(actors) == 1 else "")
    is_ended = has_session_ended(replay)
    if is_ended:
        standing_text = ". ".join(
            part.rstrip(".") for part in (standing.headline, standing.more) if part
        )
        is_over = replay.rulebook.over(play)
        next_text = word(
            "server.story_over" if is_over else "server.next_session", standing=standing_text
        )
        standing, player_on_turn = (
            Standing(word("server.session_over_title"), next_text, standing.crumbs),
            "",
        )
    return {
        "ended": is_ended,
        "crumbs": [*standing.crumbs],
        "headline": mark_names(standing.headline),
        "sub": mark_names(standing.more),
        "turn": player_on_turn,
        "present": [*play.present],
        "players": [
            {
                "name": player.name,
                "turn": player.name == player_on_turn,
                "present": player.name in play.present,
            }
            for player in play.players
        ],
    }


def _obligation_data(
    play: GameContext[Any], obligation: Obligation, mark_names: NameMarker
) -> dict[str, Any]:
    subject = play.names.find(obligation.who) if obligation.who else None
    # A pair is no single actor.
    is_single = isinstance(subject, Named) and " & " not in subject.name
    player = player_named(play, subject.id) if isinstance(subject, Named) and is_single else ""
    return {
        "who": obligation.who,
        "player": player,
        "what": obligation.what,
        "amount": obligation.amount,
        "kind": obligation.kind,
        "verb": obligation.verb,
        "rule": obligation.rule,
        "within": obligation.within,
        "sources": [{"label": label, "amount": amount} for label, amount in obligation.sources],
        "short": subject.name.split()[0]
        if isinstance(subject, Named) and is_single and not player
        else obligation.who,
        "said": mark_names(str(obligation)),
        **_dice_pad_data(play, obligation),
    }


def _dice_pad_data(play: GameContext[Any], obligation: Obligation) -> dict[str, Any]:
    """The faces to tap; empty without dice."""
    dice_pad = play.rulebook.pad(play, obligation)
    if dice_pad is None:
        return {"faces": [], "hits": [], "chains": [], "colour": "", "deed": ""}
    return {
        "faces": [*dice_pad.faces],
        "hits": [*dice_pad.hits],
        "chains": [*dice_pad.chains],
        "colour": dice_pad.colour,
        "deed": dice_pad.deed,
    }


def _sort_obliged_first(
    moves: Iterable[Move], obliged_verbs: Collection[str], rare_verbs: Collection[str]
) -> list[tuple[Move, bool]]:
    """The moves that may come, each with whether something is due that it settles: those first, and last what is
    rarely done."""
    moves_with_urgency = [
        (move, bool(move.agreed_words) or move.verb in obliged_verbs)
        for move in moves
        if not move.already_happened
    ]
    return sorted(
        moves_with_urgency,
        key=lambda move_with_urgency: (
            not move_with_urgency[1],
            move_with_urgency[0].verb in rare_verbs,
        ),
    )


def _rare_verbs(replay: Replay[Any]) -> set[str]:
    """The verbs that a game says are rarely chosen."""
    return {
        verb_name
        for verb_name, action_class in replay.rulebook.by_verb.items()
        if action_class.offered is not None and action_class.offered.is_rare
    }


def _move_data(
    replay: Replay[Any], move: Move, settles_obligation: bool, is_rare: bool
) -> dict[str, Any]:
    line, is_ready = line_for_move(replay, move)
    return {
        "verb": move.verb,
        "by": move.by,
        "label": move.verb,
        "price": move.price and {"amount": move.price[0], "unit": move.price[1]},
        "free": move.price is not None and not move.price[0],
        "hint": move.hint,
        "rule": move.rule,
        "settles_due": settles_obligation,
        "rare": is_rare,
        "line": line,
        "words": len(line.removesuffix(move.agreed_words)),
        "ready": is_ready,
    }


def line_for_move(replay: Replay[Any], move: Move) -> tuple[str, bool]:
    """The beginning of an entry for a move, as one line, and whether it is complete."""
    action_class = replay.rulebook.by_verb[move.verb]
    if (
        move.agreed_words
        and action_class.main is not None
        and roleless(action_class.main.kind) is TEXT
    ):
        return f"{move.verb} {move.agreed_words}", True
    certain_values, is_ready = _certain_values(move, action_class, replay.play.names)
    if not is_ready and not certain_values[move.verb]:
        # Further keys come after the missing value.
        certain_values = {move.verb: ""}
    entry_line = write_line(certain_values, replay.rulebook.by_verb) or move.verb
    # Optional words are typed after a space.
    takes_words = (
        action_class.main is not None
        and roleless(action_class.main.kind) is TEXT
        and entry_line == move.verb
    )
    return f"{entry_line} " if takes_words or not is_ready else entry_line, is_ready


def _certain_values(
    move: Move, action_class: type[Action], names: Names
) -> tuple[dict[str, Any], bool]:
    """The certain parts of a move's entry: equal in all examples, without texts and without new names;
    and whether nothing required is missing."""
    examples = [move.make_entry(Random(seed)) for seed in range(9)]
    certain_values: dict[str, Any] = {move.verb: ""}
    is_ready = True
    for key, value in examples[0].items():
        field = action_class.main if key == move.verb else action_class.fields.get(key)
        if value == move.by and (field is None or not field.required):
            continue  # whose act it is anyhow
        field_type = roleless(field.kind) if field is not None else TEXT
        equal_parts = _parts_equal_in_all(
            field_type, [example.get(key) for example in examples], names
        )
        if equal_parts:
            certain_values[key] = equal_parts
            is_ready &= len(equal_parts) == len(value)
            continue
        is_equal_in_all = all(example.get(key) == value for example in examples)
        is_new_name = field is not None and role_of(field.kind) == ""
        is_keyword = field is not None and value in field.words
        is_known_word = isinstance(field_type, Choice) or (
            field_type.has_names() and (is_keyword or _are_known_names(value, names))
        )
        if is_equal_in_all and not is_new_name and is_known_word:
            certain_values[key] = value
        elif (
            field_type is not TEXT
            or field is not action_class.main
            or (field is not None and field.required)
        ):
            is_ready = False
    return certain_values, is_ready


def _parts_equal_in_all(
    field_type: FieldType[Any], values: Sequence[Any], names: Names
) -> dict[str, Any]:
    """For a mapping with a choice for each person: the persons with a single choice."""
    if not (isinstance(field_type, MapOf) and isinstance(roleless(field_type.value), Choice)):
        return {}
    first_value, *other_values = values
    if not isinstance(first_value, Mapping) or any(
        [*first_value] != [*other_value] for other_value in other_values
    ):
        return {}
    equal_choices = {
        person: chosen_word
        for person, chosen_word in first_value.items()
        if all(other_value[person] == chosen_word for other_value in other_values)
    }
    return equal_choices if _are_known_names([*equal_choices], names) else {}


def _are_known_names(value: Any, names: Names) -> bool:
    """Whether all names in a value exist already."""
    if isinstance(value, Mapping):
        return all(
            _are_known_names([*names_or_values], names)
            for names_or_values in (value, value.values())
        )
    if isinstance(value, (list, tuple)):
        return all(_are_known_names(inner_value, names) for inner_value in value)
    pair_names = value.split(" & ") if isinstance(value, str) else ()
    return all(isinstance(names.find(name), Named) for name in pair_names)


def barred_verbs(replay: Replay[Any], legal_verbs: Collection[str]) -> list[dict[str, str]]:
    """The verbs of the game that are not allowed now, with reasons; without verbs that are possibly allowed."""
    game, barred_rows = replay.rulebook, []
    for own_verb in game.own_verbs:
        why_barred = (
            "" if own_verb in legal_verbs else game.why_not(replay.play, game.by_verb[own_verb])
        )
        if why_barred:
            barred_rows.append({"verb": own_verb, "why": why_barred})
    return barred_rows
