"""The texts and pictures of a campaign: journal, notes, art with captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from chronicle.core.campaign import (
    Artwork,
    JournalEntry,
    KeeperNote,
)
from chronicle.core.declare import Part, option
from chronicle.core.diagnostic import (
    Finding,
)
from chronicle.core.kinds import NAME, NAMES, TEXT, whole
from chronicle.core.names import fold
from chronicle.core.source import MappingNode, Place, place_of, whole_file
from chronicle.syntax.campaign_files import CampaignFiles
from chronicle.syntax.decode import read_part
from chronicle.syntax.reader import read_text
from chronicle.syntax.slug import slug_of

PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg"))
MOST_PAGE_BYTES: Final = 1024 * 1024
"""The largest journal entry or note, in bytes."""


class JournalHead(Part):
    """The head of a journal entry."""

    title = option(TEXT, "the title")
    author = option(NAME, "who wrote it")
    voice = option(NAME, "the character who speaks")
    session = option(whole(0), "after which session it was written")
    about = option(
        NAMES, "whom or what it is about: names, titles of scenes, ids of entries", default=()
    )
    date = option(TEXT, "when it was written")


class _NoteFront(Part):
    """The head of a keeper's note."""

    title = option(TEXT, "the title")
    about = option(NAMES, "whom or what it is about", default=())
    session = option(whole(0), "after which session it was written")


class Caption(Part):
    """What stands in ``art/NAME.yaml`` beside a picture."""

    title = option(TEXT, "the title")
    alt = option(TEXT, "what the picture shows, for those who cannot see it")
    artist = option(TEXT, "who made it")
    licence = option(TEXT, "under which licence it may be shown")
    about = option(
        NAMES, "whom or what it shows: names, titles of scenes, ids of entries", default=()
    )
    session = option(whole(0), "the session it belongs to")


def _read_pages(
    files: CampaignFiles, folder: str, front: type[Any]
) -> Iterator[tuple[Path, Any, str]]:
    """Markdown files with their front matter read: (file, front, body)."""
    for file in files.list_files(files.folder / folder, ".md"):
        data = files.bytes_of(file, MOST_PAGE_BYTES)
        if data is None:
            continue
        read = partial(_read_page, files, files.shown(file), data, front)
        page = files.kept.cached_result("page", file, data, front, files.problems, read)
        if page is not None:
            yield file, *page


def _read_page(
    files: CampaignFiles, path: str, data: bytes, front: type[Any]
) -> tuple[Any, str] | None:
    if len(data) > MOST_PAGE_BYTES:
        files.problems.tell("T47", "this text is larger than 1 MB", whole_file(path))
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        files.problems.tell(
            "T1",
            "this file is not UTF-8",
            Place(path, line, 1, line, 2),
            "save the file as UTF-8",
        )
        return None
    head, body = _split_front_matter(files, text, path)
    page_head = read_part(front, head, path, files.problems)
    return page_head if page_head is not None else front(), body


def _split_front_matter(files: CampaignFiles, text: str, path: str) -> tuple[MappingNode, str]:
    """The YAML between two lines ``---`` at the top, and the text after it."""
    empty_head = MappingNode()
    empty_head.line = empty_head.column = empty_head.end_line = empty_head.end_column = 1
    match = re.match(r"---[ \t]*\n", text)
    if match is None:
        return empty_head, text
    end = re.compile(r"^---[ \t]*$\n?", re.MULTILINE).search(text, match.end())
    if end is None:
        files.problems.tell(
            "T45",
            "the head opened with --- is never closed",
            Place(path, 1, 1, 1, 4),
            "write  ---  below the last line of the head",
        )
        return empty_head, text
    # A blank first line keeps the numbers of the lines.
    parsed = read_text("\n" + text[match.end() : end.start()], path)
    files.problems.extend(problem for problem in parsed.problems if problem.code != "T3")
    if isinstance(parsed.tree, MappingNode):
        return parsed.tree, text[end.end() :].lstrip("\n")
    if parsed.tree is not None:
        files.problems.tell(
            "T45",
            "the head of a text is made of 'key: value' lines",
            place_of(parsed.tree, path),
        )
    return empty_head, text[end.end() :].lstrip("\n")


def read_journal(files: CampaignFiles) -> list[JournalEntry]:
    """``journal/*.md``."""
    pages = [*_read_pages(files, "journal", JournalHead)]
    entries = [
        JournalEntry(
            slug=slug,
            title=str(front.title or "") or _title_in(body) or file.stem.replace("-", " "),
            body=body,
            author=str(front.author or ""),
            voice=str(front.voice or ""),
            session=front.session,
            about=tuple(str(name) for name in front.about),
            date=str(front.date or ""),
            path=files.shown(file),
        )
        for (file, front, body), slug in zip(pages, _slugs(pages), strict=True)
    ]
    return sorted(
        entries,
        key=lambda entry: (entry.session is None, entry.session or 0, entry.date, entry.slug),
    )


