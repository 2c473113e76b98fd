"""The desk as static files: the page, Chronicle packed for a browser, and what both need.

Python for browsers and the packed program come in a package of their own, ``chronicle-desk-data``. Where
it was made from other sources than those that run here, the program is packed anew: the desk opens a
little later then, and says the same.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.site.look import ASSET_URL, ASSETS
from chronicle.words import word

HOUSE: Final = Path(__file__).parent.parent
ROOMS: Final = ("core", "games", "services", "syntax", "words")
MODULES: Final = ("__init__", "api", "campaigns", "workspace")
"""What of Chronicle runs in a browser."""
COMPILED: Final = "__pycache__"
"""The folders of what Python makes of modules: the browser's Python makes its own."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)


@cache
def sources() -> dict[str, bytes]:
    """Return every file of Chronicle that a browser needs, by its path: modules and the data they read."""
    files = [HOUSE / f"{name}.py" for name in MODULES]
    for room in ROOMS:
        files += (file for file in (HOUSE / room).rglob("*") if file.is_file())
    paths = {
        file.relative_to(HOUSE.parent).as_posix(): file
        for file in files
        if COMPILED not in file.parts
    }
    return {path: paths[path].read_bytes() for path in sorted(paths)}


def digest_of(files: dict[str, bytes]) -> str:
    """What tells one set of files from another."""
    digest = hashlib.sha256()
    for path, data in files.items():
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def stored(files: dict[str, bytes]) -> bytes:
    """Files as a zip in which they lie as they are: it shrinks better as a whole."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as pack:
        for path, data in files.items():
            pack.writestr(zipfile.ZipInfo(path, _TIME), data)
    return whole.getvalue()


class Handed(NamedTuple):
    """A campaign of the site as its desk hands it over: where its pages lie, what it is, what its files
    hold, and where its pictures lie on the site, with what is in them."""

    folder: str
    title: str
    game: str
    game_title: str
    sessions: int
    entries: int
    files: dict[str, str]
    pictures: dict[str, tuple[str, bytes]]

    @property
    def id(self) -> str:
        """What the desk calls it."""
        return f"@{self.folder}"

    @property
    def content(self) -> dict[str, bytes]:
        """What its files and pictures hold."""
        held = {name: text.encode() for name, text in self.files.items()}
        return held | {name: data for name, (_, data) in self.pictures.items()}


class Missing(Exception):
    """The package with Python for browsers is not installed."""


class Data:
    """What the package ``chronicle-desk-data`` holds, and the files of game plug-ins.

    Args:
        games: finds the files of game plug-ins, by path.

    Raises:
        Missing: when it is not installed, or holds nothing.
    """

    def __init__(self, games: Callable[[], dict[str, bytes]] = dict) -> None:
        try:
            from chronicle_desk_data import FOLDER

            self.folder: Path = FOLDER
            self.parts: dict[str, Any] = json.loads(
                (self.folder / "parts.json").read_text(encoding="utf-8")
            )
        except (ImportError, OSError) as error:
            raise Missing from error
        self.games = games()

    @cached_property
    def ours(self) -> bool:
        """Whether it was made from the very sources that run here."""
        return bool(self.parts["sources"] == digest_of(sources()))

    def files(self) -> Iterator[tuple[str, Path | bytes]]:
        """The files of the engine and of the program: paths below the desk, and where or what they are."""
        for name in self.parts["engine"]:
            yield name, self.folder / name
        if self.ours:
            for name in (self.parts["pack"], self.parts["memory"]):
                yield name, self.folder / name
        else:
            yield self._packed
        if self.games:
            yield self._packed_games

    def about(self) -> dict[str, Any]:
        """What the page has to know of them."""
        pack = self.parts["pack"] if self.ours else self._packed[0]
        return {
            "lock": self.parts["lock"],
            "pyodide": self.parts["pyodide"],
            "files": {
                "pack": pack,
                "memory": self.parts["memory"] if self.ours else "",
                "games": self._packed_games[0] if self.games else "",
            },
        }

    @cached_property
    def _packed_games(self) -> tuple[str, bytes]:
        """The game plug-ins as one file: its name, which changes with what it holds, and what it holds."""
        name = f"games-{digest_of(self.games)}.zip.gz"
        return name, gzip.compress(stored(self.games), 9, mtime=0)

    @cached_property
    def _packed(self) -> tuple[str, bytes]:
        """Chronicle as it is here, with the YAML readers of the package."""
        made = dict(sources())
        with zipfile.ZipFile(
            io.BytesIO(gzip.decompress((self.folder / self.parts["pack"]).read_bytes()))
        ) as pack:
            for name in pack.namelist():
                if not name.startswith("chronicle/"):
                    made[name] = pack.read(name)
        return f"chronicle-{digest_of(made)}.zip.gz", gzip.compress(stored(made), 9, mtime=0)


def available() -> bool:
    """Whether a site made here can have a desk."""
    try:
        Data()
    except Missing:
        return False
    return True


# -- the pages -------------------------------------------------------------------------------------

AT: Final = "desk"
"""The folder of the desk on the site."""
ABOUT: Final = "desk.json"
"""Where a campaign of many says what the desk has to know of it."""
_HEAD: Final = '<meta charset="utf-8">'
_WORDS: Final = word(
    "site.desk_late",
    serve="<code>chronicle serve</code>",
    desk="<code>chronicle desk</code>",
)
_LATE: Final = f'<body>\n<p class="late">{_WORDS}</p>\n'
"""What stands there until the page has begun."""
_LATER: Final = (
    '<style nonce="{build}">.late{max-width:34rem;margin:20vh auto;padding:0 1rem;opacity:0;'
    "animation:late 0s 3s forwards}@keyframes late{to{opacity:1}}</style>"
)


def laid(
    one: Handed, first: Callable[[str, Handed], bytes], below: str = ""
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What the desk knows of a campaign before it is opened, and its files, whose paths begin in the desk, or
    ``below``. ``first`` says what a page is answered first about a campaign, which is called otherwise
    whenever anything in it is otherwise; the page shows that until Python has begun."""
    pictures = {name: f"../{at}" for name, (at, _) in one.pictures.items()}
    body = {"files": one.files, "pictures": pictures}
    packed = json.dumps(body, ensure_ascii=False, sort_keys=True).encode()
    called = f"{one.folder}-{digest_of({**one.content, '': packed})}"
    at, begun = f"{below}campaigns/{called}.json", f"{below}campaigns/{called}.first.json"
    about = one._asdict()
    del about["files"], about["pictures"]
    return {"id": one.id, "file": at, "first": begun, **about}, {
        at: packed,
        begun: first(called, one),
    }


