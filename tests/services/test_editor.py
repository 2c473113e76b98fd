"""What an editor is offered where somebody stands: each change proved, and links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load
from chronicle.core.declare import Action as Common
from chronicle.core.errors import Refused
from chronicle.core.secrets import read_opening, seal_of
from chronicle.core.source import MappingNode, Value
from chronicle.games import GAMES, rulebook
from chronicle.services.editor import hover
from chronicle.services.editor.complete import complete
from chronicle.services.editor.index import index_of
from chronicle.services.editor.links import find_links, rule_page_template
from chronicle.services.editor.offers import (
    EXTRACT_KIND,
    FIX_ALL_KIND,
    QUICK_KIND,
    REWRITE_KIND,
    OfferedChange,
    new_problem_message,
    offered_changes,
)
from chronicle.services.open_campaigns import OpenCampaign, WorkingCopy
from chronicle.services.snippets import CARET_MARK
from chronicle.syntax.examples import value_examples
from chronicle.syntax.text_edit import tree_of
from tests.conftest import ROOT, SOAK

SETTINGS = (
    "game: universalis\ntitle: The mill\nplayers: [Ana, Bao, Cleo, Dov]\npreparation: skipped\n"
)
LOG = """\
session: 1
log:
- bid: {Ana: 4, Bao: 0, Cleo: 2, Dov: 0}
- scene: The mill
  at: {new: mill}
- introduce: {character: miller, name: Ida, traits: [strong]}
  id: ida-comes
