"""Canaries: words that stand in every place that is hidden, and must be in nothing made for readers.

Nothing here knows a game by name: the verbs that hide something say so in their declarations
(``hides``), and everything that a keeper may get wrong is tried with each of them.
"""

import base64
import gzip
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from chronicle.core.declare import Action
from chronicle.core.game import Game
from chronicle.games import rulebook

SHUTS = "tell: A door shuts"
TEMPLATES = {
    "clean": "- VERB: <value> # <comment>\n  id: <id>\n  # <a comment inside>\n  note: <note>\n"
    "  text: |\n    <text>\n",
    "without an id": "- VERB: <value>\n",
    "too deep": f"- {SHUTS}\n    VERB: <value>\n    id: <id>\n    note: <note>\n",
    "one space too deep": f"- {SHUTS}\n   VERB: <value>\n   id: <id>\n",
    "not deep enough": f"- {SHUTS}\n VERB: <value>\n id: <id>\n",
    "at the margin": "VERB: <value>\nid: <id>\nnote: <note>\n",
    "its options at the margin": "- VERB: <value>\nid: <id>\nnote: <note>\n",
    "its options too deep": "- VERB: <value>\n     id: <id>\n     note: <note>\n",
    "in a block of text": "- tell: |\n    A door shuts\n    - VERB: <value>\n      id: <id>\n",
    "in a block without a dash": "- tell: |\n    A door shuts\n    VERB: <value>\n    id: <id>\n",
    "in the text of another": f"- {SHUTS}\n  text: |\n    It creaks.\n    VERB: <value>\n    id: <id>\n",
    "twice": "- VERB: <value>\n  id: <id>\n  VERB: <second value>\n  id: <second id>\n",
    "in braces": "- {VERB: <value>, id: <id>, <a lost comma>}\n",
    "in braces of another": f"- {{{SHUTS}, VERB: <value>, id: <id>}}\n",
    "braces that do not close": "- {VERB: <value>, id: <id>\n",
    "a quotation mark that does not close": '- VERB: "<value>\n  id: <id>\n',
    "a colon in it": "- VERB: <value>: <and more>\n  id: <id>\n",
    "no space": "- VERB:<value>\n  id: <id>\n",
    "no colon": "- VERB <value>\n",
    "a wide colon": "- VERB：<value>\n",
    "a list": "- VERB: [<value>, <second>]\n  id: <id>\n",
    "a mapping": "- VERB: {<key>: <value>}\n  id: <id>\n",
    "a list in the list": "- - VERB: <value>\n    id: <id>\n",
    "figures": "- assert: {wealth: 3, VERB: <value>, id: <id>}\n",
    "options too many": "- VERB: <value>\n  id: <id>\n  colour: <colour>\n  amount: {<key>: 1}\n",
    "repeated by a star": f"- VERB: &star <value>\n  id: <id>\n- tell: *star\n- {SHUTS}\n  text: *star\n",
    "revealed under other ids": "- VERB: <value>\n  id: <id>\n- reveal: <id>x\n- correct: x<id>\n"
    "  note: wrong\n- correct: <id>\n  note: wrong\n",
    "its id in texts": "- VERB: <value>\n  id: who-<id>\n- tell: As who-<id> says\n  note: see Who-<id>\n"
    "- aside: who-<id>, of course\n",
    "a tag": "- VERB: !note <value>\n  id: !note <id>\n",
    "an anchor that lost its word": "- VERB: &<value> <more>\n  id: <id>\n",
    "a second document": "---\n- VERB: <value>\n  id: <id>\n",
}
"""A verb that hides something, as it is written and as it should not be."""

WITHOUT_VERB = {
    "a key that nobody knows": f"- {SHUTS}\n  geheim: <value>\n",
    "an entry that nobody knows": "- geheim: <value>\n",
    "in clear where its seal goes": "- sealed: <value>\n  id: it\n",
    "a comment beside a mistake": "- correct: nothing-has-this-id # <value>\n",
    "a comment beside another mistake": "- leave: It's nobody # it's <value>\n",
}
"""What hides something without a verb that does."""

OTHER_ENTRIES = (
    SHUTS,
    "aside: We laughed",
    "gap: an hour",
    f"sealed: sha256:{'0' * 64}",
    "reveal: nothing",
    "correct: last",
)
"""Entries below and above which a dash may be lost."""


CANARY = "Quagbeet"
"""What they all begin with."""


