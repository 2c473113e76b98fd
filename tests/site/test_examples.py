"""Play examples on pages of somebody's own: played, checked with the page's own lines, drawn."""

import json
import re
from pathlib import Path

import pytest
from mkdocs.exceptions import Abort

from chronicle.campaigns import load, open_view
from chronicle.cli import main
from chronicle.core.telling import TextRole
from chronicle.examples import Examples
from chronicle.games import GAMES, rulebook
from chronicle.site import written
from chronicle.site.campaign_site import CampaignSite, SiteContext
from chronicle.site.cards import CampaignCard, card_of
from chronicle.site.draw import make_environment
from chronicle.site.excerpt import ExcerptPart, parts_of_rows, rows_of_steps, steps_on_lines
from chronicle.site.links import PageUrlBuilder
from chronicle.site.prose import inline, prose
from tests.site.made import example
from tests.site.project import build, listening, make_project

SETUP = """
given:
- cast: {Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam}
- host: Iris
- accuser: Leo
""".strip()
HEAD = f"game: positive\nplayers: [Ana, Bo, Cy, Dee]\n{SETUP}\nlog:"
GOOD_EXAMPLE = (
    f"{HEAD}\n- scene: The landing\n  with: Noor\n  text: |\n    <b>Coats</b>, *everywhere*."
)
BAD_EXAMPLE = f"{HEAD}\n- scene: The landing\n  with: Iris"


@pytest.fixture(scope="module")
def examples(root: Path) -> Examples:
    return Examples(
        SiteContext(make_environment(), PageUrlBuilder(), {"positive": "rules/positive"}), root
    )


def page(*blocks: str, fence: str = "```") -> str:
    return "\n\n".join(
        ["# A page", *(f"{fence}chronicle\n{block}\n{fence}" for block in blocks), "End."]
    )


def test_an_example_is_drawn_and_what_was_given_is_not(examples: Examples) -> None:
    filled = examples.fill(page(GOOD_EXAMPLE), "guide")
    assert filled.problems == []
    assert len(filled.drawn_examples) == 1
    html = filled.put_into(filled.markdown)
    assert "ch-evening" in html
    assert "The landing" in html
    assert "&lt;b&gt;Coats&lt;/b&gt;, <em>everywhere</em>" in html
    assert "accuser" not in html
    assert html.endswith("End.")
    assert "```" not in html
    # Other plug-ins read the Markdown.
    assert "The landing" not in filled.markdown


def test_a_project_without_campaigns_may_have_examples(tmp_path: Path) -> None:
    project = make_project(tmp_path, reference=False)
    (project / "docs" / "index.md").write_text(page(GOOD_EXAMPLE), encoding="utf-8")
    site, _ = build(project)
    assert 'class="ch-example' in (site / "index.html").read_text(encoding="utf-8")
    mistyped = make_project(tmp_path / "mistyped", sessions="sesions")
    (mistyped / "sessions").mkdir()
    with listening() as messages, pytest.raises(Abort):
        build(mistyped)
    assert "there is no folder 'sesions' with campaigns; did you mean 'sessions'?" in messages[-1]


def test_an_error_names_the_line_of_the_page(examples: Examples) -> None:
    text = page(GOOD_EXAMPLE, BAD_EXAMPLE, fence="~~~~")
    (wrong,) = examples.fill(text, "guide", line_count_above=7).problems
    assert wrong.error
    assert "error[P9]" in wrong.message
    assert text.split("\n")[wrong.line - 7 - 1].strip() == "with: Iris"


STEPS = """\
show: steps
expect: [P20]
game: positive
players: [Ana, Bo, Cleo, Dov, Eli]
given:
- cast: {Ana: Ruth, Bo: Tomas, Cleo: Iben, Dov: Marek, Eli: Wanda}
- host: Ruth
- accuser: Tomas
- scene: The jetty
  with: Iben
log:
- call: They had already parted <i>
  by: Iben
  against: Tomas
- match: One bed
- back: {Ana: Iben, Dov: Iben, Eli: Tomas}
- roll: {Iben: o+-, Tomas: o-}
  winner: Tomas"""


def test_an_example_in_steps_shows_the_log_its_problem_and_the_page(examples: Examples) -> None:
    filled = examples.fill(page(STEPS), "guide")
    assert filled.problems == []
    log, problem, read = filled.drawn_examples[0].split("<section")[1:]
    assert "<b>call</b>: They had already parted &lt;i&gt;" in log
    assert "<b>winner</b>: <u>Tomas</u>" in log
    assert "host" not in log
    # The problem is printed by the check, with the line of the block and the words it points to.
    assert "<b>error[P20]</b>: Iben wins, not Tomas" in problem
    line = STEPS.split("\n").index("  winner: Tomas") + 1
    assert f"01.yaml:{line}:11" in problem
    assert "chronicle explain P20" in problem
    # The page is that of the log without the wrong line.
    assert "They had already parted &lt;i&gt;" in read
    assert 'ch-dice-lines__verdict">it was as Iben says' in read
    assert "error" not in read


