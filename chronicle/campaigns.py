"""From a folder to Records and CampaignViews: where transcript and games meet.

The command line walks the corridor through these few functions; ``publish`` goes on from here to the
site.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chronicle.core.campaign import Artwork, Campaign, JournalEntry, KeeperNote, Session
from chronicle.core.game import Game
from chronicle.core.names import Named, Names, RecordingNames
from chronicle.core.record import Record
from chronicle.core.replay import Replay
from chronicle.core.source import whole_file
from chronicle.games import game_names, is_game, rulebook, trace_fault
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.find import find_campaigns as find_campaigns
from chronicle.syntax.folder import read_campaign, read_session_alone
from chronicle.syntax.problems import problem
from chronicle.syntax.reading_cache import ReadingCache

if TYPE_CHECKING:
    from chronicle.core.campaign_view import CampaignView
    from chronicle.core.diagnostic import Diagnostic


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Collect cycles rarely while many small objects are made that all stay alive."""
    old_threshold = gc.get_threshold()
    gc.set_threshold(200_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*old_threshold)


def load(
    folder: Path, *, root: Path | None = None, content_by_file: Mapping[Path, bytes] | None = None
) -> Campaign:
    """Read a campaign folder. Problems of form are in ``diagnostics`` of what comes back. Paths in it
    are relative to ``root`` (the current folder, by default). ``content_by_file`` is what some of its files
    are to hold, for looking at a change before it is made."""
    return read_campaign(folder, Games(), project_folder=root, cache=ReadingCache(content_by_file))