- event: Ida hears the wheel stop
"""


def written(entries: str, tmp_path: Path, settings: str = SETTINGS) -> OpenCampaign:
    (tmp_path / "campaign.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "01.yaml").write_text(LOG + entries, encoding="utf-8")

    def nothing(home: Path, changes: object) -> None:
        raise AssertionError("nothing is written")

    return OpenCampaign("mill", tmp_path, nothing)


def only(kind: str) -> Callable[[str], bool]:
    return lambda offered_kind: offered_kind == kind


def offered(
    open_campaign: OpenCampaign, words: str, kind: str = REWRITE_KIND
) -> list[OfferedChange]:
    text = open_campaign.text("01.yaml")
    line = text.count("\n", 0, text.index(words)) + 1
    return [*offered_changes(open_campaign, "01.yaml", line, only(kind))]


def titled(changes: list[OfferedChange], words: str) -> OfferedChange:
    return next(change for change in changes if words in change.title)


def messages(open_campaign: OpenCampaign) -> list[str]:
    return [
        diagnostic.message
        for diagnostic in open_campaign.workspace.diagnostics
        if diagnostic.severity and not diagnostic.excuse
    ]


def test_a_repeated_exception_becomes_a_rule_of_the_house(tmp_path: Path) -> None:
    knock = "- event: Somebody {}\n  by: {}\n  allow: {{U3.57: whoever is spoken to answers}}\n"
    open_campaign = written(knock.format("knocks", "Dov") + knock.format("calls", "Cleo"), tmp_path)
    assert messages(open_campaign) == []
    (change,) = offered(open_campaign, "Somebody calls", EXTRACT_KIND)
    assert "2 entries" in change.title
    with open_campaign.with_texts(change.texts):
        assert messages(open_campaign) == []
    settings = tree_of(change.texts["campaign.yaml"], "")
    assert "house rules" in settings
    assert "{rule: whoever is spoken to answers, touches: [U3.57]}" in change.texts["campaign.yaml"]
    assert "allow:" not in change.texts["01.yaml"]
    assert change.texts["01.yaml"].count("under: whoever is spoken to") == 2
    once = written(knock.format("knocks", "Dov"), tmp_path)
    assert offered(once, "Somebody knocks", EXTRACT_KIND) == []


RULES = """\
house rules:
  few of us:
    rule: The fewer we are, the more Coins we take
    computes: {refreshment: 12 if pla
"""


@pytest.mark.parametrize(
    ("rules", "fits"),
    [
        (RULES, {"players"}),
        (RULES.replace("12 if pla", ""), {"usual", "players", "scene"}),
        (RULES.replace("refreshment: 12 if pla", "refr"), {"refreshment"}),
        (RULES.replace("{refreshment: 12 if pla", "\n      pri"), {"price"}),
        (RULES.replace("    computes: {refreshment: 12 if pla\n", ""), set()),
    ],
)
def test_settings_complete_what_a_house_rule_computes(
    rules: str, fits: set[str], tmp_path: Path
) -> None:
    open_campaign = written("", tmp_path)
    text = SETTINGS + rules.rstrip("\n")
    with open_campaign.with_texts({"campaign.yaml": text}):
        lines = text.split("\n")
        completions = complete(open_campaign, "campaign.yaml", len(lines), len(lines[-1]) + 1)
    assert fits <= {completion.label for completion in completions}
    assert bool(fits) == bool(completions)


def test_a_secret_is_sealed_and_its_opening_opens_it(tmp_path: Path) -> None:
    open_campaign = written('- secret: "The wheel was never broken"\n  by: Ana\n', tmp_path)
    change = titled(offered(open_campaign, "never broken"), "Seal this secret")
    ((name, opening),) = change.new_files.items()
    assert name == "secret-1.opening"
    assert "never broken" not in change.texts["01.yaml"]
    assert seal_of(opening.rstrip("\n")) in change.texts["01.yaml"]
    opened_seal = read_opening(opening.rstrip("\n"))
    assert opened_seal is not None and opened_seal.value == "The wheel was never broken"
    reveal = f"- reveal: secret-1\n  opening: '{opening.strip()}'\n"
    with open_campaign.with_texts({"01.yaml": change.texts["01.yaml"] + reveal}):
        assert messages(open_campaign) == []


def test_a_secret_that_is_revealed_in_clear_stays_so(tmp_path: Path) -> None:
    secret = "- secret: It was Bao\n  by: Ana\n  id: who\n- reveal: who\n"
    open_campaign = written(secret, tmp_path)
    assert messages(open_campaign) == []
    assert not [change for change in offered(open_campaign, "It was Bao") if "Seal" in change.title]


def test_an_id_that_stays_says_nothing_of_a_secret(tmp_path: Path) -> None:
    open_campaign = written("- secret: It was Bao\n  by: Ana\n", tmp_path)
    change = titled(offered(open_campaign, "It was Bao"), "id that stays")
    assert "id: secret" in change.texts["01.yaml"] and "id: it-was" not in change.texts["01.yaml"]
    change = titled(offered(open_campaign, "hears the wheel"), "id that stays")
    assert "id: event-ida-hears-the-wheel" in change.texts["01.yaml"]


def test_a_gap_is_filled_with_a_count_or_with_what_is_in_order(tmp_path: Path) -> None:
    open_campaign = written(
        "- gap: dinner\n  uncertain: turns\n- event: Ida sings\n  by: Bao\n", tmp_path
    )
    changes = offered(open_campaign, "gap: dinner")
    count = titled(changes, "count what everybody has after it").texts["01.yaml"]
    assert "wealth:" in count and count.index("assert:") < count.index("Ida sings")
    filled = titled(changes, "- end turn:").texts["01.yaml"]
    assert "gap:" not in filled
    with open_campaign.with_texts({"01.yaml": filled}):
        assert messages(open_campaign) == []
    assert not [change for change in changes if "gap above" in change.title]
    gap_change = titled(offered(open_campaign, "Ida sings"), "gap above")
    assert gap_change.texts["01.yaml"].count("gap:") == 2


def test_what_would_be_wrong_is_not_offered(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path)
    changes = offered(open_campaign, "hears the wheel")
    messages_before = messages(open_campaign)
    for change in changes:
        with open_campaign.with_texts(change.texts):
            assert messages(open_campaign) == messages_before, change.title
    assert {change.kind for change in changes} == {REWRITE_KIND}


def test_all_that_is_safe_is_mended_at_once(tmp_path: Path) -> None:
    open_campaign = written(
        "- trait: {Idda: patient}\n- trait: {Ida: late}\n  by: Cloe\n", tmp_path
    )
    assert messages(open_campaign)
    (change,) = offered(open_campaign, "hears the wheel", FIX_ALL_KIND)
    assert "{Ida: patient}" in change.texts["01.yaml"]
    assert (
        open_campaign.text("01.yaml")
        == LOG + "- trait: {Idda: patient}\n- trait: {Ida: late}\n  by: Cloe\n"
    )
    assert messages(open_campaign), "nothing has changed by asking"
    assert not offered(written("", tmp_path), "hears the wheel", FIX_ALL_KIND)


def test_what_mends_comes_first_and_one_is_preferred(tmp_path: Path) -> None:
    open_campaign = written("- event: Somebody knocks\n  by: Dov\n", tmp_path)
    changes = offered(open_campaign, "Somebody knocks", QUICK_KIND)
    assert (
        changes and changes[0].is_preferred and sum(change.is_preferred for change in changes) == 1
    )
    assert "Leaves " in changes[0].title and changes[0].solved_code.startswith("universalis:U")


def test_what_costs_nothing_is_offered_before_what_costs_a_coin(tmp_path: Path) -> None:
    """Only who framed a scene ends it: the others' turns may have been forgotten, or an Interrupt."""
    open_campaign = written("- end turn:\n- event: Ida waits\n- end scene:\n", tmp_path)
    titles = [change.title for change in offered(open_campaign, "- end scene:", QUICK_KIND)]
    assert titles[0].startswith("Insert end turn: 3 times above"), titles
    assert any(title.startswith("Insert interrupt: Ana above") for title in titles), titles


def test_a_setting_that_a_help_names_is_an_edit_of_another_file(tmp_path: Path) -> None:
    open_campaign = written("- cede: miller\n  to: Bao\n", tmp_path)
    change = titled(offered(open_campaign, "- cede:", QUICK_KIND), "add ons: [friendly control]")
    assert not change.is_preferred, "the table has to decide that"
    assert "add ons: [friendly control]" in change.texts["campaign.yaml"]


def test_links_lead_to_rules_and_to_entries(tmp_path: Path) -> None:
    settings = (
        SETTINGS
        + "rulings:\n  framer ties: first\nhouse rules:\n  loud: {rule: All, touches: [U3.57]}\n"
    )
    entries = (
        "- event: Somebody knocks\n  by: Dov\n  allow: {U3.57: he had to go}\n"
        "- question: Who stopped it?\n  id: who\n- fact: It was the eel\n  answers: who\n"
        "- event: who\n"
    )
    open_campaign = written(entries, tmp_path, settings)
    found_links = [*find_links(open_campaign, "01.yaml")]
    assert [link.rule_id for link in found_links if link.rule_id] == ["U3.57"]
    (entry,) = [link for link in found_links if link.target_place is not None]
    assert entry.target_place is not None
    rows = (LOG + entries).splitlines()
    assert rows[entry.target_place.line - 1] == "- question: Who stopped it?"
    assert rows[entry.place.line - 1] == "  answers: who"
    rules = [link.rule_id for link in find_links(open_campaign, "campaign.yaml")]
    assert len(rules) == 2 and "U3.57" in rules and all(rules)


@pytest.mark.parametrize(
    ("settings", "page"),
    [
        ("", ""),
        ("site_url: https://example.org/mill/\n", "https://example.org/mill/rules/{game}/#{id}"),
        (
            "site_url: 'https://example.org/mill'\nuse_directory_urls: false\n",
            "https://example.org/mill/rules/{game}.html#{id}",
        ),
    ],
)
def test_the_pages_of_rules_are_those_of_the_project(
    settings: str, page: str, tmp_path: Path
) -> None:
    home = tmp_path / "sessions" / "mill"
    home.mkdir(parents=True)
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\n{settings}plugins:\n  - chronicle\n")
    (home / "campaign.yaml").write_text(SETTINGS)
    assert rule_page_template(home) == page
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: x\n{settings}plugins:\n  - chronicle:\n      reference: false\n"
    )
    assert rule_page_template(home) == ""


