"""The desk as static files: the page, Chronicle packed for a browser, and shared data.

The package ``chronicle-desk-data`` contains Python for browsers and the packed program. If its sources
differ from the installed ones, Chronicle packs the program again. The desk then opens a little later.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from chronicle.site.look import ASSET_URL, ASSETS
from chronicle.words import word

PACKAGE_FOLDER: Final = Path(__file__).parent.parent
BROWSER_PACKAGES: Final = ("core", "games", "services", "syntax", "words")
BROWSER_MODULES: Final = ("__init__", "api", "campaigns", "workspace")
"""What of Chronicle runs in a browser."""
COMPILED_FOLDER: Final = "__pycache__"
"""The folders of what Python makes of modules: the browser's Python makes its own."""
_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)


@cache
def source_files() -> dict[str, bytes]:
    """Return every file of Chronicle that a browser needs, by its path: modules and the data they read."""
    file_paths = [PACKAGE_FOLDER / f"{module_name}.py" for module_name in BROWSER_MODULES]
    for package_name in BROWSER_PACKAGES:
        file_paths += (
            file for file in (PACKAGE_FOLDER / package_name).rglob("*") if file.is_file()
        )
    file_by_path = {
        file.relative_to(PACKAGE_FOLDER.parent).as_posix(): file
        for file in file_paths
        if COMPILED_FOLDER not in file.parts
    }
    return {path: file_by_path[path].read_bytes() for path in sorted(file_by_path)}


def digest_of(contents_by_path: dict[str, bytes]) -> str:
    """What tells one set of files from another."""
    digest = hashlib.sha256()
    for path, contents in contents_by_path.items():
        digest.update(f"{path}\0{len(contents)}\0".encode() + contents)
    return digest.hexdigest()[:16]


def zip_files(contents_by_path: dict[str, bytes]) -> bytes:
    """Files as a zip without compression: the whole zip compresses better."""
    zip_buffer = io.BytesIO()
    with zipfile.ZipFile(zip_buffer, "w", zipfile.ZIP_STORED) as zip_archive:
        for path, contents in contents_by_path.items():
            zip_archive.writestr(zipfile.ZipInfo(path, _ZIP_TIME), contents)
    return zip_buffer.getvalue()


class DeskCampaign(NamedTuple):
    """A campaign of the site for its desk: the address of its pages, its description, its files, and the
    paths and contents of its pictures."""

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
    def contents_by_name(self) -> dict[str, bytes]:
        """What its files and pictures hold."""
        contents = {file_name: text.encode() for file_name, text in self.files.items()}
        return contents | {
            file_name: picture_contents
            for file_name, (_, picture_contents) in self.pictures.items()
        }


class DeskDataMissing(Exception):
    """The package with Python for browsers is not installed."""


class DeskPackage:
    """What the package ``chronicle-desk-data`` holds, and the files of game plug-ins.

    Args:
        find_game_files: finds the files of game plug-ins, by path.

    Raises:
        Missing: when it is not installed, or holds nothing.
    """

    def __init__(self, find_game_files: Callable[[], dict[str, bytes]] = dict) -> None:
        try:
            from chronicle_desk_data import FOLDER

            self.folder: Path = FOLDER
            self.package_parts: dict[str, Any] = json.loads(
                (self.folder / "parts.json").read_text(encoding="utf-8")
            )
        except (ImportError, OSError) as error:
            raise DeskDataMissing from error
        self.game_files = find_game_files()

    @cached_property
    def is_current(self) -> bool:
        """Whether it was made from the very sources that run here."""
        return bool(self.package_parts["sources"] == digest_of(source_files()))

    def package_files(self) -> Iterator[tuple[str, Path | bytes]]:
        """The files of the engine and of the program: paths below the desk, and where or what they are."""
        for file_name in self.package_parts["engine"]:
            yield file_name, self.folder / file_name
        if self.is_current:
            for file_name in (self.package_parts["pack"], self.package_parts["memory"]):
                yield file_name, self.folder / file_name
        else:
            yield self._packed_program
        if self.game_files:
            yield self._packed_games

    def description_for_page(self) -> dict[str, Any]:
        """What the page has to know of them."""
        pack_name = self.package_parts["pack"] if self.is_current else self._packed_program[0]
        return {
            "lock": self.package_parts["lock"],
            "pyodide": self.package_parts["pyodide"],
            "files": {
                "pack": pack_name,
                "memory": self.package_parts["memory"] if self.is_current else "",
                "games": self._packed_games[0] if self.game_files else "",
            },
        }

    @cached_property
    def _packed_games(self) -> tuple[str, bytes]:
        """The game plug-ins as one file: its name, which changes with what it holds, and what it holds."""
        file_name = f"games-{digest_of(self.game_files)}.zip.gz"
        return file_name, gzip.compress(zip_files(self.game_files), 9, mtime=0)

    @cached_property
    def _packed_program(self) -> tuple[str, bytes]:
        """The installed Chronicle, with the YAML readers of the package."""
        packed_files = dict(source_files())
        with zipfile.ZipFile(
            io.BytesIO(gzip.decompress((self.folder / self.package_parts["pack"]).read_bytes()))
        ) as zip_archive:
            for file_path in zip_archive.namelist():
                if not file_path.startswith("chronicle/"):
                    packed_files[file_path] = zip_archive.read(file_path)
        return f"chronicle-{digest_of(packed_files)}.zip.gz", gzip.compress(
            zip_files(packed_files), 9, mtime=0
        )


