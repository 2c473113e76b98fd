"""Slow Burn: blacklisted spies, odd jobs, and an Agency that will not let them be.

In reading order:

- ``state`` (the memory of the game) and ``law`` (who acts, and when);
- with their verbs, guards and effects: ``casting`` and ``tokens`` (sheets, envelopes, introductions), ``segments``,
  ``pushes``, ``checks`` and ``interference`` (the Agency), ``endings`` and ``retirement``;
- ``rulings`` and ``rules`` (why), ``due`` (open obligations), ``offers`` (values that fit a key), ``view`` and its
  pages.

This file ties them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from chronicle.core.answers import Move, Offer, Standing
from chronicle.core.campaign import Session
from chronicle.core.declare import Action
from chronicle.core.diagnostic import amount_in_units
from chronicle.core.game import GameInModules, verbs_of
from chronicle.core.names import Named
from chronicle.core.shared_verbs import Gap, PlayStarts, Reveal, Tell
from chronicle.games.slow_burn import (
    casting,
    checks,
    endings,
    interference,
    keys,
    minis,
    pushes,
    retirement,
    rolls,
    scenes,
    segments,
    tokens,
)
from chronicle.games.slow_burn.computed import POINTS
from chronicle.games.slow_burn.law import LAW, acts_for_handler
from chronicle.games.slow_burn.measures import MEASURES
from chronicle.games.slow_burn.people import call_handler
from chronicle.games.slow_burn.questions import QUESTIONS
from chronicle.games.slow_burn.rulings import RULINGS
from chronicle.games.slow_burn.state import (
    CONTACT,
    FLOW,
    HANDLER_TOKENS,
    MINI_OPPOSITION,
    OPPOSITION_DIE,
    SPY,
    TRACKS,
    Kind,
    Phase,
    State,
    Table,
    doubt_pool,
    opposition,
    track_of,
)

if TYPE_CHECKING:
    from chronicle.core.diagnostic import Diagnostic

MOVES = frozenset(
    {
        "scene",
        "use",
        "check",
        "spend token",
        "implicate",
        "ignore",
        "answer",
        "push",
        "play push",
        "roll",
        "segment",
        "episode",
        "end job",
    }
)
"""Verbs that move play on."""


class SlowBurn(GameInModules[State]):
    """The rules of Slow Burn."""

    name = "slow-burn"
    title = "Slow Burn"
    least_players = 2
    summary = (
        "Spies on a blacklist are stuck in one city, without money or papers. They do jobs for "
        "people in need, and the Agency that burned them interferes. Once in an episode each of "
        "them looks for a way out. Dice with twelve sides decide how far they get."
    )
    settings = keys.CampaignSettings
    stretch_verbs = ("scene", "segment")
    verbs = verbs_of(
        casting,
        tokens,
        segments,
        pushes,
        scenes,
        checks,
        interference,
        minis,
        rolls,
        endings,
        retirement,
    )
    rulings = RULINGS
    points = POINTS
    law = LAW
    buttons = (
        {
            "spy": "Spy",
            "contacts": "Contacts",
            "connections": "Connections",
            "envelope": "Envelope",
            "introduce": "Introduce",
            "segment": "Segment",
            "tell": "Tell",
            "city": "City",
            "deal": "Deal",
            "job": "Job",
            "say": "Say",
        },
        {
            "scene": "Scene",
            "roll": "Roll dice",
            "check": "Check",
            "answer": "Answer",
            "tell": "Tell",
            "say": "Say",
            "segment": "Segment",
            "push": "Push",
            "play push": "Play push",
            "spend token": "Spend token",
            "ignore": "Ignore",
            "use": "Use",
            "end job": "End job",
        },
    )
    questions = QUESTIONS
    accounts: ClassVar[Mapping[str, str]] = {
        "persistent": "Persistent Agency dice",
        "agency": "Agency dice of the Segment",
        "opposition": "Opposition dice of the Segment",
        MINI_OPPOSITION: "Opposition dice of the mini segment",
        "job dice": "Job dice in the scene",
        "path": "Spaces on the Path to Freedom",
        "road": "The road ahead",
        "box": "The box of dice and tokens",
        HANDLER_TOKENS: "The Handler's Fleur-de-Lis tokens",
        "spent tokens": "Spent tokens",
        "envelope": "Shut envelopes",
        "envelopes": "The shuffled envelopes",
        "opened envelopes": "Opened envelopes",
        "scene tokens laid": "Scene tokens on the table",
    }
    supplies = frozenset(
        {"road", "box", "spent tokens", "envelopes", "opened envelopes", "scene tokens laid"}
    )
    measures = MEASURES

    def start(self, play: Table) -> State:
        """Count the table, and call the person who runs the game the Handler. There are no sheets yet."""
        casting.check_table(play)
        call_handler(play)
        return State()

    def open_session(self, play: Table, session: Session) -> None:
        """The evening belongs to the episode that is being played."""
        state = play.state
        episode = state.episode
        if episode is not None and not episode.over and session.number not in episode.sessions:
            episode.sessions.append(session.number)
        if play.ruling("handler_tokens") == "per-session" and state.episodes:
            segments.refill_tokens(play)

    def began(self, play: Table) -> int:
        """The entry that began the first episode."""
        return play.state.episodes[0].step if play.state.episodes else 0

    def player_of(self, play: Table, named: Named) -> str:
        """Who plays a spy, or a contact on a spy's sheet."""
        state = play.state
        if named.kind == SPY:
            return state.cast[named.id].player
        if named.kind == CONTACT:
            for spy in state.cast.values():
                if any(contact.id == named.id for contact in spy.contacts):
                    return spy.player
        return ""

    def left_out(self, play: Table, diagnostic: Diagnostic) -> None:
        """An entry that could not be read may have moved play on: its consequences are folded
        under it."""
        state = play.state
        verb = diagnostic.dropped_words[0]
        if verb in MOVES or verb not in self.by_verb:
            state.opposition_unsure, state.possible_left = True, None
            doubt_pool(play)
            keys = [f"{figure}:{id}" for id in state.cast for figure in ("persistent", "job dice")]
            for key in (FLOW, "opposition:", "agency:", "interference:", *keys):
                play.tainted.setdefault(key, diagnostic)

    def before(self, play: Table, action: Action) -> None:
        """Another entry closes a check or a roll that was logged in parts; a token stays shut until the envelopes are
        dealt; some tables limit who tells."""
        if action.verb in self.own_verbs and not action.about_table:
            segments.let_go(play, action.verb)
            if isinstance(action, rolls.Roll):
                rolls.find_scene(play, action)
            if not isinstance(action, checks.RollCheck):
                checks.close_check(play)
            if isinstance(action, rolls.Roll):
                rolls.close_in_mini(play, action)
            elif not isinstance(action, checks.SpendToken):
                rolls.close_roll(play)
        if play.runner and play.runner not in play.present and acts_for_handler(play, action):
            play.check_presence(play.runner, action.place())
        if isinstance(action, Reveal):
            tokens.shown_early(play, action)
        elif isinstance(action, Tell):
            scenes.hold_narration(play)

    def after(self, play: Table, action: Action) -> None:
        """After a gap, dice are unknown; a log can begin in mid-episode."""
        if isinstance(action, Gap) and action.touches("pools"):
            self._hole(play)
        elif isinstance(action, PlayStarts):
            play.state.setup_checked = True

    def _hole(self, play: Table) -> None:
        state, is_open = play.state, segments.is_scene_open(play)
        if not is_open:
            segments.abandon(play)
        elif state.mini is not None:
            state.mini.is_open = True
        state.hole = state.opposition_unsure = True
        doubt_pool(play)
        state.possible_left = None
        state.hole_step, state.adrift = play.step.number, True
        for spy in state.cast.values():
            spy.unsure = True
        episode = state.episode
        if episode is not None and not episode.over:
            episode.partial = True
            segment = state.segment
            if segment is not None and not segment.over:
                segment.partial = True
                state.phase, state.adrift = state.phase if is_open else Phase.NEXT, False
            elif segment is not None and state.phase is Phase.MINI:
                state.phase = Phase.SEGMENT_OVER

    def options(self, play: Table) -> list[Move]:
        """The possible next entries. While dice are logged side by side, only the others of the same roll. Envelopes
        are seldom dealt early."""
        is_early = tokens.Deal.is_early(play)
        options = [
            option._replace(
                is_rare=option.is_rare or (is_early and option.verb == tokens.Deal.verb)
            )
            for option in super().options(play)
        ]
        scene = play.state.scene
        if scene is None or scene.resolved or not (scene.checked or scene.rolled):
            return options
        verb = checks.RollCheck.verb if scene.checked else rolls.Roll.verb
        return [option for option in options if option.verb == verb]

    def offers(self, play: Table, verb: str, by: str) -> Iterator[Offer]:
        """Values that fit the keys of a verb now."""
        from chronicle.games.slow_burn.offers import offers

        return offers(play, verb)

    def situation(self, play: Table) -> str:
        """Where play is, in one sentence."""
        state = play.state
        track = track_of(state)
        stands = f"Track {track}, {TRACKS[track - 1]}"
        segment, episode = state.segment, state.episode
        inside = f"Episode {episode.number}" if episode else ""
        if segment is not None and state.phase not in (Phase.BETWEEN, Phase.SETUP):
            inside += f", Segment {segment.number}"
        title = state.scene.title if state.scene else ""
        against = amount_in_units(opposition(play), OPPOSITION_DIE)
        match state.phase:
            case Phase.SETUP:
                return f"{stands}: before the first Job."
            case Phase.BETWEEN:
                return f"{inside} is over, and the next Job has not begun."
            case Phase.OPENING:
                return f"{inside} opens with {against}; pushes are declared now. {stands}."
            case Phase.NEXT:
                return f"{inside}: {against} left; another scene. {stands}."
            case Phase.FRAMED:
                return f'{inside}, "{title}": resources, then the interference check. {stands}.'
            case Phase.READY:
                return f'{inside}, "{title}": the dice are about to be rolled. {stands}.'
            case Phase.TRIGGERED:
                return f"{inside}: {_waiting(state)} {stands}."
            case Phase.MINI | Phase.MINI_SCENE:
                kind = (
                    "A push for freedom"
                    if state.mini and state.mini.kind is Kind.PUSH
                    else "An interference"
                )
                played = len(state.mini.scenes) if state.mini else 0
                return f"{inside}: {kind}, {played} of at most 3 scenes framed. {stands}."
            case Phase.PUSH_DUE:
                return f"{inside} is over; the declared push is played now. {stands}."
            case Phase.SEGMENT_OVER:
                return f"{inside} is over; the next Segment begins. {stands}."
            case Phase.JOB_OVER:
                return f"{inside}: the Job is done and its end is told. {stands}."

    def standing(self, play: Table) -> Standing:
        """Where play is, in parts: the episode, the Segment, the scene, the track, and what comes now."""
        state = play.state
        track = track_of(state)
        crumbs = [f"Episode {state.episode.number}"] if state.episode else []
        if state.segment is not None and state.phase not in (Phase.BETWEEN, Phase.SETUP):
            crumbs.append(f"Segment {state.segment.number}")
        if state.scene is not None and state.phase in (Phase.FRAMED, Phase.READY):
            crumbs.append(state.scene.title)
        text = (
            self.situation(play).rpartition(f"Track {track}, {TRACKS[track - 1]}")[0].rstrip(" .:")
        )
        for part in (*crumbs, f'"{state.scene.title}"' if state.scene else ""):
            text = text.removeprefix(part).removeprefix(f'"{part}"').lstrip(",: ") if part else text
        headline, _, details = text.partition("; ")
        if headline.startswith(("is over", "opens")) and crumbs:
            headline = f"{crumbs[-1]} {headline}"
        headline = headline or TRACKS[track - 1]
        details = f"{details[:1].upper()}{details[1:]}." if details else ""
        asks: tuple[str, ...] = ("scene",) if state.phase in (Phase.OPENING, Phase.NEXT) else ()
        if not details and state.phase is Phase.SETUP:
            details, asks = casting.wanting(play)
            if not details:
                details, asks = tokens.wanting(play)
        return Standing(
            f"{headline[:1].upper()}{headline[1:]}",
            details,
            (*crumbs, f"Track {track}, {TRACKS[track - 1]}"),
            asks=asks,
        )


def _waiting(state: State) -> str:
    check = state.check
    if check is None:
        return "the Agency interferes."
    if check.waiting:
        return f"{', '.join(check.waiting)} must roll whether the Agency has them."
    undecided = check.undecided()
    if undecided:
        return f"{', '.join(undecided)} must ignore or answer the Agency."
    return "the Agency interferes."


RULEBOOK = SlowBurn
