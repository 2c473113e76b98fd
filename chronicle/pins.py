"""The pin of a campaign: how one version of Chronicle reads it. The record outlives the program.

``chronicle.pin`` is JSON, and no session. For each session it holds the hash of its text, its problems, and
the assertable figures at the end of each scene (or of the session, if no scene ended). It holds nothing
secret. Later Chronicle replays the same texts and compares. A check reports all differences in one note;
``chronicle pin --compare`` lists them entry by entry, with the matching lines of the changelog.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle import __version__
from chronicle.campaigns import for_readers
from chronicle.core.campaign import Campaign
from chronicle.core.diagnostic import Diagnostic, DiagnosticKind, plural, severity_of
from chronicle.core.file_reading import files_in, read_file
from chronicle.core.game_context import GameContext
from chronicle.core.pin_file import PIN_FILE, PIN_FORMAT, Unpinned, pin_path, read_pin
from chronicle.core.record import Record
from chronicle.core.replay import Replay, entries_from
from chronicle.core.source import Place, whole_file
from chronicle.core.state_data import owner_ids
from chronicle.games import package_of, rulebook
from chronicle.syntax.find import SETTINGS_FILE

CHANGED: Final = "T86"

Figures = dict[str, dict[str, str]]
"""Each figure by its name: whose it is (empty: the game's) to what it was."""


class Difference(NamedTuple):
    """A difference from the pin: its place and subject, the old and the new value, and the id of the rule
    behind it."""

    place: Place
    subject: str
    old: str
    new: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.subject}: {self.old or 'nothing'}, now {self.new or 'nothing'}"


def versions(game: str) -> str:
    """The version of Chronicle that runs, and of the package of a game plug-in."""
    package = package_of(game)
    return f"{__version__}, {package}" if package else __version__


def made_of(campaign: Campaign) -> dict[str, Any]:
    """How this version reads a campaign, as data for the pin."""
    public = for_readers(campaign)
    replay = Replay(public, rulebook(public.game), shows_retracted=False)
    closed_count = 0
    scenes: dict[int, tuple[int, Figures]] = {}
    evenings: dict[int, tuple[int, Figures]] = {}
    session = 0
    for _, action in entries_from(replay):
        if action.session != session and session:
            evenings[session] = replay.play.step.number, figures_of(replay.play)
        session = action.session
        replay.do(action)
        told_scenes = replay.play.timeline.scenes
        over = sum(1 for _ in takewhile(lambda scene: not scene.is_open, told_scenes))
        if over != closed_count:
            figures = figures_of(replay.play)
            for number in range(min(over, closed_count), over):
                scenes[number + 1] = (replay.play.step.number, figures)
            closed_count = over
    if session:
        evenings[session] = replay.play.step.number, figures_of(replay.play)
    record = replay.finish()
    sessions = []
    for evening in record.sessions:
        path = evening.session.path
        ends = [
            scene_end
            for scene_end in scenes.values()
            if evening.first_step <= scene_end[0] <= evening.last_step
        ] or [session_end for session_end in [evenings.get(evening.session.number)] if session_end]
        sessions.append(
            {
                "file": Path(path).name,
                "text": _hash(Path(_own(public, path))),
                "findings": [list(kind) for kind in _findings(record, path)],
                "scenes": [
                    {"line": record.step(index).action.whole_place.line, "figures": figures}
                    for index, figures in ends
                ],
            }
        )
    return {
        "pin": PIN_FORMAT,
        "chronicle": versions(public.game),
        "game": public.game,
        "given": _settings_hash(campaign),
        "sessions": sessions,
    }