class Cage:
    """Hands out canaries, each of which is known by where it stands."""

    def __init__(self) -> None:
        self.stood: dict[str, str] = {}

    def canary(self, where: str) -> str:
        """A word for a place."""
        word = f"{CANARY}{len(self.stood):03}lezz"
        self.stood[word] = where
        return word

    def filled(self, where: str, template: str) -> str:
        """A text with a canary in every slot, the same one where a slot stands twice."""
        slots = dict.fromkeys(re.findall(r"<([a-z][a-z0-9 ]*)>", template))
        for slot in slots:
            template = template.replace(f"<{slot}>", self.canary(f"{where}: {slot}"))
        return template

    def found_in(self, data: bytes) -> list[str]:
        """The places whose canary is in some bytes, in whatever disguise."""
        lower = data.lower()
        coded = any(form in data for form in _BEGINNINGS)
        return [
            where
            for word, where in (self.stood.items() if coded or _COMMON in lower else ())
            if word.lower().encode() in lower
            or (coded and any(form in data for form in _base64(word)))
        ]


def _base64(word: str) -> Iterator[bytes]:
    """What a word looks like inside of base64, wherever it begins."""
    for text in (word, word.lower()):
        for ahead in range(3):
            coded = base64.b64encode(b"\0" * ahead + text.encode())
            yield coded[4 if ahead else 0 : -4]


_COMMON = CANARY.lower().encode()
_BEGINNINGS = tuple(_base64(CANARY))


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, its name among its bytes, unpacked."""
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            name, data = file.relative_to(folder).as_posix(), file.read_bytes()
            yield name, name.encode() + (gzip.decompress(data) if file.suffix == ".gz" else data)


def escaped(cage: Cage, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Which canaries got out, and into which file, books unpacked."""
    return [
        f"{name}: {where}"
        for file, held in files
        for name, data in unbound(file, held)
        for where in cage.found_in(data)
    ]