def can_have_desk() -> bool:
    """Whether a site made here can have a desk."""
    try:
        DeskPackage()
    except DeskDataMissing:
        return False
    return True


# -- the pages -------------------------------------------------------------------------------------

DESK_FOLDER: Final = "desk"
"""The folder of the desk on the site."""
SUMMARY_FILE: Final = "desk.json"
"""Where a campaign of many says what the desk has to know of it."""
_CHARSET_TAG: Final = '<meta charset="utf-8">'
_LATE_MESSAGE: Final = word(
    "site.desk_late",
    serve="<code>chronicle serve</code>",
    desk="<code>chronicle desk</code>",
)
_LATE_BODY: Final = f'<body>\n<p class="late">{_LATE_MESSAGE}</p>\n'
"""The text on the page until the desk has started."""
_LATE_STYLE: Final = (
    '<style nonce="{build}">.late{max-width:34rem;margin:20vh auto;padding:0 1rem;opacity:0;'
    "animation:late 0s 1s forwards}@keyframes late{to{opacity:1}}.disk .late{opacity:1}</style>"
)
_FROM_DISK_SCRIPT: Final = (
    'if(location.protocol==="file:")document.documentElement.className="disk"'
)
"""A script for the head: a page opened from a disk never starts, so it says so at once."""


