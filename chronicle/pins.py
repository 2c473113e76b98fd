"""What a version of Chronicle made of a campaign, kept beside it: the record outlives the program.

``chronicle.pin`` is JSON, and no session. For each evening it holds the hash of its text, what was found in
it, and the figures that can be asserted as each scene ended (of an evening in which none did, as it ended
itself); of what readers may not see, nothing. Later the same texts are replayed and compared: what reads
differently since is told in one finding, and entry by entry on request, with the lines of the changelog that
speak of it.
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
from chronicle.core.diagnostic import Diagnostic, Finding, plural, severity_of
from chronicle.core.file_reading import files_in, read_file
from chronicle.core.pin_file import FORMAT, PIN_FILE, Unpinned, pin_path, read_pin
from chronicle.core.play import Play
from chronicle.core.record import Record
from chronicle.core.replay import Replay, entries_from
from chronicle.core.source import Place, whole_file
from chronicle.games import package_of, rulebook
from chronicle.syntax.find import SETTINGS_FILE

CHANGED: Final = "T86"

Figures = dict[str, dict[str, str]]
"""Each figure by its name: whose it is (empty: the game's) to what it was."""


class Difference(NamedTuple):
    """What reads otherwise than when it was pinned: where, what it was and is, and the id of the rule
    that it hangs on."""

    place: Place
    what: str
    was: str
    now: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}: {self.was or 'nothing'}, now {self.now or 'nothing'}"


def versions(game: str) -> str:
    """The version of Chronicle that runs, and of the package of a game plug-in."""
    package = package_of(game)
    return f"{__version__}, {package}" if package else __version__


def made_of(campaign: Campaign) -> dict[str, Any]:
    """What this version makes of a campaign, as it is pinned."""
    public = for_readers(campaign)
    replay = Replay(public, rulebook(public.game), shown=False)
    known = 0
    scenes: dict[int, tuple[int, Figures]] = {}
    evenings: dict[int, tuple[int, Figures]] = {}
    session = 0
    for _, action in entries_from(replay):
        if action.session != session and session:
            evenings[session] = replay.play.step.number, figures_of(replay.play)
        session = action.session
        replay.do(action)
        told = replay.play.timeline.scenes
        over = sum(1 for _ in takewhile(lambda scene: not scene.open, told))
        if over != known:
            figures = figures_of(replay.play)
            for number in range(min(over, known), over):
                scenes[number + 1] = (replay.play.step.number, figures)
            known = over
    if session:
        evenings[session] = replay.play.step.number, figures_of(replay.play)
    record = replay.finish()
    sessions = []
    for evening in record.sessions:
        path = evening.session.path
        ends = [
            one for one in scenes.values() if evening.first_step <= one[0] <= evening.last_step
        ] or [one for one in [evenings.get(evening.session.number)] if one]
        sessions.append(
            {
                "file": Path(path).name,
                "text": _hash(Path(_own(public, path))),
                "findings": [list(one) for one in _findings(record, path)],
                "scenes": [
                    {"line": record.step(index).action.whole_place.line, "figures": figures}
                    for index, figures in ends
                ],
            }
        )
    return {
        "pin": FORMAT,
        "chronicle": versions(public.game),
        "game": public.game,
        "given": _given(campaign),
        "sessions": sessions,
    }