def test_an_example_in_steps_without_a_problem_says_so(examples: Examples) -> None:
    filled = examples.fill(
        page(STEPS.replace("expect: [P20]\n", "").replace("\n  winner: Tomas", "")), "guide"
    )
    assert filled.problems == []
    assert "No problems." in filled.drawn_examples[0]
    (wrong,) = examples.fill(page(STEPS.replace("expect: [P20]\n", "")), "guide").problems
    assert "error[P20]" in wrong.message


def test_an_expected_error_is_shown_and_one_that_is_not_there_is_missed(examples: Examples) -> None:
    filled = examples.fill(page(f"expect: [P9]\n{BAD_EXAMPLE}"), "guide")
    assert filled.problems == []
    assert "ch-diag--error" in filled.put_into(filled.markdown)
    (missed,) = examples.fill(page(f"expect: [P9]\n{GOOD_EXAMPLE}"), "guide").problems
    assert "breaks no rule P9" in missed.message


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("", "an example says 'game:'"),
        ("log:\n- scene: x", "an example says 'game:'"),
        ("game: chess\nplayers: [A]\nlog:\n- scene: x", "chess"),
        ("game: positive\nplayers: [A, B, C]\nlog:\n- dance: x", "dance"),
        ("game: positive\nlog:\n- scene: [", "["),
        ("from: sessions/the-boathouse/01.yaml", "write  from:"),
        ("from: sessions/no-such/01.yaml:3", "there is no session"),
        ("from: ../../etc/passwd:1-3", "there is no session"),
        ("from: sessions/the-boathouse/01.yaml:1-1", "no entry stands there"),
        ("x\n" * 3000, "at most"),
    ],
)
def test_whatever_is_wrong_is_one_clear_message(examples: Examples, block: str, said: str) -> None:
    filled = examples.fill(page(block), "guide")
    assert filled.problems
    assert any(said in problem.message for problem in filled.problems)
    assert all(1 <= problem.line <= 2 + len(block.split("\n")) + 2 for problem in filled.problems)


