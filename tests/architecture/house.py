"""The lines of the house, read from the source: who imports whom, and what a module may keep.

Nothing is imported to find out; the syntax tree alone is read. Between rooms, a lazy import inside
a function and one under ``TYPE_CHECKING`` count like any other: they are knowledge all the same.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# The rooms, and which other rooms each may know. The last ones put the house together.
ROOMS: dict[str, frozenset[str]] = {
    "core": frozenset(),
    "syntax": frozenset({"core"}),
    "games": frozenset({"core"}),
    # The labels and sentences that people read.
    "words": frozenset(),
    "site": frozenset({"core", "limited", "words"}),
    "export": frozenset({"core"}),
    "campaigns": frozenset({"core", "syntax", "games"}),
    # What a game plug-in imports.
    "api": frozenset({"core"}),
    # The files of game plug-ins, for a browser.
    "game_files": frozenset({"games"}),
    # The tests that each game has to pass, for packages of games as well.
    "testkit": frozenset({"core", "syntax", "games", "game_files", "campaigns"}),
    "pins": frozenset({"core", "syntax", "games", "campaigns"}),
    "workspace": frozenset({"core", "syntax", "games", "campaigns"}),
    "services": frozenset({"core", "syntax", "games", "campaigns", "workspace", "words"}),
    "door": frozenset({"core", "services", "campaigns", "export", "words"}),
    "publish": frozenset(
        {
            "examples",
            "core",
            "syntax",
            "games",
            "site",
            "export",
            "campaigns",
            "workspace",
            "services",
            "limited",
        }
    ),
    # Small games on pages of somebody's own: read and replayed as campaigns are, drawn as their pages.
    "examples": frozenset({"core", "syntax", "site", "campaigns"}),
    # What hands pages to other builders of sites. What the desk answers first about a campaign is made with the pages.
    "adapters": frozenset(
        {"core", "site", "examples", "publish", "services", "plugin", "words", "game_files"}
    ),
    # MkDocs calls the plugin, so it starts the walk itself.
    "plugin": frozenset({"core", "site", "publish", "adapters"}),
    # Carries campaigns to others who work on them; what is done with them it is told.
    "cluster": frozenset({"core", "patience"}),
    # Hands files of strangers to a child process, and knows nothing of what is done there.
    "limited": frozenset(),
    "worker": frozenset({"core", "syntax", "site", "limited"}),
    # Knows nothing but the time.
    "patience": frozenset(),
    # Walks as the plugin does, once for each campaign.
    "archive": frozenset(
        {"core", "site", "export", "campaigns", "cluster", "publish", "plugin", "adapters"}
    ),
    "cli": frozenset(
        {
            "core",
            "syntax",
            "games",
            "site",
            "export",
            "campaigns",
            "pins",
            "workspace",
            "services",
            "door",
            "publish",
            "plugin",
            "adapters",
            "archive",
            "cluster",
            "patience",
            "limited",
            "words",
            "testkit",
        }
    ),
    "__main__": frozenset({"cli"}),
}

# Rooms that also run in a browser, and what they may import from outside the house.
IN_A_BROWSER = frozenset({"api", "core", "syntax", "games", "campaigns", "workspace", "services"})
FOR_A_BROWSER = sys.stdlib_module_names | {"yaml", "ruamel"}
# Of the standard library, what a browser does not have.
NOT_IN_A_BROWSER = frozenset({"multiprocessing", "socket", "subprocess", "threading"})

# The rooms that know other builders of sites, and what these are.
ADAPTERS = frozenset({"adapters", "plugin"})
BUILDERS = frozenset({"mkdocs", "material", "properdocs", "zensical"})
# What MkDocs lets plug-ins set: attributes that its own classes document as data, by the name an object goes by here.
DATA_OF_MKDOCS = frozenset({"item.parent", "file.inclusion"})

# What adapters hold that is Chronicle's own.
OWN_OBJECTS = ("self._plugin", "self._build_state", "site.shared_pages", "generated")

# Where modules may be imported by a name worked out at run time.
MAY_IMPORT_BY_NAME = frozenset({"games", "campaigns", "cli"})

MUTABLE_CALLS = frozenset(
    {"dict", "list", "set", "bytearray", "defaultdict", "deque", "Counter", "OrderedDict"}
)
MUTABLE_NODES = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
MUTATORS = frozenset(
    [
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "update",
    ]
)


@dataclass(frozen=True)
class Breach:
    """A line of source that crosses a line of the house."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Import:
    """One module named by another."""

    line: int
    target: str


@dataclass(frozen=True)
class Module:
    """A source file of the package."""

    name: str
    path: str
    tree: ast.Module
    is_package: bool

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the syntax tree: each line of the house is looked for in all of them."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[ast.Import | ast.ImportFrom, ...]:
        """Every import, wherever it stands."""
        return tuple(node for node in self.nodes if isinstance(node, ast.Import | ast.ImportFrom))

    @property
    def room(self) -> str:
        """The first folder or file below ``chronicle``; empty for ``chronicle`` itself."""
        return room_of(self.name)


