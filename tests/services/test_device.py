"""A desk that keeps campaigns where there is no disk: what it hands on, and what it is handed back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chronicle.core.files import ContentChange
from chronicle.services.device import MemoryDesk, open_device
from chronicle.syntax.bundle import collect_files, pack_bundle, read_bundle
from tests.golden import ROOT

BOATHOUSE = ROOT / "sessions" / "the-boathouse"


@pytest.fixture
def device(tmp_path: Path) -> MemoryDesk:
    desk: MemoryDesk = open_device(str(tmp_path / "campaigns"))
    desk.hold("the-boathouse", collect_files(BOATHOUSE))
    return desk


def ask(device: MemoryDesk, name: str, **fields: Any) -> Any:
    """The answer to a question."""
    return json.loads(device.ask(json.dumps({"id": 1, "ask": name, **fields})))


def test_it_answers_as_every_desk_does(device: MemoryDesk) -> None:
    (campaign,) = ask(device, "campaigns")["answer"]
    assert campaign["id"] == "the-boathouse"
    answer = ask(device, "findings", campaign="the-boathouse")["answer"]
    assert answer["entries"] > 20
    assert "refused" in ask(device, "open", campaign="../etc")
    assert device.changes() == {}


def test_what_is_written_is_handed_on_once(device: MemoryDesk) -> None:
    assert device.writes("write")
    assert not device.writes("table")
    answer = ask(device, "write", campaign="the-boathouse", entry="- tell: It rains")
    assert "answer" in answer, answer
    changed = device.changes()
    assert [*changed] == ["the-boathouse"]
    ((name, data),) = changed["the-boathouse"].items()
    assert data is not None
    assert b"- tell: It rains" in data
    assert collect_files(BOATHOUSE)[name] != data
    assert device.changes() == {}


def test_what_could_not_be_kept_is_taken_back(device: MemoryDesk) -> None:
    ask(device, "write", campaign="the-boathouse", entry="- tell: It rains")
    device.changes()
    device.hold("the-boathouse", collect_files(BOATHOUSE))
    log = ask(device, "log", campaign="the-boathouse")["answer"]
    assert "It rains" not in json.dumps(log["entries"][-1])
    assert "answer" in ask(device, "write", campaign="the-boathouse", entry="- tell: It snows")


def test_a_campaign_that_is_kept_no_more_is_gone(device: MemoryDesk) -> None:
    ask(device, "open", campaign="the-boathouse")
    device.hold("the-boathouse", {})
    assert ask(device, "campaigns")["answer"] == []
    assert "refused" in ask(device, "open", campaign="the-boathouse")


def test_nothing_is_held_that_no_campaign_has(device: MemoryDesk, tmp_path: Path) -> None:
    device.hold("x", {"campaign.yaml": b"", "../y.yaml": b"", "run.sh": b""})
    assert sorted(
        file.name for file in tmp_path.rglob("*") if file.is_file() and "x" in str(file)
    ) == ["campaign.yaml"]


def test_a_parcel_of_one_desk_is_received_at_another(device: MemoryDesk, tmp_path: Path) -> None:
    parcel = device.parcel("the-boathouse")
    second_device = open_device(str(tmp_path / "other"))
    # A browser hands over what it has read as a memoryview.
    answer = json.loads(second_device.receive(memoryview(parcel), "boat.zip"))["answer"]
    assert answer == {"campaigns": ["the-boathouse"], "left": []}
    changed = second_device.changes()["the-boathouse"]
    assert changed == collect_files(BOATHOUSE)
    # What is here stays as it is.
    second_answer = json.loads(
        second_device.receive(pack_bundle({"The-Boathouse": collect_files(BOATHOUSE)}), "boat.zip")
    )
    assert second_answer["answer"]["campaigns"] == ["The-Boathouse-2"]
    assert read_bundle(parcel).campaigns == {"the-boathouse": collect_files(BOATHOUSE)}


def test_a_copy_of_a_campaign_of_the_site_becomes_ones_own_elsewhere(device: MemoryDesk) -> None:
    device.hold("@boat", collect_files(BOATHOUSE))
    parcel = device.parcel("@boat")
    assert [*read_bundle(parcel).campaigns] == ["boat"]
    bundle = pack_bundle({"@boat": collect_files(BOATHOUSE)})
    assert json.loads(device.receive(bundle, "x.zip"))["answer"]["campaigns"] == ["boat"]


def test_what_is_only_looked_at_is_kept_nowhere(device: MemoryDesk) -> None:
    files = collect_files(BOATHOUSE)
    answer = json.loads(
        device.look({"campaign.yaml": files["campaign.yaml"], "01.yaml": b"log: x"})
    )
    assert "open" in answer
    answer = json.loads(device.look(files))
    assert answer["findings"]["entries"] == len(answer["log"]["entries"])
    assert [campaign["id"] for campaign in ask(device, "campaigns")["answer"]] == ["the-boathouse"]
    assert device.changes() == {}
    assert [path.name for path in device.folder.iterdir()] == ["the-boathouse"]


def test_what_is_no_parcel_is_refused_with_a_sentence(device: MemoryDesk) -> None:
    refused = json.loads(device.receive(b"no zip", "boat.zip"))["refused"]
    assert "'boat.zip' cannot be imported" in refused["message"]
    refused = json.loads(device.receive({"a/01.yaml": memoryview(b"")}, "a"))["refused"]
    assert "no campaign" in refused["message"]


def test_a_file_that_is_not_as_it_was_read_is_not_written(device: MemoryDesk) -> None:
    file = device.folder / "the-boathouse" / "01.yaml"
    with pytest.raises(OSError, match="changed"):
        device.room.write(file.parent, [ContentChange(file, b"other", b"new")])
    assert file.read_bytes() == (BOATHOUSE / "01.yaml").read_bytes()