class Games(Mapping[str, Game[Any]]):
    """The registry as a mapping that imports a game only when it is asked for."""

    def __getitem__(self, name: str) -> Game[Any]:
        return rulebook(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and is_game(name)

    def __iter__(self) -> Iterator[str]:
        return iter(game_names())

    def __len__(self) -> int:
        return len(game_names())


def _leave_out_unknown_subjects(campaign: Campaign, names: Names) -> None:
    """Take out texts and pictures that name no session, and are about nothing that is in play yet."""

    def is_in_play(text: JournalEntry | KeeperNote | Artwork) -> bool:
        subjects = text.subjects
        if text.session is not None or not subjects:
            return True
        return any(isinstance(names.find(name), Named) for name in subjects)

    campaign.journal = [text for text in campaign.journal if is_in_play(text)]
    campaign.notes = [text for text in campaign.notes if is_in_play(text)]
    campaign.art = [artwork for artwork in campaign.art if is_in_play(artwork)]


def run(campaign: Campaign, *, through: int | None = None, shown: bool = True) -> Record:
    """Replay a campaign, up to and including session ``through`` if given. The record and its campaign then
    end there. ``shown``: keep the effects of retracted entries, for display; the problems are the same
    either way."""
    return _run(campaign, through, shown=shown)[0]


def run_recording_names(campaign: Campaign) -> tuple[Record, RecordingNames]:
    """Replay a campaign, and remember who is meant by every word of it."""
    replay = Replay(campaign, rulebook(campaign.game), RecordingNames(campaign.renamings))
    replay.replay_to_end()
    recording_names = replay.play.names
    assert isinstance(recording_names, RecordingNames)
    return replay.finish(), recording_names


def replay_session(campaign: Campaign, file: Path) -> tuple[Session, Record, RecordingNames] | None:
    """One session of a campaign, from a file in its folder or from anywhere else, replayed after the
    earlier ones; None if the file holds no session."""
    session = next(
        (candidate for candidate in campaign.sessions if Path(candidate.path).resolve() == file),
        None,
    )
    diagnostics = campaign.diagnostics
    if session is None:
        rules = rulebook(campaign.game)
        session, further_problems = read_session_alone(file, Games(), rules, Path.cwd())
        if session is None:
            return None
        diagnostics = [*diagnostics, *further_problems]
    earlier_sessions = [
        earlier_session
        for earlier_session in campaign.sessions
        if earlier_session.number < session.number
    ]
    # Characters in files of their own come first in the first session.
    first_session = campaign.sessions[0] if campaign.sessions else session
    opening_actions = [
        action for action in first_session.actions if action.path != first_session.path
    ]
    if not earlier_sessions and first_session is not session:
        session = replace(session, actions=[*opening_actions, *session.actions])
    record, names = run_recording_names(
        replace(campaign, sessions=[*earlier_sessions, session], diagnostics=diagnostics)
    )
    return session, record, names


def _run(
    campaign: Campaign, through: int | None, *, panels: bool = False, shown: bool = True
) -> tuple[Record, Replay[Any]]:
    rules = rulebook(campaign.game)
    if through is not None:
        from chronicle.syntax.redaction import campaign_as_of

        campaign = campaign_as_of(campaign, through, rules)
    replay = Replay(campaign, rules, shows_retracted=shown, keeps_panels=panels, will_be_read=shown)
    replay.replay_to_end()
    record = replay.finish()
    if through is not None:
        _leave_out_unknown_subjects(campaign, record.names)
    return record, replay


def for_readers(campaign: Campaign, *, through: int | None = None) -> Campaign:
    """The campaign for all readers: without secrets, and without sessions after ``through`` if given.
    Everything made from it is safe to publish."""
    from chronicle.syntax.redaction import needs_redaction, pseudonyms_of, redacted_campaign

    if through is not None:
        # What names no session belongs to what was in play by then.
        campaign = _run(campaign, through)[0].campaign
    rules = rulebook(campaign.game)
    if not campaign.public_names:
        return (
            redacted_campaign(run(campaign), rules)
            if needs_redaction(campaign, rules)
            else campaign
        )
    record, names = run_recording_names(campaign)
    public_campaign = redacted_campaign(
        record, rules, pseudonyms_of(campaign, record, names, rules)
    )
    problems_before, problems_after = (
        Counter(_visible_problems(version_record))
        for version_record in (record, run(public_campaign))
    )
    for code, line in (problems_before - problems_after) + (problems_after - problems_before):
        public_campaign.publishing_notes.append(
            f"{campaign.folder}: under other names the check says something else of line {line} "
            f"({code}); choose names that nothing else in the log has"
        )
    return public_campaign


def _visible_problems(record: Record) -> list[tuple[str, int]]:
    """The problems in entries that readers can see, by rule and line."""
    return [
        (diagnostic.full_code, diagnostic.place.line)
        for diagnostic in record.diagnostics
        if diagnostic.step_number and not record.step(diagnostic.step_number).hidden
    ]


def open_view(campaign: Campaign, *, through: int | None = None) -> CampaignView:
    """Replay a campaign for readers and make its CampaignView."""
    return view_of(*_run(for_readers(campaign, through=through), None, panels=True))


def view_of(record: Record, replay: Replay[Any] | None = None) -> CampaignView:
    """The CampaignView of a Record; with the replay that made it, it also has the states during the campaign."""
    from chronicle.core.campaign_view import Panels
    from chronicle.core.make_view import make_view
    from chronicle.core.state_data import uncertainty_note

    rules, panels = rulebook(record.campaign.game), None
    if replay is not None:
        panels = Panels(replay.scene_panels or {}, replay.entry_panels, replay.session_ends or {})
    view = make_view(record, rules.fill, panels, rules.results())
    if replay is not None and view.state:
        view.state += uncertainty_note(replay.play, rules.measures)
    return view


def fault_in(folder: Path, error: Exception) -> Diagnostic:
    """The problem to report if Chronicle itself fails at a campaign. Other campaigns are not affected."""
    fault = trace_fault(error)
    addressee_text = f" to the makers of {fault.package}" if fault.package else ""
    message = " ".join(str(error).split())[:200]
    return problem(
        "T49",
        f"a fault in {fault.whose}, not in your log: {type(error).__name__}: {message}",
        whole_file(f"{folder.as_posix()}/{SETTINGS_FILE}"),
        f"please report it{addressee_text} with this line: at {fault.place}",
        "CHRONICLE_DEBUG=1 before the command shows the whole traceback",
    )


def problem_of_unfinished(folder: Path, reason: str) -> Diagnostic:
    """The problem to report if one of many campaigns could not be finished. The others are not affected."""
    return problem(
        "T88",
        f"this campaign is left out: {reason}",
        whole_file(f"{folder.as_posix()}/{SETTINGS_FILE}"),
    )
