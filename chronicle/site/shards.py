"""What the front door of an archive loads when it is asked, in pieces: the campaigns to filter them, and the words
they are found by. Each piece is a script, so that it can be had from any static host and from a disk.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from chronicle.site.cards import CampaignCard
from chronicle.site.front import CARDS_PER_SHARD

MAX_PIECE_LETTERS: Final = 96 * 1024
"""From how many letters on a piece of the words is divided by the next letter."""
MAX_PREFIX_LETTERS: Final = 8
"""How many letters a piece goes by at most."""
MAX_WORD_LETTERS: Final = 40
"""Longer words are cut: readers do not type them."""
MAX_WORDS_IN_MEMORY: Final = 1_000_000
"""How many words of campaigns are kept in memory before they go to the disk."""
WORD_PATTERN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{2,}"
)
"""A word; where none are written apart, each letter is one."""
_BASE36_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def script_with_call(function_name: str, *arguments: Any) -> bytes:
    """A script that hands something to a function of the page."""
    argument_text = ",".join(
        json.dumps(argument, ensure_ascii=False, separators=(",", ":")) for argument in arguments
    )
    # Escape two letters that end a line in older browsers, and tags that could end an inline script.
    for letter in ("\u2028", "\u2029"):
        argument_text = argument_text.replace(letter, f"\\u{ord(letter):04x}")
    return f"{function_name}({argument_text});\n".replace("</", "<\\/").encode("utf-8", "replace")


def read_script(script: bytes) -> Any:
    """What :func:`script_with_call` handed over last.

    Raises:
        ValueError: when it is no such script.
    """
    script_text = script.decode("utf-8")
    call_start = script_text.index("(")
    arguments = json.loads(f"[{script_text[call_start + 1 : script_text.rindex(')')]}]")
    return arguments[-1]


def card_files(all_cards: Sequence[CampaignCard]) -> Iterator[tuple[str, bytes]]:
    """The campaigns in the order of their lists, as a form filters them: name of a file, and what is in it."""
    for first_index in range(0, len(all_cards), CARDS_PER_SHARD):
        card_rows = [
            _card_row(card) for card in all_cards[first_index : first_index + CARDS_PER_SHARD]
        ]
        piece_number = first_index // CARDS_PER_SHARD
        yield (
            f"cards/{piece_number}.js",
            script_with_call("chronicleCards", piece_number, card_rows),
        )


def _card_row(card: CampaignCard) -> list[Any]:
    return [
        card.folder,
        card.title,
        card.game,
        list(card.players),
        card.minutes,
        card.session_count,
        list(card.session_dates[:1])
        + list(card.session_dates[-1:] if len(card.session_dates) > 1 else ()),
        int(card.is_over),
        " ".join(card.uses_by_rule),
        list(card.target_by_adopted_rule),
        card.summary,
        sorted({day[:4] for day in card.session_dates}),
        card.cover_path.removeprefix(f"{card.folder}/"),
    ]


def words_of(text: str) -> Iterator[str]:
    """The words of a text in the form that the search uses: small letters without accents."""
    folded_text = unicodedata.normalize("NFKD", text).lower()
    folded_text = "".join(letter for letter in folded_text if not unicodedata.combining(letter))
    for word in WORD_PATTERN.findall(folded_text):
        yield word[:MAX_WORD_LETTERS]


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Count how often each word occurs in some texts."""
    word_counts: Counter[str] = Counter()
    for text in texts:
        word_counts.update(words_of(str(text)))
    return word_counts


