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

from chronicle.site import look
from chronicle.site.device import source_files
from chronicle.site.draw import message_markup
from chronicle.words import MESSAGES, word
from tests.needs import program
from tests.outside import (
    ALLOWED,
    REPORTS,
    ROOT,
    find_labels,
    labels_of_python,
    labels_of_script,
    labels_of_template,
)

CALL = re.compile(r"""\b(?:word|worded|message)\(\s*[f`]?["'`]([a-z]+\.[a-z0-9_]+)(\$?\{)?""")
CHOSEN = re.compile(r'"((?:desk|device|script|server|site)\.[a-z0-9_]+)"')


def forms(key: str) -> list[str]:
    message = MESSAGES[key]
    return [message] if isinstance(message, str) else [*message.values()]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def used(root: Path) -> tuple[set[str], set[str]]:
    """The keys that code and templates name, and the beginnings of those that they put together."""
    keys: set[str] = set()
    begun: set[str] = set()
    for pattern in (
        "chronicle/**/*.py",
        "chronicle/site/**/*.html",
        "chronicle/site/assets/*.js",
        "page/src/**/*.html",
        "page/src/**/*.js",
        "templates/**/*.html",
    ):
        for file in root.glob(pattern):
            text = file.read_text(encoding="utf-8")
            for key, open_ in CALL.findall(text):
                (begun if open_ else keys).add(key)
            keys |= set(CHOSEN.findall(text)) & MESSAGES.keys()
            keys |= set(re.findall(r"\{(desk\.[a-z_]+)\}", text))
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
    assert message_markup("site.since_session", number="<b>") == "Since session &lt;b&gt;"
    assert (
        message_markup("site.since_session", number=Markup("<b>2</b>")) == "Since session <b>2</b>"
    )


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


@pytest.mark.parametrize("path", sorted(look.ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_a_script_of_the_site_brings_the_messages_that_it_asks_for(path: Path) -> None:
    text = look.script_with_messages(path)
    keys_used = {key for key, _ in CALL.findall(text)} | set(
        CHOSEN.findall(path.read_text("utf-8"))
    )
    brought = re.search(r"var MESSAGES = (\{.*\});\n", text)
    assert keys_used == set(json.loads(brought[1]) if brought else ())


def test_a_script_of_the_site_fills_in_messages_as_python_does() -> None:
    filler = (look.ASSETS / "script" / "messages.js").read_text(encoding="utf-8")
    source = f"""
        const MESSAGES = {json.dumps(dict(MESSAGES))};
        {filler}
        console.log(JSON.stringify([1, 2].map((count) => message("script.moments", {{ count }}))));
        console.log(JSON.stringify(worded("script.last_seen_next", {{ number: 2, link: [] }})));
    """
    run = subprocess.run(
        [program("node"), "-e", source], capture_output=True, encoding="utf-8", check=True
    )
    counted, parts = map(json.loads, run.stdout.splitlines())
    assert counted == [word("script.moments", count=count) for count in (1, 2)]
    assert parts == ["On this device you last saw session ", 2, "; ", [], "."]


def test_the_catalogue_is_read_from_a_zip_as_in_a_browser(root: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "chronicle.zip", "w") as pack:
        for name, data in source_files().items():
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


def test_no_label_stands_outside_of_the_catalogue() -> None:
    assert [*find_labels()] == [], "put it into chronicle/words/en.json"
    assert {*find_labels(())} == ALLOWED.keys(), "nothing is allowed that is not there"
    assert all((ROOT / file).is_file() for file in REPORTS)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('<p>{{ word("site.map") }}</p>', []),
        ("<p>The map</p>", ["The map"]),
        ('<a title="The map" href="x.html">{{ title }}</a>', ["The map"]),
        ('{{ page.head("The map", word("site.map")) }}', ["The map"]),
        ("{# The map #}<b>{{ one.title }}</b>", []),
        ("{{ title or 'The map' }}", ["The map"]),
        ("<p>{desk.no_script}</p><code>chronicle check</code>", []),
    ],
)
def test_a_label_of_a_template_is_seen(text: str, labels: list[str]) -> None:
    assert [*labels_of_template(text)] == labels


def test_a_label_of_a_script_is_seen() -> None:
    text = (
        '// Not "This one"\nh("p.aside", `Session ${number}`, word("desk.add"), "Add it", ".a b");'
    )
    assert [*labels_of_script(text)] == ["Session …", "Add it"]


def test_a_label_of_a_module_is_seen() -> None:
    text = """
def page(count: "A count") -> "A page":
    \"\"\"Not this one.\"\"\"
    if count == "No page":
        raise ValueError("No such page")
    yield Draft("index", "The map", f"{count} lines", word("site.map"), {"A key": "A value"})
    yield "<p>No <b>ties</b> yet</p>", re.compile("Also [a-z]+")
"""
    assert {*labels_of_python(text)} == {"The map", "… lines", "A value", "No ", "ties", " yet"}