def room_of(module: str) -> str:
    """Return the room a dotted module name lies in; empty for the package itself."""
    _, _, inner = module.partition(".")
    return inner.partition(".")[0]


def game_of(module: str) -> str | None:
    """Return the game a dotted module name belongs to, if it belongs to one."""
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and parts[1] == "games" else None


def read_house(root: Path) -> dict[str, Module]:
    """Read every module of the package ``root / "chronicle"``, by dotted name."""
    modules: dict[str, Module] = {}
    for file in sorted((root / "chronicle").rglob("*.py")):
        path = file.relative_to(root)
        is_package = file.name == "__init__.py"
        name = ".".join(path.parent.parts if is_package else path.with_suffix("").parts)
        tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(path))
        modules[name] = Module(name, path.as_posix(), tree, is_package)
    return modules


def imports_of(module: Module, house: dict[str, Module]) -> Iterator[Import]:
    """Yield what a module imports from its own house, each down to the module that is meant."""
    for node in module.imports:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name):
                    yield Import(node.lineno, alias.name)
        else:
            base = _base(module, node)
            if _is_ours(base):
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    target = inner if inner in house else base
                    yield Import(node.lineno, target)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == "chronicle"


def _base(module: Module, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    parts = module.name.split(".")
    if not module.is_package:
        parts.pop()
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def strangers(house: dict[str, Module]) -> list[Breach]:
    """Find modules that lie in no room, and games that are not a folder."""
    breaches: list[Breach] = []
    for module in house.values():
        if module.room and module.room not in ROOMS:
            breaches.append(
                Breach(
                    module.path,
                    1,
                    f"'{module.room}' is no room of the house; the rooms are "
                    f"{', '.join(sorted(ROOMS))}. Put it into one, or add the room with its "
                    "neighbours to tests/architecture/house.py.",
                )
            )
        if module.name.count(".") == 2 and module.room == "games" and not module.is_package:
            breaches.append(
                Breach(module.path, 1, "a game is a folder of chronicle/games/, not a file")
            )
    return breaches


def trespasses(house: dict[str, Module]) -> list[Breach]:
    """Find imports of a room, or of a game, that the importing module may not know."""
    return [
        Breach(module.path, imported.line, f"{module.name} imports {imported.target}; {reason}")
        for module in house.values()
        for imported in imports_of(module, house)
        if (reason := _objection(module, imported.target))
    ]


def _objection(module: Module, target: str) -> str | None:
    room, target_room = module.room, room_of(target)
    if not target_room:
        return None
    if not room:
        return "chronicle/__init__.py imports nothing of the house, so that any room loads alone."
    if room not in ROOMS:
        return None
    if room == "games" and target_room == "games":
        game, other_game = game_of(module.name), game_of(target)
        if game is None:
            return "the registry names the games and loads one only when it is asked for."
        if other_game != game:
            return f"a game knows core only, not {other_game or 'the registry of games'}."
        return None
    if target_room == room:
        return None
    if target_room in ROOMS[room]:
        return None
    allowed = ", ".join(sorted(ROOMS[room])) or "no other room"
    return f"{room} may know {allowed}."


def circles(house: dict[str, Module]) -> list[Breach]:
    """Find modules that know each other, directly or by way of others: one breach a circle. An import
    of types never runs, and is knowledge all the same."""
    graph = {
        name: sorted(
            {imported.target for imported in imports_of(module, house)} & house.keys() - {name}
        )
        for name, module in house.items()
    }
    breaches: list[Breach] = []
    done: set[str] = set()
    for start in sorted(graph):
        cycle = _way_back(start, graph, done)
        if cycle:
            done.update(cycle)
            breaches.append(
                Breach(house[start].path, 1, f"imports run in a circle: {' -> '.join(cycle)}")
            )
    return breaches


def _way_back(start: str, graph: dict[str, list[str]], skip: set[str]) -> list[str] | None:
    """Return the shortest way from a module back to itself that avoids ``skip``."""
    routes: list[list[str]] = [[start]]
    visited: set[str] = set()
    while routes:
        route = routes.pop(0)
        for target in graph[route[-1]]:
            if target == start:
                return [*route, start]
            if target not in visited and target not in skip:
                visited.add(target)
                routes.append([*route, target])
    return None


def burdens(house: dict[str, Module]) -> list[Breach]:
    """Find imports that a browser could not follow, in rooms that have to load there."""
    return [
        Breach(
            module.path,
            node.lineno,
            f"{module.room} also runs in a browser, which has no '{name}': core, syntax and games "
            "import the standard library without threads and processes, yaml and ruamel, nothing else.",
        )
        for module in house.values()
        if module.room in IN_A_BROWSER
        for node in module.imports
        for name in _outside(node)
        if name not in FOR_A_BROWSER or name in NOT_IN_A_BROWSER
    ]


def _outside(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The packages outside the house that an import names."""
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        modules = [node.module] if node.module and not node.level else []
    return [name.partition(".")[0] for name in modules if not _is_ours(name)]


def foreign_builders(house: dict[str, Module]) -> list[Breach]:
    """Find modules that know MkDocs, another builder of sites or one of their themes, and are no adapters."""
    return [
        Breach(
            module.path,
            node.lineno,
            f"{module.name} imports '{name}'; only chronicle/adapters and chronicle/plugin.py know builders of sites.",
        )
        for module in house.values()
        if module.room not in ADAPTERS
        for node in module.imports
        for name in _outside(node)
        if name in BUILDERS
    ]


def replaced_attributes(house: dict[str, Module]) -> list[Breach]:
    """Find where an adapter sets an attribute of an object that is not its own: a method or a setting of MkDocs,
    of a theme or of another plug-in. Subclasses and hooks do what is needed."""
    return [
        Breach(
            module.path,
            target.lineno,
            f"'{ast.unparse(target)}' is set from outside; use a hook or a subclass instead.",
        )
        for module in house.values()
        if module.room in ADAPTERS
        for node in module.nodes
        for target in _set_attributes(node)
        if not _is_own(target) and ast.unparse(target) not in DATA_OF_MKDOCS
    ]


def _set_attributes(node: ast.AST) -> Iterator[ast.Attribute]:
    """The attributes that a statement or a call sets or takes away."""
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "delattr" as name), args=[owner, *_]):
            yield ast.Attribute(owner, name, ast.Store(), lineno=node.lineno)
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Delete():
            for inner in ast.walk(node):
                if isinstance(inner, ast.Attribute) and not isinstance(inner.ctx, ast.Load):
                    yield inner


def _is_own(target: ast.Attribute) -> bool:
    """Whether it is set on the object that the function belongs to, or on a part of Chronicle that it holds."""
    return ast.unparse(target.value) in ("self", *OWN_OBJECTS)


def hidden_imports(house: dict[str, Module]) -> list[Breach]:
    """Find imports by a computed name where the lines above could not see them."""
    return [
        Breach(
            module.path,
            node.lineno,
            "imports a module by a computed name; only the registry of games, a rulebook (the rooms of "
            "its own game), the catalogue of a game's add-ons, chronicle/campaigns.py and the cli may, "
            "elsewhere write a plain import.",
        )
        for module in house.values()
        if (module.room not in MAY_IMPORT_BY_NAME and module.name != "chronicle.core.game")
        or (game_of(module.name) and not module.name.endswith(".addons.catalogue"))
        for node in module.nodes
        if isinstance(node, ast.Call) and _called(node) in {"import_module", "__import__"}
    ]


def mutable_state(house: dict[str, Module]) -> list[Breach]:
    """Find what a module keeps and changes: lower-case containers, changed constants, globals."""
    return [breach for module in house.values() for breach in _state_of(module)]


def _state_of(module: Module) -> Iterator[Breach]:
    constants: set[str] = set()
    for name, value, line in _assignments(module.tree.body):
        if (name.startswith("__") and name.endswith("__")) or not _is_mutable(value):
            continue
        if name.upper() == name:
            constants.add(name)
        else:
            yield Breach(
                module.path,
                line,
                f"'{name}' is a container kept by the module. Pass it along, make it a tuple, "
                "frozenset or MappingProxyType, or, if nothing ever changes it, name it in "
                "capitals.",
            )
    for node in module.nodes:
        if isinstance(node, ast.Global):
            yield Breach(
                module.path, node.lineno, f"'global {', '.join(node.names)}' changes module state."
            )
        elif isinstance(node, ast.stmt | ast.expr) and _changed(node) in constants:
            yield Breach(
                module.path, node.lineno, f"'{_changed(node)}' is a constant and changed here."
            )


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr, int]]:
    for statement in body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target.id, value, statement.lineno
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value, statement.lineno
            case ast.If() | ast.For() | ast.While():
                yield from _assignments(statement.body + statement.orelse)
            case ast.With():
                yield from _assignments(statement.body)
            case ast.Try():
                handlers = [line for handler in statement.handlers for line in handler.body]
                yield from _assignments(
                    statement.body + handlers + statement.orelse + statement.finalbody
                )


def _is_mutable(value: ast.expr) -> bool:
    return isinstance(value, MUTABLE_NODES) or (
        isinstance(value, ast.Call) and _called(value) in MUTABLE_CALLS
    )


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=ast.Name(id=name)):
            return name
        case _:
            return ""


def _changed(node: ast.AST) -> str:
    """Return the name of the container that a node changes in place; empty if it changes none."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in MUTATORS:
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""


_MODE = re.compile(r"[rwxabtU+]+")
_PROCESSES = frozenset({"run", "Popen", "check_output", "check_call", "call"})


def loose_texts(house: dict[str, Module]) -> list[Breach]:
    """Find texts that are read or written as this machine has it: without UTF-8 said, or, where they are
    written, without the end of a line."""
    return [
        Breach(module.path, node.lineno, message)
        for module in house.values()
        for node in module.nodes
        if isinstance(node, ast.Call) and (message := _loose(node))
    ]


def _loose(call: ast.Call) -> str:
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    encoding = named.get("encoding")
    utf8 = isinstance(encoding, ast.Constant) and encoding.value in ("utf-8", "utf-8-sig")
    called = _called(call)
    method = isinstance(call.func, ast.Attribute)
    written = False
    if called in ("read_text", "write_text") and method:
        written = called == "write_text"
    elif called == "TextIOWrapper":
        written = True
    elif called in (
        "open",
        "fdopen",
        "NamedTemporaryFile",
        "TemporaryFile",
        "SpooledTemporaryFile",
    ):
        mode = _mode(call, named, called, method)
        if mode is None or "b" in mode:
            return ""
        written = not _MODE.fullmatch(mode) or bool(set(mode) & set("wxa+"))
    elif called in _PROCESSES:
        if not {"text", "universal_newlines"} & named.keys() and "encoding" not in named:
            return ""
    elif called != "reconfigure" or "encoding" not in named:
        return ""
    if not utf8:
        return f"'{called}' reads or writes a text: say encoding=\"utf-8\"."
    if written and "newline" not in named:
        return f"'{called}' writes a text: say which newline."
    return ""


def _mode(call: ast.Call, named: dict[str, ast.expr], called: str, method: bool) -> str | None:
    """The mode in which a file is opened; None if this opens no file, or one that has no text."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="os"), attr="open"):
            return None
        case ast.Attribute(value=ast.Name(id="io" | "codecs" | "gzip" | "bz2" | "lzma" | "os")):
            method = False
    temporary = called.endswith("TemporaryFile")
    at = 0 if (method and called == "open") or temporary else 1
    mode = named.get("mode", call.args[at] if len(call.args) > at else None)
    if mode is None:
        # Other things are opened too: a session, a scene. They are given, a file is not.
        sure = not method or not call.args or bool({"encoding", "newline"} & named.keys())
        return None if temporary or not sure else "r"
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
        return mode.value if _MODE.fullmatch(mode.value) else None
    return None if method and called == "open" else "?"


_POSIX_MODULES = frozenset({"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"})
_POSIX = frozenset(
    {"geteuid", "getuid", "killpg", "mkfifo", "setitimer", "symlink", "symlink_to", "umask"}
    | {"SIGALRM", "SIGKILL", "SIGPROF", "SIGTERM"}
)


def unguarded(name: str, source: str) -> list[Breach]:
    """Find what in a module of tests fails on Windows, where it ought to be skipped: modules that are
    not there, and tests that use what is not there and do not ask first."""
    tree = ast.parse(source)
    breaches: list[Breach] = []
    for node in tree.body:
        named = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
        if isinstance(node, ast.ImportFrom) and node.module:
            named = {node.module}
        if named & _POSIX_MODULES:
            breaches.append(Breach(name, node.lineno, "import this where it is used."))
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test"):
            continue
        lacking = [
            Breach(name, inner.lineno, f"Windows has no '{inner.attr}': skip the test there.")
            for inner in ast.walk(node)
            if isinstance(inner, ast.Attribute)
            and (inner.attr in _POSIX or (inner.attr == "fork" and ast.unparse(inner) == "os.fork"))
        ]
        asks = ("skipif", "win32", "hasattr", "os.name", "LINKS", "links")
        if lacking and not any(word in ast.unparse(node) for word in asks):
            breaches += lacking
    return breaches


def unasked(name: str, source: str, optional: frozenset[str]) -> list[Breach]:
    """Find where a module of tests starts a program that a machine may lack, looks for one, or skips a test,
    which is for ``tests/needs.py`` alone."""
    breaches = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.expr):
            continue
        message = ""
        match node:
            case ast.Call(func=ast.Attribute(attr="which") | ast.Name(id="which")):
                message = "look for a program with tests.needs.program."
            case ast.Attribute(value=ast.Name(id="pytest"), attr="skip" | "importorskip"):
                message = "what a test needs is looked for in tests/needs.py: skip it there."
            case ast.List(elts=[ast.Constant(value=str(first)), *_]) if first in optional:
                message = f"start program({first!r}) of tests.needs: not every machine has it."
        if message:
            breaches.append(Breach(name, node.lineno, message))
    return breaches
