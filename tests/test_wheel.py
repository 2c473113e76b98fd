"""The wheel, as it is built: all of Chronicle, and nothing beside it in the folder that packages share."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files in a wheel that is built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as pack:
        return {*pack.namelist()}


def test_it_holds_the_package_and_its_description_alone(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    (description,) = (top for top in tops if top.endswith(".dist-info"))
    assert tops == {"chronicle", description}


def test_it_holds_every_file_of_the_package(names: set[str]) -> None:
    def below(folder: Path, at: str) -> set[str]:
        files = (path for path in folder.rglob("*") if path.is_file())
        own = (file for file in files if "__pycache__" not in file.parts)
        return {f"{at}/{file.relative_to(folder).as_posix()}" for file in own}

    expected = below(ROOT / "chronicle", "chronicle")
    expected |= below(ROOT / "templates", "chronicle/_templates") | {"chronicle/CHANGELOG.md"}
    assert {name for name in names if name.startswith("chronicle/")} == expected