class WordIndex:
    """An index of the words of all campaigns. It is kept on the disk, sorted by the first letters of the
    words, so that memory does not grow with the campaigns.

    Args:
        scratch_folder: an empty folder.
    """

    def __init__(self, scratch_folder: Path) -> None:
        self._scratch_folder = scratch_folder
        self._campaign_list_by_word: dict[str, str] = {}
        """Of each word the first campaign it is in, how often, and the way from there to the next ones."""
        self._last_campaign_by_word: dict[str, int] = {}
        """The last campaign that each word is in."""
        self._words_in_memory = 0

    def add_campaign(self, campaign_number: int, word_counts: Mapping[str, int]) -> None:
        """Take in the words of a campaign. Campaigns come in the order of their numbers."""
        campaign_list_by_word, last_campaign_by_word = (
            self._campaign_list_by_word,
            self._last_campaign_by_word,
        )
        for word, occurrence_count in word_counts.items():
            count_text = f".{_base36(occurrence_count)}" if occurrence_count != 1 else ""
            if word in campaign_list_by_word:
                campaign_list_by_word[word] += (
                    f" {_base36(campaign_number - last_campaign_by_word[word])}{count_text}"
                )
            else:
                campaign_list_by_word[word] = f"{campaign_number}\t{count_text}"
            last_campaign_by_word[word] = campaign_number
        self._words_in_memory += len(word_counts)
        if self._words_in_memory > MAX_WORDS_IN_MEMORY:
            self._write_to_disk()

    def _write_to_disk(self) -> None:
        lines_by_start: dict[str, list[str]] = {}
        for word, campaign_list in self._campaign_list_by_word.items():
            lines_by_start.setdefault(word[:2], []).append(
                f"{word}\t{campaign_list}\t{self._last_campaign_by_word[word]}\n"
            )
        for word_start, word_lines in lines_by_start.items():
            with (self._scratch_folder / file_name_of(word_start)).open(
                "a", encoding="utf-8", newline="\n"
            ) as file:
                file.writelines(word_lines)
        self._campaign_list_by_word.clear()
        self._last_campaign_by_word.clear()
        self._words_in_memory = 0

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The pieces, and the list of them: name of a file, and what is in it."""
        self._write_to_disk()
        piece_starts: list[str] = []
        sorted_names = sorted(file.name for file in self._scratch_folder.iterdir())
        for _, file_names in groupby(
            sorted_names, key=lambda file_name: file_name.partition("-")[0]
        ):
            word_files = [self._scratch_folder / file_name for file_name in file_names]
            # What begins with one letter is one piece, where that is not too large.
            is_one_piece = sum(file.stat().st_size for file in word_files) <= MAX_PIECE_LETTERS
            for piece_files in (
                [word_files] if is_one_piece else [[word_file] for word_file in word_files]
            ):
                campaign_list_by_word = _read_words(piece_files)
                word_start = next(iter(campaign_list_by_word))[: 1 if is_one_piece else 2]
                for piece_start, piece_words in divide_words(word_start, campaign_list_by_word):
                    piece_starts.append(piece_start)
                    yield (
                        f"words/{file_name_of(piece_start)}.js",
                        script_with_call("chronicleWords", piece_start, piece_words),
                    )
        yield "words/index.js", script_with_call("chronicleShards", sorted(piece_starts))


def _read_words(word_files: Iterable[Path]) -> dict[str, str]:
    """Words in order, each with the campaigns it is in: the way from one number to the next, and how often."""
    campaign_lists_by_word: dict[str, list[str]] = {}
    last_campaign_number_by_word: dict[str, int] = {}
    for word_path in word_files:
        with word_path.open(encoding="utf-8") as word_file:
            for word_line in word_file:
                word, first_number, later_numbers, last_number = word_line.rstrip("\n").split("\t")
                first_difference = _base36(
                    int(first_number) - last_campaign_number_by_word.get(word, 0)
                )
                last_campaign_number_by_word[word] = int(last_number)
                campaign_lists_by_word.setdefault(word, []).append(
                    f"{first_difference}{later_numbers}"
                )
    return {word: " ".join(campaign_lists_by_word[word]) for word in sorted(campaign_lists_by_word)}


def divide_words(
    word_start: str, campaign_list_by_word: Mapping[str, str]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Words that begin alike, in pieces that are not too large; a piece goes by the letters its words begin
    with."""
    if (
        len(word_start) >= MAX_PREFIX_LETTERS
        or sum(
            len(word) + len(campaign_list) for word, campaign_list in campaign_list_by_word.items()
        )
        <= MAX_PIECE_LETTERS
    ):
        yield word_start, campaign_list_by_word
        return
    words_by_start: dict[str, dict[str, str]] = {}
    for word, campaign_list in campaign_list_by_word.items():
        words_by_start.setdefault(word[: len(word_start) + 1], {})[word] = campaign_list
    for piece_start, piece_words in words_by_start.items():
        if piece_start == word_start:
            yield piece_start, piece_words
        else:
            yield from divide_words(piece_start, piece_words)


def file_name_of(word_start: str) -> str:
    """The name of a file for words that begin with these letters, on every system."""
    return "-".join(f"{ord(letter):x}" for letter in word_start)


@lru_cache(4096)
def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _BASE36_DIGITS[digit] + digits
    return digits
