"""The questions of a desk: what each takes is what the method of its name takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from chronicle.core.diagnostic import Severity
from chronicle.core.sentences import with_capital
from chronicle.services import (
    campaign_facts,
    campaign_settings,
    count_figures,
    diagnostic_data,
    form_entries,
    new_campaign,
    session_heads,
    writing,
)
from chronicle.services import card as cards
from chronicle.services import fixes as proved_fixes
from chronicle.services import guide as guides
from chronicle.services.editor import hover
from chronicle.services.editor.complete import complete
from chronicle.services.entry_effects import try_entries
from chronicle.services.game_state import next_on_turn, state_of_play
from chronicle.services.hints import fix_for_desk, title_in_words
from chronicle.services.keeper_tasks import keeper_tasks
from chronicle.services.line_help import LineHelp
from chronicle.services.log import log_data, log_entry
from chronicle.services.open_campaigns import (
    MOST_WRITE_ATTEMPTS,
    CampaignRoom,
    Conflict,
    FileChange,
    OpenCampaign,
    Unanswerable,
    WorkingCopy,
    version_of,
)
from chronicle.services.position import END, Position, place_reached
from chronicle.services.reading import reading_page
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.one_line import write_line
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

Answer = dict[str, Any]


class IncompleteLine(Unanswerable):
    """The error for an incomplete line that must not be written yet."""


class _OfferedFixes(NamedTuple):
    """The ways that were offered last: for what, in which file, and what that held."""

    asked_for: str
    file: str
    base_text: str
    fixes: list[proved_fixes.ProvedFix]


class Questions:
    """The questions of one desk.

    Args:
        room: The campaigns.
        guest: Whether the desk only looks.
        tell_changed: Called with the id of a campaign that the desk changed.
    """

    def __init__(
        self, room: CampaignRoom, tell_changed: Callable[[str], None], *, guest: bool
    ) -> None:
        self.room, self.guest, self._tell_changed = room, guest, tell_changed
        self._drafts: dict[str, dict[str, WorkingCopy]] = {}
        self._histories: dict[str, writing.History] = {}
        self._offered_fixes: dict[str, _OfferedFixes] = {}

    def leave(self) -> None:
        """Forget unsaved texts."""
        self._drafts.clear()

    # -- which campaigns ---------------------------------------------------------------------------

    def campaigns(self) -> list[Answer]:
        """The campaigns here."""
        return (
            campaign_facts.list_campaigns_for_guests(self.room)
            if self.guest
            else campaign_facts.list_campaigns(self.room)
        )

    def games(self) -> list[Answer]:
        """The games, with what each asks before the first entry."""
        return new_campaign.game_forms()

    def new(
        self,
        game: str,
        title: str,
        players: list[str],
        runner: str = "",
        strictness: str = "standard",
        settings: dict[str, Any] | None = None,
        add_ons: list[str] | None = None,
    ) -> Answer:
        """Begin a campaign, with an empty first evening."""
        start_answers = new_campaign.NewCampaignAnswers(
            game, title, tuple(players), runner, strictness, settings or {}, tuple(add_ons or ())
        )
        files = new_campaign.files_of_campaign(start_answers)
        campaign_id = self.room.create_campaign(new_campaign.free_folder(self.room, title), files)
        self._tell_changed(campaign_id)
        return self.open(campaign_id)

    def open(self, campaign: str) -> Answer:
        """What a page needs to know about a campaign once."""
        opened = self._open(campaign)
        return (
            {"key": self.room.draft_storage_key(opened)}
            | campaign_facts.campaign_overview(opened)
            | self._history(campaign).change_summaries()
        )

    # -- texts -------------------------------------------------------------------------------------

    def text(self, campaign: str, file: str) -> Answer:
        """The text of a file with unsaved changes."""
        text = self._open(campaign).text(file)
        return {"text": text, "version": version_of(text)}

    def change(self, campaign: str, file: str, text: str, version: str = "") -> Answer:
        """Look at a file with another text, which is not saved. ``version`` is the text that was
        changed."""
        opened = self._open(campaign)
        working_copies = self._drafts.setdefault(campaign, {})
        working_copy = working_copies.get(file)
        base_text = (
            working_copy.base_text if working_copy else opened.seen_copy(file, version).base_text
        )
        working_copies[file] = WorkingCopy(base_text, text)
        self._open(campaign)
        return self.findings(campaign) | {"version": version_of(text)}

    def save(self, campaign: str, file: str) -> Answer:
        """Put a text that was changed on the disk, with what others wrote there meanwhile."""
        opened = self._open(campaign)
        working_copy = self._drafts.get(campaign, {}).get(file)
        if working_copy is None:
            return self.text(campaign, file) | {"merged": False}
        texts_before_after = opened.write_changes({file: working_copy.edit(working_copy.text)})
        self._drafts[campaign].pop(file, None)
        self._record_change(
            campaign,
            writing.WrittenChange(word("server.file_saved", file=file), texts_before_after),
        )
        answer = self.text(campaign, file)
        return answer | {"merged": answer["text"] != working_copy.text}

    def drop(self, campaign: str, file: str) -> Answer:
        """Forget a text that was changed and not saved."""
        self._drafts.get(campaign, {}).pop(file, None)
        return self.text(campaign, file)

    def findings(self, campaign: str) -> Answer:
        """The problems."""
        start_time = perf_counter()
        answer = diagnostic_data.findings(self._open(campaign))
        # Time spent on a text depends on all of it, hidden entries included: guests do not learn it.
        return answer if self.guest else answer | {"took": round(perf_counter() - start_time, 4)}

    # -- the table ---------------------------------------------------------------------------------

    def table(
        self, campaign: str, file: str = "", line: int = END, branch: list[str] | None = None
    ) -> Answer:
        """The moment after the entry on a line; without a file, now. ``branch`` are entries that are
        thought to come after it, and are written nowhere."""
        opened = self._open(campaign)
        with Position(opened, file, line, tuple(branch or ())).replay() as replay:
            state = state_of_play(replay, opened.name_marker_at(replay))
            return state | place_reached(opened, replay) | {"after": next_on_turn(replay)}

    def log(self, campaign: str, first: int = 1, last: int = END) -> Answer:
        """The entries from one number to another."""
        return log_data(self._open(campaign), first, last)

    def read(self, campaign: str) -> Answer:
        """The campaign as a page to read."""
        opened = self._open(campaign)
        record = opened.workspace.record
        if record is None:
            raise opened.unreadable()
        return reading_page(record, opened.name_marker())

    def place(self, campaign: str, anchor: str) -> Answer:
        """The entry with this anchor on a page of the site."""
        opened = self._open(campaign)
        record = opened.workspace.record
        if record is None:
            raise opened.unreadable()
        for step in record.steps:
            if anchor in (step.anchor, step.former_anchor):
                while step.parent is not None:
                    step = record.step(step.parent)
                entry_place = step.action.whole_place
                return {"step": step.number, "file": entry_place.path, "line": entry_place.line}
        raise Unanswerable("the log has no such entry any more")

    def try_(
        self,
        campaign: str,
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """The effect of an entry after the entry on a line; nothing is written."""
        opened = self._open(campaign)
        position = Position(opened, file, line, tuple(branch or ()))
        entries = _read_entries(position, entry, said, by, text)
        with position.replay() as replay:
            return try_entries(opened, replay, entries)

    def fit(
        self,
        campaign: str,
        said: str,
        caret: int = -1,
        over: int = 0,
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """The completions and the effect of a line that is being typed. ``caret`` is where in
        it somebody is (its end, if that is not said), ``text`` the story told beside it. With ``over``, a choice takes
        the place of the words from the caret to there."""
        opened = self._open(campaign)
        position = Position(opened, file, line, tuple(branch or ()))
        caret_offset = len(said) if caret < 0 else min(caret, len(said))
        line_help = LineHelp(position, said, by, text)
        cache_key = (said, caret_offset, over, by, text, *position.key)
        return opened.cached_answer(
            cache_key,
            lambda: (
                line_help.answer_for_range(caret_offset, over)
                if over
                else line_help.answer(caret_offset)
            ),
        )

    def form(self, campaign: str, said: str) -> Answer:
        """The keys of the verb that a line begins with, as a form."""
        return form_entries.verb_form(campaign_facts.action_classes_of(self._open(campaign)), said)

    def throw(
        self,
        campaign: str,
        verb: str,
        dice: list[Any],
        within: str = "",
        file: str = "",
        line: int = END,
        branch: list[str] | None = None,
    ) -> Answer:
        """The entry for what fell on the table, as a ``line`` too, and what it would do: ``dice`` are mappings with
        ``who``, ``kind``, ``faces`` and ``extra``, as the game asks for them."""
        opened = self._open(campaign)
        with Position(opened, file, line, tuple(branch or ())).replay() as replay:
            entry_data = form_entries.entry_for_throws(replay, verb, dice, within)
            entry, said = write_entry(entry_data), write_line(entry_data, replay.rulebook.by_verb)
            return {"entry": entry, "line": said} | try_entries(opened, replay, [entry])

    def count(self, campaign: str, file: str = "", line: int = END) -> Answer:
        """The figures by the record, to be counted."""
        opened = self._open(campaign)
        with Position(opened, file, line).replay() as replay:
            return {"groups": count_figures.figures_to_count(opened, replay)}

    def counted(
        self,
        campaign: str,
        figures: dict[str, Any],
        words: str = "",
        where: str = "",
        file: str = "",
        line: int = END,
    ) -> Answer:
        """The entry for what was counted (measure to name to figure), and what it would do; with the
        ``hole`` in the record above it or the end of the ``evening`` below it, if that is ``where``
        people counted, and ``words`` of that."""
        opened = self._open(campaign)
        with Position(opened, file, line).replay() as replay:
            entry = count_figures.figures_entry(replay, figures, words, occasion=where)
            return {"entry": entry} | try_entries(opened, replay, writing.read_entries(entry))

    def keeper(self, campaign: str, file: str = "", line: int = END) -> Answer:
        """Tasks of the keeper of the record."""
        opened = self._open(campaign)
        with Position(opened, file, line).replay() as replay:
            return keeper_tasks(opened, replay)

    def rule(self, campaign: str, rule: str) -> Answer:
        """A rule, a silent point or a message about the form of a log, by its id."""
        return campaign_facts.rule_data(self._open(campaign), rule)

    def card(self, campaign: str, name: str) -> Answer:
        """A named person or object: kind, status, and the sheet in short."""
        return cards.card_of(self._open(campaign), name)

    # -- while a text is being typed ---------------------------------------------------------------

    def hover(self, campaign: str, file: str, line: int, column: int) -> Answer | None:
        """Help about a place in a file, as Markdown."""
        hover_text = hover.hover(self._open(campaign), file, line, column)
        if hover_text is None:
            return None
        place_data = hover_text.place._asdict()
        del place_data["path"]
        return {"text": hover_text.markdown, **place_data}

    def complete(self, campaign: str, file: str, line: int, column: int) -> list[Answer]:
        """What fits at a place in a file, the most likely first. ``insert`` takes the place of the last
        ``over`` characters before the caret, ``after`` comes behind it."""
        completions = complete(self._open(campaign), file, line, column)
        return [completion.data for completion in completions]

    def fixes(
        self,
        campaign: str,
        key: str = "",
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
    ) -> list[Answer]:
        """The fixes of the problem with a key, or of the problems of an entry that is not written yet. Each is
        proved, the best first."""
        opened = self._open(campaign)
        if key:
            file_name, diagnostic = proved_fixes.find_problem(opened, key)
            fixes = [
                *proved_fixes.prove_undoing(
                    opened, diagnostic, self._history(campaign).latest_changes()
                ),
                *proved_fixes.prove_fixes(opened, file_name, opened.text(file_name), [diagnostic]),
            ]
            base_text = opened.text(file_name)
        else:
            entries = _read_entries(Position(opened, file, line), entry, said, by, text)
            insertion = writing.draft_insertion(opened, file, line if file else END, entries)
            file_name, base_text = insertion.file, insertion.old_text
            with opened.with_texts({file_name: insertion.new_text}):
                # The page shows fixes below the first problem.
                problems = proved_fixes.problems_of_entry(
                    opened.workspace, file_name, insertion.line
                )
                errors_and_warnings = [
                    problem for problem in problems if problem.severity > Severity.NOTE
                ]
                fixes = proved_fixes.prove_fixes(
                    opened, file_name, insertion.new_text, (errors_and_warnings or problems)[:1]
                )
        self._offered_fixes[campaign] = _OfferedFixes(
            key or str((entry, said, by, text)), file_name, base_text, fixes
        )
        self._open(campaign)
        return [
            fix_for_desk(fix.as_data(not index and fix.is_sure)) for index, fix in enumerate(fixes)
        ]

    # -- writing -----------------------------------------------------------------------------------

    def write(
        self,
        campaign: str,
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
        file: str = "",
        line: int = END,
        version: str = "",
        whole: bool = False,
    ) -> Answer:
        """Write an entry below the entry on a line; without a file, at the end of the log. ``whole``: only
        if what is ``said`` lacks nothing to be one, and nothing is wrong with it."""
        opened = self._open(campaign)
        insertion_line = line if file else END
        if whole and said:
            line_help = LineHelp(Position(opened, file, insertion_line), said, by, text)
            line_effect = line_help.understood().effect()
            if line_effect["lacks"]:
                lacking_part = line_effect["lacks"][0]
                message = word("server.finish_the_line", message=lacking_part["message"])
                raise IncompleteLine(message, *lacking_part["hints"])
            for problem in line_effect["findings"]:
                if problem["severity"] == "error":
                    raise IncompleteLine(problem["message"], *problem["hints"])
        entries = _read_entries(Position(opened, file, insertion_line), entry, said, by, text)
        return self._answer_after_writing(
            campaign, writing.insert_entries(opened, file, insertion_line, version, entries)
        )

    def apply(
        self,
        campaign: str,
        n: int,
        key: str = "",
        entry: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
    ) -> Answer:
        """Take one of the ways that ``fixes`` gave, by its number counted from 0."""
        opened = self._open(campaign)
        offered = self._offered_fixes.get(campaign)
        if offered is None or offered.asked_for != (key or str((entry, said, by, text))):
            raise Unanswerable("nothing was offered for this", "ask for the fixes first")
        if not 0 <= n < len(offered.fixes):
            raise Unanswerable(f"there is no fix {n}; there are {len(offered.fixes)}")
        fix = offered.fixes[n]
        base_text = offered.base_text if fix.file == offered.file else fix.old_text
        working_copy = opened.working_copy(fix.file)
        file_change = working_copy.edit(
            writing.merge_or_raise(fix.file, base_text, fix.new_text, working_copy.text)
        )
        texts_before_after = opened.write_changes({fix.file: file_change})
        title_spans = fix_for_desk({"title": fix.title, "edits": []})["said"]
        summary = with_capital(title_in_words(title_spans))
        self._record_change(campaign, writing.WrittenChange(summary, texts_before_after))
        del self._offered_fixes[campaign]
        return {"file": fix.file} | self._problems_and_state(campaign)

    def hole(
        self,
        campaign: str,
        words: str = "",
        figures: dict[str, Any] | None = None,
        file: str = "",
        line: int = END,
        version: str = "",
    ) -> Answer:
        """Write that something is missing here, and what was counted."""
        opened = self._open(campaign)
        insertion_line = line if file else END
        with Position(opened, file, insertion_line).replay() as replay:
            entry = count_figures.figures_entry(replay, figures or {}, words, occasion="hole")
        entries = writing.read_entries(entry)
        return self._answer_after_writing(
            campaign, writing.insert_entries(opened, file, insertion_line, version, entries)
        )

    def session(
        self, campaign: str, title: str = "", date: str = "", present: list[str] | None = None
    ) -> Answer:
        """Begin a new evening, in a file of its own."""
        opened = self._open(campaign)
        for tries_left in reversed(range(MOST_WRITE_ATTEMPTS)):
            file_name, text = session_heads.new_session(opened, title, date, present or [])
            try:
                texts_before_after = opened.write_changes({file_name: FileChange(None, text)})
                break
            except Conflict:
                # Another program has made a file of this name: take the next.
                opened.check_for_outside_changes()
                if not tries_left:
                    raise
        self._record_change(
            campaign,
            writing.WrittenChange(word("server.file_begun", file=file_name), texts_before_after),
        )
        return {"file": file_name} | self._problems_and_state(campaign, file_name)

    def settled(self, campaign: str) -> Answer:
        """What a campaign is called, and its settings that can be said otherwise."""
        return campaign_settings.current_settings(self._open(campaign))

    def settle(
        self,
        campaign: str,
        title: str,
        settings: dict[str, Any] | None = None,
        version: str = "",
    ) -> Answer:
        """Say otherwise what a campaign is called and how it is played; the settings that are named.
        ``version`` is the answer of ``settled``."""
        opened = self._open(campaign)
        file_change = campaign_settings.settings_change(opened, title, settings or {}, version)
        texts_before_after = opened.write_changes({SETTINGS_FILE: file_change})
        self._record_change(
            campaign, writing.WrittenChange(word("server.settings_of_campaign"), texts_before_after)
        )
        answer = {"title": " ".join(title.split())}
        return answer | self._problems_and_state(campaign)

    def evening(
        self,
        campaign: str,
        file: str,
        title: str = "",
        date: str = "",
        present: list[str] | None = None,
        version: str = "",
        told: dict[str, Any] | None = None,
    ) -> Answer:
        """Change title, date, players and keepers' words of a session."""
        opened = self._open(campaign)
        file_change = session_heads.session_head_change(
            opened, file, title, date, present, version, told
        )
        texts_before_after = opened.write_changes({file: file_change})
        self._record_change(
            campaign,
            writing.WrittenChange(word("server.head_of_file", file=file), texts_before_after),
        )
        return {"file": file} | self._problems_and_state(campaign)

    def entry(self, campaign: str, file: str, line: int, version: str = "") -> Answer:
        """The text of the entry on a line, for a change in place; the line is counted in the ``version`` that
        the page shows. ``said`` is the entry as one line without its actor (``by``), empty if no line means the
        same."""
        opened = self._open(campaign)
        file_name, current_line, working_copy = writing.place_in_current_text(
            opened, file, line, version
        )
        answer = writing.entry_source(file_name, working_copy.text, current_line) | {
            "version": version_of(working_copy.text)
        }
        said, by = writing.entry_as_line(answer["entry"], campaign_facts.action_classes_of(opened))
        return answer | {"said": said, "by": by}

    def tell(self, campaign: str, file: str, line: int, text: str, version: str = "") -> Answer:
        """Give an entry another fiction, or its first; none if it is empty."""
        opened = self._open(campaign)
        return self._answer_after_writing(
            campaign, writing.set_fiction(opened, file, line, version, text)
        )

    def edit(
        self,
        campaign: str,
        file: str,
        line: int,
        entry: str = "",
        version: str = "",
        said: str = "",
        by: str = "",
        text: str = "",
    ) -> Answer:
        """Replace the entry on a line: by an entry, or by one that is said in a line."""
        opened = self._open(campaign)
        # The entries above decide who acts by default.
        position_above = Position(opened, file, line - 1)
        entries = (
            _read_entries(position_above, "", said, by, text)
            if said
            else writing.read_entries(entry)
        )
        return self._answer_after_writing(
            campaign, writing.change_entry(opened, file, line, version, entries)
        )

    def amend(self, campaign: str, file: str, line: int, entry: str, version: str = "") -> Answer:
        """What would be found about the entry on a line, or the one inside of another that begins there, if
        it stood so; and how much more would be wrong elsewhere. Nothing is written."""
        opened = self._open(campaign)
        draft = writing.draft_change(opened, file, line, version, writing.read_entries(entry))
        first_line, last_line = writing.line_range(draft.new_text, draft.file, draft.line)
        messages_before = Counter(
            problem.message
            for problem in diagnostic_data.diagnostics_by_key(opened).values()
            if problem.severity > 1
        )
        with opened.with_texts({draft.file: draft.new_text}):
            problems = diagnostic_data.diagnostics_by_key(opened)
            verbs = campaign_facts.action_classes_of(opened)
            entry_problems = {
                key: problem
                for key, problem in problems.items()
                if problem.place.path == draft.file
                and first_line <= problem.place.line <= last_line
            }
            other_messages = Counter(
                problem.message
                for key, problem in problems.items()
                if problem.severity > 1 and key not in entry_problems
            )
            problem_data = [
                diagnostic_data.problem_as_data(key, problem, verbs)
                for key, problem in entry_problems.items()
            ]
        return {"findings": problem_data, "elsewhere": (other_messages - messages_before).total()}

    def remove(self, campaign: str, file: str, line: int, version: str = "") -> Answer:
        """Take out the entry on a line."""
        opened = self._open(campaign)
        return self._answer_after_writing(
            campaign, writing.change_entry(opened, file, line, version, [])
        )

    def undo(self, campaign: str) -> Answer:
        """Take back what this desk wrote last."""
        change = self._history(campaign).undo(self._open(campaign))
        return self._answer_after_undoing(campaign, change, "server.undone")

    def lead(self, game: str) -> Answer:
        """Begin a first evening of a game, through which :meth:`led` leads."""
        title, files = guides.files_before_first_entry(game)
        campaign_id = self.room.create_campaign(new_campaign.free_folder(self.room, title), files)
        self._tell_changed(campaign_id)
        return self.open(campaign_id)

    def led(self, campaign: str, said: str = "", by: str = "") -> Answer:
        """How far a first evening is, what comes next in it, and how it would be told; and what is
        otherwise in a line that is tried for it (``by``: whose act that would be)."""
        return guides.guide_progress(self._open(campaign), said, by)

    def redo(self, campaign: str) -> Answer:
        """Write again what was taken back last."""
        change = self._history(campaign).redo(self._open(campaign))
        return self._answer_after_undoing(campaign, change, "server.redone")

    # -- inside ------------------------------------------------------------------------------------

    def _open(self, campaign: str) -> OpenCampaign:
        """A campaign with this desk's unsaved texts in it."""
        if self.guest:
            return self.room.campaign_for_guest(campaign)
        opened = self.room.open(campaign)
        working_copies = self._drafts.get(campaign, {})
        opened.set_drafts(working_copies)
        return opened

    def _history(self, campaign: str) -> writing.History:
        return self._histories.setdefault(campaign, writing.History())

    def _answer_after_writing(self, campaign: str, inserted: writing.EntryPlace) -> Answer:
        self._record_change(campaign, inserted.change)
        opened = self._open(campaign)
        entry_place_data = writing.place_data(opened, inserted)
        answer = entry_place_data | self._problems_and_state(campaign, inserted.file)
        if entry_place_data["step"]:
            answer["entry"] = log_entry(opened, entry_place_data["step"])
        return answer

    def _answer_after_undoing(
        self, campaign: str, change: writing.WrittenChange, message_key: str
    ) -> Answer:
        for file_name in change.texts_before_after:
            self._drafts.get(campaign, {}).pop(file_name, None)
        self._tell_changed(campaign)
        return {
            "words": word(message_key, change=change.summary),
            "files": [*change.texts_before_after],
        } | self._problems_and_state(campaign)

    def _problems_and_state(self, campaign: str, file: str = "") -> Answer:
        """The problems of the campaign, the state of play at the end of the log, and the version of a file."""
        opened = self._open(campaign)
        findings_answer = diagnostic_data.findings(opened)
        answer: Answer = {"findings": findings_answer, **self._history(campaign).change_summaries()}
        if opened.workspace.record is not None:
            answer["table"] = self.table(campaign)
        if file:
            answer["version"] = version_of(opened.text(file))
        return answer

    def _record_change(self, campaign: str, change: writing.WrittenChange) -> None:
        for file_name in change.texts_before_after:
            self._drafts.get(campaign, {}).pop(file_name, None)
        if change.texts_before_after:
            self._history(campaign).record_change(change)
            self._tell_changed(campaign)


def _read_entries(
    position: Position, entry: str, typed_line: str, actor: str, story: str
) -> list[str]:
    """The entries that a user means, each as YAML without its dash."""
    if typed_line:
        line_help = LineHelp(position, typed_line, actor).understood()
        typed_line, (actor, _) = line_help.line, line_help.default_actor()
    with position.replay() as replay:
        return form_entries.read_typed_entries(
            position.opened.workspace, replay, entry, typed_line, actor, story
        )
