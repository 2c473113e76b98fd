"""The rules of form: those that hold for the transcripts of every game (files, names, figures, secrets).

Games number their own rules; these are Chronicle's. ``chronicle explain T11`` explains one."""

from __future__ import annotations

from typing import Final

from chronicle.core.emblems import MOTIFS
from chronicle.core.rules import CHECKED, Registry, Rule

_FILE_CHAPTER: Final = "The file"
_YAML_CHAPTER: Final = "YAML's traps"
_ENTRY_CHAPTER: Final = "Entries"
_FOLDER_CHAPTER: Final = "The campaign's folder"
_NAME_CHAPTER: Final = "Names and ids"
_FIGURE_CHAPTER: Final = "Figures"
_SECRET_CHAPTER: Final = "Secrets"


def _checked_rule(rule_id: str, chapter: str, title: str, rule_text: str) -> Rule:
    return Rule(rule_id, title, CHECKED, rule_text, chapter=chapter)


RULES: Final = (
    _checked_rule("T1", _FILE_CHAPTER, "A file is UTF-8",
          "A byte here belongs to another encoding, so nobody can tell which letter was meant. Save the "
          "file as UTF-8; most editors have Save with Encoding. A byte order mark and Windows line ends "
          "do no harm."),
    _checked_rule("T2", _FILE_CHAPTER, "No invisible control characters",
          "A character that cannot be seen, and that could steer a terminal, stands in the text. It "
          "often comes along when something is pasted. Delete it and type the place again."),
    _checked_rule("T3", _FILE_CHAPTER, "A file says something",
          "The file is empty. A session starts with its number and has a list called log."),
    _checked_rule("T4", _FILE_CHAPTER, "One file, one document",
          "A line of three dashes starts a second document in YAML, and only the first is read. Put the "
          "evening that follows into a file of its own, or the line into a comment."),
    _checked_rule("T5", _FILE_CHAPTER, "Files of a bearable size",
          "A file, a text, the depth of nesting or what aliases stand for is beyond what an evening of "
          "play can need. The bounds keep a broken or hostile file from stopping the machine. Split it."),
    _checked_rule("T6", _FILE_CHAPTER, "A key stands once",
          "The same key is written twice in one mapping. YAML programs silently keep one of the two; "
          "Chronicle keeps the first and reports the second. Often the dash of a new entry is missing."),
    _checked_rule("T7", _FILE_CHAPTER, "Tags mean nothing here",
          "A word after an exclamation mark is a tag in YAML: an order to make something of the value. "
          "Nothing in a log is ever made or run, so the value is read as text. If the mark belongs to "
          "the text, put it in quotes."),
    _checked_rule("T8", _FILE_CHAPTER, "Anchors and aliases within reason",
          "An ampersand names a value, a star repeats it. Here the star repeats nothing that is known, "
          "or would repeat itself, or the mark was part of a text that lacks its quotes. Merging keys "
          "with << is a matter of an older YAML."),
    _checked_rule("T9", _FILE_CHAPTER, "A key is a plain word",
          "A list or a mapping stands where a key should, or nothing stands before the colon."),
    _checked_rule("T10", _FILE_CHAPTER, "This cannot be read as YAML",
          "The parser gave up here and no known trap explains it. Compare indentation, quotes and "
          "brackets with the entries around it. The other entries of the file are read all the same."),
    _checked_rule("T11", _YAML_CHAPTER, "A colon inside a sentence",
          "A colon followed by a space ends a key in YAML, even in the middle of a sentence. Put the "
          "sentence in quotes, or write it below a bar."),
    _checked_rule("T12", _YAML_CHAPTER, "A # that cuts a text",
          "A space and a # start a comment; what follows is lost without a word, and General #2 becomes "
          "General. Quote the text if the # belongs to it."),
    _checked_rule("T13", _YAML_CHAPTER, "A comma inside braces",
          "Braces hold pairs divided by commas, so a comma inside a text ends it and what follows becomes "
          "a key without a value. Quote the text. A list has square brackets."),
    _checked_rule("T14", _YAML_CHAPTER, "Quotation marks at the start",
          "A text that starts with a quotation mark or an apostrophe is quoted as a whole in YAML: it "
          "must end with the same mark, and nothing may follow. Quote the whole text with the other mark."),
    _checked_rule("T15", _YAML_CHAPTER, "Signs that cannot start a text",
          "Stars, ampersands, exclamation marks, bars, at signs and the like have a meaning of their own "
          "at the start of a value. Put the text in quotes."),
    _checked_rule("T16", _YAML_CHAPTER, "A lone sign",
          "A question mark, a dash or another sign alone is grammar in YAML, not text. A die that shows "
          "a minus is written '-'."),
    _checked_rule("T17", _YAML_CHAPTER, "No space after a colon",
          "A key ends with a colon and a space. Without the space the whole is one word, or more of the "
          "line above."),
    _checked_rule("T18", _YAML_CHAPTER, "Indentation and dashes",
          "A line stands at a depth where it belongs to nothing, a tab indents it, or the dash that "
          "starts an entry is missing. Options stand two spaces in, right under each other; a text after "
          "a bar stands deeper than its key."),
    _checked_rule("T19", _YAML_CHAPTER, "Brackets that do not close",
          "A bracket or brace is opened and never closed, or closed by the wrong one."),
    _checked_rule("T20", _ENTRY_CHAPTER, "A value of another kind",
          "The value is not of the kind this key takes: a whole number, a name, yes or no, a list. The "
          "message says what is expected; the format reference has every key."),
    _checked_rule("T21", _ENTRY_CHAPTER, "No such verb",
          "An entry starts with a verb of its game. This word is none of them; it may be misspelt, or "
          "belong to another game. 'chronicle explain verbs' lists them all. If one verb alone can have "
          "been meant, the entry is read as that, so that nothing below it looks wrong as well."),
    _checked_rule("T22", _ENTRY_CHAPTER, "No such key",
          "This verb has no key of that name. 'chronicle explain VERB' lists the keys of a verb. If the name "
          "is very near to a single key, Chronicle reads the entry with that key."),
    _checked_rule("T23", _ENTRY_CHAPTER, "Something needed is missing",
          "The entry cannot be understood without this value or key."),
    _checked_rule("T24", _ENTRY_CHAPTER, "Two verbs in one entry",
          "An entry does one thing. Start a new one with a dash."),
    _checked_rule("T25", _ENTRY_CHAPTER, "An entry without a verb",
          "Each entry starts with a verb and a colon. This one has no verb, or no colon. To tell something, "
          "write 'tell:' before it."),
    _checked_rule("T26", _ENTRY_CHAPTER, "Two players of one name",
          "Everybody at the table needs a name of their own. Ana and ANA count as one name."),
    _checked_rule("T31", _ENTRY_CHAPTER, "A face that no die shows",
          "Dice are logged as they fell, face by face. This die has no such face, or several faces are "
          "run together where one face may have two digits."),
    _checked_rule("T40", _FOLDER_CHAPTER, "campaign.yaml says what is played",
          "A campaign is a folder with a campaign.yaml that names the game, the title and the players "
          "in seating order."),
    _checked_rule("T41", _FOLDER_CHAPTER, "A session has a log",
          "Every yaml file beside campaign.yaml is one session: a number, perhaps a title and a date, "
          "and a list called log."),
    _checked_rule("T42", _FOLDER_CHAPTER, "Sessions have different numbers",
          "Sessions are replayed in the order of their numbers, so no two may have the same. Days "
          "and names of files that say another order are noted."),
    _checked_rule("T43", _FOLDER_CHAPTER, "Sessions are .yaml files beside campaign.yaml",
          "A file ending in .yml is passed over by some tools and not by others, and nobody looks for a session "
          "in .txt, in a folder below, or outside of the campaign. Rename or move it."),
    _checked_rule("T44", _FOLDER_CHAPTER, "Nothing outside the folder is read",
          "A link leads out of the campaign's folder, or settings of a site lie in it. Neither is followed: a "
          "log may come from people you do not know, and must not be able to publish other files of yours."),
    _checked_rule("T45", _FOLDER_CHAPTER, "The head of a text",
          "Journal entries and notes may start with a head between two lines of three dashes. This one "
          "does not close, is no list of keys, or is about a name that nothing in the campaign has."),
    _checked_rule("T46", _FOLDER_CHAPTER, "A picture has a caption",
          "A picture is shown with a title and with words for people who cannot see it. Both stand in a "
          "yaml file beside it, of the same name. What it is about has to be a name of the campaign, the title "
          "of a scene or the id of an entry, so that the picture gets its place there."),
    _checked_rule("T47", _FOLDER_CHAPTER, "A file that cannot be read",
          "The file is no ordinary file, is too large, or may not be opened."),
    _checked_rule("T48", _FOLDER_CHAPTER, "A picture that can be published",
          "A picture is what the end of its name says. Drawings (SVG) are published without all that runs, "
          "loads or leads elsewhere; one with a document type, or not in UTF-8, is not published at all. "
          "Photographs lose what tells where, when and with what they were taken."),
    _checked_rule("T49", _FOLDER_CHAPTER, "A fault of Chronicle",
          "Chronicle failed at this campaign, which no log may bring about. The campaign is left out, and the "
          "others are as they were. Please report it."),
    _checked_rule("T50", _NAME_CHAPTER, "A name that leads nowhere",
          "Chronicle looks for the name as you wrote it, then with capital and small letters alike, then for a "
          "whole word that only one name has. It found nobody, or more than one. If the word is very near to a "
          "single name, Chronicle goes on with that name. If not, it leaves out what needs the name."),
    _checked_rule("T51", _NAME_CHAPTER, "A reading that does not exist",
          "campaign.yaml chooses a reading for a point where the rule book is silent. There is no such "
          "point in this game, or it has no such reading."),
    _checked_rule("T52", _NAME_CHAPTER, "A house rule that nobody wrote down",
          "An entry leans on a house rule with under. It must stand in campaign.yaml, or have been made "
          "in play. The rules that it touches are rules of this game."),
    _checked_rule("T53", _NAME_CHAPTER, "An id stands for one entry",
          "Ids are permanent names, used in links and corrections. This one is taken."),
    _checked_rule("T54", _NAME_CHAPTER, "An allowance that nothing needs",
          "The entry allows a finding that does not occur. The mistake may be fixed by now; an allowance "
          "left standing would hide the next one."),
    _checked_rule("T55", _NAME_CHAPTER, "Scenes and their order",
          "A scene is named that nobody knows, or none is open, or it would stand before and after "
          "another at once. Scenes are named by their titles; what was said about their order holds."),
    _checked_rule("T56", _NAME_CHAPTER, "Nobody is said to act",
          "The entry needs somebody, and the log does not say whose turn it is. Add by."),
    _checked_rule("T57", _NAME_CHAPTER, "A name that was given up",
          "campaign.yaml says under 'renamed:' that what had this name is called otherwise now. The old "
          "name still leads there; but here something new gets it, while the other is in play. Use the "
          "new name if both are the same, or take the old one out of 'renamed:'."),
    _checked_rule("T60", _FIGURE_CHAPTER, "A figure that cannot be counted",
          "assert and correct take figures of the game, each with a number, or with a number for every "
          "name. The message lists the figures."),
    _checked_rule("T61", _FIGURE_CHAPTER, "A figure that differs",
          "What the table counted is not what follows from the log. One of the two is wrong: look at the "
          "entries since the last count, or say in the open which figure counts from now on."),
    _checked_rule("T62", _FIGURE_CHAPTER, "A correction that corrects nothing",
          "A correction says what is true from now on, or at least what was wrong."),
    _checked_rule("T63", _FIGURE_CHAPTER, "A correction without a reason",
          "Whoever reads the log later will ask why. Say it in a note. An allowance has its reason beside the id."),
    _checked_rule("T64", _FIGURE_CHAPTER, "A figure that follows from others",
          "This figure is computed from others and cannot be set. Set those."),
    _checked_rule("T65", _FIGURE_CHAPTER, "A correction of what?",
          "No entry has that id, or those words. Give the entry an id, or write correct: last."),
    _checked_rule("T66", _FIGURE_CHAPTER, "Coming and going",
          "Somebody arrives who is there, or leaves who is not."),
    _checked_rule("T67", _FIGURE_CHAPTER, "Acting while away",
          "Somebody acts who is not at the table, by the head of the session and by who came and went."),
    _checked_rule("T68", _FIGURE_CHAPTER, "Named twice",
          "Nobody stands twice in one list: it would count one person, one vote or one link for two."),
    _checked_rule("T69", _NAME_CHAPTER, "A drawing that nobody has made",
          f"An emblem is one of these, with 'dark' after it for white on black: {', '.join(MOTIFS)}."),
    _checked_rule("T70", _SECRET_CHAPTER, "A secret has an id",
          "Only by its id can it be revealed. Readers see the id from then on, and not before."),
    _checked_rule("T71", _SECRET_CHAPTER, "A seal is a seal",
          "A seal is sha256, a colon and 64 hexadecimal digits. 'chronicle seal' makes one."),
    _checked_rule("T72", _SECRET_CHAPTER, "Revealing what was never hidden",
          "No secret has that id."),
    _checked_rule("T73", _SECRET_CHAPTER, "Revealed twice",
          "The secret was revealed before; a second time changes nothing."),
    _checked_rule("T74", _SECRET_CHAPTER, "Revealed in other words",
          "The secret was written down in other words than those it is revealed with. Both are shown."),
    _checked_rule("T75", _SECRET_CHAPTER, "A seal opened without its opening",
          "Without the line that was sealed, nobody can know whether this is what it said."),
    _checked_rule("T76", _SECRET_CHAPTER, "The opening does not match",
          "The seal belongs to another line: a character more, a quotation mark changed, or another "
          "secret. Copy the line that was kept exactly, in single quotes. 'chronicle seal --verify' tells "
          "whether a line and a seal belong together."),
    _checked_rule("T77", _SECRET_CHAPTER, "An opening for something else",
          "The line was sealed for another entry, another session, another player or another kind of "
          "secret. A seal cannot be used twice."),
    _checked_rule("T78", _SECRET_CHAPTER, "A bid is opened before all are sealed",
          "Bids are sealed so that nobody chooses after seeing another's. Everybody at the table seals a "
          "bid first; then they are opened. If somebody has not sealed one, nothing shows when it was "
          "chosen; if somebody seals one afterwards, it was chosen too late."),
    _checked_rule("T79", _SECRET_CHAPTER, "A bid that was never opened",
          "The bids were put to use, or the next ones sealed, and this one was not opened. What it said "
          "is stated, not proven. The opening may still be shown with reveal."),
    _checked_rule("T80", _FIGURE_CHAPTER, "What the record lost meanwhile",
          "A snapshot says how things stand, and from the entries above something else follows. Nobody is "
          "accused: what happened in between was not written down, and the snapshot counts from here on. Where "
          "nothing is missing, one of the entries above is not what happened."),
    _checked_rule("T81", _NAME_CHAPTER, "An answer to what?",
          "No entry above has that id, or those words. Give the question, or the entry that left something "
          "open, an id, and name it under answers."),
    _checked_rule("T82", _FIGURE_CHAPTER, "A turn that passes over",
          "A turn passes over to the next when somebody is away. It is not this player's, or the game has no turns."),
    _checked_rule("T83", _FIGURE_CHAPTER, "A formula that cannot be read",
          "A rule of the table's own computes by a formula of whole numbers, comparisons, and, or, not, if-else, min, "
          "max and abs, over names that the reference of the game lists. Without a formula that can be read it is "
          "what its words say, and computes nothing."),
    _checked_rule("T84", _FIGURE_CHAPTER, "A formula without an answer",
          "The formula divides by 0 here, or gives what cannot be. What holds without it is taken."),
    _checked_rule("T85", _NAME_CHAPTER, "A house rule forbids it",
          "A rule of the table's own says who may do what, and this entry is none of it."),
    _checked_rule("T86", _FILE_CHAPTER, "What reads differently since",
          "'chronicle pin' has kept what another version of Chronicle made of this campaign: its findings, and the "
          "figures at the end of each scene. This version makes something else of the same texts. 'chronicle pin "
          "--compare' tells each difference, with the line of the changelog that speaks of it."),
    _checked_rule("T87", _FOLDER_CHAPTER, "Written for a newer Chronicle",
          "campaign.yaml says under format in which version of the format the campaign is written. This Chronicle "
          "knows none as new as that, so it reads nothing of it: half understood would be worse. Older versions are "
          "read, and 'chronicle migrate' brings them up to date."),
    _checked_rule("T88", _FOLDER_CHAPTER, "A share of time",
          "Of many campaigns each may take so many seconds of a processor, and no more memory than there is. One "
          "that takes more is left out and told of, so that none keeps the others waiting."),
    _checked_rule("T89", _NAME_CHAPTER, "A sentence that rests on no entry",
          "A sentence under recap, about or end names the entry it rests on: [id]. No entry has that id or "
          "anchor, or the entry was withdrawn, is a gap, a secret, or of a later session."),
    _checked_rule("T90", _NAME_CHAPTER, "A sentence to read again",
          "The entry that a sentence rests on has changed since the sentence was written: the digest behind the "
          "@ is that of the entry as it was. If the sentence is still true, write the new digest, or none."),
)  # fmt: skip


def registry() -> Registry:
    """All these rules, for ``explain`` and the rules pages."""
    return Registry("", RULES, ())
