"""What every ``T...`` message means: the page behind ``chronicle explain T11``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Explained(NamedTuple):
    """One kind of mistake in the form of a log, in plain words.

    ``wrong`` and ``right`` are an example and its mended twin; either may be empty.
    """

    id: str
    title: str
    meaning: str
    remedy: str
    wrong: str = ""
    right: str = ""


_ALL: Final = (
    # The file as a whole.
    Explained(
        "T1",
        "The file is not UTF-8",
        "A file is a row of bytes, and Chronicle takes them for UTF-8, as nearly every editor writes it. "
        "Here some bytes make no sense that way: the file was saved in an older encoding.",
        "Open it in your editor and save it with the encoding UTF-8. Look at names with accents afterwards.",
    ),
    Explained(
        "T2",
        "An invisible character",
        "Something stands in the text that no editor shows: a NUL, a bell, a mark from the start of another "
        "file. It mostly arrives with pasted text, and makes two names differ that look alike.",
        "Delete it. If you cannot see it, delete the whole word and type it again.",
    ),
    Explained(
        "T3",
        "The file is empty",
        "There is nothing to read here, or nothing but comments.",
        "A session needs its number and a log. Delete the file if it is a leftover.",
        right="session: 1\nlog:\n- tell: It rains on the jetty",
    ),
    Explained(
        "T4",
        "Two documents in one file",
        "A line of three dashes (or three dots) ends a document in YAML. A session file holds one.",
        "Delete the line. A pause between scenes is a comment, or an empty line.",
        "- tell: She leaves\n---\n- tell: Morning",
        "- tell: She leaves\n\n# next morning\n- tell: Morning",
    ),
    Explained(
        "T5",
        "Too large",
        "Chronicle reads files up to 16 MB, single texts up to 256 kB, 40 levels of brackets, and aliases that "
        "stand for 20,000 values. No evening at a table needs more; a broken or hostile file does.",
        "Split a long log into sessions and a long text into entries; look for a bracket too many.",
    ),
    Explained(
        "T6",
        "A key written twice",
        "The same key stands twice in one entry (or in one pair of braces). Only the first is read.",
        "Keep one. If the second was meant as an entry of its own, give it a dash.",
        "- tell: They argue\n  tell: They stop",
        "- tell: They argue\n- tell: They stop",
    ),
    Explained(
        "T7",
        "A tag",
        "A word that starts with ! is a tag in YAML: an order to a program. Transcripts are data and obey "
        "nobody, so tags and directives are refused.",
        "Put the text in quotes, or delete the tag.",
        "- tell: !important news came",
        '- tell: "!important news came"',
    ),
    Explained(
        "T8",
        "Anchors, aliases, merge keys",
        "A word that starts with & names a value in YAML, one that starts with * repeats it, and << merges "
        "mappings. Aliases are allowed, but here one leads nowhere, or a plain word was taken for one.",
        "If the sign belongs to the text, use quotes. Otherwise write the value out.",
        "- tell: *nobody",
        '- tell: "*nobody"',
    ),
    Explained(
        "T9",
        "No usable key",
        "Before every colon stands a key: one word or name. Here there is none, or a whole list.",
        "Write the key.",
        "- assert: {[Ana, Bo]: 3}",
        "- assert: {dice: {Ana: 3, Bo: 3}}",
    ),
    Explained(
        "T10",
        "YAML cannot read this",
        "The line breaks the rules of YAML in a way that none of the usual traps explains; or a version "
        "control system left the marks of an unfinished merge in the file.",
        "Look at indentation, quotes and brackets in this entry, and put text with odd signs in quotes. "
        "The other entries are read all the same.",
    ),
    # The traps of law and habit.
    Explained(
        "T11",
        "A colon inside a sentence",
        "A colon with a space after it makes a key of what stands before it. In a sentence that is never meant.",
        "Put the sentence in quotes, or write it as a block after |.",
        "- tell: The scout says: ride",
        '- tell: "The scout says: ride"',
    ),
    Explained(
        "T12",
        "A hash cuts the text short",
        "A space and a # start a comment, wherever they stand outside quotes. What follows is lost, so "
        "'General #2' is read as 'General'.",
        "Put the text in quotes. If it is a comment, put a space after the #, and nobody will ask again.",
        "- tell: Room #7 is locked",
        '- tell: "Room #7 is locked"',
    ),
    Explained(
        "T13",
        "A comma inside braces",
        "Inside {} and [] a comma ends the value. The rest of the sentence becomes a key without a value.",
        "Put the text in quotes, or in brackets if it is two texts. Names alone stand in [] and not in {}.",
        "- tell: {Ines: half drowned, cold}",
        '- tell: {Ines: "half drowned, cold"}',
    ),
    Explained(
        "T14",
        "A quotation that ends too early, or never",
        "A text that starts with ' or \" is a quotation for YAML, and must end with the same sign, and nothing "
        "may follow it. In double quotes a backslash starts an escape besides.",
        "Put the whole text into quotes of the other kind.",
        '- tell: "Halt!" she cried',
        "- tell: '\"Halt!\" she cried'",
    ),
    Explained(
        "T15",
        "A sign that cannot start a text",
        "YAML keeps some signs for itself when they come first: @ ` % * & ! | > and brackets, braces, commas.",
        "Put the text in quotes.",
        "- tell: @Ana waves",
        '- tell: "@Ana waves"',
    ),
    Explained(
        "T16",
        "A bare dash or question mark",
        "Alone, - starts a list and ? starts a complex key, even where you mean the face of a die.",
        "Put it in quotes.",
        "- roll: -",
        '- roll: "-"',
    ),
    Explained(
        "T17",
        "A space is missing",
        "A key ends with a colon and a space, an entry starts with a dash and a space. Without the space, "
        "everything is one word.",
        "Add the space.",
        "- tell: They argue\n  by:Ana",
        "- tell: They argue\n  by: Ana",
    ),
    Explained(
        "T18",
        "Wrong indentation",
        "How far a line is indented says what it belongs to: all dashes of the log stand in one column, all keys "
        "of an entry in one column, the lines of a block text further in. Tabs do not count as spaces.",
        "Move the line to its column; use spaces.",
        "- tell: |\n  The lamp goes out.",
        "- tell: |\n    The lamp goes out.",
    ),
    Explained(
        "T19",
        "A bracket is missing, or one too many",
        "Every [ needs its ], every { its }, in the right order.",
        "Close what is open; take out what closes nothing.",
        "- scene: The ferry\n  with: [Ana, Bo",
        "- scene: The ferry\n  with: [Ana, Bo]",
    ),
    # Verbs, options and values.
    Explained(
        "T20",
        "Another kind of value is expected",
        "This key takes a number, a name, a list, yes or no, one of a few words ... and something else stands "
        "there. The message says what is expected.",
        "Write a value of that kind; the format reference shows an example for every verb.",
        "- tell: They argue\n  coins: three",
        "- tell: They argue\n  coins: 3",
    ),
    Explained(
        "T21",
        "No such verb",
        "Every entry has one verb, by habit its first key, and this game does not know it. Perhaps it is "
        "misspelt, or belongs to another game.",
        "Use one of the verbs that the message lists. Whatever is simply told goes under 'tell'.",
        "- whisper: He knows",
        "- tell: She whispers that he knows",
    ),
    Explained(
        "T22",
        "No such key",
        "This verb (or this head) has no option of that name, so it is not read.",
        "Correct the spelling, or take the line out. Remarks go under 'note'.",
        "- tell: They argue\n  nots: late",
        "- tell: They argue\n  note: late",
    ),
    Explained(
        "T23",
        "Something needed is missing",
        "This verb needs a value or an option without which nobody can tell what happened.",
        "Add it; the message shows an example.",
        "- tell:",
        "- tell: They argue",
    ),
    Explained(
        "T24",
        "Two verbs in one entry",
        "An entry is one thing that happened. Only the first verb counts here.",
        "Start an entry of its own for the second.",
        "- tell: They argue\n  gap: an hour",
        "- tell: They argue\n- gap: an hour",
    ),
    Explained(
        "T25",
        "No entry at all",
        "After a dash stands one mapping: a verb, a colon, a value. Here stands something else, or nothing.",
        "Write the verb; for plain narration it is 'tell'.",
        "- Marit looks at the door",
        "- tell: Marit looks at the door",
    ),
    Explained(
        "T26",
        "A player sits at the table twice",
        "Two players of the same name cannot be told apart, and letter case makes no difference.",
        "Give one of them a longer name, in campaign.yaml and in the log.",
        "players: [Ana, Bo, ana]",
        "players: [Ana, Bo, Ana B.]",
    ),
    Explained(
        "T31",
        "A face that is on no die",
        "Dice are written down as they fell, and this die has no such face.",
        "Write what the die showed. Run digits together only where every face is one sign.",
        "- roll: {Ana: 7}",
        "- roll: {Ana: 6}",
    ),
    # Files and folders.
    Explained(
        "T40",
        "The settings of the campaign",
        "campaign.yaml says which game is played, its title and who plays. Without it nothing can be replayed.",
        "Write the missing line; 'chronicle new' makes a whole file with comments.",
        right="game: positive\ntitle: The boathouse\nplayers: [Ana, Bo, Cleo, Dov]",
    ),
    Explained(
        "T41",
        "No session",
        "Every .yaml file directly in a campaign's folder is one session: a head, and a list 'log' of entries.",
        "Add what is missing, or move the file: characters lie in characters/, captions in art/.",
        right="session: 1\nlog:\n- tell: It rains on the jetty",
    ),
    Explained(
        "T42",
        "Two sessions of the same number",
        "Sessions are replayed in the order of their numbers, so each needs its own.",
        "Change one of them. The names of the files do not matter.",
    ),
    Explained(
        "T43",
        "A file ending in .yml",
        "Only files ending in .yaml are read, so that there is one way to name a session.",
        "Rename the file.",
    ),
    Explained(
        "T44",
        "A link that leaves the folder",
        "A campaign may come from anybody, so nothing outside its folder is opened, not even through a link.",
        "Copy the file into the folder.",
    ),
    Explained(
        "T45",
        "The head of a journal entry or note",
        "A Markdown file may start with a head between two lines of three dashes.",
        "Close the head with a second line of dashes, and write 'key: value' lines into it.",
        right="---\ntitle: A letter\nvoice: Marit\n---\nDear all ...",
    ),
    Explained(
        "T46",
        "A picture and its caption",
        "Beside every picture in art/ lies a file of the same name ending in .yaml, which says what the picture "
        "shows for those who cannot see it.",
        "Write the caption, or delete the one that has lost its picture.",
        right="title: The jetty\nalt: Five people on a jetty at dusk\nartist: Cleo",
    ),
    Explained(
        "T47",
        "A file that cannot be read",
        "The system does not hand the file out, it is no ordinary file, or there are too many or too large ones.",
        "Check the permissions; split what is too large.",
    ),
    # Names and ids.
    Explained(
        "T50",
        "Nobody of that name",
        "Names are found exactly, then with letter case aside, then by any whole word that only one of them has. "
        "Here nobody fits, or several do.",
        "Correct the spelling or write more of the name. Whoever is new is introduced by an entry first.",
        "- tell: They argue\n  by: Martha",
        "- tell: They argue\n  by: Marit",
    ),
    Explained(
        "T51",
        "No such ruling",
        "Where a rule book is silent, a campaign may choose a reading under 'rulings'. This key or reading does "
        "not exist in this game.",
        "The rules page of the game lists the rulings and their readings.",
    ),
    Explained(
        "T52",
        "No such house rule",
        "'under:' leans on a rule of your table's own, and campaign.yaml does not name it.",
        "Write it down under 'house rules'.",
        right="house rules:\n  kindness: An apology in person gives a die back",
    ),
    Explained(
        "T53",
        "An id that is taken",
        "Ids are permanent addresses: each may be given once in a campaign.",
        "Give this one another id, or leave it out; every entry has an address anyway.",
    ),
    Explained(
        "T54",
        "Nothing to allow",
        "'allow' accepts a finding knowingly, with the reason, and here there is no such finding.",
        "Take it out, or check the id.",
    ),
    Explained(
        "T55",
        "Which scene?",
        "An entry speaks of a scene that is not open, is not known, or cannot lie there in the story.",
        "Open a scene first, or write the title of an earlier one.",
        right="- scene: The jetty\n- tell: It rains",
    ),
    Explained(
        "T56",
        "Whose is it?",
        "The log does not say who acts, and the rules do not settle it.",
        "Add 'by:' with a player or a character.",
        "- tell: I never liked you",
        "- tell: I never liked you\n  by: Marit",
    ),
    # Figures and corrections.
    Explained(
        "T60",
        "No such figure",
        "'assert' and 'correct' speak of figures that the game counts. This is none, or no figure at all.",
        "The message lists the figures of the game; the format reference explains them.",
        right="- assert: {dice: {Ana: 3, Bo: 5}}",
    ),
    Explained(
        "T61",
        "A figure that differs",
        "You wrote down how much there is, and the replay comes to another result. Somebody has miscounted, "
        "or an entry is missing above.",
        "Look at the entries above. If the table's count shall stand, repair it in the open with 'correct'.",
        right="- correct: last\n  to: {dice: {Ana: 3}}\n  note: we forgot the die for the barge-in",
    ),
    Explained(
        "T62",
        "A correction that corrects nothing",
        "A correction says what is true from now on, or at least what was wrong.",
        "Write the figures under 'to:', the reason under 'note:'.",
    ),
    Explained(
        "T63",
        "A correction without its reason",
        "A year from now nobody will know why the count was changed.",
        "Say it in a few words under 'note:'.",
    ),
    Explained(
        "T64",
        "A figure that cannot be set",
        "This figure follows from others, so setting it would contradict them.",
        "Set the figures it follows from.",
    ),
    Explained(
        "T65",
        "No entry with that id",
        "The entry points to another one by its id, and no entry above has it.",
        "Give the entry an id (or all of them: 'chronicle ids'), or write 'last'.",
    ),
    Explained(
        "T66",
        "Coming twice, leaving twice",
        "A player arrives who is at the table already, or leaves who is not there.",
        "Take the entry out, or correct 'present' in the head of the session.",
    ),
    Explained(
        "T67",
        "Somebody acts who is not there",
        "The head of the session says who was present, and this player was not.",
        "Add an entry 'arrive', or the name to 'present'.",
        right="- arrive: Cleo",
    ),
    # Secrets.
    Explained(
        "T70",
        "A secret without an id",
        "A secret is revealed by its id.",
        "Give it one.",
        "- secret: Marit has known since Easter",
        "- secret: Marit has known since Easter\n  id: marit-knows",
    ),
    Explained(
        "T71",
        "Not a seal",
        "A seal is 'sha256:' and 64 hexadecimal digits: the fingerprint of a line that you keep to yourself.",
        "'chronicle seal' makes both, the seal for the log and the line for your drawer.",
    ),
    Explained(
        "T72",
        "Nothing to reveal",
        "No secret with this id was logged above.",
        "Check the id. What was never sealed is simply told.",
    ),
    Explained(
        "T73",
        "Revealed twice",
        "The secret is out already.",
        "Take one of the two entries out.",
    ),
    Explained(
        "T74",
        "Revealed in other words",
        "The secret was written down in clear when it was made, and is now quoted differently.",
        "Quote it as it was, or leave the value out.",
    ),
    Explained(
        "T75",
        "Revealed without proof",
        "The secret was sealed, and the line that would prove it is missing. That is allowed; the page then says "
        "'as stated' and not 'as sealed'.",
        "Copy the kept line under 'opening:'.",
    ),
    Explained(
        "T76",
        "The seal does not fit",
        "The fingerprint of this line is not the one that was logged: a sign was changed, or the secret was.",
        "Copy the kept line exactly, in single quotes.",
    ),
    Explained(
        "T77",
        "The opening of another secret",
        "The line fits the seal, but says that it was made for another entry or session.",
        "Reveal the secret that it belongs to.",
    ),
)

FORMAT_PROBLEMS: Final[Mapping[str, Explained]] = MappingProxyType({one.id: one for one in _ALL})
"""Every format id with its explanation, in order."""


def explain(id: str) -> Explained | None:
    """The explanation of a format id, letter case and spaces aside; None if there is no such id."""
    return FORMAT_PROBLEMS.get(id.strip().upper())


def as_text(one: Explained) -> str:
    """An explanation for a terminal."""
    import textwrap

    lines = [f"{one.id}: {one.title}", ""]
    lines += [*textwrap.wrap(one.meaning, 88), "", *textwrap.wrap(one.remedy, 88)]
    for heading, example in (
        ("Instead of", one.wrong),
        ("write" if one.wrong else "Like this", one.right),
    ):
        if example:
            lines += ["", f"{heading}:", "", *(f"    {line}" for line in example.split("\n"))]
    return "\n".join(lines) + "\n"


def as_markdown(shown: Iterable[Explained] = _ALL) -> str:
    """Explanations as sections of a page, each with its id as its address."""
    page: list[str] = []
    for one in shown:
        page += [
            f"### {one.id}: {one.title} {{#{one.id.lower()}}}",
            "",
            one.meaning,
            "",
            one.remedy,
            "",
        ]
        for example, label in (
            (one.wrong, "Instead of"),
            (one.right, "write" if one.wrong else ""),
        ):
            if example:
                page += [
                    *([f"{label}", ""] if label else []),
                    "```yaml",
                    *example.split("\n"),
                    "```",
                    "",
                ]
    return "\n".join(page)
