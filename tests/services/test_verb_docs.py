"""Two evenings told by a table and typed into an editor, taking what it offers: nearly all is right the
first time.

A step is what somebody does: ``ev>event`` types *ev* and takes *event* from what is offered (which must be
there, and not among what may not be), ``+by>by`` the same for a key on a line of its own, ``=words`` types
words, ``nl`` begins a line, ``>|`` goes to the end of it, ``dice:352`` types faces into the places that
were offered for them.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from chronicle.core.diagnostic import Severity
from chronicle.services.editor.complete import complete
from chronicle.services.editor.completion import Completion
from chronicle.services.open_campaigns import OpenCampaign, WorkingCopy
from chronicle.services.snippets import CARET_MARK, FACE_MARK

UNIVERSALIS = "game: universalis\ntitle: The ice road\nplayers: [Mara, Jon, Ilse, Piet]\n"
ISOLATION = "game: isolation\ntitle: The weather ship\ngm: Noor\nplayers: [Ana, Bo, Cem]\n"

Story = list[tuple[str, list[str]]]


def story_of(game: str) -> Story:
    """What a table said, and below each sentence the steps of whoever types it, with slashes between."""
    lines = (
        (Path(__file__).parent / "told" / f"{game}.txt").read_text(encoding="utf-8").splitlines()
    )
    # A step may begin or end with spaces, which are typed.
    return [
        (sentence, steps[4:].split(" / "))
        for sentence, steps in zip(lines[::2], lines[1::2], strict=True)
    ]


class Misled(AssertionError):
    """What somebody looked for is not offered, or what was written is wrong."""


class Typist:
    """Somebody who types an evening, entry by entry."""

    def __init__(self, folder: Path, settings: str) -> None:
        (folder / "campaign.yaml").write_text(settings, encoding="utf-8")
        self.written = "session: 1\nlog:\n"
        (folder / "01.yaml").write_text(self.written, encoding="utf-8")
        self.opened = OpenCampaign("told", folder, lambda home, changes: None)
        self.before = self.after = ""

    def fits(self) -> list[Completion]:
        self.opened.set_drafts({"01.yaml": WorkingCopy("", f"{self.before}{self.after}\n")})
        rows = self.before.split("\n")
        return complete(self.opened, "01.yaml", len(rows), len(rows[-1]) + 1)

    def take(self, label: str, *, begins: bool = False) -> None:
        offered = self.fits()
        completion = next(
            (
                candidate
                for candidate in offered
                if candidate.label == label or (begins and candidate.label.startswith(label))
            ),
            None,
        )
        where = self.before.rpartition("\n")[2]
        if completion is None:
            raise Misled(
                f"no '{label}' after {where!r}: {[candidate.label for candidate in offered][:9]}"
            )
        if completion.why_barred:
            raise Misled(f"'{label}' after {where!r} may not be: {completion.why_barred}")
        head, _, tail = completion.insert.partition(CARET_MARK)
        self.before = self.before[: len(self.before) - completion.overwritten_length] + head
        self.after = tail + self.after

    def line(self, begin: str) -> None:
        self.before += f"{self.after}\n{begin}"
        self.after = ""

    def step(self, instruction: str) -> None:
        if instruction.startswith("="):
            self.before += instruction[1:]
        elif instruction == ">|":
            self.before, self.after = self.before + self.after, ""
        elif instruction.startswith("nl"):
            self.line(instruction[2:])
        elif instruction.startswith("begins:"):
            self.take(instruction[7:], begins=True)
        elif instruction.startswith("dice:"):
            faces = cycle(instruction[5:])
            self.before = "".join(
                next(faces) if sign == FACE_MARK else sign for sign in self.before
            )
        else:
            if instruction.startswith("+"):
                self.line("  ")
            typed, _, label = instruction.lstrip("+").partition(">")
            self.before += typed
            self.take(label)

    def entry(self, steps: list[str]) -> None:
        """Type an entry; it stays if it is right."""
        known_problems = self.found(self.written)
        self.before, self.after = f"{self.written}- ", ""
        for instruction in steps:
            self.step(instruction)
        text = f"{(self.before + self.after).rstrip()}\n"
        wrong = [problem for problem in self.found(text) if problem not in known_problems]
        if wrong:
            raise Misled("; ".join(wrong))
        self.written = text

    def found(self, text: str) -> list[str]:
        self.opened.set_drafts({"01.yaml": WorkingCopy("", text)})
        return [
            f"{diagnostic.code} {diagnostic.message}"
            for diagnostic in self.opened.workspace.diagnostics
            if diagnostic.severity > Severity.NOTE
            and diagnostic.cause is None
            and not diagnostic.excuse
        ]


def typed(folder: Path, settings: str, story: Story) -> str:
    typist = Typist(folder, settings)
    for number, (sentence, steps) in enumerate(story, 1):
        try:
            typist.entry(steps)
        except Misled as error:
            raise AssertionError(f"{number}. {sentence}: {error}") from None
    return typist.written


@pytest.mark.integration
def test_sixty_actions_of_universalis_are_right_the_first_time(tmp_path: Path) -> None:
    story = story_of("universalis")
    assert len(story) >= 60
    text = typed(tmp_path, UNIVERSALIS, story)
    assert "- roll: {Piet: [3, 9], Ilse: [3, 9, 3]}" in text


@pytest.mark.integration
def test_thirty_actions_of_isolation_are_right_the_first_time(tmp_path: Path) -> None:
    story = story_of("isolation")
    assert len(story) >= 30
    text = typed(tmp_path, ISOLATION, story)
    assert "- result: basic failure" in text


def test_what_would_be_wrong_says_so_before_it_is_written(tmp_path: Path) -> None:
    typist = Typist(tmp_path, UNIVERSALIS)
    for _, steps in story_of("universalis")[:23]:
        typist.entry(steps)
    typist.before, typist.after = f"{typist.written}- event: Okko waves\n  performer: ", ""
    why = {fit.label: fit.why_barred for fit in typist.fits()}
    assert "Jon Controls" in why["Okko"] and not why["Luce"]
    assert [*why].index("Luce") < [*why].index("Okko")
    typist.before = f"{typist.written}- assert: {{wealth: {{Mara: "
    assert [fit.note for fit in typist.fits()] == ["by this record"]


def test_a_card_of_somebody_else_and_a_scene_of_somebody_else_say_so_before(tmp_path: Path) -> None:
    typist = Typist(tmp_path, UNIVERSALIS)
    for _, steps in story_of("universalis")[:10]:
        typist.entry(steps)
    typist.before, typist.after = f"{typist.written}- trait: ", ""
    assert not any(fit.why_barred for fit in typist.fits())
    typist.written += "- end turn:\n"
    typist.before = f"{typist.written}- trait: "
    why = {fit.label: fit.why_barred for fit in typist.fits()}
    assert "Mara Controls" in why["Senna"]
    # Also where nobody else begins so.
    typist.before = f"{typist.written}- fact: It snows\n  by: Ma"
    assert ["Jon" in fit.why_barred for fit in typist.fits()] == [True]
    typist.before = f"{typist.written}- end s"
    (why_not,) = [fit.why_barred for fit in typist.fits() if fit.label == "end scene"]
    assert "only Mara" in why_not


def test_a_conflict_offers_what_its_dice_and_links_allow(tmp_path: Path) -> None:
    story = story_of("isolation")
    typist = Typist(tmp_path, ISOLATION)

    def offered(line: str) -> dict[str, str]:
        typist.before, typist.after = typist.written + line, ""
        return {fit.label: fit.why_barred for fit in typist.fits()}

    for _, steps in story[:4]:
        typist.entry(steps)
    pairs = offered("- green: {")
    assert [*pairs] == ["Runa & Hal", "Runa & Ida", "Hal & Ida"] and not any(pairs.values())
    assert "patient + strong" in offered("- green: {Runa & Hal: [")
    for _, steps in story[4:8]:
        typist.entry(steps)
    offers = offered("- propose: Go\n  by: Hal\n  use: {Ida: ")
    assert not offers["profession"] and not offers["strong + brave"]
    assert "share no link" in offers["kind + funny"]
    assert "not to Hal" in offered("- propose: Go\n  by: Hal\n  use: {Hal: ")["strong + brave"]
    for _, steps in story[8:10]:
        typist.entry(steps)
    stances = offered("- stance: {Ida: ")
    assert "the net is" in stances["cooperative"] and not stances["hostile"]
    assert "proposes" in offered("- stance: ")["Hal"]


def test_own_words_between_braces_stand_in_quotes(tmp_path: Path) -> None:
    typist = Typist(tmp_path, ISOLATION)
    for _, steps in story_of("isolation")[:14]:
        typist.entry(steps)
    typist.entry(["mo>motive", "Id>Ida", "=She waits, and counts, and waits"])
    assert '- motive: {Ida: "She waits, and counts, and waits"}\n' in typist.written
