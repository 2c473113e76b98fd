"""Reports about an entry after it is replayed: names that are in use again, allowances without a use."""

from __future__ import annotations

from typing import Any

from chronicle.core.declare import Action
from chronicle.core.diagnostic import Finding
from chronicle.core.fix import RemoveItem, RemoveKey, make_fix
from chronicle.core.play import Play
from chronicle.core.record import Step
from chronicle.core.rules import comparable_id


def report_revived_names(play: Play[Any]) -> None:
    """Report names that are in use again although they were renamed."""
    for named, current_name in play.names.revived:
        play.report(
            Finding.SUSPICIOUS,
            "T57",
            f"'{named.name}' is called '{current_name}' now, and this makes a second one",
            help=f"write {current_name} if it is the same, or take the old name out of 'renamed:'",
        )
    play.names.revived.clear()


def report_unused_allowances(play: Play[Any], action: Action, step: Step) -> None:
    """Report each rule that an entry allows itself to break and does not break."""
    codes = {comparable_id(d.code) for d in step.diagnostics}
    for code in action.allow or {}:
        if comparable_id(code.rpartition(":")[2]) not in codes:
            play.report(
                Finding.SUSPICIOUS,
                "T54",
                f"nothing here needs 'allow: {{{code}: ...}}'",
                at=code,
                fix=make_fix(
                    RemoveItem(str(code)) if len(action.allow or {}) > 1 else RemoveKey("allow")
                ),
                help="or check the id",
            )
