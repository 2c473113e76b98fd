"""How many taps and keys a stretch of play takes on the desk's page itself, and how many keys its YAML takes.

``python -m tests.browser.evening universalis`` keeps the evening of a game that was told as a story first
(:mod:`tests.services.tellings`), ``python -m tests.browser.evening the-lantern-coast 204 263`` a stretch of
a play example, which is cut before entry 204. It sits down 1024 wide and logs what is said: taps what
leads there, takes what stands greyed behind the
caret, throws on the pad, types where nothing else is left. Sentences are typed either way and count in
neither. An entry that is complained of before it is written counts as a wrong first try. Of a telling, what was
typed by the docs at first, and was wrong, is tried on the page as well: it counts there unless the page says on
the way that it may not be, and why.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, sync_playwright

from chronicle.core.record import Step
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom
from chronicle.syntax.one_line import write_line
from chronicle.syntax.yaml_text import write_entry, write_flow
from tests.browser.desk import Opened
from tests.browser.harness import CHROMIUM_ARGS
from tests.heads import without_keepers_words
from tests.needs import chromium
from tests.services.fingers import ROOT, TOLD, leads, plain, same, sentence
from tests.services.tellings import GAMES, telling

MOST = 160
"""Taps and keys for one entry at most, before it is typed as it stands."""
OUTCOME_KEYS = ("text", "note", "winner", "successes", "pairs", "need", "verdict")
"""Keys that are told beside an entry, and those that say again what the dice of a throw say."""
HEIGHTS = {390: 844, 1024: 768}
"""How high a screen of a width is."""
BUSY = 120_000
"""Milliseconds that an answer may take on a machine that is busy."""
BLOCK_START = len("  text: |\n    ")
"""Keys that the YAML of a story beside an entry takes at least."""


class Logged(NamedTuple):
    """What one entry took."""

    entry: str
    taps: int
    keys: int
    yaml: int
    wrong: str
    """What was complained of at the first try."""
    seen: str = ""
    """What the page said on the way to a first try that would have been wrong."""
    yaml_wrong: bool = False
    """Whether it was wrong as it was typed into the file at first."""


class RecordedEntry(NamedTuple):
    """An entry of the example: as data, the sentences in it, and the story beside it."""

    data: Mapping[str, Any]
    sentences: tuple[str, ...]
    text: str
    first: Mapping[str, Any] = {}
    """The entry as it was typed by the docs at first, if that was wrong."""

    @property
    def entry(self) -> str:
        """The entry as YAML, without its dash."""
        return write_entry(self.data)

    @property
    def yaml(self) -> int:
        """The keys that its YAML takes, without its sentences."""
        typed = len(f"- {self.entry}") + 1 + self.entry.count("\n") * 2
        return typed - sum(map(len, self.sentences)) + (BLOCK_START if self.text else 0)


class Sitting:
    """Somebody at the page, who knows what is to be logged."""

    def __init__(self, page: Page, room: CampaignRoom, campaign: str) -> None:
        self.page = page
        self.desk = Desk(room)
        self.room = room
        self.campaign = campaign
        self.verbs = room.open(campaign).workspace.replay.rulebook.by_verb  # type: ignore[union-attr]
        self.taps = self.keys = 0

    def log(self, recorded: RecordedEntry) -> Logged:
        """Log one entry."""
        self.taps = self.keys = 0
        count = self.page.locator(".table-view .entry").count()
        wrong = hint = ""
        if recorded.first:
            wrong, hint = self._first_try(recorded)
        if recorded.text:
            self.page.locator(".story").click()
            self.page.locator(".fiction-line").fill(recorded.text)
            self.taps += 1
        if not self._on_pad(recorded):
            wrong = self._on_line(recorded) or wrong
            self._tap(self.page.locator(".box .write"))
        self.page.locator(f".table-view .entry >> nth={count}").wait_for()
        return Logged(
            recorded.entry,
            self.taps,
            self.keys,
            recorded.yaml,
            wrong,
            hint,
            yaml_wrong=bool(recorded.first),
        )

    def _first_try(self, recorded: RecordedEntry) -> tuple[str, str]:
        """Go where a first try leads, until the page says no: what it complains of in the end, or what it
        has said on the way, which is not wrong yet. What it took is not given back. Where the verb is not
        among what may come, the headline says what has to come before it; a throw is made on the pad,
        which says who throws how many."""
        target = write_line(recorded.first, self.verbs)
        self._reload()
        verb, moment = next(iter(recorded.first)), self._ask("table")
        due = [
            obligation
            for obligation in moment["due"]
            if obligation["verb"] == verb and obligation["faces"]
        ]
        if due and len(recorded.first) == 1:
            # It is thrown on the pad, which says who throws how many.
            row = self.page.locator(".due > li", has_text=due[0]["short"] or due[0]["who"])
            return "", row.first.inner_text().replace("\n", " ")
        if verb not in {*moment["always"], *(move["verb"] for move in moment["next"])}:
            self.page.locator(".row-next .chip").first.wait_for()
            return "", self.page.locator(".table-view .moment h1").inner_text()
        wrong, hint = self._on_line(recorded._replace(data=recorded.first), barred=True), ""
        line = self.page.locator("#line").input_value()
        if not wrong:
            hint = self._against(target, line) if line != target else ""
        self._fill("")
        return wrong, hint

    def _against(self, target: str, line: str) -> str:
        """What the page says against what is next on the way to a line, or against what stands there."""
        reasons = (
            why for barred, why in self._barred() if barred == line or leads(barred, target, line)
        )
        return next(reasons, "")

    def _barred(self) -> list[tuple[str, str]]:
        """What stands among the choices and may not be taken, and why."""
        barred: list[tuple[str, str]] = self.page.evaluate(
            """() => [...document.querySelectorAll(".choice.no")].map((one) =>
                [one.dataset.line, one.querySelector(".choice-note")?.textContent ?? "?"])"""
        )
        return barred

    def _tap(self, locator: Locator) -> None:
        locator.click()
        self.taps += 1

    # -- the pad -----------------------------------------------------------------------------------

    def _on_pad(self, recorded: RecordedEntry) -> bool:
        verb, value = next(iter(recorded.data.items()))
        chip = self.page.locator(f'.chip.due[data-verb="{verb}"]')
        if len(recorded.data) > 1 or not chip.count():
            return False
        self._reload()
        due = [
            obligation
            for obligation in self._ask("table")["due"]
            if obligation["verb"] == verb and obligation["faces"]
        ]
        fallen = [(obligation, _faces(value, obligation)) for obligation in due]
        if not due or not any(faces for _, faces in fallen):
            return False
        taps_before = self.taps
        self._tap(chip.first)
        # The pad goes on by itself to whoever throws next.
        for obligation, faces in fallen:
            if not faces:
                continue
            if obligation["who"] not in self.page.locator(".pad-head h2").inner_text():
                row = self.page.locator(
                    ".due-row", has_text=obligation["short"] or obligation["who"]
                )
                self._tap(row.first)
            for face in faces:
                self._tap(self.page.locator(f'.key[data-face="{face}"]'))
        # Answers come as faces are tapped; the last one is what will be written.
        self.page.wait_for_timeout(400)
        pad_entry = self.page.locator(".pad-says").get_attribute("data-entry") or ""
        write = self.page.locator(".pad .write, .pad-actions button", has_text="Add")
        # The pad writes names as the log mostly has them; what fell has to be all there.
        if fallen_in(pad_entry) == fallen_in(recorded.entry) and write.count():
            self._tap(write.last)
            return True
        self.page.locator(".pad-head button").click()
        self.taps = taps_before
        return False

    def _reload(self) -> None:
        for opened in self.room.open_campaigns():
            opened.workspace.reload()

    def _ask(self, ask: str, **arguments: Any) -> Any:
        return self.desk.ask({"id": 1, "ask": ask, "campaign": self.campaign, **arguments})[
            "answer"
        ]

    # -- the line ----------------------------------------------------------------------------------

    def _on_line(self, recorded: RecordedEntry, *, barred: bool = False) -> str:
        target = write_line(recorded.data, self.verbs)
        if not target:
            # Entries within an entry: typed as they stand.
            self.keys += recorded.yaml
            (verb, value), *other_fields = recorded.data.items()
            field_text = "".join(
                f", {key}: {write_flow(field_value)}" for key, field_value in other_fields
            )
            self._fill(f"{verb} {write_flow(value)}{field_text}")
            return self._wrong()
        taps_before = self.taps
        while self.taps + self.keys < MOST:
            line, yaml, ghost, choices = self._seen()
            if line and yaml and same(yaml.partition("\n  text:")[0], recorded.entry):
                return self._wrong()
            best_choice = max(
                (choice for choice in choices if leads(choice, target, line)), key=len, default=""
            )
            if barred and not best_choice and self._against(target, line):
                return ""
            remainder = target[len(line) :] if target.startswith(line) else ""
            next_line = next(
                (candidate for candidate in recorded.sentences if remainder.startswith(candidate)),
                "",
            )
            if best_choice:
                self._tap(self._way(best_choice, line))
            elif next_line:
                self._fill(line + next_line)
            elif ghost and leads(line + ghost, target, line):
                self.page.locator("#line").press("Tab")
                self.keys += 1
            elif remainder:
                self.page.locator("#line").press_sequentially(remainder[0])
                self.keys += 1
            else:
                break
        # What taps have put there is written another way than the log has it: it is typed instead.
        self._fill(target)
        self.taps, self.keys = (
            taps_before,
            len(target) - sum(len(story_line) for story_line in recorded.sentences),
        )
        return self._wrong()

    def _wrong(self) -> str:
        headings = self.page.locator(".draft-finding .finding.error h2").all_inner_texts()
        return "; ".join(headings)

    def _fill(self, line: str) -> None:
        self.page.locator("#line").fill(line)
        self._seen()

    def _way(self, choice: str, line: str) -> Locator:
        for element in self.page.locator(
            ".choice:not(.no)" if line else ".row-next .chip:visible"
        ).all():
            if element.get_attribute("data-line") == choice:
                return element
        raise AssertionError(choice)

    def _seen(self) -> tuple[str, str, str, list[str]]:
        """The line, its entry, what stands greyed behind it, and where taps lead, once it is thought
        about."""
        self.page.wait_for_function(
            "() => document.querySelector('.choices').dataset.of === document.querySelector('#line').value"
        )
        screen: tuple[str, str, str, list[str]] = self.page.evaluate(
            """() => {
                const line = document.querySelector("#line").value;
                const ways = document.querySelectorAll(line ? ".choice:not(.no)" : ".row-next .chip:not(.due)");
                return [line, document.querySelector(".draft").dataset.entry ?? "",
                    document.querySelector(".ghost")?.textContent ?? "",
                    [...ways].map((one) => one.dataset.line).filter(Boolean)];
            }"""
        )
        return screen


def _faces(value: Any, due: Mapping[str, Any]) -> list[str]:
    """What fell of a thing that is due, in an entry."""
    if isinstance(value, Mapping):
        if due["who"] == "The Sphere" and "GM" in value:
            return _faces(value["GM"], due)
        for owner, dice in value.items():
            if owner in (due["who"], due["short"], due["player"]) or owner in due["who"].split():
                return _faces(dice, due)
        return _faces(value[due["kind"]], due) if due["kind"] in value else []
    faces = set(due["faces"])
    if isinstance(value, list):
        fallen = [str(face) for face in value]
    else:
        fallen = [str(value)] if str(value) in faces else [*str(value).replace(" ", "")]
    fallen = ["10" if face == "0" and "0" not in faces else face for face in fallen]
    return fallen if faces.issuperset(fallen) else []


def stretch(
    room: CampaignRoom, campaign: str, first: int, last: int
) -> Iterator[tuple[Step, RecordedEntry]]:
    """The entries of a stretch."""
    record = room.open(campaign).workspace.record
    assert record is not None
    for step in record.steps:
        if step.parent is None and first <= step.number <= last:
            source = step.action.source
            data = {
                str(key): _flat(plain(field_value))
                for key, field_value in source.items()
                if key not in OUTCOME_KEYS
            }
            within = [child for child in record.steps if child.parent == step.number]
            story_lines = (
                *sentences(step),
                *(words for child in within for words in sentences(child, TOLD[:2])),
            )
            story_lines = tuple(map(_flat, story_lines))
            yield step, RecordedEntry(data, story_lines, str(source.get("text", "")).strip())  # type: ignore[call-overload]


def _flat(value: Any) -> Any:
    """A value as it is said on one line: a text of several lines goes on in the same one."""
    if isinstance(value, Mapping):
        return {key: _flat(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(_flat, value)]
    return " ".join(value.split()) if isinstance(value, str) and "\n" in value else value


def sentences(step: Step, more_keys: tuple[str, ...] = ()) -> Iterator[str]:
    """What of an entry are somebody's own words; those under ``more_keys`` as well."""
    for key, field_value in step.action.source.items():
        if str(key) in more_keys or (
            str(key) not in TOLD and sentence(type(step.action), str(key), field_value)
        ):
            yield str(field_value)


