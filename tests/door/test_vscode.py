"""The extension for VS Code says the same as the server that it starts."""

from __future__ import annotations

import json
import re
from typing import Any

from chronicle import __version__
from chronicle.cli.project import EXTENSIONS
from chronicle.door.lsp.answers import LEGEND, PLAYER_MODIFIERS
from chronicle.services.editor.hover import HINTS
from chronicle.services.editor.outline import TEXTS
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


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_manifest_is_of_this_version_and_names_what_is_there() -> None:
    said = manifest()
    assert said["version"] == __version__.partition("+")[0]
    lock = json.loads((HOME / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == said["devDependencies"]
    assert all(re.fullmatch(r"[\d.]+", version) for version in said["devDependencies"].values())
    for grammar in said["contributes"]["grammars"]:
        found = json.loads((HOME / grammar["path"]).read_text(encoding="utf-8"))
        assert found["scopeName"] == grammar["scopeName"]
    assert (HOME / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert said["main"] == "./" + said["scripts"]["build"].rpartition("--outfile=")[2]
    assert f"{said['publisher']}.{said['name']}" in EXTENSIONS, "what 'new' recommends"


def test_every_player_has_a_colour_that_can_be_read_on_light_and_dark() -> None:
    said = manifest()["contributes"]
    assert [one["id"] for one in said["semanticTokenModifiers"]] == [*PLAYER_MODIFIERS]
    assert [*PLAYER_MODIFIERS] == list(LEGEND.token_modifiers)
    custom = said["configurationDefaults"]["editor.semanticTokenColorCustomizations"]["rules"]
    assert [*custom] == [f"*.{player}:yaml" for player in PLAYER_MODIFIERS]
    colours = [one["foreground"] for one in custom.values()]
    assert len(set(colours)) == len(PLAYER_MODIFIERS)
    for colour in colours:
        assert contrast(colour, "#ffffff") > 4.5 and contrast(colour, "#1e1e1e") > 3.5


def test_what_can_be_set_is_what_the_server_takes() -> None:
    set_here = manifest()["contributes"]["configuration"]["properties"]
    wanted = {
        "chronicle.command",
        "chronicle.rules",
        *(f"chronicle.inlayHints.{one}" for one in HINTS),
    }
    assert set(set_here) == wanted
    source = (HOME / "src" / "extension.js").read_text(encoding="utf-8")
    for one in manifest()["contributes"]["commands"]:
        assert f'"{one["command"]}"' in source


def test_fiction_is_what_the_server_calls_so() -> None:
    grammar = json.loads((HOME / "syntaxes" / "fiction.json").read_text(encoding="utf-8"))
    for rule in grammar["repository"].values():
        assert f"({'|'.join(TEXTS)})" in rule["begin"]