def write(campaign: Campaign) -> tuple[Path, bytes]:
    """The file that pins a campaign, and what belongs into it.

    Raises:
        Unpinned: when it would be written through a link that leads out of the campaign.
    """
    text = json.dumps(made_of(campaign), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return pin_path(Path(campaign.folder)), text.encode()


def figures_of(play: GameContext[Any]) -> Figures:
    """Every figure of the game that a log can assert, with its current value."""
    rules = play.rulebook
    figures: Figures = {}
    for name, measure in rules.by_measure.items():
        if name in rulebook(rules.name).on_demand.extension_by_measure:
            continue
        values = {id: measure.read(play, id) for id in owner_ids(play, measure)}
        stated_values = {
            id: str(value) for id, value in sorted(values.items()) if value is not None
        }
        if stated_values:
            figures[name] = stated_values
    return figures


def compare(campaign: Campaign) -> tuple[str, list[Difference], str]:
    """Compare a campaign with its pin: the pinned version, the differences, and the first session file
    changed since (empty: none). Sessions from that file on are not compared.

    Raises:
        Unpinned: when there is no pin, or the pin cannot be read.
    """
    pin = read_pin(Path(campaign.folder))
    current_data = made_of(campaign)
    if pin["given"] != current_data["given"]:
        return str(pin["chronicle"]), [], SETTINGS_FILE
    differences: list[Difference] = []
    paths = {Path(session.path).name: session.path for session in campaign.sessions}
    current = {session_data["file"]: session_data for session_data in current_data["sessions"]}
    for was in pin["sessions"]:
        file = str(was["file"])
        new = current.get(file)
        if new is None or new["text"] != was["text"]:
            return str(pin["chronicle"]), differences, file
        differences += sorted(
            _differences(campaign, paths[file], was, new),
            key=lambda difference: difference.place.line,
        )
    return str(pin["chronicle"]), differences, ""


def _differences(
    campaign: Campaign, path: str, was: Mapping[str, Any], current_data: Mapping[str, Any]
) -> Iterator[Difference]:
    # The pin and the changelog name a rule by its id without the game; the campaign names the game.
    old_problems, new_problems = (
        {(line, code.rpartition(":")[2]) for line, code in each["findings"]}
        for each in (was, current_data)
    )
    for line, code in sorted(old_problems ^ new_problems):
        words = ("reported", "not reported")
        if (line, code) not in old_problems:
            words = words[::-1]
        yield Difference(Place(path, line, 1, line, 2), f"problem {code}", *words, code)
    old, new = (
        {scene["line"]: scene["figures"] for scene in each["scenes"]}
        for each in (was, current_data)
    )
    # Of an evening without scenes a pin of an earlier version has none.
    for line in sorted({*old, *new}) if old else ():
        place = Place(path, line, 1, line, 2)
        if line not in old or line not in new:
            ends = "a scene ends here", "no scene ends here"
            yield Difference(place, "scenes", *(ends if line in old else reversed(ends)))
            continue
        for name in sorted({*old[line], *new[line]}):
            old_values, today = old[line].get(name, {}), new[line].get(name, {})
            for whose in sorted({*old_values, *today}):
                if old_values.get(whose) != today.get(whose):
                    figure_name = f"{whose}'s {name}" if whose else f"the {name}"
                    yield Difference(
                        place, figure_name, old_values.get(whose, ""), today.get(whose, ""), name
                    )


def found_since(campaign: Campaign) -> Diagnostic | None:
    """One problem for all differences since another version pinned the campaign. None if there are no
    differences, or if this version pinned it."""
    place = whole_file(str(Path(campaign.path).parent / PIN_FILE))
    if campaign.pinned_version in ("", versions(campaign.game)):
        return None
    try:
        version, differences, _ = compare(campaign)
    except Unpinned as error:
        return _pin_problem(campaign, place, str(error), "chronicle pin writes it anew")
    if not differences:
        return None
    first = differences[0]
    return _pin_problem(
        campaign,
        first.place,
        f"{plural(len(differences), 'thing')} of this campaign "
        f"{'reads' if len(differences) == 1 else 'read'} differently since Chronicle {version}; "
        f"first {first.subject}: {first.old or 'nothing'}, now {first.new or 'nothing'}",
        f"each of them:  chronicle pin --compare {campaign.folder}",
        f"if that is right now:  chronicle pin {campaign.folder}",
    )


def _pin_problem(campaign: Campaign, place: Place, message: str, *help: str) -> Diagnostic:
    return Diagnostic(
        code=CHANGED,
        kind=DiagnosticKind.BOOKKEEPING,
        severity=severity_of(DiagnosticKind.BOOKKEEPING, campaign.strictness),
        message=message,
        place=place,
        free_help=help,
    )


def explained(differences: list[Difference], version: str, changelog: str) -> dict[str, str]:
    """The line of the changelog that explains each difference, by what it hangs on: of the versions
    after ``version``, the first one that names it."""
    newer = re.split(rf"(?m)^## \[?{re.escape(version.partition(',')[0])}\b", changelog)[0]
    parts = re.split(r"(?m)^- |^#+ .*$", newer)
    items = [" ".join(item.split()) for item in parts[1:]]
    lines_by_rule: dict[str, str] = {}
    for difference in differences:
        word = (
            re.compile(rf"(?<![\w.]){re.escape(difference.rule)}(?!\.?\w)", re.I)
            if difference.rule
            else None
        )
        line = next((item for item in items if word is not None and word.search(item)), "")
        if line:
            lines_by_rule.setdefault(difference.rule, line)
    return lines_by_rule


def _findings(record: Record, path: str) -> list[tuple[int, str]]:
    return sorted(
        {
            (diagnostic.place.line, diagnostic.full_code)
            for diagnostic in record.diagnostics
            if diagnostic.place.path == path
            and not (diagnostic.step_number and record.step(diagnostic.step_number).hidden)
        }
    )


def _own(campaign: Campaign, path: str) -> str:
    return campaign.real_paths.get(path, path)


def _settings_hash(campaign: Campaign) -> str:
    """One hash of the settings and the sheets of characters, which apply to all sessions."""
    folder = Path(campaign.folder)
    files = [folder / SETTINGS_FILE, *files_in(folder, "characters", ".yaml")]
    return sha256("".join(_hash(file) for file in files).encode()).hexdigest()


def _hash(file: Path) -> str:
    try:
        return sha256(read_file(file).replace(b"\r\n", b"\n")).hexdigest()
    except OSError:
        return ""


def changelog() -> str:
    """The changelog of Chronicle; empty if its text is not installed."""
    package = Path(__file__).parent
    for file in (package / "CHANGELOG.md", package.parent / "CHANGELOG.md"):
        try:
            return file.read_text(encoding="utf-8")
        except OSError:
            continue
    return ""
