"""Import old records: forum threads, chats, play reports and tables become entries of a log.

Nothing is invented. Texts are kept word for word, with the writer if the writer is a player of the campaign.
Dice, figures, scenes and entries of the game are *guesses* that are tested by replay; if a guess fails, its
words are kept as story, and the keeper is asked to look."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Final

from chronicle.syntax.yaml_traps import quote_text

TEXT_FORMS: Final = ("thread", "chat", "lonelog", "markdown", "csv")
MAX_IMPORTED_ENTRIES: Final = 20_000
"""Maximum number of entries of a text."""
_ROLL_WORD: Final = re.compile(r"\broll(?:s|ed)?\b", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_CONTROL_CHARACTER: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


@dataclass(slots=True, eq=False)
class ImportedEntry:
    """An imported entry: its verb and its value as YAML on one line (empty: the words are kept), the writer,
    the original words, a question for the keeper, further options as YAML."""

    original_text: str
    author: str = ""
    verb: str = "tell"
    value: str = ""
    question: str = ""
    options: dict[str, str] = field(default_factory=dict)

    @property
    def is_guess(self) -> bool:
        """Whether it is more than words, so that a replay must test it."""
        return bool(self.value)

    def keep_words_only(self, question: str) -> None:
        """Keep the words only, dice and figures as an aside, and ask the keeper to look."""
        self.verb = "aside" if self.verb in ("roll", "snapshot") else "tell"
        self.value, self.options, self.question = "", {}, question


@dataclass(slots=True, eq=False)
class ImportedText:
    """An imported text: title and date, if it has them, and its entries."""

    title: str = ""
    date: str = ""
    entries: list[ImportedEntry] = field(default_factory=list)


class CampaignVocabulary:
    """The names that the campaign knows: players, verbs and figures of its game."""

    def __init__(
        self, players: Iterable[str], verbs: Collection[str], figures: Collection[str]
    ) -> None:
        self._player_by_folded_name = {name.casefold(): name for name in players}
        self.verbs, self.figures = verbs, figures

    def find_figure(self, word: str) -> str:
        """The figure that a word names or mentions; empty if none."""
        word = word.casefold()
        matching_figures = (
            name for name in self.figures if {word, f"{word}s"} & {name, *name.split()}
        )
        return word if word in self.figures else next(matching_figures, "")

    def find_player(self, word: str) -> str:
        """The player with exactly this name; empty if none."""
        return self._player_by_folded_name.get(word.strip().lstrip("@").casefold(), "")


def guess_text_form(source_text: str, file_name: str = "") -> str:
    """The form of a text, by its file name and its lines."""
    if file_name.lower().endswith(".csv"):
        return "csv"
    lines = [
        line.strip() for line in _CONTROL_CHARACTER.sub("", source_text).split("\n") if line.strip()
    ]
    line_count_by_form = Counter(
        text_form
        for line in lines
        for text_form, pattern in _LINE_PATTERN_BY_FORM.items()
        if pattern.match(line)
    )
    if line_count_by_form["lonelog"] > max(1, len(lines) // 8):
        return "lonelog"
    if line_count_by_form["chat"] > max(1, line_count_by_form["thread"]):
        return "chat"
    return "thread" if line_count_by_form["thread"] > 1 else "markdown"


_MONTH_ABBREVIATIONS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_WORD_PATTERN: Final = r"[^\W\d]{2,9}"
_DAY_NUMBER: Final = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_DATE_PATTERN: Final = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|[Tt]oday|[Yy]esterday|"
    rf"(?:{_WORD_PATTERN}[.,]*\s+)?(?:{_DAY_NUMBER}\s+{_WORD_PATTERN}|{_WORD_PATTERN}\.?\s+{_DAY_NUMBER})[.,]*\s+\d{{4}})"
)
_TIMESTAMP_PATTERN: Final = (
    rf"\[?(?:{_DATE_PATTERN}(?:,|T| at)?\s*)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?\]?"
)
_AUTHOR_PATTERN: Final = r"(?P<who>[^\s:<>\[\]*=—–-][^:<>\[\]\n—–]{0,39}?)"
_CHAT_LINE: Final = re.compile(
    rf"(?:{_TIMESTAMP_PATTERN}\s*[-–]?\s*{_AUTHOR_PATTERN}(?::|\s-)|(?:{_TIMESTAMP_PATTERN}\s*)?<[\s@+]?(?P<nick>[^\s<>]{{1,40}})>)\s+(?P<said>.*)"
)
_CHAT_ACTION_LINE: Final = re.compile(rf"{_TIMESTAMP_PATTERN}\s*\*\s+(?P<said>(?P<who>\S+)\s.*)")
_LINE_WITH_TIMESTAMP: Final = re.compile(rf"{_TIMESTAMP_PATTERN}\s+\S")
_POST_HEAD_PATTERNS: Final = (
    re.compile(rf"#\d+\s+(?:by\s+)?{_AUTHOR_PATTERN}(?:\s*[»|,-].*)?$"),
    re.compile(rf"(?:Posted|Written) by:?\s+{_AUTHOR_PATTERN}(?:\s+(?:on|at|»)\s.*|,\s.*)?$"),
    re.compile(rf"{_AUTHOR_PATTERN}\s+»\s+.*\d.*$"),
    re.compile(rf"{_AUTHOR_PATTERN}(?:,?\s+[—–-]\s*|,?\s+(?=\[)){_TIMESTAMP_PATTERN}:?$"),
    re.compile(
        rf"{_AUTHOR_PATTERN}\s+(?:wrote|posted)(?:,?\s+(?:on|at)\s+[^:]*{_TIMESTAMP_PATTERN})?:\s*$"
    ),
    re.compile(rf"\*\*{_AUTHOR_PATTERN}\*\*(?:\s*[,(·-].*\d.*)?$"),
)
_CERTAIN_HEAD_PATTERN_COUNT: Final = 4
"""The first patterns never occur in a story; the others count only if they name a player."""
_LINE_PATTERN_BY_FORM: Final[Mapping[str, re.Pattern[str]]] = {
    "chat": _CHAT_LINE,
    "thread": re.compile(
        "|".join(
            re.sub(r"\?P<\w+>", "?:", head_pattern.pattern) for head_pattern in _POST_HEAD_PATTERNS
        )
    ),
    "lonelog": re.compile(r"(?:@ |\(?@\(?[^)]+\) |d: |=> |-> |\? |(?:### )?S\d+\w*\b)"),
}


def import_text(source_text: str, text_form: str, vocabulary: CampaignVocabulary) -> ImportedText:
    """Read a text of a known form."""
    source_text = _CONTROL_CHARACTER.sub("", source_text.replace("\r\n", "\n").replace("\r", "\n"))
    imported_text = ImportedText()
    source_text = _take_front_matter(source_text, imported_text)
    # A date inside a story is not the date of a session.
    dated_lines = (
        line for line in source_text.split("\n") if _may_hold_date(line.strip(), vocabulary)
    )
    imported_text.date = imported_text.date or next(filter(None, map(_find_date, dated_lines)), "")
    importer_by_form = {
        "csv": _import_table,
        "chat": _import_chat,
        "thread": _import_thread,
        "lonelog": _import_lonelog,
    }
    imported_text.entries = list(
        islice(
            importer_by_form.get(text_form, _import_markdown)(
                source_text, imported_text, vocabulary
            ),
            MAX_IMPORTED_ENTRIES,
        )
    )
    return imported_text


def _may_hold_date(line: str, vocabulary: CampaignVocabulary) -> bool:
    return bool(
        _CHAT_LINE.match(line) or _author_in_head(line, vocabulary) or re.match(r"\W*Date\W", line)
    )


def _find_date(line: str) -> str:
    """The date that a line states clearly, in the form of a log; empty if none."""
    if date_match := re.search(r"\d{4}-\d{2}-\d{2}", line):
        return date_match[0]
    for date_pattern in (
        rf"(?P<day>{_DAY_NUMBER})\s+(?P<month>{_WORD_PATTERN})",
        rf"(?P<month>{_WORD_PATTERN})\.?\s+(?P<day>{_DAY_NUMBER})",
    ):
        if date_match := re.search(date_pattern + r"[.,]*\s+(?P<year>\d{4})", line):
            month_name, day_match = (
                date_match["month"][:3].casefold(),
                re.match(r"\d+", date_match["day"]),
            )
            with suppress(ValueError):
                month_number = _MONTH_ABBREVIATIONS.index(month_name) + 1
                return str(
                    date(
                        int(date_match["year"]), month_number, int(day_match[0] if day_match else 0)
                    )
                )
    return ""


def _take_front_matter(source_text: str, imported_text: ImportedText) -> str:
    front_matter_match = re.match(r"---\n(.*?)\n---\n", source_text, re.S)
    if front_matter_match is None:
        return source_text
    for key, value in re.findall(r"(?m)^(title|date):\s*(.+)$", front_matter_match[1]):
        setattr(imported_text, key, value.strip().strip("\"'"))
    return source_text[front_matter_match.end() :]


# --- forums, chats, reports --------------------------------------------------------------------------


def _split_posts(
    lines: list[str],
    vocabulary: CampaignVocabulary,
    find_post_start: Callable[[int], tuple[str, str] | None],
) -> Iterator[ImportedEntry]:
    """Split lines into posts. ``find_post_start`` tells for the number of a line whether a post begins there: its
    author, and its first words."""
    author, body_lines = "", list[str]()
    for line_index, line in enumerate([*lines, ""]):
        post_start = find_post_start(line_index) if line_index < len(lines) else ("", "")
        if post_start is None:
            body_lines.append(line)
            continue
        post_text = "\n".join(body_lines).strip()
        if author:
            yield from _post_entries(post_text, author, vocabulary)
        elif post_text:
            yield ImportedEntry(post_text, verb="aside", question="nobody says who wrote this")
        author, body_lines = post_start[0], [post_start[1]]


def _import_thread(
    source_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    lines = source_text.strip().split("\n")
    # A separate first line above all posts is the title of the thread.
    if (
        not imported_text.title
        and len(lines[0]) <= 100
        and not _author_in_head(lines[0], vocabulary)
    ):
        imported_text.title = lines.pop(0).strip("# ").strip()

    def find_post_start(line_index: int) -> tuple[str, str] | None:
        author = _author_in_head(lines[line_index], vocabulary)
        # A quotation after the name of its writer belongs to the surrounding post.
        next_line = next(
            (later_line for later_line in lines[line_index + 1 :] if later_line.strip()), ""
        )
        is_quotation = (
            line_index
            and lines[line_index].rstrip().endswith("wrote:")
            and next_line.startswith(">")
        )
        return (author, "") if author and not is_quotation else None

    return _split_posts(lines, vocabulary, find_post_start)


def _author_in_head(line: str, vocabulary: CampaignVocabulary) -> str:
    for pattern_index, pattern in enumerate(_POST_HEAD_PATTERNS):
        head_match = pattern.match(line.strip())
        if head_match is not None and (
            pattern_index < _CERTAIN_HEAD_PATTERN_COUNT or vocabulary.find_player(head_match["who"])
        ):
            return head_match["who"].strip()
    return ""


def _import_chat(
    source_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    lines = [line.strip() for line in source_text.split("\n")]

    def find_post_start(line_index: int) -> tuple[str, str] | None:
        chat_match = _CHAT_LINE.match(lines[line_index]) or _CHAT_ACTION_LINE.match(
            lines[line_index]
        )
        if chat_match is not None:
            return (chat_match["who"] or chat_match["nick"]).strip(), chat_match["said"]
        return ("", lines[line_index]) if _LINE_WITH_TIMESTAMP.match(lines[line_index]) else None

    return _split_posts(lines, vocabulary, find_post_start)


def _import_markdown(
    source_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    for paragraph in re.split(r"\n\s*\n", source_text):
        paragraph_text = paragraph.strip()
        heading_match = re.match(r"(#{1,6})\s+(.+)", paragraph_text)
        if heading_match is not None:
            paragraph_text = paragraph_text[heading_match.end() :].strip()
            if not imported_text.title and len(heading_match[1]) == 1:
                imported_text.title = heading_match[2].strip()
            elif re.match(r"\W*scene\b", heading_match[2], re.I):
                yield _scene_entry(heading_match[2].strip(), vocabulary)
            else:
                yield ImportedEntry(heading_match[2].strip(), question="is this a scene?")
        author_match = _BOLD_AUTHOR.match(paragraph_text)
        author = vocabulary.find_player(author_match["who"]) if author_match is not None else ""
        yield from _post_entries(
            paragraph_text[author_match.end() :] if author_match and author else paragraph_text,
            author,
            vocabulary,
        )


_BOLD_AUTHOR: Final = re.compile(rf"\*\*{_AUTHOR_PATTERN}(?::\*\*|\*\*:)\s+")
"""The bold name of the writer before a paragraph."""


def _scene_entry(title: str, vocabulary: CampaignVocabulary) -> ImportedEntry:
    return ImportedEntry(
        title, verb="scene", value=_as_yaml(title) if "scene" in vocabulary.verbs else ""
    )


_ASIDE_PATTERN: Final = re.compile(r"(?:\(\(.*\)\)|\(?OOC\b.*|\[OOC\].*|//.*)$", re.S | re.I)


def _post_entries(
    post_text: str, author: str, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    """The entries of one post, paragraph by paragraph; a throw between paragraphs becomes an entry of its
    own."""
    story_pieces: list[str] = []
    for paragraph in re.split(r"\n\s*\n", post_text):
        for story_or_entry in _split_paragraph(paragraph.strip(), author, vocabulary):
            if isinstance(story_or_entry, str):
                story_pieces.append(story_or_entry)
                continue
            if story_pieces:
                yield ImportedEntry("\n\n".join(story_pieces), author)
                story_pieces = []
            yield story_or_entry
    if story_pieces:
        yield ImportedEntry("\n\n".join(story_pieces), author)


def _split_paragraph(
    paragraph: str, author: str, vocabulary: CampaignVocabulary
) -> Iterator[str | ImportedEntry]:
    if _ASIDE_PATTERN.fullmatch(paragraph):
        yield ImportedEntry(paragraph, author, verb="aside")
        return
    story_lines: list[str] = []
    for line in [*paragraph.split("\n"), ""]:
        imported_entry = _roll_entry(line, author, vocabulary) or _figures_entry(
            line, author, vocabulary
        )
        if _ASIDE_PATTERN.fullmatch(line.strip()):
            imported_entry = ImportedEntry(line.strip(), author, verb="aside")
        if line and imported_entry is None:
            story_lines.append(line)
            continue
        if story_lines:
            yield _story_or_question("\n".join(story_lines), author, vocabulary)
            story_lines = []
        if imported_entry is not None:
            yield imported_entry


def _mentions_roll(sentence: str) -> bool:
    """Whether a sentence mentions rolling, followed by a number."""
    roll_match = _ROLL_WORD.search(sentence)
    return roll_match is not None and _DIGIT.search(sentence, roll_match.end()) is not None


def _story_or_question(
    story: str, author: str, vocabulary: CampaignVocabulary
) -> str | ImportedEntry:
    """A part of a story, with a question for the keeper if it mentions dice or figures."""
    if _DICE_NOTATION.search(story) or any(map(_mentions_roll, re.split(r"[.\n]", story))):
        # No story says "2d10"; among other lines the words stay together.
        verb = "aside" if _DICE_NOTATION.search(story) and "\n" not in story else "tell"
        return ImportedEntry(story, author, verb, question="are these dice of the game?")
    nouns = re.findall(r"\b\d+ ([a-z]+)\b", story, re.I)
    figure_name = next(
        (found_figure for noun in nouns if (found_figure := vocabulary.find_figure(noun))), ""
    )
    return (
        ImportedEntry(story, author, question=f"does this change the {figure_name}?")
        if figure_name
        else story
    )


_DICE_NUMBERS: Final = r"\d{1,3}(?:\s*[,+]\s*\d{1,3}|\s+\d{1,3})*"
_ROLL_LINE: Final = re.compile(
    r"(?:\[?/?roll\]?:?\s*)?(?:(?P<who>[\w' -]{1,40}?)\s+(?:rolls?|rolled|threw|throws)\s+)?"
    rf"(?:(?P<count>\d{{0,2}})d(?P<sides>\d{{1,3}})\s*(?:=|:|→|->)\s*)\[?(?P<faces>{_DICE_NUMBERS})\]?\.?$",
    re.I,
)
_DICE_NOTATION: Final = re.compile(r"\b\d{0,2}d\d{1,3}\b", re.I)


def _roll_entry(line: str, author: str, vocabulary: CampaignVocabulary) -> ImportedEntry | None:
    """A line that consists of a throw: the roller, the number and kind of dice, the faces."""
    line_text = line.strip()
    roll_match = _ROLL_LINE.fullmatch(line_text)
    if roll_match is None:
        return None
    faces = [int(face_digits) for face_digits in re.findall(r"\d+", roll_match["faces"])]
    player = vocabulary.find_player(
        author if (roll_match["who"] or "I") in "Ii" else roll_match["who"]
    )
    dice_count, side_count = int(roll_match["count"] or 1), int(roll_match["sides"])
    is_certain = (
        player and len(faces) == dice_count and all(0 < face <= side_count for face in faces)
    )
    if not is_certain or "roll" not in vocabulary.verbs:
        return ImportedEntry(
            line_text, author, "aside", question="whose dice are these, and for what?"
        )
    faces_text = ", ".join(map(str, faces))
    return ImportedEntry(
        line_text, author, verb="roll", value=f"{{{_as_yaml(player)}: [{faces_text}]}}"
    )


_FIGURES_LINE: Final = re.compile(r"(?P<what>[A-Za-z ]{2,30}?)\s*:\s*(?P<each>.+)$")


def _figures_entry(line: str, author: str, vocabulary: CampaignVocabulary) -> ImportedEntry | None:
    """A line that consists of figures: ``Wealth: Ana 20, Bao 18``."""
    line_text = line.strip().strip("*_")
    figures_match = _FIGURES_LINE.fullmatch(line_text)
    if figures_match is None:
        return None
    figure_text = " ".join(figures_match["what"].casefold().split())
    figure_text = (
        figure_text
        if figure_text in vocabulary.figures
        else figure_text.removesuffix(" now").removesuffix(" left")
    )
    figure_name = vocabulary.find_figure(figure_text)
    if figure_name == figure_text and re.fullmatch(r"-?\d{1,6}", figures_match["each"]):
        return ImportedEntry(
            line_text, author, verb="snapshot", value=f"{{{figure_text}: {figures_match['each']}}}"
        )
    amount_texts = [
        amount_text.strip() for amount_text in re.split("[,;]", figures_match["each"].strip(" .,;"))
    ]
    amount_matches = [
        re.fullmatch(r"(.*[^\s:=])[\s:=]+(-?\d{1,6})", amount_text) for amount_text in amount_texts
    ]
    players_and_amounts = [
        (vocabulary.find_player(amount_match[1]), amount_match[2])
        for amount_match in amount_matches
        if amount_match is not None
    ]
    if not figure_name or not players_and_amounts:
        return None
    if (
        figure_name != figure_text
        or len(players_and_amounts) < len(amount_matches)
        or not all(player for player, _ in players_and_amounts)
    ):
        return ImportedEntry(
            line.strip(), author, "aside", question=f"is this the {figure_name}, and whose?"
        )
    assignments_text = ", ".join(
        f"{_as_yaml(player)}: {amount}" for player, amount in players_and_amounts
    )
    return ImportedEntry(
        line.strip(), author, verb="snapshot", value=f"{{{figure_text}: {{{assignments_text}}}}}"
    )


# --- Lonelog ------------------------------------------------------------------------------------------


def _import_lonelog(
    source_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    story_lines: list[str] = []
    for line in [*source_text.split("\n"), ""]:
        line_text = line.strip()
        entry = _lonelog_entry(line_text, imported_text, vocabulary)
        if entry is None:
            story_lines.append(line_text.removeprefix("=>").strip())
            continue
        if story_lines:
            yield ImportedEntry("\n".join(story_lines))
            story_lines = []
        if entry.original_text:
            yield entry


_LONELOG_HEADING: Final = re.compile(r"(#{1,6}\s+)?(S\d+\w*(?:\.\d+)?\b\s*[-:*]?\s*)?(.*)")
_LONELOG_ACTION: Final = re.compile(
    r"(?:\(@(?P<who>[^)]+)\)|@\((?P<whose>[^)]+)\)|@)\s*(?P<what>.+)"
)
_LONELOG_NOTE: Final = re.compile(
    r"(?:d:|\?|->|tbl:|gen:|\((?:note|reflection|house ?rule|reminder)[:)]).*|(?:\[[^\]]+\]\s*)+",
    re.I,
)


def _lonelog_entry(
    line_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> ImportedEntry | None:
    """Read a line with Lonelog signs. An entry without words only divides others; None if the line is story."""
    heading_match, action_match = (
        _LONELOG_HEADING.match(line_text),
        _LONELOG_ACTION.match(line_text),
    )
    if heading_match is not None and heading_match[2]:
        return _scene_entry(heading_match[3].strip(" *") or line_text, vocabulary)
    if heading_match is not None and heading_match[1]:
        if imported_text.title or len(heading_match[1].strip()) > 2:
            return ImportedEntry(heading_match[3].strip(), question="is this a scene?")
        imported_text.title = heading_match[3].strip()
        return ImportedEntry("")
    if action_match is not None:
        player = vocabulary.find_player(action_match["who"] or action_match["whose"] or "")
        return ImportedEntry(
            action_match["what"].strip() if player or line_text[1] == " " else line_text, player
        )
    if _LONELOG_NOTE.fullmatch(line_text):
        question = "are these dice of the game?" if line_text.startswith("d:") else ""
        return ImportedEntry(line_text, verb="aside", question=question)
    return None if line_text and not line_text.startswith("```") else ImportedEntry("")


# --- tables -------------------------------------------------------------------------------------------


def _import_table(
    source_text: str, imported_text: ImportedText, vocabulary: CampaignVocabulary
) -> Iterator[ImportedEntry]:
    """One entry for each row: a column for the verb, one for its value, one for each option."""
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(
            source_text[:5000], delimiters=",;\t"
        )
    except csv.Error:
        dialect = "excel"
    csv.field_size_limit(1_000_000)
    table_rows = csv.DictReader(io.StringIO(source_text), dialect=dialect)
    try:
        yield from (_row_entry(row, vocabulary) for row in table_rows)
    except csv.Error:
        yield ImportedEntry("", question="the rest of the table cannot be read")


def _row_entry(row: Mapping[str | None, object], vocabulary: CampaignVocabulary) -> ImportedEntry:
    cell_by_column = {
        str(key or "more").strip().casefold(): cell_text
        for key, cell_or_cells in row.items()
        if (
            cell_text := ", ".join(
                cell_or_cells if isinstance(cell_or_cells, list) else [str(cell_or_cells or "")]
            ).strip()
        )
    }
    verb, main_cell = cell_by_column.pop("verb", ""), cell_by_column.pop("value", "")
    row_text = ", ".join(
        f"{key}: {cell}" for key, cell in {verb or "entry": main_cell, **cell_by_column}.items()
    )
    author = cell_by_column.get("by", "")
    unknown_columns = [key for key in cell_by_column if not re.fullmatch("[a-z][a-z ]{0,30}", key)]
    if unknown_columns:
        return ImportedEntry(row_text, author, question="this row has a column that is no option")
    if verb not in vocabulary.verbs:
        row_text = row_text if cell_by_column.keys() - {"by"} else main_cell or row_text
        return ImportedEntry(
            row_text, author, question=f"no verb '{verb}' here" if verb else "no verb"
        )
    options = {key: _cell_as_yaml(cell) for key, cell in cell_by_column.items()}
    return ImportedEntry(
        row_text, author, verb=verb, value=_cell_as_yaml(main_cell) or "~", options=options
    )


def _as_yaml(plain_text: str) -> str:
    """A text as YAML on one line, quoted only if needed."""
    return plain_text if re.fullmatch(r"[^\W\d][\w ]*", plain_text) else quote_text(plain_text)


def _cell_as_yaml(cell: str) -> str:
    """A cell as YAML: bracketed values are copied, everything else is one text."""
    return cell if cell[:1] in ("{", "[") and "\n" not in cell else _as_yaml(cell) if cell else ""


# --- out ----------------------------------------------------------------------------------------------


def compose_session_text(
    imported_text: ImportedText,
    vocabulary: CampaignVocabulary,
    session_number: int,
    title: str = "",
) -> tuple[str, list[int]]:
    """The text of the session file, and the line on which each entry begins."""
    head_lines = [f"session: {session_number}"]
    if imported_text.title or title:
        head_lines.append(f"title: {_as_yaml(imported_text.title or title)}")
    if imported_text.date:
        head_lines.append(f"date: {imported_text.date}")
    log_lines, entry_line_numbers = [*head_lines, "", "log:"], []
    for entry in imported_text.entries:
        if entry.question:
            log_lines.append(f"# Look here: {' '.join(entry.question.split())}")
        entry_line_numbers.append(len(log_lines) + 1)
        log_lines += _entry_lines(entry, vocabulary)
    return "\n".join(log_lines) + "\n", entry_line_numbers


def _entry_lines(entry: ImportedEntry, vocabulary: CampaignVocabulary) -> Iterator[str]:
    player = vocabulary.find_player(entry.author)
    if entry.is_guess:
        yield f"- {entry.verb}: {'' if entry.value == '~' else entry.value}".rstrip()
        yield from (f"  {key}: {value}" for key, value in entry.options.items())
    else:
        yield f"- {entry.verb}: |"
        yield from (
            f"    {line.strip()}".rstrip() for line in (entry.original_text or "...").split("\n")
        )
    if entry.author and "by" not in entry.options and "note" not in entry.options:
        if player and entry.verb in ("tell", "roll"):
            yield f"  by: {_as_yaml(player)}"
        elif not (player and entry.verb == "snapshot"):
            yield f"  note: {_as_yaml(f'written by {entry.author}')}"