def summary_and_files(
    campaign: DeskCampaign,
    make_first_answer: Callable[[str, DeskCampaign], bytes],
    folder_prefix: str = "",
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What the desk knows of a campaign before it is opened, and its files, whose paths begin in the desk, or
    ``folder``. ``make_first_answer`` says what a page is answered first about a campaign, which is called otherwise
    whenever anything in it is otherwise; the page shows that until Python has begun."""
    picture_urls = {
        file_name: f"../{picture_path}"
        for file_name, (picture_path, _) in campaign.pictures.items()
    }
    campaign_data = {"files": campaign.files, "pictures": picture_urls}
    campaign_json = json.dumps(campaign_data, ensure_ascii=False, sort_keys=True).encode()
    versioned_name = (
        f"{campaign.folder}-{digest_of({**campaign.contents_by_name, '': campaign_json})}"
    )
    file_path, first_answer_path = (
        f"{folder_prefix}campaigns/{versioned_name}.json",
        f"{folder_prefix}campaigns/{versioned_name}.first.json",
    )
    summary = campaign._asdict()
    del summary["files"], summary["pictures"]
    return {"id": campaign.id, "file": file_path, "first": first_answer_path, **summary}, {
        file_path: campaign_json,
        first_answer_path: make_first_answer(versioned_name, campaign),
    }


def separate_files(
    campaign: DeskCampaign, make_first_answer: Callable[[str, DeskCampaign], bytes]
) -> Iterator[tuple[str, bytes]]:
    """The files of a campaign for a desk that is made later, of many: paths on the site, and what they hold."""
    summary, campaign_files = summary_and_files(
        campaign, make_first_answer, f"../{campaign.folder}/"
    )
    for file_path, contents in campaign_files.items():
        yield file_path.removeprefix("../"), contents
    yield f"{campaign.folder}/{SUMMARY_FILE}", json.dumps(summary, ensure_ascii=False).encode()


def desk_files(
    desk_package: DeskPackage,
    campaigns: Iterable[DeskCampaign],
    make_first_answer: Callable[[str, DeskCampaign], bytes],
    other_campaigns: Sequence[Mapping[str, Any]] = (),
) -> Iterator[tuple[str, Path | bytes]]:
    """Every file of the desk: its path on the site, and its source file or contents. ``make_first_answer``: as for
    :func:`summary_and_files`; ``other_campaigns``: the data of campaigns whose files :func:`separate_files` wrote."""
    summaries: list[Mapping[str, Any]] = []
    files_by_path: dict[str, Path | bytes] = dict(desk_package.package_files())
    for campaign in campaigns:
        summary, campaign_files = summary_and_files(campaign, make_first_answer)
        files_by_path |= campaign_files
        summaries.append(summary)
    summaries += other_campaigns
    fonts_url = f"../{ASSET_URL}/"
    page_files = dict(_page_files())
    files_by_path |= page_files
    font_files = sorted((ASSETS / "fonts").glob("*.woff2"))
    shared_files = [
        f"{fonts_url}fonts.css",
        *(f"{fonts_url}fonts/{file.name}" for file in font_files),
    ]
    page_parts = {**desk_package.description_for_page(), "campaigns": summaries}
    build_digest = digest_of(
        {
            path: contents if isinstance(contents, bytes) else path.encode()
            for path, contents in files_by_path.items()
        }
        | {"parts": json.dumps(page_parts).encode()}
    )
    cached_files = [
        "./",
        *(file_path for file_path in page_files if file_path not in ("index.html", "sw.js")),
        "parts.json",
    ]
    engine_files = [file_path for file_path, _ in desk_package.package_files()]
    page_parts |= {
        "build": build_digest,
        "page": [*cached_files, *shared_files],
        "engine": engine_files,
    }
    files_by_path["parts.json"] = json.dumps(page_parts, ensure_ascii=False).encode()
    for file_path in ("index.html", "sw.js"):
        page_body = files_by_path[file_path]
        assert isinstance(page_body, bytes)
        files_by_path[file_path] = page_body.replace(b"{build}", build_digest.encode())
    for file_path, file_contents in files_by_path.items():
        yield f"{DESK_FOLDER}/{file_path}", file_contents


def _page_files() -> Iterator[tuple[str, bytes]]:
    """The page itself, as static files."""
    for folder in ("desk", "device"):
        for asset_file in sorted((ASSETS / folder).iterdir()):
            yield (
                asset_file.name,
                asset_file.read_bytes()
                if asset_file.name != "index.html"
                else _index_page(asset_file),
            )


def _index_page(index_file: Path) -> bytes:
    script_digest = b64encode(hashlib.sha256(_FROM_DISK_SCRIPT.encode()).digest()).decode()
    source_policies = {
        "default-src": "'none'",
        "script-src": f"'self' 'wasm-unsafe-eval' 'sha256-{script_digest}'",
        "worker-src": "'self'",
        "style-src": "'self' 'nonce-{build}'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy_text = "; ".join(
        f"{policy_name} {allowed_sources}"
        for policy_name, allowed_sources in source_policies.items()
    )
    head_elements = [
        _CHARSET_TAG,
        f'<meta http-equiv="Content-Security-Policy" content="{policy_text}">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="manifest" href="app.webmanifest">',
        '<link rel="apple-touch-icon" href="icon-192.png">',
        _LATE_STYLE,
        f"<script>{_FROM_DISK_SCRIPT}</script>",
    ]
    index_html = index_file.read_text(encoding="utf-8")
    replacements = (
        ("<html ", '<html data-worker="worker.js" '),
        (_CHARSET_TAG, "\n".join(head_elements)),
        ("<body>\n", _LATE_BODY),
        ("{nonce}", "{build}"),
        ("../fonts.css", f"../{ASSET_URL}/fonts.css"),
    )
    for old_text, new_text in replacements:
        assert old_text in index_html, old_text
        index_html = index_html.replace(old_text, new_text, 1)
    return index_html.encode()