def apart(one: Handed, first: Callable[[str, Handed], bytes]) -> Iterator[tuple[str, bytes]]:
    """The files of a campaign for a desk that is made later, of many: paths on the site, and what they hold."""
    about, made = laid(one, first, f"../{one.folder}/")
    for path, content in made.items():
        yield path.removeprefix("../"), content
    yield f"{one.folder}/{ABOUT}", json.dumps(about, ensure_ascii=False).encode()


def files(
    data: Data,
    campaigns: Iterable[Handed],
    first: Callable[[str, Handed], bytes],
    others: Sequence[Mapping[str, Any]] = (),
) -> Iterator[tuple[str, Path | bytes]]:
    """Every file of the desk: its path on the site, and where or what it is. ``first``: as for :func:`laid`;
    ``others``: what it knows of campaigns whose files stand :func:`apart`."""
    shelf: list[Mapping[str, Any]] = []
    made: dict[str, Path | bytes] = dict(data.files())
    for one in campaigns:
        about, held_of = laid(one, first)
        made |= held_of
        shelf.append(about)
    shelf += others
    fonts = f"../{ASSET_URL}/"
    page = dict(_page())
    made |= page
    typeface = sorted((ASSETS / "fonts").glob("*.woff2"))
    around = [f"{fonts}fonts.css", *(f"{fonts}fonts/{file.name}" for file in typeface)]
    parts = {**data.about(), "campaigns": shelf}
    build = digest_of(
        {path: body if isinstance(body, bytes) else path.encode() for path, body in made.items()}
        | {"parts": json.dumps(parts).encode()}
    )
    held = ["./", *(name for name in page if name not in ("index.html", "sw.js")), "parts.json"]
    engine = [name for name, _ in data.files()]
    parts |= {"build": build, "page": [*held, *around], "engine": engine}
    made["parts.json"] = json.dumps(parts, ensure_ascii=False).encode()
    for name in ("index.html", "sw.js"):
        told = made[name]
        assert isinstance(told, bytes)
        made[name] = told.replace(b"{build}", build.encode())
    for name, content in made.items():
        yield f"{AT}/{name}", content


def _page() -> Iterator[tuple[str, bytes]]:
    """The page itself, as static files."""
    for folder in ("desk", "device"):
        for file in sorted((ASSETS / folder).iterdir()):
            yield file.name, file.read_bytes() if file.name != "index.html" else _index(file)


def _index(file: Path) -> bytes:
    policy = {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "worker-src": "'self'",
        "style-src": "'self' 'nonce-{build}'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    said = "; ".join(f"{name} {what}" for name, what in policy.items())
    head = [
        _HEAD,
        f'<meta http-equiv="Content-Security-Policy" content="{said}">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="manifest" href="app.webmanifest">',
        '<link rel="apple-touch-icon" href="icon-192.png">',
        _LATER,
    ]
    page = file.read_text(encoding="utf-8")
    changes = (
        ("<html ", '<html data-worker="worker.js" '),
        (_HEAD, "\n".join(head)),
        ("<body>\n", _LATE),
        ("{nonce}", "{build}"),
        ("../fonts.css", f"../{ASSET_URL}/fonts.css"),
    )
    for old, new in changes:
        assert old in page, old
        page = page.replace(old, new, 1)
    return page.encode()
