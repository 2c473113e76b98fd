"""A player who is published under another name, or under none, is found by name in nothing."""

import json
import re
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from chronicle.campaigns import for_readers, load, run
from chronicle.cli import main
from chronicle.core.pseudonyms import Pseudonyms
from chronicle.core.record import Record
from chronicle.core.secrets import make_opening, read_opening, seal_of
from chronicle.export import exports
from chronicle.games import GAMES
from chronicle.publish import make_site
from tests.site.canaries import Cage, campaign, escaped, files_below, write
from tests.site.project import build, make_project


def table(folder: Path, game: str, cage: Cage) -> list[str]:
    """A campaign of a game whose players have the names of canaries, named in everything around it;
    gives the names."""
    campaign(folder, game, "")
    names = [player.name for player in load(folder).players]
    new = {name: cage.canary(f"player {number}") for number, name in enumerate(names, 1)}
    cage.stood[f"{new[names[0]][:-2]}z"] = "a slip of the pen"
    every = re.compile(rf"(?<![^\W_])({'|'.join(map(re.escape, names))})(?![^\W_])")
    first, two = list(new.values())[:2]
    opening = make_opening(2, f"{first.lower()}-bet", first, "bet", f"{two}'s hat")
    old = opening.replace("'", "''")
    for name in ("campaign.yaml", "01.yaml"):
        file = folder / name
        text = every.sub(lambda match: new[match[1]], file.read_text(encoding="utf-8"))
        file.write_text(f"# about {first}\n{text}", encoding="utf-8")
    write(
        folder,
        {
            "campaign.yaml": f"summary: {first} and {two.upper()} at one table\nauthors: [{first}]\n"
            f"renamed: {{{cage.canary('a former name')}: {first}}}\n",
            "02.yaml": f"session: 2\ntitle: {first}'s evening\nsummary: Without {two}\nlog:\n"
            f"- tell: 'That was for {first.lower()}, said {two}’s brother'\n  by: {first.upper()}\n"
            f"- aside: |\n    {first}: Well.\n    {two}: Well, {first}.\n"
            f"- sealed: {seal_of(opening)}\n  id: {first.lower()}-bet\n  by: {first}\n  kind: bet\n"
            f"- reveal: {first.lower()}-bet\n  by: {first}\n  opening: '{old}'\n"
            f"- leave: {first[:-2]}{first[-1]}\n- tell: {first[:-2]}{first[-1]} left\n"  # a slip of the pen
            f"- arrive: Nemo\n- secret: {first} did it\n  id: {two.lower()}-knows\n",
            f"journal/by-{first.lower()}.md": f"---\ntitle: {first}\nauthor: {first}\nvoice: {two}\n"
            f"about: [{two}]\nsession: 2\n---\nDear **{two}**, _{first}_ writes.\n",
            f"notes/{two}.md": f"---\nabout: {first}\n---\n# Of {two}\n\n{first}-like\n",
            f"art/{first.lower()}-asleep.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1"
            f" 1'><title>{first}</title></svg>",
            f"art/{first.lower()}-asleep.yaml": f"title: {first}\nalt: It is {first}\nartist: {two}\n"
            f"about: [{first}]\nsession: 2\n",
        },
    )
    return list(new.values())


def problems_of(record: Record) -> list[tuple[str, int]]:
    """What the check of a log says, by rule and line."""
    return [(diagnostic.full_code, diagnostic.place.line) for diagnostic in record.diagnostics]


def published(folder: Path) -> list[tuple[str, bytes]]:
    """Every file of a site but for its styles."""
    return [
        (
            file.path,
            f"{file.path} {file.html} {json.dumps(file.meta)}".encode() + (file.contents or b""),
        )
        for file in make_site(
            folder, reference=False, book_endings=(".epub",), warn=lambda message: None
        ).files()
    ]


