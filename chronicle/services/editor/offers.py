"""Changes that an editor offers at the caret: fixes of problems, and rewrites of an entry. Each is
proved: played on with it, nothing is found that was not found before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from chronicle.core.declare import Action as Entry
from chronicle.core.diagnostic import Diagnostic, Severity
from chronicle.core.errors import Refused
from chronicle.core.file_names import portable_name
from chronicle.core.fix import GAP_ENTRY
from chronicle.core.game import Game
from chronicle.core.game_context import Measure
from chronicle.core.keepers import CHANGED_ENTRY, EntryFinder, keepers_texts_in, refresh_digests
from chronicle.core.names import PLAYER
from chronicle.core.replay import Replay
from chronicle.core.secrets import make_opening, seal_of
from chronicle.core.shared_verbs import Gap, KeepSecret, Sealed
from chronicle.core.source import MappingNode, ScalarNode, SequenceNode
from chronicle.core.state_data import figures
from chronicle.games import rulebook
from chronicle.services.count_figures import EMPTY_STATEMENT, figures_entry
from chronicle.services.diagnostic_data import diagnostics_by_key
from chronicle.services.fixes import prove_fixes, ready_entries
from chronicle.services.misspelt import correct_misspelt
from chronicle.services.open_campaigns import OpenCampaign, Unanswerable
from chronicle.services.trial import Trial, compare_problems, try_texts
from chronicle.syntax.edit import (
    add_ids,
    drop_option,
    entry_at,
    insert_entry,
    replace_entry,
    set_option,
)
from chronicle.syntax.edit_head import add_pair_to_mapping
from chronicle.syntax.edit_words import replace_words
from chronicle.syntax.find import SETTINGS_FILE
from chronicle.syntax.slug import slug_of
from chronicle.syntax.text_edit import EditRefused, tree_of
from chronicle.syntax.yaml_text import write_entry
from chronicle.words import word

MOST_OFFERED_FIXES: Final = 4
"""How many fixes of a problem are offered, the best first."""
MOST_GAP_FILLINGS: Final = 3
"""How many ways to fill a hole are offered, of this many that are tried."""
MOST_TRIED_ENTRIES: Final = 8
MOST_PROVED_ENTRIES: Final = 500
"""How many entries a campaign has at most where what tidies an entry is played through before somebody
takes it, though an editor would ask then: all that comes below is played for each."""
MOST_ID_WORDS: Final = 4
"""How many words of a reason make the id of a house rule."""

QUICK_KIND, REWRITE_KIND, EXTRACT_KIND, FIX_ALL_KIND = (
    "quickfix",
    "refactor.rewrite",
    "refactor.extract",
    "source.fixAll",
)
CHANGE_KINDS: Final = (QUICK_KIND, REWRITE_KIND, EXTRACT_KIND, FIX_ALL_KIND)


class OfferedChange(NamedTuple):
    """A change that is offered: its title, a function that makes the changed files, its kind, the code of the
    problem that it solves (empty: none), files that come into being, and
    whether it has been played through."""

    title: str
    make_texts: Callable[[], Mapping[str, str]]
    kind: str = REWRITE_KIND
    solved_code: str = ""
    is_preferred: bool = False
    new_files: Mapping[str, str] = MappingProxyType({})
    is_proved: bool = False
    find_new_problem_message: Callable[[], str | None] = lambda: None
    """The message of a problem that it makes (empty: none), if making the texts finds that out; else None."""

    @property
    def texts(self) -> Mapping[str, str]:
        """The files as they would be.

        Raises:
            Refused: when that cannot be.
        """
        return self.make_texts()


def offered_changes(
    opened: OpenCampaign,
    file: str,
    line: int,
    is_wanted: Callable[[str], bool],
    *,
    may_defer_trial: bool = False,
) -> Iterator[OfferedChange]:
    """The changes that are possible on a line. ``is_wanted`` says which kinds are computed. With ``may_defer_trial``,
    rewrites in a long campaign are offered without a trial, and :func:`new_problem_message` is called when the user
    takes one."""
    if is_wanted(QUICK_KIND):
        yield from _offer_fixes(opened, file, line)
    if is_wanted(FIX_ALL_KIND):
        yield from _offer_safe_fixes(opened)
    entry = _entry_on_line(opened, file, line)
    if entry is None:
        if is_wanted(REWRITE_KIND):
            for digest_change in _offer_digests(opened, file, line):
                with suppress(Refused):
                    yield digest_change._replace(
                        make_texts=_function_returning(digest_change.texts)
                    )
        return
    tried_changes = _TriedChanges(opened)
    offer_functions: list[
        tuple[str, Callable[[OpenCampaign, str, Entry, _TriedChanges], Iterator[OfferedChange]]]
    ] = [
        (EXTRACT_KIND, _offer_house_rule),
        (REWRITE_KIND, _offer_gap_fillings),
        (REWRITE_KIND, _offer_sealing),
        (REWRITE_KIND, _offer_id),
        (REWRITE_KIND, _offer_statement),
        (REWRITE_KIND, _offer_gap_above),
    ]
    offered: list[OfferedChange] = []
    for kind, offer_function in offer_functions:
        if is_wanted(kind):
            with suppress(Refused):
                offered += offer_function(opened, file, entry, tried_changes)
    record = opened.workspace.record
    if may_defer_trial and record is not None and len(record.steps) > MOST_PROVED_ENTRIES:
        yield from offered
        return
    for change in offered:
        with suppress(Refused):
            texts = change.texts
            if change.is_proved or not tried_changes.new_problem_message(change, texts):
                yield change._replace(make_texts=_function_returning(texts), is_proved=True)


def new_problem_message(opened: OpenCampaign, change: OfferedChange) -> str:
    """The message of a problem that a change makes; empty if it makes none."""
    return _TriedChanges(opened).new_problem_message(change, change.texts)


def _function_returning(texts: Mapping[str, str]) -> Callable[[], Mapping[str, str]]:
    return lambda: texts


def _entry_on_line(opened: OpenCampaign, file: str, line: int) -> Entry | None:
    """The entry of the log on a line."""
    campaign = opened.workspace.campaign
    for session in campaign.sessions if campaign is not None else ():
        for action in session.actions:
            if action.path != file:
                continue
            entry_place = action.whole_place
            last_line = (
                entry_place.end_line if entry_place.end_column > 1 else entry_place.end_line - 1
            )
            if entry_place.line <= line <= last_line:
                return action
    return None


def _entry_index(opened: OpenCampaign, file: str, entry: Entry) -> int:
    position = entry_at(opened.text(file), file, entry.whole_place.line)
    if position is None:
        raise EditRefused("there is no entry here")
    return position[0]


class _TriedChanges:
    """The changes that were tried, each with the first problem that it makes."""

    def __init__(self, opened: OpenCampaign) -> None:
        self._opened = opened
        self._message_by_texts: dict[tuple[tuple[str, str], ...], str] = {}

    def new_problem_message(self, offered_change: OfferedChange, texts: Mapping[str, str]) -> str:
        """The message of a problem that an action makes, whose ``texts`` were just made."""
        message = offered_change.find_new_problem_message()
        return self.first_new_problem_message(texts) if message is None else message

    def first_new_problem_message(self, texts: Mapping[str, str]) -> str:
        """The message of a problem that other texts make; empty if they make none."""
        texts_key = tuple(texts.items())
        if texts_key not in self._message_by_texts:
            texts_by_path = {self._opened.folder / name: text for name, text in texts.items()}
            self._message_by_texts[texts_key] = _first_new_message(
                try_texts(self._opened.workspace, texts_by_path, _is_harmful)
            )
        return self._message_by_texts[texts_key]


def _is_harmful(problem: Diagnostic) -> bool:
    """Whether a problem speaks against a change."""
    return not problem.excuse and problem.severity >= Severity.NOTE


def _first_new_message(trial: Trial) -> str:
    """The message of the first new problem; empty if there is none."""
    return trial.new_problems[0].message if trial.new_problems else ""


# -- fixes ------------------------------------------------------------------------------------------


def _offer_fixes(opened: OpenCampaign, file: str, line: int) -> Iterator[OfferedChange]:
    """The fixes of the problems on a line, each proved by replay."""
    for diagnostic in diagnostics_by_key(opened).values():
        if (
            diagnostic.place.path == file
            and diagnostic.place.line <= line <= diagnostic.place.end_line
        ):
            fixes = prove_fixes(opened, file, opened.text(file), [diagnostic])
            forgotten_entry_fixes = [
                fix for fix in fixes[MOST_OFFERED_FIXES:] if fix.forgotten_entry
            ]
            for index, fix in enumerate([*fixes[:MOST_OFFERED_FIXES], *forgotten_entry_fixes]):
                title = "".join(
                    title_span if isinstance(title_span, str) else title_span["t"]
                    for title_span in fix.title
                )
                effect = str(fix.as_data(is_preferred=False)["effect"])
                yield OfferedChange(
                    f"{title} ({effect})",
                    _function_returning({fix.file: fix.new_text}),
                    QUICK_KIND,
                    diagnostic.full_code,
                    not index and fix.is_sure,
                    is_proved=True,
                )


def _offer_safe_fixes(opened: OpenCampaign) -> Iterator[OfferedChange]:
    """The corrections of ``check --fix``: misspelt words with a single meaning."""
    name_by_path = {
        opened.folder / source.name: source.name
        for source in opened.files()
        if source.kind in ("campaign", "session")
    }
    texts = {path: opened.text(name) for path, name in name_by_path.items()}
    original_texts = dict(texts)
    try:
        corrections, _ = correct_misspelt(
            opened.workspace, texts, lambda problem: True, lambda problem, words: ""
        )
    finally:
        for name in name_by_path.values():
            opened.restore(name)
    changed_texts = {
        name_by_path[path]: text for path, text in texts.items() if text != original_texts[path]
    }
    if changed_texts:
        title = word("server.fix_misspelt", count=len(corrections))
        yield OfferedChange(title, _function_returning(changed_texts), FIX_ALL_KIND, is_proved=True)


# -- what tidies -----------------------------------------------------------------------------------


def _offer_digests(opened: OpenCampaign, file: str, line: int) -> Iterator[OfferedChange]:
    """The digests of the entries that the sentences of a head rest on, as these are now."""
    record = opened.workspace.record
    session = next(
        (
            session_record.session
            for session_record in (record.sessions if record else ())
            if session_record.session.path == file
        ),
        None,
    )
    if record is None or session is None:
        return
    entry_finder = EntryFinder(record)
    head_node = session.header.source
    replacements: dict[tuple[int, int], str] = {}
    for _, _, keepers_text in keepers_texts_in(session.header):
        current_text = refresh_digests(keepers_text, entry_finder)
        if current_text != keepers_text:
            replacements[keepers_text.line, keepers_text.column] = current_text
    if replacements and head_node.line <= line <= head_node.end_line:
        yield OfferedChange(
            word("server.note_entries"),
            lambda: {file: replace_words(opened.text(file), file, replacements)},
            solved_code=CHANGED_ENTRY,
            is_proved=True,
        )


def _offer_id(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """A permanent id. Ids are public, so a hidden entry gets none from its words."""

    def make_texts() -> dict[str, str]:
        record = opened.workspace.record
        steps = record.steps if record is not None else []
        verbs_of_hidden_entries = {step.action.verb for step in steps if step.hidden}
        used_ids = frozenset(str(step.action.id) for step in steps if step.action.id)
        entry_indices = frozenset({_entry_index(opened, file, entry)})
        verbs_without_words = frozenset({"secret", *verbs_of_hidden_entries})
        return {
            file: add_ids(opened.text(file), file, used_ids, verbs_without_words, entry_indices)
        }

    if not entry.id:
        yield OfferedChange(word("server.give_id"), make_texts)


def _offer_statement(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """What every player has after an entry, stated. Below all others that is played on where it was counted."""
    trial_result: dict[str, str] = {}

    def make_texts() -> dict[str, str]:
        trial_result.clear()
        with opened.workspace.at(file, entry.whole_place.line) as replay:
            statement = _statement_of_figures(opened, replay) if replay is not None else ""
            if replay is not None and statement and entry is _last_entry(opened):
                diagnostics = opened.workspace.diagnostics_with_last_entry(replay, statement)
                trial = compare_problems(opened.workspace.diagnostics, diagnostics, _is_harmful)
                trial_result["message"] = _first_new_message(trial)
        if not statement:
            raise Unanswerable("no player has a figure yet that could be stated")
        insertion_index = _entry_index(opened, file, entry) + 1
        return {file: insert_entry(opened.text(file), file, statement, insertion_index)}

    record = opened.workspace.record
    if record is not None and _player_measures(rulebook(record.campaign.game)):
        title = word("server.count_after")
        if isinstance(entry, Gap):
            title = word("server.fill_gap_count")
        yield OfferedChange(
            title, make_texts, find_new_problem_message=lambda: trial_result.get("message")
        )


def _last_entry(opened: OpenCampaign) -> Entry | None:
    """The entry of the log below which there is none."""
    campaign = opened.workspace.campaign
    sessions = campaign.sessions if campaign is not None else ()
    return sessions[-1].actions[-1] if sessions and sessions[-1].actions else None


def _statement_of_figures(opened: OpenCampaign, replay: Replay[Any]) -> str:
    """The entry that states what every player has; empty where players have nothing that is counted."""
    opened.workspace.attempt(replay, EMPTY_STATEMENT)
    player_figures = figures(replay.play, _player_measures(replay.rulebook))
    return figures_entry(replay, player_figures) if player_figures else ""


def _player_measures(game: Game[Any]) -> dict[str, Measure]:
    """The measures that players have a number of, by their names in ``assert:``."""
    return {
        name: measure
        for name, measure in game.by_measure.items()
        if PLAYER in measure.kinds and not measure.words
    }


def _offer_gap_above(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """Something is missing above an entry."""

    def make_texts() -> dict[str, str]:
        entry_index = _entry_index(opened, file, entry)
        return {file: insert_entry(opened.text(file), file, GAP_ENTRY, entry_index)}

    if not isinstance(entry, Gap):
        yield OfferedChange(word("server.gap_above"), make_texts)


def _offer_gap_fillings(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """Entries that may have happened in a gap and need no words of a player."""
    if not isinstance(entry, Gap):
        return
    file_text, entry_index = opened.text(file), _entry_index(opened, file, entry)
    offered_count = 0
    with opened.workspace.at(file, entry.whole_place.line - 1) as replay:
        possible_entries = ready_entries(replay)
    for possible_entry in possible_entries[:MOST_TRIED_ENTRIES]:
        texts = {file: replace_entry(file_text, file, entry_index, possible_entry)}
        if offered_count < MOST_GAP_FILLINGS and not tried_changes.first_new_problem_message(texts):
            offered_count += 1
            title = word("server.fill_gap", entry=possible_entry.splitlines()[0])
            yield OfferedChange(title, _function_returning(texts), is_proved=True)


def _offer_sealing(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """A readable secret, sealed; what opens it goes into a file of its own."""
    record = opened.workspace.record
    step = next((step for step in record.steps if step.action is entry), None) if record else None
    if not isinstance(entry, KeepSecret) or step is None:
        return
    player = str(entry.by or step.player or "")
    if not player:
        return
    file_text, entry_index = opened.text(file), _entry_index(opened, file, entry)
    secret_id = str(entry.id or "")
    if not secret_id:
        used_ids = (
            {str(step.action.id) for step in record.steps if step.action.id} if record else set()
        )
        secret_id = next(
            new_id
            for number in range(1, len(used_ids) + 2)
            if (new_id := f"secret-{number}") not in used_ids
        )
    opening = make_opening(
        step.session, secret_id, player, str(Sealed.fields["kind"].default), str(entry.secret)
    )
    about_pair = {"about": str(entry.about)} if entry.about else {}
    sealed_data = {"sealed": seal_of(opening), "id": secret_id, "by": player, **about_pair}
    opening_file = portable_name(f"{secret_id}.opening")
    yield OfferedChange(
        word("server.seal_secret", file=opening_file),
        lambda: {file: replace_entry(file_text, file, entry_index, write_entry(sealed_data))},
        new_files={opening_file: f"{opening}\n"},
    )


# -- a rule of the house ---------------------------------------------------------------------------


def _offer_house_rule(
    opened: OpenCampaign, file: str, entry: Entry, tried_changes: _TriedChanges
) -> Iterator[OfferedChange]:
    """What a table allows itself again and again, as a rule of the house that each entry leans on."""
    campaign = opened.workspace.campaign
    allowed_rules = entry.allow or {}
    if campaign is None or len(allowed_rules) != 1 or entry.under:
        return
    ((rule_id, reason_node),) = allowed_rules.items()
    similar_entries = [
        action
        for session in campaign.sessions
        for action in session.actions
        if [*(action.allow or ())] == [rule_id] and not action.under
    ]
    if len(similar_entries) < 2:
        return
    house_rule_ids = {str(house_rule_id) for house_rule_id in campaign.settings.house_rules or ()}
    allowance_reason = str(reason_node).strip() or word("server.does_not_hold", code=rule_id)
    id_stem = " ".join(slug_of(allowance_reason).split("-")[:MOST_ID_WORDS]) or str(rule_id)
    house_rule_id = next(
        new_id
        for number in range(1, len(house_rule_ids) + 2)
        if (new_id := id_stem + f" {number}" * (number > 1)) not in house_rule_ids
    )

    def make_texts() -> dict[str, str]:
        texts: dict[str, str] = {}
        for action in reversed(similar_entries):
            path = action.whole_place.path
            file_text = texts.get(path, opened.text(path))
            text_without_allow = drop_option(
                file_text, path, _entry_index_in(file_text, path, action), "allow"
            )
            log_node = tree_of(text_without_allow, path)[ScalarNode("log")]
            assert isinstance(log_node, SequenceNode)
            entry_node = log_node[_entry_index_in(file_text, path, action)]
            assert isinstance(entry_node, MappingNode)
            texts[path] = set_option(text_without_allow, path, entry_node, "under", house_rule_id)
        house_rule_node = MappingNode(
            {
                ScalarNode("rule"): ScalarNode(allowance_reason),
                ScalarNode("touches"): SequenceNode([ScalarNode(rule_id)]),
            }
        )
        settings_text = opened.text(SETTINGS_FILE)
        texts[SETTINGS_FILE] = add_pair_to_mapping(
            settings_text, SETTINGS_FILE, "house rules", house_rule_id, house_rule_node
        )
        return texts

    title = word("server.make_house_rule", id=house_rule_id, count=len(similar_entries))
    yield OfferedChange(title, make_texts, EXTRACT_KIND)


def _entry_index_in(file_text: str, file: str, entry: Entry) -> int:
    position = entry_at(file_text, file, entry.whole_place.line)
    assert position is not None
    return position[0]