def fallen_in(entry: str) -> list[str]:
    """The faces in a throw; a ten is a ten or a nought."""
    faces = re.findall(r"[\d+o-]+", entry.partition(":")[2])
    return sorted("0" if face == "10" else face for face in faces)


def cut(home: Path, step: Step) -> None:
    """Let a log end above an entry."""
    file = home / Path(step.action.path).name
    for later in sorted(home.glob("[0-9]*.yaml")):
        if later.name > file.name:
            later.unlink()
    rows = file.read_text(encoding="utf-8").split("\n")
    text = without_keepers_words("\n".join(rows[: step.action.whole_place.line - 1]) + "\n")
    file.write_text(text, encoding="utf-8")


def evening(
    page: Page,
    folder: Path,
    campaign: str,
    first: int,
    last: int,
    source: Path = ROOT / "sessions",
    tries: Iterable[Mapping[str, Any]] = (),
) -> Iterator[Logged]:
    """Log a stretch of a campaign on the page; ``tries`` are what was typed of each entry at first."""
    recorded_entries = list(stretch(CampaignRoom(source, _nothing), campaign, first, last))
    shutil.copytree(source / campaign, folder / campaign)
    cut(folder / campaign, recorded_entries[0][0])
    opened = Opened(folder)
    try:
        page.set_default_timeout(BUSY)
        page.goto(opened.link)
        page.evaluate("to => { location.hash = to }", f"/{campaign}")
        page.locator(f'html[data-campaign="{campaign}"] .moment h1').first.wait_for(
            state="attached"
        )
        if page.locator(".table-view").is_hidden():
            # Where there is room, the editor opens first.
            page.locator(".segment", has_text="Log").click()
            page.locator(".table-view .moment h1").wait_for()
        sitting = Sitting(page, CampaignRoom(folder, _nothing), campaign)
        for (_, recorded), typed in zip(recorded_entries, chain(tries, repeat({})), strict=False):
            yield sitting.log(recorded._replace(first=typed))
    finally:
        opened.kill()