@pytest.mark.integration
@pytest.mark.parametrize("game", list(GAMES))
def test_a_player_without_a_name_is_in_nothing(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cage = Cage()
    folder = tmp_path / "table"
    names = table(folder, game, cage)
    problems_before = problems_of(run(load(folder)))
    logs = {file: file.read_bytes() for file in folder.glob("0*.yaml")}
    settings = (folder / "campaign.yaml").read_text(encoding="utf-8")
    assert len(escaped(cage, published(folder))) > 50
    for name in names:
        assert main(["unname", name, "--in", str(folder)]) == 0
    assert f"{names[0]}'s name is in " in capsys.readouterr().out

    # The log stays as it was, and checks as it did; so do the settings but for what was asked for.
    assert {file: file.read_bytes() for file in logs} == logs
    assert problems_of(run(load(folder))) == problems_before
    settings_text = (folder / "campaign.yaml").read_text(encoding="utf-8")
    assert re.sub(r"\{name: (\w+), publish as: no\}", r"\1", settings_text) == settings

    assert escaped(cage, published(folder)) == []
    assert main(["export", str(folder), "--all", str(tmp_path / "out")]) == 0
    assert escaped(cage, files_below(tmp_path / "out")) == []


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_published_under_other_names_checks_as_the_log_does(
    game: str, tmp_path: Path
) -> None:
    folder, copy = tmp_path / "table", tmp_path / "copy"
    names = table(folder, game, Cage())
    assert main(["unname", names[0], "--as", "Marigold Ashby", "--in", str(folder)]) == 0
    assert main(["unname", names[1], "--in", str(folder)]) == 0
    for_public = for_readers(load(folder))
    assert not any("check says" in remark for remark in for_public.publishing_notes)
    copy.mkdir()
    for name, _, data in exports(run(for_public)):
        (copy / name).write_bytes(data)
    copied_record = run(load(copy))
    codes_kept = [code for code, _ in problems_of(run(load(folder)))]
    assert codes_kept.count("T50") == 2
    assert [code for code, _ in problems_of(copied_record)] == codes_kept
    assert {"Marigold Ashby", "Player 2"} <= {
        player.name for player in copied_record.campaign.players
    }
    revealed = next(step for step in copied_record.steps if step.action.verb == "reveal")
    assert "(sealed)" in revealed.events[0].text


def test_nobody_finds_the_name_on_a_built_site(tmp_path: Path) -> None:
    cage = Cage()
    names = table(tmp_path / "table", "universalis", cage)
    for name in names:
        assert main(["unname", name, "--in", str(tmp_path / "table")]) == 0
    site, _ = build(make_project(tmp_path / "project", tmp_path / "table"))
    assert len(list(files_below(site))) > 60
    assert escaped(cage, files_below(site)) == []
    index = (site / "table" / "find.js").read_text(encoding="utf-8")
    assert "Player 1" in index


def test_a_mapping_already_there_gets_the_other_name(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "table", "positive", "")
    file = folder / "campaign.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        re.sub(r"players: .*", "players:\n- name: Ana  # hers\n- Bo\n- Cy\n- Dee", text)
    )
    assert main(["unname", "ana", "--as", "Kim", "--in", str(folder)]) == 0
    assert "- name: Ana  # hers\n  publish as: Kim\n- Bo\n" in file.read_text(encoding="utf-8")
    assert main(["unname", "Ana", "--as", "Bo", "--in", str(folder)]) == 2
    assert main(["unname", "Zoe", "--in", str(folder)]) == 2
    assert [seat.name for seat, _ in load(folder).public_names] == ["Ana"]


