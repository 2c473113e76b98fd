"""Make the CampaignView of a Record, from the parts that every game shares and those of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from chronicle.core.campaign_view import (
    Block,
    CampaignView,
    ContestCard,
    Facts,
    Inline,
    Item,
    Listing,
    Page,
    Panels,
    Ref,
    RegistryPage,
    Section,
    Series,
    SessionEnd,
    SessionView,
    Slips,
    SubjectState,
    Table,
    heads,
    numeric,
    step_ref,
)
from chronicle.core.declare import Action
from chronicle.core.diagnostic import detach_diagnostics, plural
from chronicle.core.dice import Die
from chronicle.core.doubts import doubts_of
from chronicle.core.field_types import types_within
from chronicle.core.house_rules import AdoptedRule, answer_text
from chronicle.core.outcomes import Outcome, OutcomeKind, Results, outcomes_of
from chronicle.core.play_field_types import FacesByDieType, FacesType
from chronicle.core.record import Record
from chronicle.core.rules import Ruling
from chronicle.core.telling import Slip as Slip
from chronicle.core.timeline import Scene


def cards_of(record: Record, step_numbers: Iterable[int]) -> list[Block]:
    """Contest cards of the throws at some steps, each once. ``step_numbers`` are step numbers; 0 is skipped."""
    steps = (record.step(number) for number in dict.fromkeys(step_numbers) if number)
    return [
        ContestCard(step.contest, step.number)
        for step in steps
        if step.contest is not None and not step.hidden
    ]


def ticks_of_sessions(record: Record) -> tuple[tuple[int, str], ...]:
    """Where each session starts, for the x axis of curves over steps."""
    return tuple(
        (session.first_step, f"session {session.session.number}") for session in record.sessions
    )


def readings_table(record: Record, rulings: Iterable[Ruling], title: str = "") -> Table:
    """How a campaign reads points that the rules leave open, and how often each reading mattered."""
    return Table(
        heads("Point", "Question", "Reading in force", "By", numeric("Times")),
        tuple(
            (
                Ref("rule", ruling.id, ruling.id),
                ruling.question,
                ruling.readings[record.rulings[ruling.key]],
                "chosen" if ruling.key in record.rulings.chosen_keys else "default",
                len(record.rulings_used.get(ruling.key, ())),
            )
            for ruling in rulings
        ),
        title,
    )


MAX_LISTED_CITATIONS = 8
"""Maximum number of linked citations of a house rule."""
MAX_LISTED_USES = 30
"""Maximum number of listed entries where a house rule made a difference."""


def house_rules_page(record: Record) -> Page | None:
    """The page of house rules: text and formulas of each, since when it is in force, and its effects; None
    without house rules."""
    blocks: list[Block] = []
    for rule in record.house_rules.rules.values():
        citing_step_numbers = [
            step.number for step in record.visible_steps() if rule.id in step.action.under
        ]
        shown_uses = [
            rule_use for rule_use in rule.uses if not record.step(rule_use.step_number).hidden
        ]
        use_count = len({rule_use.step_number for rule_use in shown_uses})
        rows: list[tuple[str, Inline]] = [
            ("Cited as", rule.id),
            ("In force", _period_in_force(rule)),
            *(
                ("Computes", Ref("code", "", f"{name}: {formula.text.strip()}"))
                for name, formula in rule.formulas.items()
            ),
        ]
        if rule.touches:
            rows.append(("Bends", ", ".join(rule.touches)))
        rows.append(("Cited", _citation_links(citing_step_numbers)))
        if rule.formulas:
            rows.append(("Made a difference", plural(use_count, "time") if use_count else "never"))
        rule_blocks: list[Block] = [Facts(tuple(rows))]
        if shown_uses:
            unlisted_use_count = len(shown_uses) - MAX_LISTED_USES
            rule_blocks.append(
                Table(
                    heads("Where", "What", "Otherwise", "Here"),
                    tuple(
                        (
                            step_ref(
                                rule_use.step_number,
                                record.step(rule_use.step_number).headline or "here",
                            ),
                            rule_use.point_name,
                            answer_text(rule_use.usual_answer),
                            answer_text(rule_use.answer),
                        )
                        for rule_use in shown_uses[:MAX_LISTED_USES]
                    ),
                    note=f"and {unlisted_use_count} more" if unlisted_use_count > 0 else "",
                )
            )
        blocks.append(
            Section(
                rule.text,
                tuple(rule_blocks),
                f"house-rule-{len(blocks) + 1}",
                rule.adopting_step_number,
            )
        )
    if not blocks:
        return None
    return Page(
        "house-rules",
        "House rules",
        blocks,
        "What this table plays otherwise than the book, and what came of it.",
        group="About",
    )


def _period_in_force(rule: AdoptedRule) -> Inline:
    start_link = (
        step_ref(rule.adopting_step_number, "from here")
        if rule.adopting_step_number
        else "from the beginning"
    )
    return (
        (start_link, " until ", step_ref(rule.ending_step_number, "there"))
        if rule.ending_step_number
        else (start_link,)
    )


def _citation_links(citing_step_numbers: Sequence[int]) -> Inline:
    if not citing_step_numbers:
        return "never"
    link_parts: list[str | int | Ref] = []
    for citation_number, step_number in enumerate(citing_step_numbers[:MAX_LISTED_CITATIONS], 1):
        link_parts += [
            ", " if citation_number > 1 else "",
            step_ref(step_number, str(citation_number)),
        ]
    return (
        *link_parts,
        f" and {len(citing_step_numbers) - MAX_LISTED_CITATIONS} more"
        if len(citing_step_numbers) > MAX_LISTED_CITATIONS
        else "",
    )


def curves_of(record: Record, account_kind: str, unit: str) -> tuple[Series, ...]:
    """One series for each owner of accounts of a kind, in seating order where owners are players."""
    seat_by_player = {
        player.name: seat_number for seat_number, player in enumerate(record.campaign.players)
    }
    points_by_account: dict[str, list[tuple[int, int]]] = {}
    balance_by_account: dict[str, int] = {}
    account_prefix = account_kind + ":"
    for posting in record.ledger.postings:
        if posting.unit != unit:
            continue
        for account, sign in ((posting.source, -1), (posting.target, 1)):
            if not account.startswith(account_prefix):
                continue
            balance_by_account[account] = balance_by_account.get(account, 0) + sign * posting.amount
            balance_points = points_by_account.setdefault(account, [])
            if balance_points and balance_points[-1][0] == posting.step_number:
                balance_points[-1] = (posting.step_number, balance_by_account[account])
            else:
                balance_points.append((posting.step_number, balance_by_account[account]))
    accounts = sorted(
        points_by_account,
        key=lambda account: (seat_by_player.get(account[len(account_prefix) :], 99), account),
    )
    return tuple(
        Series(
            account[len(account_prefix) :],
            tuple(points_by_account[account]),
            account[len(account_prefix) :]
            if account[len(account_prefix) :] in seat_by_player
            else "",
            doubts_of(record, account, points_by_account[account][0][0]),
        )
        for account in accounts
    )


def redact(record: Record) -> None:
    """Remove every unrevealed secret from a Record before it is shown. A hidden step keeps only its number."""
    for step in record.steps:
        if step.hidden:
            step.headline = "Something is kept secret"
            step.fiction = step.talk = step.speaker = ""
            step.events.clear()
            step.throws.clear()
            step.contest = step.bid_ranking = step.weighing = None
            step.diagnostics.clear()
    hidden_diagnostics = [
        diagnostic
        for diagnostic in record.diagnostics
        if diagnostic.step_number and record.step(diagnostic.step_number).hidden
    ]
    detach_diagnostics(hidden_diagnostics)
    hidden_ids = set(map(id, hidden_diagnostics))
    record.diagnostics = [
        diagnostic for diagnostic in record.diagnostics if id(diagnostic) not in hidden_ids
    ]
    hidden_step_numbers = {step.number for step in record.steps if step.hidden}
    postings = record.ledger.postings
    postings[:] = [
        posting._replace(why="", rule="") if posting.step_number in hidden_step_numbers else posting
        for posting in postings
    ]


def put_winners_first(record: Record, outcomes: Iterable[Outcome]) -> None:
    """Put the winner's side first in each contest whose outcome says who won against whom, so that its number and its
    dice stand in the order of that sentence."""
    for outcome in outcomes:
        contest = record.step(outcome.step_number).contest
        if contest is not None and outcome.kind is OutcomeKind.WON and outcome.is_against:
            record.step(outcome.step_number).contest = contest.with_winner_first()


def make_view(
    record: Record,
    add_game_views: Callable[[CampaignView], None],
    panels: Panels | None,
    results: Results,
) -> CampaignView:
    """Build the CampaignView of a Record: the general parts, then the game's own.

    Args:
        record: the replayed campaign. This function removes unrevealed secrets from it.
        add_game_views: adds the game's own views (see ``Game.fill``).
        panels: the state of play during the replay, if it was collected.
        results: how outcomes of the game are made.
    """
    redact(record)
    outcomes = outcomes_of(record, results)
    put_winners_first(record, outcomes)
    view = CampaignView(
        record,
        situation=record.situation,
        accounts={**record.rulebook.accounts},
        outcomes=outcomes,
    )
    session_ends: Mapping[int, SessionEnd] = {}
    if panels is not None:
        view.scene_panels, view.entry_panels, session_ends = panels
    all_player_names = [player.name for player in record.campaign.players]
    for session_record in record.sessions:
        header = session_record.session.header
        present_player_names = list(session_record.present)
        for step in record.steps[session_record.first_step - 1 : session_record.last_step]:
            present_player_names.extend(
                event.subject
                for event in step.events
                if event.kind == "arrives" and event.subject not in present_player_names
            )
        view.sessions.append(
            SessionView(
                session_record.session.number,
                str(header.title or f"Session {session_record.session.number}"),
                str(header.date or ""),
                tuple(name for name in all_player_names if name in present_player_names),
                tuple(name for name in all_player_names if name not in present_player_names),
                str(header.summary or ""),
                record.steps[session_record.first_step - 1 : session_record.last_step],
            )
        )
    add_game_views(view)
    if not view.dice:
        view.dice = dice_of(record.rulebook.by_verb.values())
    if not view.state and view.entry_panels:
        view.state = [*view.entry_panels[max(view.entry_panels)]]
    declared_titles = {registry.title for registry in view.registries}
    used_titles = dict.fromkeys(sheet.registry for sheet in view.sheets)
    view.registries += [
        RegistryPage(title) for title in used_titles if title not in declared_titles
    ]
    rules_page = house_rules_page(record)
    if rules_page is not None:
        view.pages.append(rules_page)
    for sheet in view.sheets:
        for blocks in (sheet.blocks, sheet.aside):
            blocks[:] = [block for block in blocks if not _is_empty_appearances(block)]
        subject = record.names.all.get(sheet.id)
        if subject is not None:
            sheet.former_names = record.names.former_names(subject)
            sheet.aliases = tuple(name for name in sheet.aliases if name not in sheet.former_names)
    if view.sessions:
        view.session_ends = {**session_ends, view.sessions[-1].number: session_end_of(view)}
    return view


def session_end_of(view: CampaignView) -> SessionEnd:
    """The state of the story in a filled CampaignView."""
    subject_states = {
        sheet.id: SubjectState(
            sheet.id,
            sheet.name,
            sheet.role,
            sheet.status,
            sheet.holders[-1][1] if sheet.holders else sheet.player,
            sheet.weight,
            sheet.gone,
            next((block.items for block in sheet.blocks if isinstance(block, Slips)), ()),
        )
        for sheet in view.sheets
    }
    return SessionEnd(subject_states, tuple(view.relations), tuple(view.loose_ends))


APPEARANCES_TITLE = "Appears in"
"""Title of a list of scenes with a person or object in their cast."""


def _is_empty_appearances(block: Block) -> bool:
    """Whether a block lists the scenes of a person who is in none, or of a game without scenes."""
    return isinstance(block, Listing) and block.title == APPEARANCES_TITLE and not block.items


def appearances(record: Record, subject_id: str) -> Listing:
    """The scenes with this id in their cast, as a list. A page leaves it out where it is empty."""
    return scene_list(
        record, (scene for scene in record.timeline.scenes if subject_id in scene.cast)
    )


def scene_list(record: Record, scenes: Iterable[Scene]) -> Listing:
    """A list of scenes, titled with :data:`APPEARANCES_TITLE`."""
    return Listing(
        tuple(
            Item(
                Ref("scene", str(scene.number), scene.label),
                " · ".join(part for part in (scene.when, record.timeline.branch_of(scene)) if part),
            )
            for scene in scenes
        ),
        APPEARANCES_TITLE,
        ordered=True,
    )


def dice_of(action_classes: Iterable[type[Action]]) -> dict[str, Die]:
    """The dice whose faces the keys of some verbs take, by the short names that throws use (``d6``)."""
    verb_fields = (
        field
        for action_class in action_classes
        for field in (
            *((action_class.main,) if action_class.main is not None else ()),
            *action_class.fields.values(),
        )
    )
    dice: dict[str, Die] = {}
    for field_type_within in (
        field_type for field in verb_fields for field_type in types_within(field.kind)
    ):
        if isinstance(field_type_within, FacesType):
            dice[field_type_within.die.short_name] = field_type_within.die
        elif isinstance(field_type_within, FacesByDieType):
            dice |= field_type_within.dice
    return dice
