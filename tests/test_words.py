"""The catalogue of words: whole, used, and the only place that labels come from."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from string import Formatter

import pytest
from markupsafe import Markup

from chronicle.site.device import sources
from chronicle.site.draw import worded
from chronicle.words import MESSAGES, word
from tests.needs import program
from tests.outside import count_labels, labels_of_script, labels_of_template, read_list

CALL = re.compile(r"""\b(?:word|worded|message)\(\s*[f`]?["'`]([a-z]+\.[a-z0-9_]+)(\$?\{)?""")
CHOSEN = re.compile(r'"((?:desk|site|server)\.[a-z0-9_]+)"')


def forms(key: str) -> list[str]:
    message = MESSAGES[key]
    return [message] if isinstance(message, str) else [*message.values()]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def used(root: Path) -> tuple[set[str], set[str]]:
    """The keys that code and templates name, and the beginnings of those that they put together."""
    keys: set[str] = set()
    begun: set[str] = set()
    for pattern in ("chronicle/**/*.py", "templates/**/*.html", "page/src/**/*.js"):
        for file in root.glob(pattern):
            text = file.read_text(encoding="utf-8")
            for key, open_ in CALL.findall(text):
                (begun if open_ else keys).add(key)
            keys |= set(CHOSEN.findall(text)) & MESSAGES.keys()
            begun |= set(re.findall(r'word\("([a-z]+\.[a-z_]+_)" ~', text))
    return keys - begun, begun


def test_every_message_that_is_asked_for_is_there_and_every_one_there_is_asked_for(
    root: Path,
) -> None:
    keys, begun = used(root)
    assert keys - MESSAGES.keys() == set()
    assert all(any(key.startswith(start) for key in MESSAGES) for start in begun)
    assert {key for key in MESSAGES.keys() - keys if not key.startswith(tuple(begun))} == set()


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_a_message_is_whole(key: str) -> None:
    message = MESSAGES[key]
    assert all(text and text == text.strip() for text in forms(key)), "no piece of a sentence"
    assert isinstance(message, str) or message.keys() == {"one", "other"}
    first, last = (places(text) - {"count", "name"} for text in (forms(key)[0], forms(key)[-1]))
    assert first == last, "a form for one may name it, a form for many may count them"
    if key.startswith("site."):
        assert not any(sign in text for text in forms(key) for sign in '<>&"'), "it goes into HTML"


def test_a_message_takes_its_values_and_its_plural() -> None:
    assert word("site.errors", count=1) == "1 error"
    assert word("site.errors", count=2) == "2 errors"
    with pytest.raises(KeyError):
        word("site.errors_and_none", count=2)
    with pytest.raises(KeyError):
        word("site.since_session")


def test_a_value_in_a_page_is_escaped_unless_it_is_markup() -> None:
    assert worded("site.since_session", number="<b>") == "Since session &lt;b&gt;"
    assert worded("site.since_session", number=Markup("<b>2</b>")) == "Since session <b>2</b>"


def test_the_page_of_the_desk_fills_in_messages_as_python_does(root: Path, tmp_path: Path) -> None:
    build = tmp_path / "words.mjs"
    source = f"""
        import {{ build }} from "esbuild";
        await build({{ entryPoints: ["src/words.js"], outfile: {json.dumps(str(build))}, bundle: true,
          format: "esm" }});
        const {{ word }} = await import({json.dumps(build.as_uri())});
        console.log(JSON.stringify([1, 2, 5].map((count) => word("desk.entries", {{ count }}))));
        console.log(JSON.stringify(word("desk.session_titled", {{ number: 3, title: "{{number}}" }})));
    """
    run = subprocess.run(
        [program("node"), "--input-type=module", "-e", source],
        cwd=root / "page",
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    counted, titled = map(json.loads, run.stdout.splitlines())
    assert counted == [word("desk.entries", count=count) for count in (1, 2, 5)]
    assert titled == word("desk.session_titled", number=3, title="{number}")


def test_the_catalogue_is_read_from_a_zip_as_in_a_browser(root: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "chronicle.zip", "w") as pack:
        for name, data in sources().items():
            pack.writestr(name, data)
    code = "from chronicle.words import word; print(word('server.leaves_problems', count=2))"
    run = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {pack.filename!r}); {code}"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
    )
    assert run.stdout == "Leaves 2 problems\n"


def test_labels_outside_of_the_catalogue_become_no_more() -> None:
    allowed = read_list()
    more = {
        file: f"{count} labels, {allowed.get(file, 0)} allowed"
        for file, count in count_labels().items()
        if count > allowed.get(file, 0)
    }
    assert not more, "put new labels into chronicle/words/en.json"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('<p>{{ word("site.map") }}</p>', []),
        ("<p>The map</p>", ["The map"]),
        ('<a title="The map" href="x.html">{{ title }}</a>', ["The map"]),
        ('{{ page.head("The map", word("site.map")) }}', ["The map"]),
        ("{# The map #}<b>{{ one.title }}</b>", []),
    ],
)
def test_a_label_of_a_template_is_seen(text: str, labels: list[str]) -> None:
    assert [*labels_of_template(text)] == labels


def test_a_label_of_a_script_is_seen() -> None:
    text = (
        '// Not "This one"\nh("p.aside", `Session ${number}`, word("desk.add"), "Add it", ".a b");'
    )
    assert [*labels_of_script(text)] == ["Session …", "Add it"]