def test_only_a_name_that_is_in_a_text_is_told_and_as_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "table"
    write(
        folder,
        {
            "campaign.yaml": "game: positive\ntitle: t\nplayers: [Ana Berg, Bo, Cy, Dee]\n",
            "01.yaml": "session: 1\npresent: Ana Berg, Bo, Cy, Dee\nlog:\n"
            "- aside: |\n    It rains.\n    Ana laughs.\n  by: Ana Berg\n",
        },
    )
    for name in ("Ana Berg", "Bo"):
        assert main(["unname", name, "--in", str(folder)]) == 0
    output = capsys.readouterr().out.replace(f"{folder}/", "")
    note = (
        "Ana Berg's name is in a text (01.yaml:6). Readers see 'Player 1' there: read whether the "
        "sentence still makes sense."
    )
    assert note in output
    assert "Bo's name" not in output
    warned: list[str] = []
    noted: list[str] = []
    make_site(folder, reference=False, warn=warned.append, report=noted.append)
    assert warned == []
    assert any("Ana Berg's name is in a text" in line for line in noted)

    with (folder / "01.yaml").open("a", encoding="utf-8") as file:
        file.write("- aside: What does Ana say?\n")
    (rewording,) = for_readers(load(folder)).rewordings
    assert "is in 2 texts (" in rewording
    assert rewording.endswith("read whether these still make sense.")


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ana's turn, ANA! (ana)", "Kim Lee's turn, KIM LEE! (kim lee)"),
        ("Anabel and Hannah, Ana_2", "Anabel and Hannah, Kim-Lee_2"),
        ("ana-bid-3 in 01-ana.yaml", "kim-lee-bid-3 in 01-kim-lee.yaml"),
        ("Jose\u0301 and Jos\u00e9", "Cy and Cy"),
        ("Mrs\nAna Berg", "Mrs\nKim Lee"),
        ("**Ana:** no", "**Kim Lee:** no"),
    ],
)
def test_a_name_is_replaced_as_a_word(text: str, told: str) -> None:
    guise = Pseudonyms(
        {"Ana": "Kim Lee", "Ana Berg": "Kim Lee", "Jos\u00e9": "Cy"}, reserved_words=["ana"]
    )
    assert guise.replace_in_text(text) == told


WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
FORMS: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "casefold": str.casefold,
    "NFC": partial(unicodedata.normalize, "NFC"),
    "NFD": partial(unicodedata.normalize, "NFD"),
    "NFD, upper": lambda name: unicodedata.normalize("NFD", name.upper()),
    "full width": lambda name: name.translate(WIDE),
    "full width, upper": lambda name: name.upper().translate(WIDE),
    "capital sharp s": lambda name: name.upper().replace("SS", "\u1e9e"),
    "long s": lambda name: name.replace("s", "\u017f"),
    "ligature": lambda name: name.replace("fi", "\ufb01"),
    "Turkish upper": lambda name: name.replace("i", "\u0130").upper(),
    "Turkish lower": lambda name: name.replace("I", "\u0131").lower(),
    "soft hyphens": "\u00ad".join,
    "no width": "\u200b".join,
    "final sigma": lambda name: name.replace("\u03c3", "\u03c2"),
}
"""Ways to write a name that read the same, or as the same in another letter case."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name",
    [
        *(
            "Wei\u00df",
            "Stra\u00dfer",
            "\u0130pek",
            "I\u015f\u0131k",
            "Jos\u00e9",
            "Fion",
            "Sofie",
            "Ana",
            "\u01c6ana",
        ),
        *("\u039f\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2", "\u0e19\u0e34\u0e14", "\uac15"),
    ],
)
def test_a_name_is_replaced_in_every_form_that_reads_the_same(name: str, form: str) -> None:
    spelt = FORMS[form](name)
    replaced = Pseudonyms({name: "Kim"}).replace_in_text(
        f"so {spelt} said: {spelt}\u2019s, {spelt}-2."
    )
    assert replaced.casefold() == "so kim said: kim\u2019s, kim-2."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Wei\u00df", "Weise, Weiss\u00e9, weissen, \u00e9weiss"),
        ("Ana", "An\u00e1 Ana\u0301 \u00e9Ana e\u0301Ana Ana\u017f Anabel"),
        ("Jose", "Jos\u00e9 Jose\u0301"),
    ],
)
def test_another_name_stays(name: str, text: str) -> None:
    assert Pseudonyms({name: "Kim"}).replace_in_text(text) == text


@pytest.mark.smoke
def test_an_opening_in_other_words_has_another_salt() -> None:
    from chronicle.core.secrets import reword_opening

    opening = make_opening(1, "bet", "Ana", "bet", "a hat")
    reworded = reword_opening(opening, lambda text: text.replace("Ana", "Kim"))
    assert read_opening(reworded) == read_opening(opening)._replace(player="Kim")  # type: ignore[union-attr]
    assert opening[-36:] != reworded[-36:]
    assert reword_opening(opening, str) == opening