def _nothing(home: Path, changes: list[Any]) -> None:
    raise AssertionError("only the page writes")


def summed(logged: list[Logged]) -> str:
    """The sums of a stretch, in one line."""
    taps, keys = sum(entry.taps for entry in logged), sum(entry.keys for entry in logged)
    wrong = sum(bool(entry.wrong) for entry in logged)
    hint_count = sum(bool(entry.seen) for entry in logged)
    yaml_wrong = sum(entry.yaml_wrong for entry in logged)
    yaml = sum(entry.yaml for entry in logged)
    return (
        f"{len(logged)} entries: {taps} taps and {keys} keys, {wrong} wrong first tries, {hint_count} more "
        f"that the page spoke against on the way; as YAML {yaml} keys, {yaml_wrong} wrong first tries"
    )


def main() -> None:
    """Log a stretch, and print what every entry took."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.evening")
    parser.add_argument("campaign", help="a game whose evening was told, or a play example")
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("last", type=int, nargs="?", default=1 << 20)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--looks", type=Path, help="a folder for a picture of every entry")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        source, tries = ROOT / "sessions", []
        if options.campaign in GAMES:
            source = Path(name) / "told"
            tries = telling(options.campaign).write(source / options.campaign)
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)
        page = browser.new_page(
            viewport={"width": options.width, "height": HEIGHTS.get(options.width, 900)},
            color_scheme="dark" if options.dark else "light",
            reduced_motion="reduce",
        )
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        logged = []
        desk = Path(name) / "desk"
        for entry in evening(
            page, desk, options.campaign, options.first, options.last, source=source, tries=tries
        ):
            logged.append(entry)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                errors.append(f"{wide} px wider than the screen")
            if options.looks:
                options.looks.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=options.looks / f"{len(logged):03}.png")
            mark = "!" if entry.wrong else "." if entry.seen else " "
            summary = " | ".join(
                filter(None, (entry.entry.splitlines()[0][:80], entry.wrong or entry.seen))
            )
            print(
                f"{mark}{entry.taps:4} taps {entry.keys:4} keys {entry.yaml:5} as YAML   {summary}",
                flush=True,
            )
        print(summed(logged), f"{len(errors)} script errors or overflows", *errors, sep="; ")
        browser.close()


if __name__ == "__main__":
    main()
