"""What ``check`` says of ``about:``: a picture or text about somebody who does not exist gets no place in the story."""

from pathlib import Path

import pytest

from tests.cli.test_cli import Chronicle
from tests.cli.test_cli import chronicle as chronicle

LOG = """\
session: 1
log:
- cast: {Ana: Iris, Bo: Leo, Cy: Noor, Dee: Sam}
- host: Iris
- accuser: Leo
- scene: The greenhouse, behind the tomatoes
  with: Noor
  id: letter
"""


def _table(folder: Path, subject: str) -> Path:
    (folder / "art").mkdir(parents=True)
    (folder / "campaign.yaml").write_text("game: positive\ntitle: t\nplayers: [Ana, Bo, Cy, Dee]\n")
    (folder / "01.yaml").write_text(LOG)
    (folder / "art" / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "art" / "a.yaml").write_text(f"title: A\nalt: a\nabout: {subject}\n")
    return folder


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("nonsense", "nothing in this campaign is called 'nonsense'\n"),
        ("Irs", "nothing in this campaign is called 'Irs'; did you mean 'Iris'?"),
        ("[The greenhouse, Leo]", "did you mean 'The greenhouse, behind the tomatoes'?"),
    ],
)
def test_a_caption_about_nobody_is_noted(
    about: str, said: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    output = chronicle("check", str(_table(tmp_path / "table", about)), "--all").out
    assert output.count("note[T46]") == 1
    assert said in output
    assert "art/a.yaml:3:" in output


@pytest.mark.parametrize(
    "about", ["iris", "[Ana, letter]", "The greenhouse, behind the tomatoes", "Noor, Sam"]
)
def test_a_caption_about_what_there_is_is_not(
    about: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    assert "T46" not in chronicle("check", str(_table(tmp_path / "table", about)), "--all").out


@pytest.mark.parametrize("kind", ["journal", "notes"])
def test_a_text_about_nobody_is_noted_at_its_line(
    kind: str, chronicle: Chronicle, tmp_path: Path
) -> None:
    folder = _table(tmp_path / "table", "iris")
    (folder / kind).mkdir()
    text = folder / kind / "a.md"
    text.write_text("---\ntitle: A letter\nabout: [Leo, Irs]\n---\nDear all.\n")
    output = chronicle("check", str(folder), "--all").out
    assert output.count("note[T45]") == 1
    assert "nothing in this campaign is called 'Irs'; did you mean 'Iris'?" in output
    assert f"{kind}/a.md:3:14" in output
    text.write_text("---\ntitle: A letter\nabout: [Leo, letter]\n---\nDear all.\n")
    assert "T45" not in chronicle("check", str(folder), "--all").out
