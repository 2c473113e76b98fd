"""Make the Book of a Record, from the parts that every game shares and those of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from chronicle.core.book import (
    Block,
    Book,
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
from chronicle.core.declare import dice_of
from chronicle.core.diagnostic import detach, plural
from chronicle.core.house_rules import AdoptedRule, answer_text
from chronicle.core.record import Record
from chronicle.core.rules import Ruling
from chronicle.core.telling import Slip as Slip
from chronicle.core.timeline import Scene


def cards_of(record: Record, steps: Iterable[int]) -> list[Block]:
    """Contest cards of the throws at some steps, each once. ``steps`` are step numbers; 0 is skipped."""
    thrown = (record.step(number) for number in dict.fromkeys(steps) if number)
    return [
        ContestCard(step.contest, step.index)
        for step in thrown
        if step.contest is not None and not step.hidden
    ]


def ticks_of_sessions(record: Record) -> tuple[tuple[int, str], ...]:
    """Where each session starts, for the x axis of curves over steps."""
    return tuple(
        (session.first_step, f"session {session.session.number}") for session in record.sessions
    )


def readings_table(record: Record, points: Iterable[Ruling], title: str = "") -> Table:
    """How a campaign reads points that the rules leave open, and how often each reading mattered."""
    return Table(
        heads("Point", "Question", "Reading in force", "By", numeric("Times")),
        tuple(
            (
                Ref("rule", point.id, point.id),
                point.question,
                point.readings[record.rulings[point.key]],
                "chosen" if point.key in record.rulings.chosen else "default",
                len(record.rulings_used.get(point.key, ())),
            )
            for point in points
        ),
        title,
    )


MOST_LINKS = 8
"""Maximum number of linked citations of a house rule."""
MOST_USES = 30
"""Maximum number of listed entries where a house rule made a difference."""


def house_rules(record: Record) -> Page | None:
    """The page of house rules: text and formulas of each, since when it is in force, and its effects; None
    without house rules."""
    blocks: list[Block] = []
    for rule in record.house.rules.values():
        cited = [step.index for step in record.visible() if rule.id in step.action.under]
        shown_uses = [use for use in rule.uses if not record.step(use.step).hidden]
        times = len({use.step for use in shown_uses})
        rows: list[tuple[str, Inline]] = [
            ("Cited as", rule.id),
            ("In force", _in_force(rule)),
            *(
                ("Computes", Ref("code", "", f"{name}: {formula.text.strip()}"))
                for name, formula in rule.formulas.items()
            ),
        ]
        if rule.touches:
            rows.append(("Bends", ", ".join(rule.touches)))
        rows.append(("Cited", _places(cited)))
        if rule.formulas:
            rows.append(("Made a difference", plural(times, "time") if times else "never"))
        inner: list[Block] = [Facts(tuple(rows))]
        if shown_uses:
            hidden_uses = len(shown_uses) - MOST_USES
            inner.append(
                Table(
                    heads("Where", "What", "Otherwise", "Here"),
                    tuple(
                        (
                            step_ref(use.step, record.step(use.step).headline or "here"),
                            use.point,
                            answer_text(use.usual),
                            answer_text(use.answer),
                        )
                        for use in shown_uses[:MOST_USES]
                    ),
                    note=f"and {hidden_uses} more" if hidden_uses > 0 else "",
                )
            )
        blocks.append(Section(rule.words, tuple(inner), f"house-rule-{len(blocks) + 1}", rule.step))
    if not blocks:
        return None
    return Page(
        "house-rules",
        "House rules",
        blocks,
        "What this table plays otherwise than the book, and what came of it.",
        group="Rules",
    )


def _in_force(rule: AdoptedRule) -> Inline:
    start = step_ref(rule.step, "from here") if rule.step else "from the beginning"
    return (start, " until ", step_ref(rule.ended, "there")) if rule.ended else (start,)


def _places(steps: Sequence[int]) -> Inline:
    if not steps:
        return "never"
    links: list[str | int | Ref] = []
    for number, step in enumerate(steps[:MOST_LINKS], 1):
        links += [", " if number > 1 else "", step_ref(step, str(number))]
    return (*links, f" and {len(steps) - MOST_LINKS} more" if len(steps) > MOST_LINKS else "")


def curves_of(record: Record, kind: str, unit: str) -> tuple[Series, ...]:
    """One series for each owner of accounts of a kind, in seating order where owners are players."""
    order = {player.name: seat for seat, player in enumerate(record.campaign.players)}
    owners: dict[str, list[tuple[int, int]]] = {}
    balances: dict[str, int] = {}
    prefix = kind + ":"
    for posting in record.ledger.postings:
        if posting.unit != unit:
            continue
        for account, sign in ((posting.source, -1), (posting.target, 1)):
            if not account.startswith(prefix):
                continue
            balances[account] = balances.get(account, 0) + sign * posting.amount
            points = owners.setdefault(account, [])
            if points and points[-1][0] == posting.step:
                points[-1] = (posting.step, balances[account])
            else:
                points.append((posting.step, balances[account]))
    names = sorted(owners, key=lambda account: (order.get(account[len(prefix) :], 99), account))
    return tuple(
        Series(
            account[len(prefix) :],
            tuple(owners[account]),
            account[len(prefix) :] if account[len(prefix) :] in order else "",
        )
        for account in names
    )


def redact(record: Record) -> None:
    """Remove every unrevealed secret from a Record before it is shown. A hidden step keeps only its number."""
    for step in record.steps:
        if step.hidden:
            step.headline = "Something is kept secret"
            step.fiction = step.talk = step.speaker = ""
            step.events.clear()
            step.throws.clear()
            step.contest = step.ladder = step.weighing = None
            step.diagnostics.clear()
    hidden_found = [d for d in record.diagnostics if d.step and record.step(d.step).hidden]
    detach(hidden_found)
    hidden_ids = set(map(id, hidden_found))
    record.diagnostics = [d for d in record.diagnostics if id(d) not in hidden_ids]
    hidden = {step.index for step in record.steps if step.hidden}
    postings = record.ledger.postings
    postings[:] = [p._replace(why="", rule="") if p.step in hidden else p for p in postings]


def make_book(
    record: Record,
    fill: Callable[[Book], None],
    panels: Panels | None = None,
) -> Book:
    """Build the Book of a Record: the general parts, then the game's own.

    Args:
        record: the replayed campaign. This function removes unrevealed secrets from it.
        fill: adds the game's own views (see ``Rulebook.fill``).
        panels: the state of play during the replay, if it was collected.
    """
    redact(record)
    book = Book(record, situation=record.situation, accounts={**record.rulebook.accounts})
    evenings: Mapping[int, SessionEnd] = {}
    if panels is not None:
        book.scene_panels, book.moments, evenings = panels
    all_players = [player.name for player in record.campaign.players]
    for session_record in record.sessions:
        header = session_record.session.header
        present = list(session_record.present)
        for step in record.steps[session_record.first_step - 1 : session_record.last_step]:
            present.extend(
                event.subject
                for event in step.events
                if event.kind == "arrives" and event.subject not in present
            )
        book.sessions.append(
            SessionView(
                session_record.session.number,
                str(header.title or f"Session {session_record.session.number}"),
                str(header.date or ""),
                tuple(name for name in all_players if name in present),
                tuple(name for name in all_players if name not in present),
                str(header.summary or ""),
                record.steps[session_record.first_step - 1 : session_record.last_step],
            )
        )
    fill(book)
    if not book.dice:
        book.dice = dice_of(record.rulebook.by_verb.values())
    if not book.state and book.moments:
        book.state = [*book.moments[max(book.moments)]]
    declared = {registry.title for registry in book.registries}
    used = dict.fromkeys(sheet.registry for sheet in book.sheets)
    book.registries += [RegistryPage(title) for title in used if title not in declared]
    rules_page = house_rules(record)
    if rules_page is not None:
        book.pages.append(rules_page)
    for sheet in book.sheets:
        for blocks in (sheet.blocks, sheet.aside):
            blocks[:] = [block for block in blocks if not _is_empty_appearances(block)]
        subject = record.names.all.get(sheet.id)
        if subject is not None:
            sheet.former = record.names.former_names(subject)
            sheet.aliases = tuple(name for name in sheet.aliases if name not in sheet.former)
    if book.sessions:
        book.evenings = {**evenings, book.sessions[-1].number: evening_of(book)}
    return book


def evening_of(book: Book) -> SessionEnd:
    """The state of the story in a filled Book."""
    sheet_states = {
        sheet.id: SubjectState(
            sheet.id,
            sheet.name,
            sheet.role,
            sheet.status,
            sheet.held[-1][1] if sheet.held else sheet.player,
            sheet.weight,
            sheet.gone,
            next((block.items for block in sheet.blocks if isinstance(block, Slips)), ()),
        )
        for sheet in book.sheets
    }
    return SessionEnd(sheet_states, tuple(book.relations), tuple(book.loose_ends))


APPEARS = "Appears in"
"""Title of a list of scenes with a person or object in their cast."""


def _is_empty_appearances(block: Block) -> bool:
    """Whether a block lists the scenes of a person who is in none, or of a game without scenes."""
    return isinstance(block, Listing) and block.title == APPEARS and not block.items


def appearances(record: Record, id: str) -> Listing:
    """The scenes with this id in their cast, as a list. A page leaves it out where it is empty."""
    return appears(record, (scene for scene in record.timeline.scenes if id in scene.cast))


def appears(record: Record, scenes: Iterable[Scene]) -> Listing:
    """A list of scenes, titled with :data:`APPEARS`."""
    return Listing(
        tuple(
            Item(
                Ref("scene", str(scene.number), scene.label),
                " · ".join(part for part in (scene.when, record.timeline.branch_of(scene)) if part),
            )
            for scene in scenes
        ),
        APPEARS,
        ordered=True,
    )