def test_hints_say_whose_turn_it_is_and_what_lies_ready(tmp_path: Path) -> None:
    entries = (
        "- end turn:\n- take over: mill\n- complication: The wheel breaks\n  source: mill\n"
        "  target: Ida\n- buy: 1\n  for: the rust\n"
    )
    open_campaign = written(entries, tmp_path)
    assert messages(open_campaign) == []
    rows = (LOG + entries).splitlines()
    hints = [*hover.find_hints(open_campaign, "01.yaml", 1, len(rows))]
    turns = {rows[hint.line - 1]: hint.label for hint in hints if hint.kind == "turn"}
    assert turns["- end turn:"] == "Bao’s turn"
    # Asked for a part of the file, it says the same of it.
    part = [*hover.find_hints(open_campaign, "01.yaml", 9, 9)]
    assert [hint.label for hint in part if hint.kind == "turn"] == ["Bao’s turn"]
    assert any(hint.kind == "balances" and "Ana" in hint.label for hint in hints)
    assert any(hint.kind == "pool" for hint in hints)


def test_what_a_rule_sets_as_code_is_code(tmp_path: Path) -> None:
    open_campaign = written(
        "- event: Somebody knocks\n  by: Dov\n  allow: {U1.3: we know}\n", tmp_path
    )
    text = open_campaign.text("01.yaml")
    line = text.count("\n", 0, text.index("U1.3")) + 1
    shown = hover.hover(
        open_campaign, "01.yaml", line, text.splitlines()[line - 1].index("U1.3") + 2
    )
    assert shown is not None and "`" in shown.markdown and "\\`" not in shown.markdown


