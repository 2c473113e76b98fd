"""What every game has to pass: its rules, its cases, its first campaign, play at random, pages.

Each check is a function of a :class:`GameUnderTest` and a scratch folder for the files that it writes. It yields one
line for each problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from chronicle.campaigns import load, run, view_of
from chronicle.core.answers import Obligation
from chronicle.core.campaign import Campaign
from chronicle.core.declare import Action
from chronicle.core.diagnostic import DiagnosticKind, Severity, listed, plural
from chronicle.core.game import Game
from chronicle.core.ledger import Ledger
from chronicle.core.moves import is_guessable
from chronicle.core.replay import Replay, entries_from
from chronicle.core.rules import Registry, RuleClass, comparable_id
from chronicle.core.snapshots import Snapshot
from chronicle.games import is_built_in
from chronicle.syntax.decode import Decoder
from chronicle.syntax.schema import campaign_schema, session_schema
from chronicle.testkit.cases import Case, named, problems_of, read_cases, write_case
from chronicle.testkit.declared import malformed, misnamed, misnamed_obligations, misposted
from chronicle.testkit.guards import GUARD_CHECKS, Moments
from chronicle.testkit.proved import unproved
from chronicle.testkit.random_play import RandomTable, read_entries, settings_of, write_campaign
from chronicle.testkit.records import book_text, record_text, standing, whole_text
from chronicle.testkit.shown import misshown

WRONG: Final = frozenset(
    {DiagnosticKind.UNREADABLE, DiagnosticKind.ILLEGAL, DiagnosticKind.BOOKKEEPING}
)
"""Kinds of problems that a legal entry does not have."""
_RULINGS: Final = re.compile(r"rulings:\s*\{(?P<inside>[^}]*)\}")
_DAMAGES: Final = 6
"""How many damaged copies of a log are replayed."""


class GameUnderTest:
    """A game, its cases, and how long it is played at random.

    Args:
        rules: the game.
        cases: its cases.
        openings: positions from which random play starts, each a list of entries, one a line.
        seeds: how many games are played at random.
        steps: the most entries of each.
    """

    def __init__(
        self,
        rules: Game[Any],
        cases: Sequence[Case] = (),
        *,
        openings: Sequence[Sequence[str]] = ((),),
        seeds: int = 8,
        steps: int = 250,
    ) -> None:
        self.rules = rules
        self.cases = tuple(cases)
        self.openings = openings
        self.seeds = seeds
        self.steps = steps

    @cached_property
    def files(self) -> dict[str, str]:
        """The files of a new campaign."""
        return self.rules.new_campaign()

    @cached_property
    def moments(self) -> Moments:
        """The legal entries of its cases, each with the replay right before it."""
        return Moments(self.rules, self.cases)

    def write_first(self, folder: Path) -> Path:
        """Write the first campaign of the game; return its folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        return folder

    def empty_campaign(self, folder: Path) -> Campaign:
        """A campaign with the settings of the first one, and nothing in its log."""
        return load(write_campaign(folder, self.files["campaign.yaml"], [[]]))


Check = Callable[[GameUnderTest, Path], Iterator[str]]


def read_case_folder(folder: Path) -> list[Case]:
    """All cases of the ``*.case`` files in a folder."""
    return [case for file in sorted(folder.glob("*.case")) for case in read_cases(file)]


# -- rules -----------------------------------------------------------------------------------------


