"""The house rules: who may know whom, no circles, nothing kept between calls."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from chronicle.games import GAMES, SMALLEST
from chronicle.site import pages
from tests.architecture.house import (
    Breach,
    Module,
    burdens,
    circles,
    foreign_builders,
    hidden_imports,
    imports_of,
    loose_texts,
    mutable_state,
    read_house,
    replaced_attributes,
    strangers,
    trespasses,
    unasked,
    unguarded,
)
from tests.needs import OPTIONAL

Check = Callable[[dict[str, Module]], list[Breach]]

SHARED = {"page"}
"""Templates that others extend."""
OF_THE_SITE = {"home", "best", "archive"}
"""Templates of what is no page of a campaign."""

CHECKS: tuple[Check, ...] = (
    strangers,
    trespasses,
    circles,
    burdens,
    hidden_imports,
    foreign_builders,
    replaced_attributes,
    mutable_state,
    loose_texts,
)


def house_of(tmp_path: Path, **sources: str) -> dict[str, Module]:
    """Write modules, named with ``__`` for a dot and ``_init`` for a package, and read them."""
    for name, source in sources.items():
        parts = name.removesuffix("_init").split("__")
        if name.endswith("_init"):
            parts[-1] = "__init__"
        file = tmp_path.joinpath("chronicle", *parts).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    return read_house(tmp_path)


@pytest.fixture(scope="module")
def whole_house(root: Path) -> dict[str, Module]:
    """The package as it stands, read once."""
    house = read_house(root)
    assert "chronicle" in house
    return house


@pytest.mark.smoke
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_house_keeps_its_lines(check: Check, whole_house: dict[str, Module]) -> None:
    house = whole_house
    breaches = check(house)
    assert not breaches, "\n" + "\n".join(map(str, breaches))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("core__ledger", "from chronicle.syntax import reader"),
        ("core__ledger", "def late():\n    import chronicle.games.positive.state"),
        ("core__ledger", "from ..site import pages"),
        ("syntax__reader", "from chronicle.games import positive"),
        ("games__positive__state", "from chronicle.games.isolation.state import Stress"),
        ("games__positive__state", "from ..isolation import state"),
        ("games__positive__state", "import chronicle.games"),
        ("games__positive__state", "from chronicle.site import pages"),
        ("games___init", "from chronicle.games.positive import rulebook"),
        ("site__pages", "from chronicle.syntax import reader"),
        ("site__pages", "from chronicle.campaigns import load"),
        ("site__pages", "from chronicle.publish import make_site"),
        ("plugin", "from chronicle.campaigns import load"),
        ("plugin", "from chronicle.games.positive import book"),
        ("export__ledger", "from chronicle.site import pages"),
        ("campaigns", "from chronicle.cli import main"),
        ("_init", "from chronicle.core import ledger"),
        (
            "site__pages",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import chronicle.cli",
        ),
    ],
)
def test_an_import_across_a_line_is_found(tmp_path: Path, module: str, line: str) -> None:
    breaches = trespasses(house_of(tmp_path, **{module: line}))
    assert len(breaches) == 1
    assert breaches[0].line == len(line.splitlines())


@pytest.mark.parametrize(
    "line",
    [
        "import mkdocs",
        "def late():\n    from mkdocs.config import load_config",
        "from material import x",
    ],
)
def test_only_adapters_know_builders_of_sites(tmp_path: Path, line: str) -> None:
    assert len(foreign_builders(house_of(tmp_path, site__look=line, adapters__theme=line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "page.render = lambda config: None",
        "config.plugins.search.index = None",
        "setattr(page, 'render', None)",
        "self.server.builder = None",
        "del theme.get_env",
        "title, page.title = 'a', 'b'",
    ],
)
def test_an_attribute_of_somebody_elses_that_is_set_is_found(tmp_path: Path, line: str) -> None:
    assert len(replaced_attributes(house_of(tmp_path, plugin=line))) == 1


def test_an_adapter_may_set_what_is_its_own(tmp_path: Path) -> None:
    module_source = (
        "self.title = 'a'\nself._plugin.partial = True\nconfig['site_dir'] = 'x'\nname = page.title"
    )
    assert not replaced_attributes(house_of(tmp_path, adapters__pages=module_source))


@pytest.mark.parametrize(
    ("module", "module_source"),
    [
        ("core__ledger", "from chronicle import __version__\nfrom .dice import Die\nimport ast"),
        ("syntax__reader", "from chronicle.core.source import Span"),
        ("games__positive__state", "from chronicle.core import ledger\nfrom . import actions"),
        ("games__universalis__addons__dice", "from ..state import State"),
        ("plugin", "from chronicle.publish import pages\nfrom chronicle.site import look"),
        ("campaigns", "from chronicle.games import positive\nfrom chronicle.syntax import r"),
        ("cli___init", "from chronicle.campaigns import load\nfrom .check import check"),
        ("__main__", "from chronicle.cli import main"),
    ],
)
def test_an_import_down_the_corridor_is_fine(
    tmp_path: Path, module: str, module_source: str
) -> None:
    assert not trespasses(house_of(tmp_path, **{module: module_source}))


def test_a_relative_import_is_followed_to_its_module(tmp_path: Path) -> None:
    house = house_of(
        tmp_path,
        games__positive___init="from .state import State\nfrom . import state, VERBS",
        games__positive__state="from ...core import ledger",
        core__ledger="",
    )
    package = [i.target for i in imports_of(house["chronicle.games.positive"], house)]
    assert package == ["chronicle.games.positive.state"] * 2 + ["chronicle.games.positive"]
    state = [i.target for i in imports_of(house["chronicle.games.positive.state"], house)]
    assert state == ["chronicle.core.ledger"]


def test_a_circle_is_found_once_and_told_in_order(tmp_path: Path) -> None:
    house = house_of(
        tmp_path,
        core__a="from chronicle.core import b",
        core__b="def late():\n    from .c import thing",
        core__c="import chronicle.core.a",
        core__d="from .a import thing",
    )
    assert [breach.message for breach in circles(house)] == [
        "imports run in a circle: chronicle.core.a -> chronicle.core.b -> chronicle.core.c"
        " -> chronicle.core.a"
    ]


def test_a_circle_of_types_is_found(tmp_path: Path) -> None:
    typed = "import typing\nif typing.TYPE_CHECKING:\n    from chronicle.core.b import B"
    house = house_of(tmp_path, core__a=typed, core__b="from chronicle.core.a import A")
    assert len(circles(house)) == 1


def test_a_module_outside_the_rooms_is_found(tmp_path: Path) -> None:
    house = house_of(tmp_path, helpers="", games__positive="", core__x="", games___init="")
    assert [breach.path for breach in strangers(house)] == [
        "chronicle/games/positive.py",
        "chronicle/helpers.py",
    ]


@pytest.mark.parametrize("module", ["core__x", "syntax__x", "games__positive__x"])
@pytest.mark.parametrize(
    "line", ["import nh3", "from jinja2.sandbox import S", "def f():\n    import threading"]
)
def test_what_a_browser_lacks_is_found(tmp_path: Path, module: str, line: str) -> None:
    assert len(burdens(house_of(tmp_path, **{module: line}))) == 1


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("core__x", "import json\nfrom chronicle.core.names import Names\nfrom . import y"),
        ("syntax__x", "import yaml\nfrom ruamel.yaml import YAML"),
        ("site__x", "import nh3\nimport threading"),
    ],
)
def test_what_a_browser_has_is_fine(tmp_path: Path, module: str, line: str) -> None:
    assert not burdens(house_of(tmp_path, **{module: line}))


@pytest.mark.parametrize("module", ["core__x", "plugin", "games__positive__state"])
def test_an_import_by_computed_name_is_found(tmp_path: Path, module: str) -> None:
    source = "import importlib\ndef load(name):\n    return importlib.import_module(name)"
    assert [f.line for f in hidden_imports(house_of(tmp_path, **{module: source}))] == [3]


def test_the_registry_may_import_by_computed_name(tmp_path: Path) -> None:
    source = "from importlib import import_module\ndef load(name):\n    return import_module(name)"
    assert not hidden_imports(house_of(tmp_path, games___init=source, cli__main=source))
    assert not hidden_imports(house_of(tmp_path, games__universalis__addons__catalogue=source))


@pytest.mark.parametrize(
    "source",
    [
        "cache = {}",
        "seen: set[str] = set()",
        "queue = collections.deque()",
        "names = [n for n in 'abc']",
        "if True:\n    table = {1: 2}",
        "try:\n    pass\nexcept OSError:\n    table = list()",
        "def f():\n    global count",
        "VERBS = {}\ndef verb(f):\n    VERBS[f.__name__] = f",
        "VERBS = []\ndef verb(f):\n    VERBS.append(f)",
        "VERBS: dict[str, int] = {}\ndef forget(f):\n    del VERBS[f]",
        "NAMES = ['a']\nNAMES += ['b']",
    ],
)
def test_module_state_is_found(tmp_path: Path, source: str) -> None:
    breaches = mutable_state(house_of(tmp_path, core__x=source))
    assert [breach.line for breach in breaches] == [len(source.splitlines())]


@pytest.mark.parametrize(
    "source",
    [
        "__all__ = ['a']",
        "PRICES = {'trait': 1}\ndef price(verb):\n    return PRICES[verb]",
        "order = ('a', 'b')",
        "kinds = frozenset({'place'})",
        "def f():\n    seen = []\n    seen.append(1)\n    return seen",
        "class State:\n    names: list[str]",
    ],
)
def test_constants_and_local_containers_are_fine(tmp_path: Path, source: str) -> None:
    assert not mutable_state(house_of(tmp_path, core__x=source))


def test_a_kind_of_page_is_one_module_and_one_template(root: Path) -> None:
    """So that to change the cast page two files are opened."""
    modules = {file.stem for file in (root / "chronicle/site/pages").glob("[!_]*.py")}
    assert modules == {kind.__name__.rpartition(".")[2] for kind in pages.PAGE_MODULES}
    templates = {file.stem for file in (root / "templates/pages").glob("*.html")}
    assert templates == modules | SHARED | OF_THE_SITE


def test_what_every_game_is_put_through_names_none_of_them(root: Path) -> None:
    """So that a further game touches its own folders and one line of the registry."""
    games = {*GAMES, *(module.rpartition(".")[2] for module in GAMES.values())}
    for file in sorted((root / "tests" / "games").glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not named & games, file.name


def test_no_room_knows_the_games_of_the_tree_by_a_list(whole_house: dict[str, Module]) -> None:
    """A game of a package is found wherever one of the tree is: rooms ask for all games."""
    names = {*GAMES, *(module.rpartition(".")[2] for module in GAMES.values())} - {SMALLEST}
    for module in whole_house.values():
        if module.room == "games":
            continue
        listed = [alias.name for node in module.imports for alias in node.names]
        assert "GAMES" not in listed, f"{module.path}: use game_names() or rulebooks()"
        texts = {node.value for node in module.nodes if isinstance(node, ast.Constant)}
        assert not texts & names, module.path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("open(file)", "encoding"),
        ("open(file, 'r')", "encoding"),
        ("open(file, mode, encoding='utf-8')", "newline"),
        ("open(file, encoding='latin-1')", "encoding"),
        ("io.open(file, 'w', encoding='utf-8')", "newline"),
        ("file.open()", "encoding"),
        ("file.open('a', encoding='utf-8')", "newline"),
        ("os.fdopen(handle, 'r+', encoding='utf-8')", "newline"),
        ("file.read_text()", "encoding"),
        ("file.write_text(text)", "encoding"),
        ("file.write_text(text, encoding='utf-8')", "newline"),
        ("TextIOWrapper(stream)", "encoding"),
        ("run(words, text=True)", "encoding"),
        ("subprocess.Popen(words, universal_newlines=True)", "encoding"),
        ("NamedTemporaryFile('w')", "encoding"),
        ("out.reconfigure(encoding='cp1252')", "encoding"),
    ],
)
def test_a_text_as_the_machine_has_it_is_found(tmp_path: Path, line: str, said: str) -> None:
    (breach,) = loose_texts(house_of(tmp_path, core__files=line))
    assert said in breach.message


@pytest.mark.parametrize(
    "line",
    [
        "open(file, 'rb')",
        "os.open(file, os.O_RDONLY)",
        "file.open('rb')",
        "file.open(encoding='utf-8')",
        "file.open('w', encoding='utf-8', newline='')",
        "file.read_text(encoding='utf-8-sig')",
        "file.write_text(text, encoding='utf-8', newline='\\n')",
        "read_text(text, path)",
        "replay.open(session)",
        "run(words, capture_output=True)",
        "run(campaign)",
        "NamedTemporaryFile()",
        "out.reconfigure(errors='replace')",
    ],
)
def test_what_says_how_its_text_is_kept_is_fine(tmp_path: Path, line: str) -> None:
    assert not loose_texts(house_of(tmp_path, core__files=line))


def test_what_windows_lacks_is_asked_for_first(root: Path) -> None:
    files = [*(root / "tests").rglob("*.py")]
    assert len(files) > 50
    breaches = [
        breach
        for file in files
        for breach in unguarded(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
    ]
    assert not breaches, "\n" + "\n".join(map(str, breaches))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("import fcntl", 1),
        ("from resource import getrlimit", 1),
        ("def test():\n    import pty", 0),
        ("def test():\n    os.mkfifo(path)", 1),
        ("@pytest.mark.skipif(True)\ndef test():\n    path.symlink_to(other)", 0),
        ("def test():\n    if sys.platform != 'win32':\n        path.symlink_to(other)", 0),
    ],
)
def test_a_test_for_one_system_alone_is_found(source: str, count: int) -> None:
    assert len(unguarded("x", source)) == count


def test_programs_that_a_machine_may_lack_are_asked_for_in_one_place(root: Path) -> None:
    exempt = {root / "tests" / "needs.py", Path(__file__)}
    # A program that is run by hand says itself what it lacks.
    files = [
        file
        for file in (root / "tests").rglob("*.py")
        if file.name.startswith("test_") or not (file.parent / "__main__.py").exists()
    ]
    breaches = [
        breach
        for file in sorted({*files} - exempt)
        for breach in unasked(
            file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"), OPTIONAL
        )
    ]
    assert not breaches, "\n" + "\n".join(map(str, breaches))


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("subprocess.run(['hledger', 'check'])", 1),
        ("words = ['node', '-e', script]", 1),
        ("subprocess.run([program('node'), '-e', script])", 0),
        ("subprocess.run([sys.executable, '-m', 'chronicle'])", 0),
        ("@pytest.mark.parametrize('form', ['csv', 'hledger'])\ndef test(form): ...", 0),
        ("if shutil.which('zsh') is None: ...", 1),
        ("pytest.skip('no zsh here')", 1),
        ("np = pytest.importorskip('numpy')", 1),
        ("@pytest.mark.skipif(os.name == 'nt', reason='links')\ndef test(): ...", 0),
    ],
)
def test_a_program_that_is_not_asked_for_is_found(source: str, count: int) -> None:
    assert len(unasked("x", source, OPTIONAL)) == count