def test_hover_says_movements_in_the_words_of_the_game(tmp_path: Path) -> None:
    open_campaign = written("- event: Somebody knocks\n  by: Ana\n", tmp_path)
    text = open_campaign.text("01.yaml")
    line = text.count("\n", 0, text.index("- event")) + 1
    shown = hover.hover(open_campaign, "01.yaml", line, 4)
    assert shown is not None and "→" in shown.markdown and "wealth:Ana" not in shown.markdown


def test_hidden_files_of_no_campaign_are_refused(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path)
    with pytest.raises(Refused):
        open_campaign.text("../elsewhere.yaml")


GONDOLA = """\
session: 1
log:
- scenario: A cabin on a rope
  threat: the rope frays
  stress: 2
- {character: Tibor, by: Ana, profession: salesman, plus: [quick], minus: [vain], bias: none, goal: case}
- {character: Hanne, by: Bao, profession: attendant, plus: [exact], minus: [proud], bias: none, goal: land}
- green: {Hanne & Tibor: [quick + exact]}
"""
SITTING = "game: isolation\ntitle: Cabin\nplayers: [Ana, Bao]\ngm: Gil\n"


@pytest.mark.parametrize(
    ("proposed", "typed", "barred"),
    [
        ("alone: yes", "roll: ", {"GM": "Tibor rolls first", "Tibor": "entry of its own"}),
        ("against: Hanne", "difficulty: ", {"hard": "Hanne rolls instead of the GM"}),
        ("ask: Hanne", "difficulty: ", {"hard": ""}),
    ],
)
def test_a_difficulty_is_completed_with_who_rolls_there(
    proposed: str, typed: str, barred: dict[str, str], tmp_path: Path
) -> None:
    log = f"{GONDOLA}- propose: I climb onto the roof\n  by: Tibor\n  {proposed}\n"
    open_campaign = written("", tmp_path, SITTING)
    text = log + (f"- {typed}" if "difficulty" in typed else f"- difficulty: hard\n  {typed}")
    with open_campaign.with_texts({"01.yaml": text}):
        rows = text.split("\n")
        completions = complete(open_campaign, "01.yaml", len(rows), len(rows[-1]) + 1)
    why = {completion.label: completion.why_barred for completion in completions}
    assert all(
        bool(words) == bool(why[name]) and words in why[name] for name, words in barred.items()
    )


