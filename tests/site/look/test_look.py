"""The look holds what it promises: legible, offline, escaped, whole inside Markdown."""

import itertools
import math
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from chronicle.site import look
from chronicle.site.charts import (
    AxisLabel,
    CurveMark,
    LaneHeading,
    PresenceCell,
    Ring,
    RingSector,
    Series,
    draw_curve_strips,
    draw_lane_strips,
    draw_rings,
    draw_step_lines,
    draw_swim_lanes,
)
from tests.site.look import samples
from tests.site.look.build import build_guide, environment

CSS = look.stylesheet()
HOSTILE = "<the pale> \"x\" 'y' & {{ secret }} *b* _c_ `d` المنارة Ина"


class Tags(HTMLParser):
    """Collects the start tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_guide(tmp_path_factory.mktemp("guide"), dict(samples.charts()))


def page(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["index.html", "guide/guide.html", "guide/sheet.html", "404.html"])
def test_a_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(
    site: Path, name: str
) -> None:
    for tag, attrs in Tags(page(site, name)).tags:
        source = attrs.get("src") or (attrs.get("href") if tag == "link" else None) or ""
        assert not re.match(r"(https?:)?//", source), (tag, source)
        # What is shown where nothing is cannot know where anything else lies.
        if tag == "script" and name != "404.html":
            assert attrs.get("src") or attrs.get("type") == "application/json"
        assert not [key for key in attrs if key.startswith("on")], tag


@pytest.mark.parametrize("name", ["guide/guide.html", "guide/sheet.html"])
def test_macros_use_no_inline_style_and_survive_markdown(site: Path, name: str) -> None:
    text = page(site, name)
    article = text[text.index("<article") : text.index("</article>")]
    assert " style=" not in article
    assert "&lt;div" not in article
    assert "<p></p>" not in article
    assert not re.search(r"<p>\s*<(div|table|figure|ol|ul|nav)\b", article)


def test_every_asset_is_built_with_its_licences(site: Path) -> None:
    for uri, asset in look.assets(is_guest_site=False):
        content = asset.encode() if isinstance(asset, str) else asset.read_bytes()
        assert (site / uri).read_bytes() == content
    built = {uri for uri, _ in look.assets(is_guest_site=False)}
    assert {
        "assets/chronicle/fonts/OFL-literata.txt",
        "assets/chronicle/fonts/OFL-source-sans-3.txt",
        "assets/chronicle/vendor/minisearch.LICENSE.txt",
    } <= built


def test_every_layer_of_the_stylesheet_is_read_once() -> None:
    assert sorted(look.STYLE_LAYERS) == sorted(
        path.stem for path in (look.ASSETS / "css").iterdir()
    )


def test_no_rule_is_there_for_nothing() -> None:
    root = Path(look.__file__).parents[2]
    used = "".join(
        path.read_text(encoding="utf-8")
        for folder in (
            "templates",
            "chronicle/site",
            "chronicle/games",
            "chronicle/cli",
            "page/src",
            "docs",
        )
        for path in (root / folder).rglob("*")
        if path.suffix in (".html", ".py", ".js", ".md") and "desk" not in path.parts
    )
    bare = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "{}", CSS, flags=re.S)
    own_classes = {
        name
        for name in re.findall(r"\.([a-zA-Z_][\w-]*)", bare)
        if not name.startswith(("md-", "admonition", "tabbed", "headerlink", "highlight", "bug"))
    }
    assert len(own_classes) > 300
    # Read once, not once for each name: what stands there whole, and what something is put behind.
    whole_names = {
        run[at.start() :]
        for run in set(re.findall(r"[\w-]+", used))
        for at in re.finditer(r"\b\w", run)
    }
    begun = tuple(set(re.findall(r"[\w-]+(?=\{|[\"'] ?[~+])", used)))
    for name in own_classes - whole_names:
        # Made of what goes before a part of it: `of-{{ share }}`, `ch-slip--{{ state }}`.
        stems = {name[: at.end()] for at in re.finditer(r"[-_](?=\w)|\D(?=\d+$)", name)}
        assert any(start.endswith(stem) for stem in stems for start in begun), name


def test_fonts_are_subsets_that_exist_and_latin_is_small() -> None:
    css = (look.ASSETS / "fonts.css").read_text(encoding="utf-8")
    faces = css.split("@font-face")[1:]
    for face in faces:
        assert "unicode-range:" in face
        source = re.search(r'url\("([^"]+)"\)', face)
        assert source is not None
        assert (look.ASSETS / source[1]).is_file()
    fonts = look.ASSETS / "fonts"
    assert (fonts / "literata-latin-normal.woff2").stat().st_size < 56_000
    assert (fonts / "source-sans-3-latin-normal.woff2").stat().st_size < 32_000
    assert len(faces) == len(list(fonts.glob("*.woff2")))


def test_a_campaign_page_has_its_own_title_and_no_sidebar(site: Path) -> None:
    text = page(site, "guide/guide.html")
    assert "<title>The orchard wall · The Salt Orchard</title>" in text
    assert "md-sidebar" not in text
    assert "md-sidebar--primary" in page(site, "index.html")


def test_each_page_opens_the_same_search(site: Path) -> None:
    for name in ("index.html", "guide/guide.html"):
        buttons = [a for _, a in Tags(page(site, name)).tags if a.get("class") == "ch-seek-open"]
        assert [button["data-site"].removeprefix("../") for button in buttons] in ([], ["find.js"])
        assert "md-search" not in page(site, name)


def test_the_palette_has_three_states(site: Path) -> None:
    media = [
        a["data-md-color-media"]
        for _, a in Tags(page(site, "index.html")).tags
        if "data-md-color-media" in a
    ]
    assert media == [
        "(prefers-color-scheme)",
        "(prefers-color-scheme: light)",
        "(prefers-color-scheme: dark)",
    ]


# Colours


def schemes() -> dict[str, dict[str, str]]:
    light, dark = CSS.split("@media screen", 1)
    dark = dark[: dark.index("color-scheme: dark")]
    pattern = re.compile(r"--([a-z0-9-]+): (#[0-9a-f]{6});")
    return {"light": dict(pattern.findall(light)), "dark": dict(pattern.findall(dark))}


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4) for c in parts]


def contrast(first_colour: str, other_colour: str) -> float:
    def light(colour: str) -> float:
        r, g, b = linear(colour)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, lighter = sorted((light(first_colour), light(other_colour)))
    return (lighter + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_on_every_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    inks = ["ink", "soft", "accent", "rust", "amber", "green-ink", "red-ink"]
    players = [f"p{n}" for n in range(1, 9)]
    for ink in inks + players:
        for ground in ("paper", "sheet", "wash"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (scheme, ink, ground)
    for ink, ground in [("rust", "rust-wash"), ("on-accent", "accent"), ("ink", "amber-wash")]:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (scheme, ink, ground)
    for player in [*players, "green-ink", "red-ink"]:
        assert contrast(colours["on-player"], colours[player]) >= 4.5, (scheme, player)


# Linear-light matrices of Machado, Oliveira and Fernandes (2009), full strength.
BLINDNESS = {
    "protan": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deutan": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
}


def perceived(colour: str, matrix: list[list[float]]) -> tuple[float, float, float]:
    """A colour as somebody sees it, in OKLab."""
    channels = [
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear(colour), strict=True))))
        for row in matrix
    ]
    r, g, b = channels
    cube = [
        (0.4122 * r + 0.5363 * g + 0.0514 * b) ** (1 / 3),
        (0.2119 * r + 0.6807 * g + 0.1074 * b) ** (1 / 3),
        (0.0883 * r + 0.2817 * g + 0.6300 * b) ** (1 / 3),
    ]
    x, y, z = cube
    return (
        0.2105 * x + 0.7936 * y - 0.0041 * z,
        1.9780 * x - 2.4286 * y + 0.4506 * z,
        0.0259 * x + 0.7828 * y - 0.8087 * z,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", list(BLINDNESS))
def test_players_stay_apart_for_the_colour_blind(scheme: str, kind: str) -> None:
    seats = [schemes()[scheme][f"p{n}"] for n in range(1, 9)]
    colours = [perceived(colour, BLINDNESS[kind]) for colour in seats]
    nearest = min(math.dist(a, b) for i, a in enumerate(colours) for b in colours[:i])
    assert nearest > 0.02


def test_dark_is_for_screens_only_and_print_is_light() -> None:
    assert CSS.count('[data-md-color-scheme="slate"] {') == 1
    assert '@media screen {\n  [data-md-color-scheme="slate"]' in CSS
    assert "color-scheme: only light" in CSS
    assert "prefers-reduced-motion: reduce" in CSS
    assert "http" not in CSS.replace("xmlns='http://www.w3.org/2000/svg'", "")


# Macros


HOSTILE_CALLS = {
    "bits": [
        "player_name(h, 9, h)",
        "rule_chip(h, h, h)",
        "slip(h, 2, 'wound')",
        "slips([h, {'text': h}])",
        "coin(h)",
        "cost(1, h)",
        "balance(h, 3, h, h)",
        "secret_mask(h)",
        "proof_badge('sealed')",
        "row(h, 2, h, h, h, h, 1)",
    ],
    "play": [
        "views([{'title': h, 'url': h}, {'title': h}])",
        "barcode([{'colour': 1, 'kind': 'throw'}], [{'share': 60, 'title': h, 'url': h, 'fits': true}], h)",
        "barcode([], [{'share': 60, 'title': h, 'url': h, 'fits': false}])",
        "ladder(h, [{'who': h, 'amount': 3, 'won': true}], h, h)",
        "scene_head(1, h, h, (1, 2), h, h, h)",
        "note(h, h, [h], [h], h, [{'words': h, 'unit': h, 'left': 1, 'coin': true}], [h], 1, h, h, h)",
        "talk(h, 2, [h])",
        "talk(h, 0, [], h)",
        "beat(1, h, [{'kind': 'line', 'who': h, 'html': h, 'colour': 1}], h, h, h, 3, 'struck', h, h)",
        "turn(h, h, 1, {'step': 1, 'anchor': h, 'former': h, 'title': h})",
        "run(h, h, 1, 2)",
        "held(h, [{'name': h, 'colour': 1, 'value': 3, 'turn': true}])",
        "stage(h, [{'emblem': h, 'name': h, 'player': h, 'colour': 1}])",
        "dispute(h, [{'who': h, 'paid': 1, 'total': 2, 'doubled': 2, 'colour': 1}] * 2, h)",
        "dispute(h)",
        "purses(h, [{'name': h, 'colour': 1, 'start': 1, 'before': 2, 'end': 3, 'began': 1, 'held': h,"
        " 'is_known': true}, {'name': h, 'colour': 2, 'before': 2, 'end': 2, 'held': h,"
        " 'is_known': false}], h, 3)",
        "card_page({'since': h, 'cards': [{'name': h, 'is_new': true, 'slips': [{'text': h, 'state': ''}],"
        " 'lines': [h], 'control': [h, h]}], 'lines': [h],"
        " 'figures': [{'title': h, 'rows': [{'name': h, 'colour': 1, 'before': h, 'after': h}]}]})",
        "dice([h, '+', {'face': h, 'struck': true}], 2, [0], h)",
        "chances([{'words': h, 'share': 50, 'colour': 1}])",
        "sources([{'of': h, 'slips': h, 'dice': 1}])",
        "contest_card(h, h, [{'who': h, 'of': h, 'dice': h, 'result': h}] * 2, h, h, h, [h],"
        " [{'who': h, 'amount': h, 'coins': true, 'rule': h,"
        " 'rows': [{'amount': 1, 'words': h, 'step': 1, 'url': h}]}], h)",
    ],
    "story": [
        "mark('paid')",
        "opening(h, [{'kind': 'dice', 'url': h}])",
        "speech([{'who': h, 'words': h}], h, [{'kind': 'objected', 'url': h}])",
        "verdict(h, h, h)",
        "silence(h, h)",
        "closing(h, [{'kind': 'dice', 'url': h}])",
        "cards({'title': h, 'stood': h, 'since': h, 'cards': [{'name': h, 'role': h,"
        " 'slips': [{'text': h, 'state': 'removed'}]}]}, h)",
        "cast([{'name': h, 'url': h, 'emblem': h}, {'name': h, 'url': '', 'emblem': h}])",
    ],
    "sheet": [
        "sheet_card(h, h, h, h)",
        "columns(h, h)",
        "stats([(h, h)])",
        "bar(3, 0)",
        "people_strip([{'name': h, 'value': 2, 'url': h, 'turn': true}])",
        "people_strip([])",
        "line(h | slug)",
        "key_entry(h | slug, h)",
        "ties([{'kind': 'tie', 'other': h, 'lines': [{'way': 'to', 'words': h, 'over': False}], 'over': False,"
        " 'emblem': ''}])",
    ],
    "page": [
        "breadcrumbs([{'title': h, 'url': h}, {'title': h}])",
        "page_head(h, h, h, h, h, h, h, true)",
        "beside([{'title': h, 'url': h, 'here': true}])",
        "turn({'title': h, 'url': h}, {'title': h, 'url': h})",
        "evenings([{'number': h, 'url': h, 'here': true}, {'number': h, 'url': h, 'here': false}], h)",
        "open_ends([{'words': h, 'note': h, 'about': [h], 'step': h, 'url': h, 'question': true, 'said': h,"
        " 'scene': h, 'session': h}])",
        "evening({'number': h, 'date': h, 'url': h, 'story': h, 'title': h, 'summary': h, 'minutes': 3, 'steps': h,"
        " 'present': [h], 'entries': 3}, true)",
        "whose(h, h) ~ m.whose('keepers', h)",
        "check_badge(1, 1, 2, h)",
        "check_badge(3)",
        "way([{'title': h, 'url': h}], [{'title': h, 'url': h, 'here': true}])",
        "diagnostic('error', h, h, h, h, h, h)",
        "facts_table([(h, h)], h)",
        "sortable_table([h, {'title': h}], [[h, {'text': h, 'sort': h}]], h, h, true)",
        "gallery([m.gallery_item(h, h, h, h, h, h)])",
        "journal_entry(h, h, h, h, h, h)",
    ],
    "navigation": [
        "above(h, h, [[{'title': h, 'url': h}]], h, h)",
        "below({'entries': 3, 'errors': 1, 'warnings': 2, 'game': h, 'licence': h, 'check': h, 'files': h, 'site': h,"
        " 'home': h})",
    ],
    "charts": [
        "figure(h, h, h, h)",
        "two_ways(h, 740, [{'name': h, 'colour': 1, 'last': h, 'drawn': h}])",
        "or_in_words(h, 560, [h])",
        "ends(h, h, [(h, h), (h, '')])",
        "ends(h, h, [(h, '')])",
        "counted(h, h, [{'one': h, 'other': h, 'said': h, 'reasons': [(h, h)]}], [(h, h)])",
        "holder(h, h, 2)",
        "bars([{'label': h, 'value': 3, 'colour': 1}], 4, h, 2, h)",
        "spread([{'label': h, 'value': 3, 'colour': 1}], 4, 2.5, h)",
        "layers(h, [{'name': h, 'sectors': [{'label': h, 'on': true, 'said': h, 'people': [h]}]}])",
        "track_board([{'label': h, 'tokens': [{'label': h}]}, {'label': ''}], h)",
        "shares([{'label': h, 'parts': [{'words': h, 'said': h, 'amount': 1, 'twelfths': 12, 'colour': 1,"
        " 'named': false}]}], h, h)",
        "paths([{'who': h, 'colour': 1, 'on': 3, 'total': 10}])",
    ],
}


@pytest.mark.parametrize("name", list(HOSTILE_CALLS))
def test_macros_escape_every_text_and_stay_one_block(name: str) -> None:
    calls = "".join(f"{{{{ m.{call} }}}}" for call in HOSTILE_CALLS[name])
    source = f'{{% import "macros/{name}.html" as m %}}{calls}'
    out = environment().from_string(source).render(h=HOSTILE)
    assert "<the pale>" not in out
    assert "&lt;the pale&gt;" in out
    assert not re.search(r"^\s*$", out, re.MULTILINE)
    assert not re.search(r"^ {4}", out, re.MULTILINE)
    assert " style=" not in out
    for tag, attrs in Tags(out).tags:
        assert tag == "rect" or not {"x", "y", "pale"} & attrs.keys(), attrs


def test_every_macro_says_what_it_is_for() -> None:
    folder = look.SITE_PACKAGE.parents[1] / "templates" / "macros"
    for name in HOSTILE_CALLS:
        source = (folder / f"{name}.html").read_text(encoding="utf-8")
        for macro in re.findall(r"{% macro (\w+)\(", source):
            assert f"{{#- {macro}(" in source, f"{name}.{macro} has no comment"
            assert f"{macro}(" in " ".join(HOSTILE_CALLS[name]) or macro in ("p", "die", "stat"), (
                macro
            )


# Charts


def hostile_charts() -> list[Markup]:
    h = HOSTILE + "\n\n</svg><script>"
    first_series, two = Series(h, 1, ((0, 3), (2, -4))), Series(h, 12, ((0, 3), (5, 3)))
    return [
        draw_step_lines(
            (first_series, two),
            (AxisLabel(0, h), AxisLabel(3, h)),
            marks=(CurveMark(1, h, "up"),),
            title=h,
        ),
        draw_step_lines((), title=h),
        *draw_curve_strips((first_series, two), (AxisLabel(0, h), AxisLabel(3, h)), (2,), title=h),
        draw_swim_lanes(
            [LaneHeading(h, h)],
            [LaneHeading(h, h), LaneHeading(h)],
            (PresenceCell(0, 1, 9, h, h), PresenceCell(4, 4)),
            title=h,
        ),
        draw_swim_lanes((), (), (), title=h, shows_numbers=True),
        *draw_lane_strips(
            [LaneHeading(h)],
            [LaneHeading(h), LaneHeading(h)],
            (PresenceCell(0, 1, 9, h), PresenceCell(4, 4)),
            title=h,
        ),
        draw_rings((Ring(h, (RingSector(h, True, 3),)), Ring(h, (RingSector(h),) * 4)), title=h),
    ]


@pytest.mark.parametrize("chart", hostile_charts())
def test_charts_are_accessible_and_escape_every_text(chart: Markup) -> None:
    root = ET.fromstring(str(chart))
    tag = "{http://www.w3.org/2000/svg}"
    holds_links = root.find(f".//{tag}a") is not None
    assert root.get("role") == ("group" if holds_links else "img")
    assert (root.findtext(f"{tag}title") or "").startswith("<the pale>")
    assert root.find(f"{tag}desc") is not None
    assert not root.findall(f".//{tag}script")
    assert "\n" not in chart
    assert not any("style" in part.attrib or "onload" in part.attrib for part in root.iter())


def test_charts_are_small() -> None:
    for name, chart in samples.charts().items():
        assert len(chart.encode()) < 6_000, name


def test_names_at_line_ends_never_overlap() -> None:
    crowd = tuple(Series(f"P{n}", n, ((0, 25), (9, 25 + n % 2))) for n in range(1, 9))
    names = re.findall(r'<text x="[\d.]+" y="([\d.]+)" class="t-player"', draw_step_lines(crowd))
    places = sorted(float(y) for y in names)
    assert len(places) == 8
    assert all(b - a >= 14.9 for a, b in itertools.pairwise(places))


def test_balances_jump_and_levels_last() -> None:
    chart = draw_step_lines((Series("Ana", 1, ((0, 0), (10, 10))),), guides=(0, 10))
    path = re.search(r'class="curve" d="([^"]+)"', chart)
    assert path is not None
    assert re.fullmatch(r"M[\d. ]+H[\d.]+V[\d.]+H[\d.]+", path[1])


def test_numbers_on_a_curve_stand_clear_of_it() -> None:
    """Where the curve falls, rises again at once, or reaches the edges."""
    values = (2, 3, 4, 2, 1, 3, 5, 6, 3, 4, 5, 6, 4, 2, 0)
    steps = (1, 25, 37, 41, 45, 54, 61, 68, 74, 80, 83, 91, 94, 102, 108)
    points = tuple(zip(steps, values, strict=True))
    marks = [CurveMark(step, str(number)) for number, step in enumerate(steps, 1)]
    for width in (300, 640):
        chart = draw_step_lines((Series("Stress", 0, points),), marks=marks, width=width)
        (path,) = re.findall(r'class="curve" d="M([\d.]+) ([\d.]+)([^"]*)"', chart)
        x, y = float(path[0]), float(path[1])
        strokes = []
        for letter, to in re.findall(r"([HV])([\d.]+)", path[2]):
            old, (x, y) = (x, y), (float(to), y) if letter == "H" else (x, float(to))
            strokes.append((min(old[0], x), min(old[1], y), max(old[0], x), max(old[1], y)))
        numbers = [
            (float(at), float(base), text)
            for at, base, text in re.findall(
                r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle">(\d+)</text>', chart
            )
        ]
        assert [text for *_, text in numbers] == [mark.text for mark in marks]
        for at, base, text in numbers:
            half = 3.3 * len(text)
            for left_edge, top, right, bottom in strokes:
                across = left_edge < at + half and right > at - half
                assert not (across and top < base and bottom > base - 9), (width, text)
