"""The extension for VS Code says the same as the server that it starts."""

from __future__ import annotations

import json
import re
from typing import Any

from chronicle import __version__
from chronicle.cli.project import VSCODE_EXTENSIONS_TEMPLATE
from chronicle.door.lsp.answers import LEGEND, PLAYER_MODIFIERS
from chronicle.services.editor.hover import HINT_KINDS
from chronicle.services.editor.outline import STORY_KEYS
from tests.conftest import ROOT

HOME = ROOT / "editors" / "vscode"


def manifest() -> Any:
    return json.loads((HOME / "package.json").read_text(encoding="utf-8"))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(colour: str, other_colour: str) -> float:
    dark, light = sorted((luminance(colour), luminance(other_colour)))
    return (light + 0.05) / (dark + 0.05)


def test_the_manifest_is_of_this_version_and_names_what_is_there() -> None:
    package = manifest()
    assert package["version"] == __version__.partition("+")[0]
    lock = json.loads((HOME / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    assert all(re.fullmatch(r"[\d.]+", version) for version in package["devDependencies"].values())
    for grammar in package["contributes"]["grammars"]:
        grammar_data = json.loads((HOME / grammar["path"]).read_text(encoding="utf-8"))
        assert grammar_data["scopeName"] == grammar["scopeName"]
    assert (HOME / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert package["main"] == "./" + package["scripts"]["build"].rpartition("--outfile=")[2]
    assert f"{package['publisher']}.{package['name']}" in VSCODE_EXTENSIONS_TEMPLATE, (
        "what 'new' recommends"
    )


def test_every_player_has_a_colour_that_can_be_read_on_light_and_dark() -> None:
    contributes = manifest()["contributes"]
    assert [modifier["id"] for modifier in contributes["semanticTokenModifiers"]] == [
        *PLAYER_MODIFIERS
    ]
    assert [*PLAYER_MODIFIERS] == list(LEGEND.token_modifiers)
    custom = contributes["configurationDefaults"]["editor.semanticTokenColorCustomizations"][
        "rules"
    ]
    assert [*custom] == [f"*.{player}:yaml" for player in PLAYER_MODIFIERS]
    colours = [rule["foreground"] for rule in custom.values()]
    assert len(set(colours)) == len(PLAYER_MODIFIERS)
    for colour in colours:
        assert contrast(colour, "#ffffff") > 4.5 and contrast(colour, "#1e1e1e") > 3.5


def test_what_can_be_set_is_what_the_server_takes() -> None:
    set_here = manifest()["contributes"]["configuration"]["properties"]
    expected = {
        "chronicle.command",
        "chronicle.rules",
        *(f"chronicle.inlayHints.{hint}" for hint in HINT_KINDS),
    }
    assert set(set_here) == expected
    source = (HOME / "src" / "extension.js").read_text(encoding="utf-8")
    for command in manifest()["contributes"]["commands"]:
        assert f'"{command["command"]}"' in source


def test_fiction_is_what_the_server_calls_so() -> None:
    grammar = json.loads((HOME / "syntaxes" / "fiction.json").read_text(encoding="utf-8"))
    for rule in grammar["repository"].values():
        assert f"({'|'.join(STORY_KEYS)})" in rule["begin"]
