"""A short campaign for every add-on: it uses it, is clean, and would end otherwise without it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def specimen(key: str) -> Mapping[str, str]:
    """The files of an add-on's specimen, by name: its settings, then its sessions."""
    folder = files(__name__) / key.replace(" ", "-")
    names = [file.name for file in folder.iterdir() if file.name.endswith(".yaml")]
    names.sort(key=lambda name: (name[0].isdigit(), name))
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}