def read_notes(files: CampaignFiles) -> list[KeeperNote]:
    """``notes/*.md``."""
    pages = [*_read_pages(files, "notes", _NoteFront)]
    return [
        KeeperNote(
            slug=slug,
            title=str(front.title or "") or _title_in(body) or file.stem.replace("-", " "),
            body=body,
            about=tuple(str(name) for name in front.about),
            session=front.session,
            path=files.shown(file),
        )
        for (file, front, body), slug in zip(pages, _slugs(pages), strict=True)
    ]


def read_art(files: CampaignFiles) -> list[Artwork]:
    """``art/*`` with captions."""
    pictures_found: list[Artwork] = []
    folder = files.folder / "art"
    captions = {file.stem: file for file in files.list_files(folder, ".yaml")}
    # Files from other systems may spell the same name with other Unicode characters.
    captions_by_folded_name = {fold(stem): file for stem, file in captions.items()}
    used: set[str] = set()
    for file in files.list_files(folder, *PICTURES):
        path = files.shown(file)
        if files.leaves(file, "picture"):
            continue
        _check_picture(files, file)
        front: Any = Caption()
        caption = (
            captions.get(file.stem)
            or captions.get(file.name)
            or captions_by_folded_name.get(fold(file.stem))
            or captions_by_folded_name.get(fold(file.name))
        )
        if caption is None:
            files.problems.tell(
                "T46",
                "this picture has no caption file",
                whole_file(path),
                f"write  art/{file.stem}.yaml  with  title:  and  alt:",
                finding=Finding.SUSPICIOUS,
            )
        else:
            used.add(caption.stem)
            tree = files.tree_of(caption).tree
            if isinstance(tree, MappingNode):
                front = read_part(Caption, tree, files.shown(caption), files.problems) or front
            elif tree is not None:
                files.problems.tell(
                    "T46",
                    "a caption is made of 'key: value' lines",
                    place_of(tree, files.shown(caption)),
                )
        pictures_found.append(
            Artwork(
                file=PurePosixPath("art", file.name),
                title=str(front.title or "") or file.stem.replace("-", " "),
                alt=str(front.alt or ""),
                artist=str(front.artist or ""),
                licence=str(front.licence or ""),
                about=tuple(str(name) for name in front.about),
                session=front.session,
                path=path,
            )
        )
    for stem, file in captions.items():
        if stem not in used:
            files.problems.tell(
                "T46",
                "there is no picture for this caption",
                whole_file(files.shown(file)),
                f"it belongs to art/{stem}.png, .jpg, .webp ...",
                finding=Finding.SUSPICIOUS,
            )
    return sorted(
        pictures_found,
        key=lambda picture: (picture.session is None, picture.session or 0, str(picture.file)),
    )


def _check_picture(files: CampaignFiles, file: Path) -> None:
    """Report a picture that the site will not show, or only in part."""
    from chronicle.core import pictures
    from chronicle.core.drawings import MOST_BYTES, drawing

    ending = file.suffix.casefold()
    full_limit = {".svg": MOST_BYTES, ".avif": pictures.MOST}.get(ending)
    data = files.bytes_of(file, full_limit or pictures.ENOUGH)
    if data is None:
        return
    path = whole_file(files.shown(file))
    try:
        if ending == ".svg":
            dropped = drawing(data).lost
            if dropped:
                message = f"what may do harm is left out of this drawing: {', '.join(dropped[:6])}"
                files.problems.tell("T48", message, path, finding=Finding.SUSPICIOUS)
        elif full_limit:
            pictures.publishable(ending, data)
        else:
            pictures.checked_kind(ending, data)
            if file.stat().st_size > pictures.MOST:
                pictures.publishable(ending, bytes(pictures.MOST + 1))
    except pictures.Refused as refused:
        message = f"{refused}; it is not published"
        # The log is complete without it: an error would keep everything else from being published.
        files.problems.tell("T48", message, path, refused.help, finding=Finding.BOOKKEEPING)
    except OSError:
        return  # It was deleted meanwhile.


def _slugs(pages: Iterable[tuple[Path, Any, str]]) -> list[str]:
    """The slugs of the texts, from their file names, made unique by numbers."""
    slugs: dict[str, None] = {}
    for file, _, _ in pages:
        stem = slug = slug_of(file.stem)
        count = 1
        while slug in slugs:
            count += 1
            slug = f"{stem}-{count}"
        slugs[slug] = None
    return [*slugs]


def _title_in(body: str) -> str:
    match = re.match(r"\s*#[ \t]+(.+)", body)
    return match.group(1).strip() if match else ""
