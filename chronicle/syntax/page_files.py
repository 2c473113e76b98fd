"""The texts and pictures of a campaign: journal, notes, art with captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from chronicle.core.campaign import (
    Artwork,
    JournalEntry,
    KeeperNote,
    Session,
)
from chronicle.core.declare import Part, option
from chronicle.core.diagnostic import (
    DiagnosticKind,
)
from chronicle.core.field_types import NAME, NAMES, TEXT, whole
from chronicle.core.names import fold
from chronicle.core.source import MappingNode, Place, ScalarNode, place_of, scalars, whole_file
from chronicle.syntax.campaign_files import CampaignFiles
from chronicle.syntax.decode import decode_part
from chronicle.syntax.reader import read_text
from chronicle.syntax.slug import slug_of

PICTURE_ENDINGS: Final = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".svg"))
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


class _NoteHead(Part):
    """The head of a keeper's note."""

    title = option(TEXT, "the title")
    about = option(NAMES, "whom or what it is about", default=())
    session = option(whole(0), "after which session it was written")


class Caption(Part):
    """The file ``art/NAME.yaml`` beside a picture: its title, its maker, what it shows."""

    title = option(TEXT, "the title")
    alt = option(TEXT, "what the picture shows, for those who cannot see it")
    artist = option(TEXT, "who made it")
    licence = option(TEXT, "under which licence it may be shown")
    about = option(
        NAMES, "whom or what it shows: names, titles of scenes, ids of entries", default=()
    )
    session = option(whole(0), "the session it belongs to")


def _read_pages(
    files: CampaignFiles, folder: str, head_class: type[Any]
) -> Iterator[tuple[Path, Any, str]]:
    """Markdown files with their front matter read: (file, front, body)."""
    for file in files.list_files(files.folder / folder, ".md"):
        page_bytes = files.bytes_of(file, MOST_PAGE_BYTES)
        if page_bytes is None:
            continue
        read_page = partial(_read_page, files, files.display_path(file), page_bytes, head_class)
        head_and_body = files.cache.cached_result(
            "page", file, page_bytes, head_class, files.problems, read_page
        )
        if head_and_body is not None:
            yield file, *head_and_body


def _read_page(
    files: CampaignFiles, path: str, page_bytes: bytes, head_class: type[Any]
) -> tuple[Any, str] | None:
    if len(page_bytes) > MOST_PAGE_BYTES:
        files.problems.tell("T47", "this text is larger than 1 MB", whole_file(path))
        return None
    try:
        page_text = page_bytes.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line_number = page_bytes.count(b"\n", 0, error.start) + 1
        files.problems.tell(
            "T1",
            "this file is not UTF-8",
            Place(path, line_number, 1, line_number, 2),
            "save the file as UTF-8",
        )
        return None
    head_node, body = _split_front_matter(files, page_text, path)
    page_head = decode_part(head_class, head_node, path, files.problems)
    return page_head if page_head is not None else head_class(), body


def _split_front_matter(files: CampaignFiles, page_text: str, path: str) -> tuple[MappingNode, str]:
    """The YAML between two lines ``---`` at the top, and the text after it."""
    empty_head = MappingNode()
    empty_head.line = empty_head.column = empty_head.end_line = empty_head.end_column = 1
    start_match = re.match(r"---[ \t]*\n", page_text)
    if start_match is None:
        return empty_head, page_text
    end_match = re.compile(r"^---[ \t]*$\n?", re.MULTILINE).search(page_text, start_match.end())
    if end_match is None:
        files.problems.tell(
            "T45",
            "the head opened with --- is never closed",
            Place(path, 1, 1, 1, 4),
            "write  ---  below the last line of the head",
        )
        return empty_head, page_text
    # A blank first line keeps the numbers of the lines.
    parsed = read_text("\n" + page_text[start_match.end() : end_match.start()], path)
    files.problems.extend(problem for problem in parsed.problems if problem.code != "T3")
    if isinstance(parsed.tree, MappingNode):
        return parsed.tree, page_text[end_match.end() :].lstrip("\n")
    if parsed.tree is not None:
        files.problems.tell(
            "T45",
            "the head of a text is made of 'key: value' lines",
            place_of(parsed.tree, path),
        )
    return empty_head, page_text[end_match.end() :].lstrip("\n")


def read_journal(files: CampaignFiles, sessions: Sequence[Session]) -> list[JournalEntry]:
    """``journal/*.md``."""
    pages = [*_read_pages(files, "journal", JournalHead)]
    entries = [
        JournalEntry(
            slug=slug,
            title=str(head.title or "") or _title_in(body) or file.stem.replace("-", " "),
            body=body,
            author=str(head.author or ""),
            voice=str(head.voice or ""),
            session=head.session,
            subjects=_subject_names(head, sessions),
            date=str(head.date or ""),
            path=files.display_path(file),
        )
        for (file, head, body), slug in zip(pages, _unique_slugs(pages), strict=True)
    ]
    return sorted(
        entries,
        key=lambda entry: (entry.session is None, entry.session or 0, entry.date, entry.slug),
    )


def read_notes(files: CampaignFiles, sessions: Sequence[Session]) -> list[KeeperNote]:
    """``notes/*.md``."""
    pages = [*_read_pages(files, "notes", _NoteHead)]
    return [
        KeeperNote(
            slug=slug,
            title=str(head.title or "") or _title_in(body) or file.stem.replace("-", " "),
            body=body,
            subjects=_subject_names(head, sessions),
            session=head.session,
            path=files.display_path(file),
        )
        for (file, head, body), slug in zip(pages, _unique_slugs(pages), strict=True)
    ]