@pytest.mark.parametrize("name", ["snowshed-nine", "gallery-nine"])
def test_what_is_thrown_within_an_entry_has_a_place_for_every_die(name: str, root: Path) -> None:
    """Every such throw of the play examples: as many places as dice fell before any earned another."""
    open_campaign = OpenCampaign(name, root / "sessions" / name, lambda home, changes: None)
    tried = 0
    for file in [
        campaign_file.name
        for campaign_file in open_campaign.files()
        if campaign_file.kind == "session"
    ]:
        rows = open_campaign.text(file).split("\n")
        for number, row in enumerate(rows):
            thrown = re.match(r"  roll: (?P<fell>.+)", row)
            if thrown is None:
                continue
            tried += 1
            with open_campaign.with_texts({file: "\n".join([*rows[:number], "  roll: "])}):
                first = complete(open_campaign, file, number + 1, len("  roll: ") + 1)[0]
            fell = re.sub(r"\w+:", "", thrown["fell"])
            fell = fell if "{" in fell else fell.split()[0]
            assert first.label.count("_") == sum(map(str.isdigit, fell)), (row, first)
    assert tried >= 5


def test_what_a_pair_throws_has_a_place_for_every_link(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path, SITTING)
    rows = [*GONDOLA.split("\n")[:-1], "- play starts:", ""]
    for typed, label in (
        ("- pair rolls: ", "Tibor & Hanne 1"),
        ("- pair rolls: {Hanne & Tibor: ", "{green: _}"),
        ("- pair rolls: {Hanne & Tibor: {green: ", "_"),
    ):
        rows[-1] = typed
        with open_campaign.with_texts({"01.yaml": "\n".join(rows)}):
            assert complete(open_campaign, "01.yaml", len(rows), len(typed) + 1)[0].label == label
    rows[-1] = "- "
    with open_campaign.with_texts({"01.yaml": "\n".join(rows)}):
        first = complete(open_campaign, "01.yaml", len(rows), 3)[0]
    assert not first.label.startswith("pair rolls "), "nobody owes what may be thrown"


def test_behind_a_colon_comes_a_space(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path, SITTING)
    for typed, insert in (("  by:", " Ana"), ("  by: ", "Ana")):
        text = f"{GONDOLA}- tell: The rope hums\n{typed}"
        with open_campaign.with_texts({"01.yaml": text}):
            rows = text.split("\n")
            completions = complete(open_campaign, "01.yaml", len(rows), len(typed) + 1)
        assert insert in [completion.insert for completion in completions]


def test_who_goes_it_alone_is_told_between_what_to_roll(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path, SITTING)
    at_once = "- propose: I climb\n  by: Tibor\n  alone: yes\n- difficulty: hard\n  roll: 2222222\n"
    with open_campaign.with_texts({"01.yaml": GONDOLA + at_once}):
        (note,) = [
            diagnostic
            for diagnostic in open_campaign.workspace.diagnostics
            if diagnostic.code == "I22"
        ]
    assert "without the GM's dice" in note.help[0]


COMPLICATION = """\
- end turn:
- introduce: {character: smith, traits: [loud]}
- complication: The smith stops the wheel
  source: smith
  target: Ida
- draw: {smith: loud}
- end turn:
- buy: 2
  to: Ana
  for: the wheel is old
"""
ROLLED = "- close: agreed\n- roll: {Bao: 9, Ana: [2, 3]}\n"


def fitting(open_campaign: OpenCampaign, row: str) -> dict[str, str]:
    """What fits at the end of a log: labels and what is put in."""
    text = open_campaign.text("01.yaml") + row
    with open_campaign.with_texts({"01.yaml": text}):
        typed = row.split("\n")[-1]
        completions = complete(open_campaign, "01.yaml", text.count("\n") + 1, len(typed) + 1)
    return {completion.label: completion.insert for completion in completions}


