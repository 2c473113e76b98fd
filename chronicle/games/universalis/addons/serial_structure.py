"""UA.3: every session leaves something open for the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chronicle.core.answers import Move, one_of
from chronicle.core.declare import Action, Decides, Part, main, option
from chronicle.core.diagnostic import plural
from chronicle.core.field_types import NAME, TEXT, label, whole
from chronicle.core.fix import replace_with
from chronicle.core.source import Place
from chronicle.core.telling import TextRole
from chronicle.games.universalis.addons.base import AddOn, Table, memory, remembered

if TYPE_CHECKING:
    from chronicle.core.campaign import Session
    from chronicle.core.campaign_view import CampaignView


class AtLeast(Part):
    """What the group may set."""

    threads = option(whole(1), "how many threads a session leaves open at least", default=1)


@dataclass(slots=True, eq=False)
class Thread:
    """A promise that the story still owes: its words, where it was left open and where tied up."""

    id: str
    text: str
    step: int
    player: str
    tied: int = 0


@dataclass(slots=True, eq=False)
class Threads:
    """All threads of the game, and what the log of the last session ended with."""

    threads: list[Thread] = field(default_factory=list)
    last_place: Place | None = None
    open_then: int = -1


class LeaveOpen(Action):
    """Note a thread of the plot that is left open for the next session. It costs nothing."""

    verb = "leave open"
    optional = True
    decides = Decides("table")
    example = "leave open: Who lit the lamp in the drowned church?\n  id: the lamp"
    words = main(TEXT, "the open question", text_role=TextRole.SENTENCE)


class TieUp(Action):
    """A thread that was left open is tied up."""

    verb = "tie up"
    optional = True
    decides = Decides("table")
    example = "tie up: the lamp"
    what = main(label(NAME), "the id of the thread, or its words")


def leave_open(play: Table, action: LeaveOpen) -> None:
    """A thread more."""
    series = memory(play, Threads)
    id = str(action.id) if action.id is not None else f"thread-{len(series.threads) + 1}"
    series.threads.append(Thread(id, str(action.words), play.step.number, play.step.player))
    play.event(f"left open: {action.words}", "UA.3", "thread")
    play.step.headline = "Left open"


def tie_up(play: Table, action: TieUp) -> None:
    """A thread less."""
    series = memory(play, Threads)
    word = action.what
    key = word.casefold()
    thread = next(
        (
            thread
            for thread in reversed(series.threads)
            if key in (thread.id.casefold(), thread.text.casefold())
        ),
        None,
    )
    if thread is None:
        named = [name for thread in series.threads for name in (thread.id, thread.text)]
        play.illegal(
            "UA.3",
            f"no thread '{word}' was left open{play.names.suggest(word, named)}",
            at=word,
            fix=(
                *play.names.spelling_fixes(word, named),
                *replace_with(t.id for t in series.threads),
            ),
        )
        return
    if play.require(
        not thread.tied,
        "UA.3",
        f"'{thread.text}' is tied up already",
        at=word,
        facts=play.facts(thread.tied, "tied up here"),
    ):
        thread.tied = play.step.number
    play.event(f"tied up: {thread.text}", "UA.3", "thread")
    play.step.headline = f"Tied up: {thread.text}"


class SerialStructure(AddOn):
    """To be continued."""

    summary = "Every session leaves at least one thread of the plot open for the next to pick up."
    chosen: AtLeast
    rule_text = """
        UA.3 Serial structure [checked; V152]
          The game is part of a series: when a session follows, the session before it has left at least one thread
          open, in explicit words.
        """
    verbs = {LeaveOpen: leave_open, TieUp: tie_up}  # noqa: RUF012

    def session_closed(self, play: Table, session: Session) -> None:
        """Count what is open."""
        series = memory(play, Threads)
        series.open_then = sum(1 for thread in series.threads if not thread.tied)
        series.last_place = session.actions[-1].place() if session.actions else None

    def session_opened(self, play: Table, session: Session) -> None:
        """Only now is it known that the last session was not the end of the series."""
        series = memory(play, Threads)
        play.suspect(
            0 <= series.open_then < self.chosen.threads,
            "UA.3",
            f"the session before this one leaves {plural(series.open_then, 'thread')} open"
            if series.open_then
            else "the previous session leaves nothing open, and this is a serial",
            at=series.last_place,
            help="write what is open at its end:  - leave open: ...",
        )

    def adds(self, play: Table, options: list[Move]) -> Iterator[Move]:
        """At any time."""
        series = memory(play, Threads)
        questions = ("Who was it?", "Where is the key?")
        yield self.offer("leave open", "", "note a thread for the next session", one_of(questions))
        loose = [thread.id for thread in series.threads if not thread.tied]
        if loose:
            yield self.offer("tie up", "", "a thread is tied up", one_of(loose))

    @classmethod
    def fill(cls, view: CampaignView) -> None:
        """Open threads are loose ends of the campaign."""
        from chronicle.core.campaign_view import Item

        view.loose_ends += [
            Item(f"left open: {thread.text}", step=thread.step)
            for thread in remembered(view.record.state, Threads).threads
            if not thread.tied
        ]
