"""Whatever an editor is offered first may be accepted as it stands: what it brings can be read, is indented
as it has to be, and names nobody who is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind
from chronicle.games import GAMES
from chronicle.services.editor.complete import complete
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign, WorkingCopy
from chronicle.services.snippets import CARET_MARK, FACE_MARK, STOP_MARKS
from chronicle.syntax.examples import PLACEHOLDER
from chronicle.syntax.reader import read_text
from tests.conftest import SOAK

FIRST = 3
"""How many of what is offered behind a dash are accepted."""
MOST = 20 if SOAK else 8
"""At how many moments of a game."""
DEEPEST = 6
OWN_WORDS = "Quite another matter"
"""What somebody types where nothing is offered."""
LACKING = frozenset({"T23", "T56", "T70"})
"""What is said of an entry that needs another key."""
FILLED = frozenset({"_", PLACEHOLDER, OWN_WORDS})
"""What somebody replaces: a die that has not fallen, their own words."""


class Typed(NamedTuple):
    """A log that somebody is typing: up to the caret, and what was put in behind it."""

    text: str
    behind: str = ""

    @property
    def whole(self) -> str:
        return f"{self.text}{self.behind}\n"

    @property
    def waits(self) -> bool:
        """Whether more has to come at the caret."""
        return self.text.rstrip()[-1:] in (":", "{", "[", "-", "|", '"')

    def accepting(self, completion: Completion) -> Typed:
        """With something accepted as it stands."""
        inserted, behind = completion.text_around_caret
        return Typed(
            self.text[: len(self.text) - completion.overwritten_length] + inserted,
            behind + self.behind,
        )


class Keeper:
    """Somebody who types below a log, and takes what is offered."""

    def __init__(self, opened: OpenCampaign, file: str, above: str) -> None:
        self.opened, self.file, self.above = opened, file, above
        self.seen = 0

    def offered(self, typed: Typed, *, barred: bool = False) -> list[Completion]:
        """What may stand at the caret; with ``barred``, what may not as well."""
        self.opened.set_drafts({self.file: WorkingCopy("", typed.text + typed.behind)})
        row = typed.text.split("\n")[-1]
        completions = complete(self.opened, self.file, typed.text.count("\n") + 1, len(row) + 1)
        return [completion for completion in completions if barred or not completion.why_barred]

    def filled(self, typed: Typed) -> Typed:
        """With the first of what is offered, as long as more has to come."""
        for _ in range(DEEPEST):
            if not typed.waits:
                return typed
            completions = self.offered(typed)
            if not completions:
                space = " " if typed.text.endswith(":") else ""
                return typed._replace(text=f"{typed.text}{space}{OWN_WORDS}")
            typed = typed.accepting(completions[0])
        return typed

    def hold(self, typed: Typed) -> None:
        """Hold that a log can be read."""
        self.seen += 1
        assert not any(sign in typed.whole for sign in (*STOP_MARKS, FACE_MARK, CARET_MARK))
        entry = typed.whole[len(self.above) :]
        parsed = read_text(typed.whole, self.file)
        assert not [problem.message for problem in parsed.problems if problem.severity > 2], entry
        self.opened.set_drafts({self.file: WorkingCopy("", typed.whole)})
        begin = self.above.count("\n")
        for diagnostic in self.opened.workspace.diagnostics:
            is_below = diagnostic.place.path == self.file and diagnostic.place.line > begin
            if (
                is_below
                and diagnostic.kind is DiagnosticKind.UNREADABLE
                and not _open(diagnostic, typed.whole)
            ):
                raise AssertionError(f"{diagnostic.code} {diagnostic.message}\n{entry}")


def _open(diagnostic: Diagnostic, text: str) -> bool:
    """Whether something is said of what is still to be filled in, or to come."""
    rows = text.split("\n")
    place = diagnostic.place
    row = rows[place.line - 1] if place.line <= len(rows) else ""
    word = row[place.column - 1 : place.end_column - 1]
    return diagnostic.code in LACKING or any(
        placeholder in f"{word} {diagnostic.message}" for placeholder in FILLED
    )


def moments(game: str, root: Path) -> Iterator[tuple[OpenCampaign, str, str]]:
    """Where each verb of a game comes for the first time in its play examples: a file, and what of it
    stands above."""
    verbs, places = set[str](), list[tuple[OpenCampaign, str, str]]()
    for home in find_campaigns(root / "sessions"):
        if load(home).game != game:
            continue
        opened = OpenCampaign(home.name, home, lambda home, changes: None)
        for file in (
            campaign_file.name
            for campaign_file in opened.files()
            if campaign_file.kind == "session"
        ):
            rows = opened.text(file).splitlines(keepends=True)
            for at, row in enumerate(rows):
                verb = re.match(r"- \{?([^:]+):", row)
                if verb is not None and verb[1] not in verbs:
                    verbs.add(verb[1])
                    places.append((opened, file, "".join(rows[:at])))
    yield from places[:: -(-len(places) // MOST)]


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_what_is_offered_first_can_be_accepted_as_it_stands(game: str, root: Path) -> None:
    held = 0
    for opened, file, above in moments(game, root):
        opened.set_drafts({})
        keeper = Keeper(opened, file, above)
        begun = Typed(f"{above}- ")
        for verb in keeper.offered(begun)[:FIRST]:
            typed = begun.accepting(verb)
            completions = keeper.offered(typed) if typed.waits else []
            wholes = [
                keeper.filled(typed.accepting(completion))
                for completion in (completions[:1] or completions)
            ]
            wholes += [
                typed.accepting(completion)
                for completion in completions
                if completion.kind == "shape"
            ]
            for finished in wholes or [keeper.filled(typed)]:
                keeper.hold(finished)
            # Half a word is as good as none.
            half = Typed(f"{above}- {verb.label[:3]}")
            # Of fewer more can be tried, and told of.
            completions = keeper.offered(half, barred=True)
            same_verb = next(
                (completion for completion in completions if completion.label == verb.label), None
            )
            assert same_verb is not None and half.accepting(same_verb) == typed, (verb, same_verb)
            below = Typed(f"{(wholes or [keeper.filled(typed)])[0].whole}  ")
            for key in [
                completion for completion in keeper.offered(below) if completion.kind == "key"
            ][:1]:
                keyed = below.accepting(key)
                some = keeper.offered(keyed)
                keeper.hold(keeper.filled(keyed))
                for completion in some:
                    if completion.kind == "shape":
                        keeper.hold(keyed.accepting(completion))
        held += keeper.seen
    assert held > 2 * MOST