def test_dice_that_are_due_are_offered_inside_braces(tmp_path: Path) -> None:
    open_campaign = written(COMPLICATION, tmp_path)
    sides = fitting(open_campaign, "- roll: ")
    due = next(label for label in sides if ", " in label)
    first = due.split()[0]
    behind = fitting(open_campaign, f"- roll: {{{first}: ")
    assert any(set(label) <= set("[]_, ") for label in behind), behind
    inside = fitting(open_campaign, "- roll: {")
    assert any(label.startswith(f"{first}: ") and "}" not in label for label in inside)


def test_whoever_speaks_is_offered_on_a_line_of_the_speech(tmp_path: Path) -> None:
    open_campaign = written(COMPLICATION, tmp_path)
    assert fitting(open_campaign, "- say: ")["Ida"] == f"|\n    Ida: {CARET_MARK}"
    assert fitting(open_campaign, "- say: I")["Ida"] == f"|\n    Ida: {CARET_MARK}"


def test_what_is_told_in_an_outcome_is_offered_first_in_its_shape(tmp_path: Path) -> None:
    open_campaign = written(COMPLICATION + ROLLED, tmp_path)
    shapes = fitting(open_campaign, "- outcome: ")
    assert shapes["Ana"] == f"\n    Ana:\n    - {CARET_MARK}"
    with open_campaign.with_texts(
        {"01.yaml": open_campaign.text("01.yaml") + "- outcome:\n    Ana:\n"}
    ):
        verbs = [*fitting(open_campaign, "    - ")]
    for verb in ("scene", "end scene", "roll", "outcome"):
        assert verbs.index("event") < verbs.index(verb)


def test_what_is_so_now_is_never_spoken_against(tmp_path: Path) -> None:
    open_campaign = written(COMPLICATION + ROLLED, tmp_path)
    change = titled(offered(open_campaign, "close: agreed"), "Count what")
    with open_campaign.with_texts(change.texts):
        assert messages(open_campaign) == []
    # Coins of an outcome that nobody tells are kept, and counted so.
    change = titled(offered(open_campaign, "roll: {Bao"), "Count what")
    with open_campaign.with_texts(change.texts):
        assert messages(open_campaign) == []


def test_a_key_of_something_inside_braces_comes_in_braces_of_its_own(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path)
    assert fitting(open_campaign, "- sub: {Ida: ")
    keys = fitting(open_campaign, "- hire: {keeper: ")
    assert keys["player"] == f"{{player: {CARET_MARK}}}"
    assert fitting(open_campaign, "- hire: {keeper: {")["player"] == "player: "


def at_home(root: Path, name: str) -> OpenCampaign:
    return OpenCampaign(name, root / "sessions" / name, lambda home, changes: None)


