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

CHANGED_SINCE_PIN_CODE: Final = "T86"

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


def version_text_of(game_name: str) -> str:
    """The version of Chronicle that runs, and of the package of a game plug-in."""
    package = package_of(game_name)
    return f"{__version__}, {package}" if package else __version__


def pin_data_of(campaign: Campaign) -> dict[str, Any]:
    """How this version reads a campaign, as data for the pin."""
    public_campaign = for_readers(campaign)
    replay = Replay(public_campaign, rulebook(public_campaign.game), shows_retracted=False)
    closed_count = 0
    scene_end_by_number: dict[int, tuple[int, Figures]] = {}
    session_end_by_number: dict[int, tuple[int, Figures]] = {}
    session_number = 0
    for _, action in entries_from(replay):
        if action.session != session_number and session_number:
            session_end_by_number[session_number] = replay.play.step.number, figures_of(replay.play)
        session_number = action.session
        replay.do(action)
        scenes = replay.play.timeline.scenes
        finished_count = sum(1 for _ in takewhile(lambda scene: not scene.is_open, scenes))
        if finished_count != closed_count:
            figures = figures_of(replay.play)
            for number in range(min(finished_count, closed_count), finished_count):
                scene_end_by_number[number + 1] = (replay.play.step.number, figures)
            closed_count = finished_count
    if session_number:
        session_end_by_number[session_number] = replay.play.step.number, figures_of(replay.play)
    record = replay.finish()
    session_pins = []
    for session_record in record.sessions:
        path = session_record.session.path
        ends_in_session = [
            scene_end
            for scene_end in scene_end_by_number.values()
            if session_record.first_step <= scene_end[0] <= session_record.last_step
        ] or [
            session_end
            for session_end in [session_end_by_number.get(session_record.session.number)]
            if session_end
        ]
        session_pins.append(
            {
                "file": Path(path).name,
                "text": _file_hash(Path(_real_path_of(public_campaign, path))),
                "findings": [
                    list(line_and_code) for line_and_code in _problem_lines_and_codes(record, path)
                ],
                "scenes": [
                    {"line": record.step(index).action.whole_place.line, "figures": figures}
                    for index, figures in ends_in_session
                ],
            }
        )
    return {
        "pin": PIN_FORMAT,
        "chronicle": version_text_of(public_campaign.game),
        "game": public_campaign.game,
        "given": _settings_hash(campaign),
        "sessions": session_pins,
    }