def write(campaign: Campaign) -> tuple[Path, bytes]:
    """The file that pins a campaign, and what belongs into it.

    Raises:
        Unpinned: when it would be written through a link that leads out of the campaign.
    """
    text = json.dumps(made_of(campaign), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return pin_path(Path(campaign.folder)), text.encode()


def figures_of(play: Play[Any]) -> Figures:
    """Every figure of the game that can be asserted, as it is now."""
    rules = play.rulebook
    found: Figures = {}
    for name, measure in rules.by_measure.items():
        if name in rulebook(rules.name).on_demand.measures:
            continue
        whose = (
            [one.id for one in play.names.all.values() if one.kind in measure.kinds]
            if measure.kinds
            else [""]
        )
        values = {id: measure.read(play, id) for id in whose}
        told = {id: str(value) for id, value in sorted(values.items()) if value is not None}
        if told:
            found[name] = told
    return found


def compare(campaign: Campaign) -> tuple[str, list[Difference], str]:
    """With which version a campaign was pinned, what reads otherwise with this one, and the first text
    that was changed since (empty: none), from which on nothing is compared.

    Raises:
        Unpinned: when there is no pin, or none that can be read.
    """
    pin = read_pin(Path(campaign.folder))
    now = made_of(campaign)
    if pin["given"] != now["given"]:
        return str(pin["chronicle"]), [], SETTINGS_FILE
    found: list[Difference] = []
    paths = {Path(one.path).name: one.path for one in campaign.sessions}
    current = {one["file"]: one for one in now["sessions"]}
    for was in pin["sessions"]:
        file = str(was["file"])
        new = current.get(file)
        if new is None or new["text"] != was["text"]:
            return str(pin["chronicle"]), found, file
        found += sorted(
            _differences(campaign, paths[file], was, new), key=lambda one: one.place.line
        )
    return str(pin["chronicle"]), found, ""


def _differences(
    campaign: Campaign, path: str, was: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[Difference]:
    # A rule goes by its id here and in the changelog; of which game it is, the campaign says.
    before, after = (
        {(line, code.rpartition(":")[2]) for line, code in each["findings"]} for each in (was, now)
    )
    for line, code in sorted(before ^ after):
        words = ("told", "not told") if (line, code) in before else ("not told", "told")
        yield Difference(Place(path, line, 1, line, 2), f"finding {code}", *words, code)
    old, new = ({one["line"]: one["figures"] for one in each["scenes"]} for each in (was, now))
    # Of an evening without scenes a pin of an earlier version has none.
    for line in sorted({*old, *new}) if old else ():
        place = Place(path, line, 1, line, 2)
        if line not in old or line not in new:
            ends = "a scene ends here", "no scene ends here"
            yield Difference(place, "scenes", *(ends if line in old else reversed(ends)))
            continue
        for name in sorted({*old[line], *new[line]}):
            then, today = old[line].get(name, {}), new[line].get(name, {})
            for whose in sorted({*then, *today}):
                if then.get(whose) != today.get(whose):
                    what = f"{whose}'s {name}" if whose else f"the {name}"
                    yield Difference(place, what, then.get(whose, ""), today.get(whose, ""), name)


def found_since(campaign: Campaign) -> Diagnostic | None:
    """One finding of what reads differently since another version pinned the campaign; None if nothing
    does, or if it was pinned with this one."""
    place = whole_file(str(Path(campaign.path).parent / PIN_FILE))
    if campaign.pinned_version in ("", versions(campaign.game)):
        return None
    try:
        version, found, _ = compare(campaign)
    except Unpinned as error:
        return _told(campaign, place, str(error), "chronicle pin writes it anew")
    if not found:
        return None
    first = found[0]
    return _told(
        campaign,
        first.place,
        f"{plural(len(found), 'thing')} of this campaign "
        f"{'reads' if len(found) == 1 else 'read'} differently since Chronicle {version}; "
        f"first {first.what}: {first.was or 'nothing'}, now {first.now or 'nothing'}",
        f"each of them:  chronicle pin --compare {campaign.folder}",
        f"if that is right now:  chronicle pin {campaign.folder}",
    )


def _told(campaign: Campaign, place: Place, message: str, *help: str) -> Diagnostic:
    return Diagnostic(
        code=CHANGED,
        finding=Finding.BOOKKEEPING,
        severity=severity_of(Finding.BOOKKEEPING, campaign.strictness),
        message=message,
        place=place,
        free_help=help,
    )


def explained(differences: list[Difference], version: str, changelog: str) -> dict[str, str]:
    """The line of the changelog that explains each difference, by what it hangs on: of the versions
    after ``version``, the first one that names it."""
    newer = re.split(rf"(?m)^## \[?{re.escape(version.partition(',')[0])}\b", changelog)[0]
    parts = re.split(r"(?m)^- |^#+ .*$", newer)
    items = [" ".join(one.split()) for one in parts[1:]]
    found: dict[str, str] = {}
    for one in differences:
        word = re.compile(rf"(?<![\w.]){re.escape(one.rule)}(?!\.?\w)", re.I) if one.rule else None
        line = next((item for item in items if word is not None and word.search(item)), "")
        if line:
            found.setdefault(one.rule, line)
    return found


def _findings(record: Record, path: str) -> list[tuple[int, str]]:
    return sorted(
        {
            (one.place.line, one.full_code)
            for one in record.diagnostics
            if one.place.path == path
            and not (one.step_number and record.step(one.step_number).hidden)
        }
    )


def _own(campaign: Campaign, path: str) -> str:
    return campaign.real_paths.get(path, path)


def _given(campaign: Campaign) -> str:
    """One hash of what stands above all sessions: the settings, and the sheets of characters."""
    folder = Path(campaign.folder)
    files = [folder / SETTINGS_FILE, *files_in(folder, "characters", ".yaml")]
    return sha256("".join(_hash(file) for file in files).encode()).hexdigest()


def _hash(file: Path) -> str:
    try:
        return sha256(read_file(file).replace(b"\r\n", b"\n")).hexdigest()
    except OSError:
        return ""


def changelog() -> str:
    """What has changed from version to version; empty where the text is not at hand."""
    here = Path(__file__).parent
    for file in (here / "CHANGELOG.md", here.parent / "CHANGELOG.md"):
        try:
            return file.read_text(encoding="utf-8")
        except OSError:
            continue
    return ""