@pytest.mark.integration
@pytest.mark.parametrize("name", ["the-valley-twice", "a-room-by-post"])
@pytest.mark.slow
def test_what_stands_beside_entries_is_the_same_after_any_change(name: str, root: Path) -> None:
    open_campaign = at_home(root, name)
    for file in (
        campaign_file.name
        for campaign_file in open_campaign.files()
        if campaign_file.kind == "session"
    ):
        text = open_campaign.text(file)
        rows = text.splitlines(keepends=True)
        begun = [at for at, row in enumerate(rows) if row.startswith("- ")]
        for drop in (begun[-1], begun[len(begun) // 2], begun[0]):
            gone = next((at for at in begun if at > drop), len(rows))
            for typed in ("".join(rows[:drop] + rows[gone:]), text):
                drafts = {file: WorkingCopy(text, typed)}
                open_campaign.set_drafts(drafts)
                hints = [*hover.find_hints(open_campaign, file, 1, len(rows))]
                fresh = at_home(root, name)
                fresh.set_drafts(drafts)
                assert hints == [*hover.find_hints(fresh, file, 1, len(rows))], (file, rows[drop])


@pytest.mark.parametrize("name", ["the-lantern-coast", "the-valley-twice", "six-names"])
def test_one_card_says_what_it_says_among_all(name: str, root: Path) -> None:
    index = index_of(at_home(root, name))
    every = {sheet.id: sheet for sheet in index.sheets()}
    assert every
    for id, shown_sheet in every.items():
        alone = index.sheet(id)
        assert alone is not None
        assert (alone.name, alone.status, alone.tagline) == (
            shown_sheet.name,
            shown_sheet.status,
            shown_sheet.tagline,
        )


def test_a_card_says_what_somebody_is_worth_and_who_controls_them(tmp_path: Path) -> None:
    open_campaign = written("- event: Ida sings\n  performer: Ida\n", tmp_path)
    line = (LOG + "- event: Ida").count("\n") + 1
    shown = hover.hover(open_campaign, "01.yaml", line + 1, len("  performer: I"))
    assert shown is not None
    card_lines = shown.markdown.splitlines()
    assert card_lines[0].startswith("**Ida** · character")
    assert (
        "in the scene, Controlled by Ana  " in card_lines
        and "Importance: 3 (3 Coins paid for it)  " in card_lines
    )
    assert (
        "Traits: miller, Ida, strong  " in card_lines
        and card_lines[-1] == "*first named in 01.yaml, line 6*"
    )


def flows(tree: Value, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The ways to the values of a mapping and of all mappings in it."""
    if isinstance(tree, MappingNode):
        for key, value in tree.items():
            yield (*at, str(key))
            yield from flows(value, (*at, str(key)))


def halfway(open_campaign: OpenCampaign) -> tuple[str, str]:
    """A session, and what of it stands above the entry in its middle."""
    file = [
        campaign_file.name
        for campaign_file in open_campaign.files()
        if campaign_file.kind == "session"
    ][-1]
    rows = open_campaign.text(file).splitlines(keepends=True)
    begun = [at for at, row in enumerate(rows) if row.startswith("- ")]
    return file, "".join(rows[: begun[len(begun) // 2]])


@pytest.mark.soak
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_mapping_in_braces_is_completed_as_one_on_lines_of_its_own(game: str, root: Path) -> None:
    homes = (load(campaign) for campaign in find_campaigns(root / "sessions"))
    open_campaign = at_home(
        root, next(Path(home.path).parent.name for home in homes if home.game == game)
    )
    file, above = halfway(open_campaign)

    def fits(typed: str) -> set[str]:
        open_campaign.set_drafts({file: WorkingCopy("", typed)})
        row = typed.split("\n")[-1]
        completions = complete(open_campaign, file, typed.count("\n") + 1, len(row) + 1)
        return {completion.label for completion in completions if completion.kind != "shape"}

    some, every = 0, 1 if SOAK else 3
    for number, verb in enumerate(rulebook(game).by_verb.values()):
        own = {name: key for name, key in verb.fields.items() if name not in Common.fields}
        for key in (*([verb.main] if verb.main else ()), *own.values()):
            lead = f"- {verb.verb}:" if key is verb.main else f"- {verb.verb}: 1\n  {key.name}:"
            trees = (
                tree_of(f"{value_example}\n", "")
                for value_example in value_examples(verb, key)
                if value_example[0] == "{"
            )
            paths = sorted({flow for tree in trees for flow in flows(tree)})
            for path in paths[number % every :: every] or paths[:1]:
                inside = "".join(f"{{{step_key}: " for step_key in path)
                below = "".join(
                    f"\n    {'  ' * depth}{step_key}: " for depth, step_key in enumerate(path)
                )
                labels = fits(f"{above}{lead} {inside}")
                assert labels == fits(f"{above}{lead}{below}"), (verb.verb, key.name, path)
                some += bool(labels)
    assert some


def test_what_a_complication_may_draw_upon_besides_is_completed(tmp_path: Path) -> None:
    open_campaign = written(
        "- fact: The wheel, once, has stopped\n  of: scene\n- end turn:\n- take over: mill\n"
        "- complication: The wheel breaks\n  source: mill\n  target: Ida\n",
        tmp_path,
    )
    assert fitting(open_campaign, "- draw: {scene: ") == {
        "Ida hears the wheel stop": "Ida hears the wheel stop",
        "The wheel, once, has stopped": '"The wheel, once, has stopped"',
    }
    # Behind a comma between braces somebody else is named.
    assert set(fitting(open_campaign, "- draw: {Ida: strong, ")) == {"mill", "scene"}
    assert "strong" in fitting(open_campaign, "- draw: {Ida: [miller, ")


def test_of_a_rule_in_allow_the_reason_is_ones_own(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path)
    assert not fitting(open_campaign, "- event: Somebody knocks\n  allow: {U3.57: ")


def test_who_pays_is_said_before_an_entry_is_done(tmp_path: Path) -> None:
    open_campaign = written("", tmp_path)

    def notes(row: str) -> dict[str, str]:
        text = open_campaign.text("01.yaml") + row
        with open_campaign.with_texts({"01.yaml": text}):
            typed = row.split("\n")[-1]
            completions = complete(open_campaign, "01.yaml", text.count("\n") + 1, len(typed) + 1)
        return {completion.label: completion.note for completion in completions}

    assert notes("- ")["event"] == "Ana pays 1 Coin"
    # Whose turn it is does not interrupt: any of the others may, and pays.
    assert notes("- ")["interrupt"] == "Bao, Cleo or Dov pays 1 Coin"
    assert notes("- event: It rains\n  ")["by"].startswith("Ana pays 1 Coin, unless")
    assert not notes("- event: It rains\n  by: Bao\n  ").get("by")
    assert "Ana pays 1 Coin" in notes("- introduce: ")["character"]


def test_shapes_name_those_who_are_there(tmp_path: Path) -> None:
    open_campaign = written(COMPLICATION, tmp_path)
    shown = [text for text in fitting(open_campaign, "- draw: ") if text[0] in "{["]
    assert shown and all(re.search(r"\{(Ida|smith|mill|scene)\b", text) for text in shown)
    assert not any(text[0] in "{[" for text in fitting(open_campaign, "- roll: "))
    assert [*fitting(open_campaign, "- reveal: ")] == []
    assert {"wealth", "bid"} <= {*fitting(open_campaign, "- event: It rains\n  purse: ")}


@pytest.mark.parametrize("cut", range(8))
@pytest.mark.parametrize("campaign", ["the-lantern-coast", "the-boathouse", "six-names"])
def test_what_is_stated_below_all_others_is_proved_as_a_trial_has_it(
    campaign: str, cut: int, tmp_path: Path
) -> None:
    """Wherever a log breaks off: the play in which it was counted tells what a trial of the whole log does."""
    open_campaign = OpenCampaign(campaign, ROOT / "sessions" / campaign, lambda home, changes: None)
    file = [
        campaign_file.name
        for campaign_file in open_campaign.files()
        if campaign_file.kind == "session"
    ][-1]
    log = load(open_campaign.folder).sessions[-1].actions
    rows = open_campaign.text(file).split("\n")
    first = log[-1 - 3 * cut].whole_place.line
    end = log[-3 * cut].whole_place.line - 1 if cut else len(rows)
    with open_campaign.with_texts({file: "\n".join(rows[:end]) + "\n"}):
        count_changes = [
            offered_change
            for offered_change in offered_changes(
                open_campaign, file, first, only(REWRITE_KIND), may_defer_trial=True
            )
            if "Count what" in offered_change.title
        ]
        assert count_changes
        for change in count_changes:
            try:
                problem_message = new_problem_message(open_campaign, change)
            except Refused:
                continue
            assert change.find_new_problem_message() is not None
            assert problem_message == new_problem_message(
                open_campaign, change._replace(find_new_problem_message=lambda: None)
            )


def test_what_is_stated_in_the_middle_is_tried_through(tmp_path: Path) -> None:
    open_campaign = written("- event: Somebody waits\n", tmp_path)
    change = titled(
        [*offered_changes(open_campaign, "01.yaml", 6, only(REWRITE_KIND), may_defer_trial=True)],
        "Count what",
    )
    assert change.texts and change.find_new_problem_message() is None