def check_rules(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """Each rule and ruling has an id of its own and a text; a rule that only people can judge says why."""
    registry = game.rules.registry()
    yield from _doubles(registry)
    keys = [ruling.key for ruling in registry.rulings]
    yield from (f"two rulings have the key {key}" for key in {*keys} if keys.count(key) > 1)
    for rule in registry.rules:
        if not rule.text:
            yield f"{rule.id} has no text"
        if rule.kind is RuleClass.RECORDED and not rule.why:
            yield f"{rule.id} is [recorded]: a line  why: ...  has to say why no log can show it"
        if rule.kind is not RuleClass.RECORDED and rule.why:
            yield f"{rule.id} has a line 'why:', which belongs to rules that are [recorded]"


def _doubles(registry: Registry) -> Iterator[str]:
    """A line for each id that two rules have."""
    ids: set[str] = set()
    for id in _ids(registry):
        if comparable_id(id) in ids:
            yield f"two rules have the id {id}"
        ids.add(comparable_id(id))


def check_declarations(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """Declarations have the right form, and each rule, role, phase and decider that verbs and titles of cases name
    exists. In a game plug-in, its methods, cards and pages hold values of the right types."""
    # A rule with the id of another one is missing under its own.
    problems = [*_doubles(game.rules.registry())] or [*malformed(game.rules)]
    problems = problems or [*misnamed(game.rules, game.cases)]
    if not problems and not is_built_in(game.rules.name):
        problems = [*misshown(game.rules, game.cases, scratch_folder)]
    yield from problems


def _ids(registry: Registry) -> list[str]:
    return [
        *(rule.id for rule in registry.rules),
        *(ruling.id for ruling in registry.rulings),
    ]


def proof_table(game: GameUnderTest) -> dict[str, list[str]]:
    """The id of each rule and ruling, in order, with the names of the cases that are about it: those whose name starts
    with the id, and those that expect a problem under it."""
    registry = game.rules.registry()
    table: dict[str, list[str]] = {id: [] for id in _ids(registry)}
    for name, case in named([*game.cases]).items():
        codes = [code for expectations in case.expected.values() for code, _ in expectations]
        for code in dict.fromkeys([case.name.partition(" ")[0], *codes]):
            item = registry.get(code)
            if item is not None and name not in table[item.id]:
                table[item.id].append(name)
    return table


def cases_without_rule(game: GameUnderTest) -> list[Case]:
    """The cases that the proof table does not have: their title begins with no rule, and they break none."""
    proved = {name for names in proof_table(game).values() for name in names}
    return [case for name, case in named([*game.cases]).items() if name not in proved]


def check_proof(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """A case breaks each [checked] rule, and a case plays each reading that is not the default. In a game plug-in, each
    guard reports something in a case, and a case plays each verb that has its phases outside of them."""
    registry = game.rules.registry()
    broken = {
        comparable_id(code)
        for case in game.cases
        for expectations in case.expected.values()
        for code, _ in expectations
    }
    for rule in registry.rules:
        if rule.kind is RuleClass.CHECKED and not broken & {
            comparable_id(rule.id),
            *map(comparable_id, rule.other_ids),
        }:
            yield f"no case breaks {rule.id}: write one with  #! {rule.id}"
    played = {reading for case in game.cases for reading in _readings(case)}
    for ruling in registry.rulings:
        for value in list(ruling.readings)[1:]:
            if not played & {(ruling.key, value), (ruling.id, value)}:
                yield (
                    f"no case plays the reading '{value}' of {ruling.id}: write one with  "
                    f"## with: {{rulings: {{{ruling.key}: {value}}}}}"
                )
    if not is_built_in(game.rules.name):
        yield from unproved(game.rules, game.cases, scratch_folder)


def _readings(case: Case) -> Iterator[tuple[str, str]]:
    """The readings that a case chooses: key or id, and value."""
    for match in _RULINGS.finditer(case.settings.replace("\n", " ")):
        for part in match["inside"].split(","):
            key, _, value = part.partition(":")
            yield key.strip(), value.strip().strip("\"'")


# -- cases -----------------------------------------------------------------------------------------


def check_cases(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """Each case meets its expectations, its ledger balances, and its movements name rules and accounts of the game."""
    misnames: dict[str, str] = {}
    case_problems: list[str] = []
    for number, (name, case) in enumerate(named([*game.cases]).items()):
        record, problems = problems_of(case, scratch_folder / f"{number}")
        case_problems += [f"{name}: {problem}" for problem in problems]
        case_problems += [f"{name}: {line}" for line in _unbalanced(record.ledger)]
        if game.rules.verbs:
            misnames |= dict.fromkeys(misposted(game.rules, record), name)
    # A wrong name in the code explains what differs in the cases.
    yield from (f"{line} ({name})" for line, name in misnames.items())
    yield from case_problems


def check_asking(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """To ask for figures, moves and what is due changes nothing, and what is due names verbs and rules of the game."""
    obligations: list[Obligation] = []
    differing_cases: list[str] = []
    for number, (name, case) in enumerate(named([*game.cases]).items()):
        campaign_folder = write_case(case, scratch_folder / f"{number}")
        campaign = load(campaign_folder)
        replay: Replay[Any] = Replay(campaign, game.rules)
        for entry, action in entries_from(replay):
            replay.do(action)
            obligations += game.rules.due(replay.play)
            if [*standing(replay.play)] != [*standing(replay.play)]:
                yield f"{name}: asked twice after entry {entry + 1}, the state of play differs"
        interrupted, plain = replay.finish(), run(load(campaign_folder))
        if whole_text(interrupted) != whole_text(plain) or book_text(interrupted) != book_text(
            plain
        ):
            differing_cases.append(name)
    if differing_cases:
        others = len(differing_cases) - 1
        more = f", and {plural(others, 'more case')}" if others else ""
        yield (
            f"{differing_cases[0]}{more}: the record differs when the state of play is asked for after each entry: a "
            "guard, or another method that only tells something, changes the state, or chance does"
        )
    yield from dict.fromkeys(misnamed_obligations(game.rules, obligations))


def _unbalanced(ledger: Ledger) -> Iterator[str]:
    for unit, total in ledger.totals().items():
        if total:
            yield f"the sum of all accounts in {unit} is {total}, not 0"


# -- what people read ------------------------------------------------------------------------------


def check_verbs(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """Each verb has a description, and an example that can be read."""
    decoder = Decoder(game.rules.by_verb)
    for name in game.rules.own_verbs:
        verb = game.rules.by_verb[name]
        if not (verb.__doc__ or "").strip():
            yield f"the verb '{name}' has no docstring"
        if not verb.example:
            yield f"the verb '{name}' has no example"
            continue
        try:
            read_entries("\n".join(verb.specimen()), decoder)
        except ValueError as error:
            yield f"the example of '{name}': {error}"


def check_first_campaign(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """The files of a new campaign are read without a problem, and have pages."""
    for name in ("campaign.yaml", "01.yaml"):
        if name not in game.files:
            yield f"new_campaign() makes no {name}"
            return
    campaign = load(game.write_first(scratch_folder))
    if campaign.game != game.rules.name:
        yield f"campaign.yaml of the first campaign plays '{campaign.game}'"
    record = run(campaign)
    for problem in record.diagnostics:
        if problem.severity > Severity.NOTE:
            yield f"{problem.place}: {problem.code} {problem.message}"
    if not record.steps:
        yield "the first session has no entries"
    view = view_of(record)
    slugs = [page.slug for page in view.pages]
    yield from (
        f"two pages have the address '{slug}'" for slug in {*slugs} if slugs.count(slug) > 1
    )
    session_schema(game.rules)
    campaign_schema(game.rules)


# -- random play -----------------------------------------------------------------------------------


def check_random_play(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """Each move that the game offers is legal, and ledgers balance. A written log that is read gives the same record.
    Together the games at random reach every verb."""
    rules = game.rules
    offered: set[str] = set()
    for seed in range(game.seeds):
        campaign = game.empty_campaign(scratch_folder / f"{seed}")
        table = RandomTable(campaign, rules, seed, game.openings[seed % len(game.openings)])
        try:
            for _ in range(game.steps):
                if not table.step():
                    break
        except ValueError as error:
            yield f"seed {seed}, entry {len(table.lines) + 1}: {error}"
            return
        play = table.replay.play
        for problem in play.diagnostics:
            if problem.kind in WRONG:
                line = table.lines[problem.step_number - 1] if problem.step_number else ""
                yield f"seed {seed}, entry {problem.step_number}: {problem.code} {problem.message}: {line}"
                return
        yield from (f"seed {seed}: {line}" for line in _unbalanced(play.ledger))
        offered |= table.seen
        table.replay.close()
        text = record_text(table.replay.finish())
        reread = load(
            write_campaign(scratch_folder / f"{seed}-again", settings_of(campaign), [table.lines])
        )
        if reread.diagnostics or record_text(run(reread)) != text:
            yield f"seed {seed}: the log that was written gives another record when it is read again"
    verbs = (rules.by_verb[name] for name in rules.own_verbs)
    for verb in verbs:
        if verb.verb not in offered and not (verb.departure or verb.optional):
            yield (
                f"'{verb.verb}' was never offered in {game.seeds} games at random"
                f"{_why_never_offered(verb)}"
            )


def _why_never_offered(verb: type[Action]) -> str:
    """Why a verb is not offered, in words: it does not say how, or no value can be guessed for a required key;
    empty if neither is so, or it gives its own candidates."""
    if verb.offered is None:
        return f": '{verb.verb}' has no  offered = api.Offered(...)"
    fields = (*((verb.main,) if verb.main is not None else ()), *verb.fields.values())
    names = [
        f"'{field.name}'" for field in fields if field.required and not is_guessable(field.kind)
    ]
    # A method of the class object is bound, so its function tells whether the verb has its own.
    own = verb.candidates.__func__ is not Action.candidates.__func__  # type: ignore[attr-defined]
    if not names or own:
        return ""
    return f": no value can be guessed for {listed(names)}; give candidates"


def random_log(game: GameUnderTest, scratch_folder: Path, seed: int = 0) -> list[str]:
    """The entries of a game at random, one a line."""
    opening = game.openings[seed % len(game.openings)]
    table = RandomTable(game.empty_campaign(scratch_folder), game.rules, seed, opening)
    for _ in range(game.steps):
        if not table.step():
            break
    return table.lines


def check_resuming(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """A replay that goes on from a snapshot of the state gives the same record."""
    lines = random_log(game, scratch_folder / "empty")
    settings = game.files["campaign.yaml"]
    campaign = load(write_campaign(scratch_folder / "whole", settings, [lines]))
    uninterrupted = record_text(run(campaign))
    for stop in {len(lines) // 3, 2 * len(lines) // 3}:
        if resumed_text(campaign, game.rules, stop) != uninterrupted:
            yield f"a game that goes on from a snapshot after entry {stop} gives another record"


def resumed_text(campaign: Campaign, rules: Game[Any], stop: int) -> str:
    """The text of a record, where the replay was interrupted after some entries and went on from a snapshot."""
    replay: Replay[Any] = Replay(campaign, rules)
    done = 0
    for session in campaign.sessions:
        replay.open(session)
        for action in session.actions:
            if done == stop:
                replay = Replay(campaign, rules, start_snapshot=Snapshot(replay))
            replay.do(action)
            done += 1
        replay.close()
    return record_text(replay.finish())


def check_damage(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
    """If entries are missing, doubled or swapped: no exception, and ledgers balance."""
    lines = random_log(game, scratch_folder / "empty")
    settings = game.files["campaign.yaml"]
    random = Random(7)
    for number in range(_DAMAGES):
        campaign = load(write_campaign(scratch_folder / f"{number}", settings, [lines]))
        damage(campaign, random)
        yield from _unbalanced(run(campaign).ledger)


def damage(campaign: Campaign, random: Random) -> None:
    """Drop, double or swap a twelfth of the entries."""
    for session in campaign.sessions:
        actions = session.actions
        for _ in range(max(1, len(actions) // 12) if actions else 0):
            place = random.randrange(len(actions))
            match random.randrange(3):
                case 0 if len(actions) > 2:
                    del actions[place]
                case 1:
                    actions.insert(random.randrange(len(actions)), actions[place])
                case _:
                    second = random.randrange(len(actions))
                    actions[place], actions[second] = actions[second], actions[place]


def _of_moments(check: Callable[[Moments], Iterator[str]]) -> Check:
    """A check of the legal entries of the cases, for games whose verbs carry their guards and effects."""

    def run_check(game: GameUnderTest, scratch_folder: Path) -> Iterator[str]:
        return check(game.moments) if game.rules.verbs else iter(())

    return run_check


CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "declarations": check_declarations,
        "rules": check_rules,
        "proof": check_proof,
        "cases": check_cases,
        "asking": check_asking,
        "verbs": check_verbs,
        "first campaign": check_first_campaign,
        "random play": check_random_play,
        "resuming": check_resuming,
        "damage": check_damage,
        **{name: _of_moments(check) for name, check in GUARD_CHECKS.items()},
    }
)
"""All checks by name, in the order in which they run."""