def unbound(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a book; all that can be read in one on paper; any other file as it is."""
    if name.endswith(".pdf"):
        yield name, data + _on_paper(data)
        return
    if not name.endswith(".epub"):
        yield name, data
        return
    # Its name stands before what is in it.
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for inner in packed.namelist():
            yield f"{name}/{inner}", inner.encode() + packed.read(inner)


def _on_paper(data: bytes) -> bytes:
    """The words of a PDF, wherever a line divides them, and all that is written in it about them."""
    from pypdf import PdfReader, PdfWriter

    words = "".join(
        "".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(data)).pages
    )
    objects = [str(pdf_object) for pdf_object in PdfWriter(clone_from=io.BytesIO(data))._objects]
    return "\0".join((words, *objects)).encode("utf-8", "replace")


def hiding(rules: Game[Any]) -> list[type[Action]]:
    """The verbs of a game that hide words."""
    return [kind for kind in rules.by_verb.values() if kind.hides]


def misspelt(verb: str) -> list[str]:
    """A verb as somebody in a hurry may type it."""
    return [
        verb[:-1],
        verb[:2] + verb[3:],
        verb[:2] + verb[3] + verb[2] + verb[4:],
        verb[:3] + verb[2:],
        verb.capitalize(),
        verb.upper(),
        verb.replace("c", "k") if "c" in verb else verb.replace("e", "é", 1),
    ]


def hiding_templates(kind: type[Action]) -> Iterator[tuple[str, str]]:
    """(what is done, template) of every way to hide a word with a verb, right or wrong."""
    verb = kind.verb
    for title, template in TEMPLATES.items():
        yield title, template.replace("VERB", verb)
    hidden_keys = [key for key in kind.hides or () if key != verb]
    yield (
        "all its keys",
        f"- {verb}: <value>\n" + "".join(f"  {key}: <{key}>\n" for key in hidden_keys),
    )
    for wrong in misspelt(verb):
        yield f"misspelt {wrong}", f"- {wrong}: <value>\n  id: <id>\n  note: <note>\n"
        yield (
            f"misspelt {wrong} without its dash",
            f"- {SHUTS}\n  {wrong}: <value>\n  id: <id>\n  note: <note>\n",
        )
    for entry in OTHER_ENTRIES:
        yield f"below {entry}", f"- {entry}\n  {verb}: <value>\n  id: <id>\n  note: <note>\n"
        yield f"above {entry}", f"- {verb}: <value>\n  id: <id>\n  {entry}\n"


def entries(cage: Cage, rules: Game[Any]) -> Iterator[tuple[str, str]]:
    """(what is done, YAML of entries for the end of a log): every way of hiding a word in a game."""
    for kind in hiding(rules):
        for title, template in hiding_templates(kind):
            where = f"{rules.name}, {kind.verb}, {title}"
            yield where, cage.filled(where, template)
    for title, template in WITHOUT_VERB.items():
        yield title, cage.filled(f"{rules.name}, {title}", template)


AROUND = {
    "00.yaml": "session: 0\nlog:\n- secret: <session 0>\n  id: <id>\n",
    "90.yaml": "log:\n- - secret: <a session that cannot be read>\n  - [\n",
    "91.yaml": "secret: <a file that is no session>\n",
    "92.yml": "session: 92\nlog:\n- tell: <a file of another kind>\n",
    "seal.opening": "<the opening of a seal>",
    "journal/a.md": "---\ntitle: A\nabout: [<id>]\nsecret: <the head of a text>\n---\nA\n",
    "notes/a.md": "---\ntitle: A\nabout: <id>\n---\nA\n",
    "art/a.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'></svg>",
    "art/a.yaml": "title: A\nalt: A\nabout: [<id>]\nsecret: <a caption>\n",
    ".hidden/a.md": "<a hidden folder>",
}
"""Files beside a log, each of which hides something."""

HEAD = "# <a comment in the head>\nsecret: <a secret in the head>\ngeheim: <a key of the head>\n"

LATER = {
    "02.yaml": "session: 2\ntitle: <title>\ndate: 2026-02-03\nsummary: <summary>\nnote: <remark>\n"
    "log:\n- tell: <story>\n  id: <id>\n- tell: <new>, <again>, <old> and the door\n"
    "- <verb>: <lost>\n- correct: <mistake>\n- secret: <secret>\n  id: <id of a secret>\n"
    "- house rule: <rule of the table>\n  id: <id of a rule>\n- question: <question>\n",
    "journal/later.md": "---\ntitle: <title>\nsession: 2\n---\n<words>\n",
    "journal/dated.md": "---\ntitle: <dated>\ndate: 2026-02-04\n---\nWell\n",
    "notes/later.md": "---\nabout: [<new>]\n---\n<note>\n",
    "art/<picture>.svg": "<svg xmlns='http://www.w3.org/2000/svg'><!-- <drawn> --></svg>",
    "art/<picture>.yaml": "title: <caption>\nsession: 2\n",
    "campaign.yaml": "\nrenamed: {The door: <new>, <again>: The door, <old>: <again>, <gone>: door}\n",
}
"""What a second evening brings, all of it new."""


def campaign(folder: Path, game: str, more_entries: str) -> Path:
    """A fresh campaign of a game, with more entries at the end of its log."""
    write(folder, rulebook(game).new_campaign())
    transcript = folder / "01.yaml"
    log, end, last_lines = transcript.read_text(encoding="utf-8").rpartition("\n- end session")
    transcript.write_text(f"{log}\n{more_entries}{end.lstrip()}{last_lines}", encoding="utf-8")
    return folder


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files; what is there already stays above."""
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text_before = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(text_before + text, encoding="utf-8")


def around(cage: Cage, folder: Path) -> None:
    """Hide words in everything that lies around the log of a campaign."""
    for name in ("campaign.yaml", "01.yaml"):
        file = folder / name
        head = cage.filled(name, HEAD)
        file.write_text(head + file.read_text(encoding="utf-8"), encoding="utf-8")
    write(folder, _filled(cage, "around", AROUND))


def later(cage: Cage, folder: Path) -> None:
    """Play a second evening, every word of which is a canary."""
    first = folder / "01.yaml"
    text = first.read_text(encoding="utf-8")
    first.write_text(
        text.replace("session: 1\n", "session: 1\ndate: 2026-01-05\n"), encoding="utf-8"
    )
    write(folder, _filled(cage, "later", LATER))


def _filled(cage: Cage, where: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Files with canaries, the same one where a slot stands in several of them."""
    mark = "\0"
    filled_text = cage.filled(where, mark.join(part for pair in texts.items() for part in pair))
    parts = filled_text.split(mark)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def reworded(folder: Path) -> None:
    """Put other words of another length in the place of every canary, and more lines where one is a text
    of its own: the campaign stays the same to whoever may not see what is hidden."""
    for file in folder.rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            text = re.sub(rf"(?m)^( +)({CANARY}\d+lezz)$", r"\1\2\n\n\1\2 \2\n\1\2", text)
            text = re.sub(rf"(?m)^( *)# ({CANARY}\d+lezz)$", r"\1# \2\n\1# \2\n\1# \2", text)
            text = re.sub(rf"{CANARY}(\d+)lezz", r"Wimbrelforth\1andersomewhatlonger", text)
            file.write_text(text, encoding="utf-8")
