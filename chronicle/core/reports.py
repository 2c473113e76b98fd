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
    for cited_rule in action.under:
        rule_id = play.cited(cited_rule)
        if rule_id not in play.touched_by_rule:
            similar_ids = play.names.nearest(cited_rule, list(play.touched_by_rule))
            doubt_key = f"house rule:{fold(cited_rule)}"
            problem_with_rule = play.unreadable(
                "T52",
                f"no house rule '{cited_rule}'{ask_whether(cited_rule, similar_ids)}",
                at=cited_rule,
                fix=replace_with(similar_ids, is_told=True),
                help="name it in campaign.yaml under 'house rules:'",
                after=(doubt_key,),
            )
            play.tainted.setdefault(doubt_key, problem_with_rule)
        elif (
            rule := play.adopted_rules.rules.get(rule_id)
        ) is not None and rule.ending_step_number:
            play.report(
                DiagnosticKind.BOOKKEEPING,
                "T52",
                f"the house rule '{cited_rule}' is no longer in force",
                at=cited_rule,
                facts=[play.because(rule.ending_step_number, "it ended here")],
                fix=make_fix(
                    RemoveItem(str(cited_rule)) if len(action.under) > 1 else RemoveKey("under")
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


def report_unneeded_allowances(play: GameContext[Any], action: Action, step: Step) -> None:
    """Report each rule that an entry allows itself to break and does not break, and each allowance without a reason."""
    reported_rule_ids = {comparable_id(diagnostic.code) for diagnostic in step.diagnostics}
    for allowed_rule_id, reason in (action.allow or {}).items():
        if comparable_id(allowed_rule_id.rpartition(":")[2]) not in reported_rule_ids:
            play.report(
                DiagnosticKind.SUSPICIOUS,
                "T54",
                f"nothing here needs 'allow: {{{allowed_rule_id}: ...}}'",
                at=allowed_rule_id,
                since=play.before_gap("", 0),
                fix=make_fix(
                    RemoveItem(str(allowed_rule_id))
                    if len(action.allow or {}) > 1
                    else RemoveKey("allow")
                ),
                help="or check the id",
            )
        elif not reason.strip():
            play.report(
                DiagnosticKind.SUSPICIOUS,
                "T63",
                f"{allowed_rule_id} is accepted here without a reason",
                at=allowed_rule_id,
                fix=set_pair("allow", allowed_rule_id),
            )