def pin_file_of(campaign: Campaign) -> tuple[Path, bytes]:
    """The file that pins a campaign, and what belongs into it.

    Raises:
        Unpinned: when it would be written through a link that leads out of the campaign.
    """
    text = json.dumps(pin_data_of(campaign), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return pin_path(Path(campaign.folder)), text.encode()


def figures_of(game_context: GameContext[Any]) -> Figures:
    """Every figure of the game that a log can assert, with its current value."""
    game = game_context.rulebook
    figures: Figures = {}
    for figure_name, measure in game.by_measure.items():
        if figure_name in rulebook(game.name).on_demand.extension_by_measure:
            continue
        value_by_owner = {
            owner_id: measure.read(game_context, owner_id)
            for owner_id in owner_ids(game_context, measure)
        }
        text_by_owner = {
            owner_id: str(value)
            for owner_id, value in sorted(value_by_owner.items())
            if value is not None
        }
        if text_by_owner:
            figures[figure_name] = text_by_owner
    return figures


def compare_with_pin(campaign: Campaign) -> tuple[str, list[Difference], str]:
    """Compare a campaign with its pin: the pinned version, the differences, and the first session file
    changed since (empty: none). Sessions from that file on are not compared.

    Raises:
        Unpinned: when there is no pin, or the pin cannot be read.
    """
    pin_data = read_pin(Path(campaign.folder))
    current_data = pin_data_of(campaign)
    if pin_data["given"] != current_data["given"]:
        return str(pin_data["chronicle"]), [], SETTINGS_FILE
    differences: list[Difference] = []
    path_by_file_name = {Path(session.path).name: session.path for session in campaign.sessions}
    session_data_by_file = {
        session_data["file"]: session_data for session_data in current_data["sessions"]
    }
    for pinned_session in pin_data["sessions"]:
        file_name = str(pinned_session["file"])
        current_session = session_data_by_file.get(file_name)
        if current_session is None or current_session["text"] != pinned_session["text"]:
            return str(pin_data["chronicle"]), differences, file_name
        differences += sorted(
            _differences_in_session(
                campaign, path_by_file_name[file_name], pinned_session, current_session
            ),
            key=lambda difference: difference.place.line,
        )
    return str(pin_data["chronicle"]), differences, ""


def _differences_in_session(
    campaign: Campaign,
    path: str,
    pinned_session: Mapping[str, Any],
    current_session: Mapping[str, Any],
) -> Iterator[Difference]:
    # The pin and the changelog name a rule by its id without the game; the campaign names the game.
    old_problems, new_problems = (
        {(line, code.rpartition(":")[2]) for line, code in session_data["findings"]}
        for session_data in (pinned_session, current_session)
    )
    for line, code in sorted(old_problems ^ new_problems):
        old_and_new = ("reported", "not reported")
        if (line, code) not in old_problems:
            old_and_new = old_and_new[::-1]
        yield Difference(Place(path, line, 1, line, 2), f"problem {code}", *old_and_new, code)
    pinned_figures_by_line, current_figures_by_line = (
        {scene["line"]: scene["figures"] for scene in session_data["scenes"]}
        for session_data in (pinned_session, current_session)
    )
    # Of an evening without scenes a pin of an earlier version has none.
    for line in (
        sorted({*pinned_figures_by_line, *current_figures_by_line})
        if pinned_figures_by_line
        else ()
    ):
        place = Place(path, line, 1, line, 2)
        if line not in pinned_figures_by_line or line not in current_figures_by_line:
            old_and_new_ends = "a scene ends here", "no scene ends here"
            yield Difference(
                place,
                "scenes",
                *(
                    old_and_new_ends
                    if line in pinned_figures_by_line
                    else reversed(old_and_new_ends)
                ),
            )
            continue
        for figure in sorted({*pinned_figures_by_line[line], *current_figures_by_line[line]}):
            old_values, current_values = (
                pinned_figures_by_line[line].get(figure, {}),
                current_figures_by_line[line].get(figure, {}),
            )
            for owner in sorted({*old_values, *current_values}):
                if old_values.get(owner) != current_values.get(owner):
                    subject = f"{owner}'s {figure}" if owner else f"the {figure}"
                    yield Difference(
                        place,
                        subject,
                        old_values.get(owner, ""),
                        current_values.get(owner, ""),
                        figure,
                    )


def changes_since_pin(campaign: Campaign) -> Diagnostic | None:
    """One problem for all differences since another version pinned the campaign. None if there are no
    differences, or if this version pinned it."""
    place = whole_file(str(Path(campaign.path).parent / PIN_FILE))
    if campaign.pinned_version in ("", version_text_of(campaign.game)):
        return None
    try:
        pinned_version, differences, _ = compare_with_pin(campaign)
    except Unpinned as error:
        return _pin_problem(campaign, place, str(error), "chronicle pin writes it anew")
    if not differences:
        return None
    first_difference = differences[0]
    return _pin_problem(
        campaign,
        first_difference.place,
        f"{plural(len(differences), 'thing')} of this campaign "
        f"{'reads' if len(differences) == 1 else 'read'} differently since Chronicle {pinned_version}; "
        f"first {first_difference.subject}: {first_difference.old or 'nothing'}, "
        f"now {first_difference.new or 'nothing'}",
        f"each of them:  chronicle pin --compare {campaign.folder}",
        f"if that is right now:  chronicle pin {campaign.folder}",
    )


def _pin_problem(campaign: Campaign, place: Place, message: str, *help: str) -> Diagnostic:
    return Diagnostic(
        code=CHANGED_SINCE_PIN_CODE,
        kind=DiagnosticKind.BOOKKEEPING,
        severity=severity_of(DiagnosticKind.BOOKKEEPING, campaign.strictness),
        message=message,
        place=place,
        free_help=help,
    )


def changelog_line_by_rule(
    differences: list[Difference], version: str, changelog: str
) -> dict[str, str]:
    """The line of the changelog that explains each difference, by what it hangs on: of the versions
    after ``version``, the first one that names it."""
    newer_changelog = re.split(rf"(?m)^## \[?{re.escape(version.partition(',')[0])}\b", changelog)[
        0
    ]
    changelog_parts = re.split(r"(?m)^- |^#+ .*$", newer_changelog)
    changelog_items = [" ".join(item.split()) for item in changelog_parts[1:]]
    lines_by_rule: dict[str, str] = {}
    for difference in differences:
        rule_pattern = (
            re.compile(rf"(?<![\w.]){re.escape(difference.rule)}(?!\.?\w)", re.I)
            if difference.rule
            else None
        )
        changelog_line = next(
            (
                item
                for item in changelog_items
                if rule_pattern is not None and rule_pattern.search(item)
            ),
            "",
        )
        if changelog_line:
            lines_by_rule.setdefault(difference.rule, changelog_line)
    return lines_by_rule


def _problem_lines_and_codes(record: Record, path: str) -> list[tuple[int, str]]:
    return sorted(
        {
            (diagnostic.place.line, diagnostic.full_code)
            for diagnostic in record.diagnostics
            if diagnostic.place.path == path
            and not (diagnostic.step_number and record.step(diagnostic.step_number).hidden)
        }
    )


def _real_path_of(campaign: Campaign, path: str) -> str:
    return campaign.real_paths.get(path, path)


def _settings_hash(campaign: Campaign) -> str:
    """One hash of the settings and the sheets of characters, which apply to all sessions."""
    folder = Path(campaign.folder)
    files = [folder / SETTINGS_FILE, *files_in(folder, "characters", ".yaml")]
    return sha256("".join(_file_hash(file) for file in files).encode()).hexdigest()


def _file_hash(file: Path) -> str:
    try:
        return sha256(read_file(file).replace(b"\r\n", b"\n")).hexdigest()
    except OSError:
        return ""


def changelog() -> str:
    """The changelog of Chronicle; empty if its text is not installed."""
    package_folder = Path(__file__).parent
    for file in (package_folder / "CHANGELOG.md", package_folder.parent / "CHANGELOG.md"):
        try:
            return file.read_text(encoding="utf-8")
        except OSError:
            continue
    return ""