NAMED = """\
session: 1
log:
- aside: We forgot the snacks
- cast: {Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam}
- host: Iris
- accuser: Leo
- scene: The landing
  id: landing
  with: Noor
  text: |
    Coats, everywhere.
- tell: It rains outside
- tell: The lamp goes out
  id: dark
- tell: Nobody moves
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "campaign.yaml").write_text(
        "game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n"
    )
    (tmp_path / "01.yaml").write_text(NAMED)
    return tmp_path


@pytest.mark.parametrize(
    ("ids", "shown", "left_out"),
    [
        ("landing", ["Coats"], ["It rains", "lamp", "Nobody"]),
        ("landing..dark", ["Coats", "It rains", "lamp"], ["Nobody"]),
        ("dark..dark", ["lamp"], ["Coats", "It rains", "Nobody"]),
    ],
)
def test_entries_quoted_by_their_ids_stay_when_the_log_changes_above(
    ids: str,
    shown: list[str],
    left_out: list[str],
    table: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn: list[str] = []
    for above in ("", "- aside: Then we did not\n"):
        (table / "01.yaml").write_text(NAMED.replace("- cast", f"{above}- cast"))
        filled = Examples(SiteContext(make_environment(), PageUrlBuilder(), {}), table).fill(
            page(f"from: 01.yaml#{ids}"), "guide"
        )
        assert filled.problems == []
        drawn.append(str(filled.drawn_examples[0]))
        assert main(["excerpt", f"{table / '01.yaml'}#{ids}", "--format", "text"]) == 0
        drawn.append(capsys.readouterr().out)
    for text in drawn:
        assert all(words in text for words in shown)
        assert not any(words in text for words in left_out)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ("lamding", "no entry in '01.yaml' has 'id: lamding'; did you mean 'landing'?"),
        ("landing..xyz", "no entry in '01.yaml' has 'id: xyz'"),
        ("dark..landing", "'landing' comes before 'dark' in '01.yaml'"),
    ],
)
def test_an_id_that_no_entry_has_is_reported(
    ids: str, said: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = Examples(SiteContext(make_environment(), PageUrlBuilder(), {}), table)
    (wrong,) = examples.fill(page(f"from: 01.yaml#{ids}"), "guide").problems
    assert wrong.message == said
    assert main(["excerpt", f"{table / '01.yaml'}#{ids}"]) == 2
    assert said.partition("'01.yaml'")[2] in capsys.readouterr().err


QUOTED = "from: sessions/the-boathouse/01.yaml:20-60"


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("expectt: [P9]", "has no key 'expectt'; did you mean 'expect'?"),
        ("show: steps", "has no key 'show'; it takes only 'expect:' besides"),
        ("expect: [P9]", "the example breaks no rule P9"),
    ],
)
def test_a_key_below_from_is_read(examples: Examples, key: str, said: str) -> None:
    filled = examples.fill(page(f"# quoted\n{QUOTED}\n\n{key}"), "guide")
    (wrong,) = filled.problems
    assert wrong.error
    assert said in wrong.message
    assert len(filled.drawn_examples) == 1


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_show_it_in_play(root: Path, game: str) -> None:
    warned: list[str] = []
    shown = Examples(SiteContext(make_environment(), PageUrlBuilder(), {}, warned.append), root)
    drawn = str(shown.first_evening(rulebook(game), f"rules/{game}"))
    assert drawn.startswith('<figure class="ch-example">')
    assert drawn.count('class="ch-beat ') > 1
    assert "ch-diag--" not in drawn
    assert warned == []


def test_a_block_that_is_quoted_is_left_alone(examples: Examples) -> None:
    text = f"````\n```chronicle\n{BAD_EXAMPLE}\n```\n````\n"
    assert examples.fill(text, "guide") == (text, [], (), ())


def test_lines_of_a_session_lead_to_their_story_and_no_two_places_have_one_name(
    examples: Examples,
) -> None:
    block = "from: sessions/the-boathouse/01.yaml:20-60"
    filled = examples.fill(page(block, block, GOOD_EXAMPLE), "a/guide")
    html = filled.put_into(filled.markdown)
    assert filled.problems == []
    assert [file.name for file in filled.files] == ["01.yaml", "01.yaml"]
    assert 'href="../the-boathouse/index.html"' in html
    names = re.findall(r'\sid="([^"]+)"', html)
    assert len(names) == len(set(names)) > 10
    for anchor in re.findall(r'href="#([^"]+)"', html):
        assert anchor in names


# -- excerpts --------------------------------------------------------------------------------------

NASTY = "[b]x[/b] <script>alert(1)</script> [l](javascript:1) # h `c` **b** \x1b[31m \u202e &amp; | ~~s~~"


def test_what_a_player_writes_is_no_mark_of_any_form() -> None:
    parts = [
        ExcerptPart("told", prose(NASTY)),
        ExcerptPart("line", inline("1. one"), inline(NASTY)),
        ExcerptPart("told", prose("plain\n- no list")),
        ExcerptPart("told", inline("- no list either")),
        ExcerptPart("row", inline(NASTY), inline("> who")),
    ]
    written_forms = {name: form(parts) for name, form in written.WRITERS.items()}
    for text in written_forms.values():
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<script" not in written_forms["html"]
    assert "<script" not in written_forms["markdown"]
    reread = str(prose(written_forms["markdown"]))
    assert "<a " not in reread
    assert "<h" not in reread
    assert "<li>1" not in reread
    assert "[b]x" not in written_forms["bbcode"]
    assert "[l]" not in written_forms["bbcode"]
    assert "[i]" not in written_forms["text"]
    assert "[b]x[/b] <script>alert(1)</script>" in written_forms["text"]


def test_every_entry_of_every_game_can_be_written_in_every_form(root: Path) -> None:
    names = ("the-boathouse", "six-names", "snowshed-nine", "gallery-nine", "the-dry-book")
    for name in (*names, "the-lantern-coast"):
        folder = root / "sessions" / name
        campaign_site = CampaignSite(
            open_view(load(folder, root=root)),
            SiteContext(make_environment(), PageUrlBuilder(), {}),
        )
        steps = steps_on_lines(campaign_site, f"sessions/{name}/01.yaml", 1, 100_000)
        assert len(steps) == len(campaign_site.view.sessions[0].steps)
        parts = [*parts_of_rows(rows_of_steps(campaign_site, steps))]
        for form in written.WRITERS.values():
            text = form(parts)
            assert text.endswith("\n")
            for step in steps[-20:]:
                for piece in campaign_site.teller.pieces_of(step):
                    words = re.split(r"[^\w ]", piece.text.strip())[0].casefold()
                    assert piece.role is TextRole.LEAD or words in text.casefold()


def test_where_a_rule_was_used_has_the_title_of_its_scene() -> None:
    """A number alone says nothing; and the card of a campaign keeps it on its way through a file."""
    card = card_of(example("the-lantern-coast").campaign_site)
    assert (
        CampaignCard.from_data(json.loads(json.dumps(card.as_data()))).uses_by_rule
        == card.uses_by_rule
    )
    assert {use.scene_title for uses in card.uses_by_rule.values() for use in uses} > {
        "The floor of the sea",
        "",
    }
