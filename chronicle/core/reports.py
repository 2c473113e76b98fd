"""Reports about an entry as a whole: house rules that do not exist, names in use again, allowances without a use or a
reason."""

from __future__ import annotations

from typing import Any

from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind, ask_whether
from chronicle.core.fix import RemoveItem, RemoveKey, make_fix, replace_with, set_pair
from chronicle.core.game_context import GameContext
from chronicle.core.names import fold
from chronicle.core.record import Step
from chronicle.core.rules import comparable_id


def report_missing_house_rules(play: GameContext[Any], action: Action) -> None:
    """Report house rules that an entry cites and that do not exist, or are no longer in force."""
    for cited_word in action.under:
        rule_id = play.cited(cited_word)
        if rule_id not in play.touched_by_rule:
            similar = play.names.nearest(cited_word, list(play.touched_by_rule))
            key = f"house rule:{fold(cited_word)}"
            problem_with_rule = play.unreadable(
                "T52",
                f"no house rule '{cited_word}'{ask_whether(cited_word, similar)}",
                at=cited_word,
                fix=replace_with(similar, is_told=True),
                help="name it in campaign.yaml under 'house rules:'",
                after=(key,),
            )
            play.tainted.setdefault(key, problem_with_rule)
        elif (
            rule := play.adopted_rules.rules.get(rule_id)
        ) is not None and rule.ending_step_number:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "T52",
                f"the house rule '{cited_word}' is no longer in force",
                at=cited_word,
                facts=[play.because(rule.ending_step_number, "it ended here")],
                fix=make_fix(
                    RemoveItem(str(cited_word)) if len(action.under) > 1 else RemoveKey("under")
                ),
                help="or agree on it again:  - house rule: ...",
            )


def report_revived_names(play: GameContext[Any]) -> None:
    """Report names that are in use again although they were renamed."""
    for subject, current_name in play.names.subjects_with_reused_name:
        play.report(
            DiagnosticKind.SUSPICIOUS,
            "T57",
            f"'{subject.name}' is called '{current_name}' now, and this makes a second one",
            help=f"write {current_name} if it is the same, or take the old name out of 'renamed:'",
        )
    play.names.subjects_with_reused_name.clear()


def report_allowances(play: GameContext[Any], action: Action, step: Step) -> None:
    """Report each rule that an entry allows itself to break and does not break, and each allowance without a reason."""
    codes = {comparable_id(diagnostic.code) for diagnostic in step.diagnostics}
    for code, reason in (action.allow or {}).items():
        if comparable_id(code.rpartition(":")[2]) not in codes:
            play.report(
                DiagnosticKind.SUSPICIOUS,
                "T54",
                f"nothing here needs 'allow: {{{code}: ...}}'",
                at=code,
                since=play.before_gap("", 0),
                fix=make_fix(
                    RemoveItem(str(code)) if len(action.allow or {}) > 1 else RemoveKey("allow")
                ),
                help="or check the id",
            )
        elif not reason.strip():
            play.report(
                DiagnosticKind.SUSPICIOUS,
                "T63",
                f"{code} is accepted here without a reason",
                at=code,
                fix=set_pair("allow", code),
            )