def _subject_names(page_head: Any, sessions: Sequence[Session]) -> tuple[ScalarNode, ...]:
    """What ``about:`` names. A text with commas is one name if an entry has it as a value, such as the title
    of a scene; else it is a list."""
    typed_subject = page_head.source.get("about") if page_head.about else None
    if isinstance(typed_subject, ScalarNode) and len(page_head.about) > 1:
        folded_subject = fold(typed_subject)
        if any(
            fold(value) == folded_subject
            for session in sessions
            for value in _single_texts(session)
        ):
            return (typed_subject,)
    return tuple(page_head.about)


def _single_texts(session: Session) -> Iterator[ScalarNode]:
    """The values in the entries of a session that are one text each, as all in quotes are."""
    for action in session.actions:
        for field in (*filter(None, (action.main,)), *action.fields.values()):
            value = getattr(action, field.attribute, None)
            if isinstance(value, ScalarNode):
                yield value
        yield from (scalar for scalar in scalars(action.source) if scalar.style)


def read_art(files: CampaignFiles, sessions: Sequence[Session]) -> list[Artwork]:
    """``art/*`` with captions."""
    artworks: list[Artwork] = []
    folder = files.folder / "art"
    caption_file_by_stem = {file.stem: file for file in files.list_files(folder, ".yaml")}
    # Files from other systems may spell the same name with other Unicode characters.
    caption_file_by_folded_name = {fold(stem): file for stem, file in caption_file_by_stem.items()}
    used_stems: set[str] = set()
    for file in files.list_files(folder, *PICTURE_ENDINGS):
        path = files.display_path(file)
        if files.leaves_folder(file, "picture"):
            continue
        _check_picture(files, file)
        head: Any = Caption()
        caption_file = (
            caption_file_by_stem.get(file.stem)
            or caption_file_by_stem.get(file.name)
            or caption_file_by_folded_name.get(fold(file.stem))
            or caption_file_by_folded_name.get(fold(file.name))
        )
        if caption_file is None:
            files.problems.tell(
                "T46",
                "this picture has no caption file",
                whole_file(path),
                f"write  art/{file.stem}.yaml  with  title:  and  alt:",
                kind=DiagnosticKind.SUSPICIOUS,
            )
        else:
            used_stems.add(caption_file.stem)
            tree = files.parse_file(caption_file).tree
            if isinstance(tree, MappingNode):
                head = (
                    decode_part(Caption, tree, files.display_path(caption_file), files.problems)
                    or head
                )
            elif tree is not None:
                files.problems.tell(
                    "T46",
                    "a caption is made of 'key: value' lines",
                    place_of(tree, files.display_path(caption_file)),
                )
        artworks.append(
            Artwork(
                file=PurePosixPath("art", file.name),
                title=str(head.title or "") or file.stem.replace("-", " "),
                alt=str(head.alt or ""),
                artist=str(head.artist or ""),
                licence=str(head.licence or ""),
                subjects=_subject_names(head, sessions),
                session=head.session,
                path=path,
                caption_path=files.display_path(caption_file) if caption_file is not None else "",
            )
        )
    for stem, file in caption_file_by_stem.items():
        if stem not in used_stems:
            files.problems.tell(
                "T46",
                "there is no picture for this caption",
                whole_file(files.display_path(file)),
                f"it belongs to art/{stem}.png, .jpg, .webp ...",
                kind=DiagnosticKind.SUSPICIOUS,
            )
    return sorted(
        artworks,
        key=lambda artwork: (artwork.session is None, artwork.session or 0, str(artwork.file)),
    )


def _check_picture(files: CampaignFiles, file: Path) -> None:
    """Report a picture that the site will not show, or only in part."""
    from chronicle.core import pictures
    from chronicle.core.drawings import MAX_DRAWING_BYTES, sanitize_drawing

    file_ending = file.suffix.casefold()
    read_limit = {".svg": MAX_DRAWING_BYTES, ".avif": pictures.MAX_PICTURE_BYTES}.get(file_ending)
    picture_bytes = files.bytes_of(file, read_limit or pictures.IDENTIFYING_BYTES)
    if picture_bytes is None:
        return
    place = whole_file(files.display_path(file))
    try:
        if file_ending == ".svg":
            dropped_parts = sanitize_drawing(picture_bytes).dropped_names
            if dropped_parts:
                message = (
                    f"what may do harm is left out of this drawing: {', '.join(dropped_parts[:6])}"
                )
                files.problems.tell("T48", message, place, kind=DiagnosticKind.SUSPICIOUS)
        elif read_limit:
            pictures.publishable_bytes(file_ending, picture_bytes)
        else:
            pictures.check_picture_kind(file_ending, picture_bytes)
            if file.stat().st_size > pictures.MAX_PICTURE_BYTES:
                pictures.publishable_bytes(file_ending, bytes(pictures.MAX_PICTURE_BYTES + 1))
    except pictures.PictureRefused as refusal:
        message = f"{refusal}; it is not published"
        # The log is complete without it: an error would keep everything else from being published.
        files.problems.tell("T48", message, place, refusal.help, kind=DiagnosticKind.BOOKKEEPING)
    except OSError:
        return  # It was deleted meanwhile.


def _unique_slugs(pages: Iterable[tuple[Path, Any, str]]) -> list[str]:
    """The slugs of the texts, from their file names, made unique by numbers."""
    slugs: dict[str, None] = {}
    for file, _, _ in pages:
        stem = slug = slug_of(file.stem)
        use_count = 1
        while slug in slugs:
            use_count += 1
            slug = f"{stem}-{use_count}"
        slugs[slug] = None
    return [*slugs]


def _title_in(page_body: str) -> str:
    heading_match = re.match(r"\s*#[ \t]+(.+)", page_body)
    return heading_match.group(1).strip() if heading_match else ""
