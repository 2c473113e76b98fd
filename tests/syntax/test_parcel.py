"""A parcel from anybody: what is a campaign's comes out, nothing else, and reading it ends."""

from __future__ import annotations

import io
import stat
import struct
import time
import zipfile
from pathlib import Path

import pytest

from chronicle.campaigns import find_campaigns, load, run
from chronicle.core import file_reading
from chronicle.syntax import bundle as parcel
from chronicle.syntax.bundle import (
    BadBundle,
    bundle_of_files,
    collect_files,
    pack_bundle,
    read_bundle,
)
from chronicle.syntax.render import diagnostic_as_data
from tests.conftest import LINKS, ROOT

SETTINGS = b"game: positive\ntitle: T\nplayers: [Ana, Bo]\n"


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A zip with these files, whatever they are called."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo("x")
            if isinstance(name, str):
                info.filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


@pytest.mark.parametrize("folder", find_campaigns(ROOT / "sessions"), ids=lambda path: path.name)
def test_what_comes_out_checks_as_what_went_in(folder: Path, tmp_path: Path) -> None:
    bundle = read_bundle(pack_bundle({folder.name: collect_files(folder)}))
    assert not bundle.ignored_paths
    (files,) = bundle.campaigns.values()
    home = tmp_path / folder.name
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)

    def diagnostics_of(path: Path) -> list[object]:
        record = run(load(path, root=path))
        return [diagnostic_as_data(diagnostic) for diagnostic in record.diagnostics]

    assert diagnostics_of(home) == diagnostics_of(folder)


def test_the_same_campaign_is_the_same_parcel() -> None:
    files = collect_files(ROOT / "sessions" / "the-boathouse")
    assert pack_bundle({"a": files}) == pack_bundle({"a": dict(files)})


@pytest.mark.parametrize(
    "name",
    [
        "../01.yaml",
        "c/../../01.yaml",
        "/etc/01.yaml",
        "C:/01.yaml",
        "c\\..\\..\\01.yaml",
        "\\\\host\\share\\01.yaml",
        "c/./../01.yaml",
        "c//01.yaml",
        "c/nul.yaml",
        "c/a\x00.yaml",
        "c/art/..%2f..%2fx.yaml\x1b",
    ],
)
def test_no_name_leads_anywhere_else(name: str) -> None:
    bundle = read_bundle(zipped(("c/campaign.yaml", SETTINGS), (name, b"session: 1\nlog: []\n")))
    assert bundle.campaigns == {"c": {"campaign.yaml": SETTINGS}}


def test_only_files_of_campaigns_come_out() -> None:
    link = zipfile.ZipInfo("c/02.yaml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    bundle = read_bundle(
        zipped(
            ("c/campaign.yaml", SETTINGS),
            ("c/01.yaml", b"session: 1\nlog: []\n"),
            (link, b"/etc/passwd"),
            ("c/mkdocs.yml", b"plugins: [chronicle]"),
            ("c/templates/page.html", b"{{ 7 * 7 }}"),
            ("c/hook.py", b"raise SystemExit"),
            ("c/.git/config", b"x"),
            ("c/journal/a.md", b"x"),
            ("c/journal/deep/a.md", b"x"),
            ("c/art/a.exe", b"x"),
            ("readme.txt", b"x"),
        )
    )
    assert [*bundle.campaigns["c"]] == ["01.yaml", "campaign.yaml", "journal/a.md"]
    assert {"c/mkdocs.yml", "c/templates/page.html", "c/hook.py", "c/art/a.exe"} <= {
        *bundle.ignored_paths
    }


def test_a_parcel_without_a_folder_has_a_name_all_the_same() -> None:
    zip_data = zipped(("campaign.yaml", SETTINGS), ("01.yaml", b"session: 1\nlog: []\n"))
    assert [*read_bundle(zip_data, "Lamps: a story").campaigns] == ["Lamps- a story"]


def test_a_campaign_below_another_is_none() -> None:
    bundle = read_bundle(zipped(("c/campaign.yaml", SETTINGS), ("c/d/campaign.yaml", SETTINGS)))
    assert [*bundle.campaigns] == ["c"]
    assert bundle.ignored_paths == ["c/d/campaign.yaml"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("c/01.yaml", "c/01.yaml"), "one name"),
        (("c/a.yaml", "c/A.yaml"), "one name"),
        (("d/01.yaml",), "no campaign"),
    ],
)
def test_what_is_not_clear_is_refused(names: tuple[str, ...], said: str) -> None:
    head = [] if "no campaign" in said else [("c/campaign.yaml", SETTINGS)]
    with pytest.warns(UserWarning) if len({*names}) < len(names) else pytest.MonkeyPatch.context():
        zip_data = zipped(*head, *((name, b"session: 1\nlog: []\n") for name in names))
    with pytest.raises(BadBundle, match=said):
        read_bundle(zip_data)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"nothing", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_zip_is_refused(data: bytes) -> None:
    with pytest.raises(BadBundle):
        read_bundle(data)


def test_every_byte_may_be_wrong() -> None:
    zip_data = zipped(("c/campaign.yaml", SETTINGS), ("c/01.yaml", b"session: 1\nlog: []\n"))
    for at in range(len(zip_data)):
        broken = zip_data[:at] + bytes([zip_data[at] ^ 0xFF]) + zip_data[at + 1 :]
        try:
            bundle = read_bundle(broken)
        except BadBundle:
            continue
        assert {*bundle.campaigns} <= {"c", *(name for name in bundle.campaigns if "/" not in name)}


def test_a_small_parcel_never_becomes_a_large_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_UNPACKED_BYTES", 4 * file_reading.MOST_BYTES)
    bomb = b"\0" * (file_reading.MOST_BYTES + 1)
    with pytest.raises(BadBundle, match="larger than"):
        read_bundle(zipped(("c/campaign.yaml", SETTINGS), ("c/01.yaml", bomb)))
    large_files = [(f"c/{number:02}.yaml", bomb[:-1]) for number in range(5)]
    with pytest.raises(BadBundle, match="more than"):
        read_bundle(zipped(("c/campaign.yaml", SETTINGS), *large_files))


def test_what_a_zip_says_of_its_sizes_is_not_believed() -> None:
    zip_data = bytearray(zipped(("c/campaign.yaml", SETTINGS), ("c/01.yaml", b"a: b\n" * 1000)))
    at = zip_data.rfind(b"PK\x01\x02")
    # The size that the directory gives: one byte.
    zip_data[at + 24 : at + 28] = (1).to_bytes(4, "little")
    try:
        bundle = read_bundle(bytes(zip_data))
    except BadBundle:
        return
    assert len(bundle.campaigns["c"]["01.yaml"]) <= 5000


def test_more_files_than_a_campaign_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_FILES", 2)
    with pytest.raises(BadBundle, match="more than 8 files"):
        read_bundle(zipped(*((f"c/{number}.yaml", b"") for number in range(9))))


def test_an_encrypted_one_is_refused() -> None:
    zip_data = bytearray(zipped(("c/campaign.yaml", SETTINGS)))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        zip_data[zip_data.find(sign) + at] |= 1
    with pytest.raises(BadBundle, match="encrypted"):
        read_bundle(bytes(zip_data))


def test_the_files_of_a_folder_are_taken_alike() -> None:
    bundle = bundle_of_files(
        {"mine/campaign.yaml": SETTINGS, "mine/../x.yaml": b"", "mine/a.sh": b"x"}
    )
    assert bundle.campaigns == {"mine": {"campaign.yaml": SETTINGS}}


@LINKS
def test_a_link_is_not_packed(tmp_path: Path) -> None:
    (tmp_path / "campaign.yaml").write_bytes(SETTINGS)
    (tmp_path / "01.yaml").symlink_to("/etc/passwd")
    (tmp_path / "art").symlink_to("/etc")
    assert [*collect_files(tmp_path)] == ["campaign.yaml"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_packed_in_another_way_is_refused_whatever_is_in_it(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("c/campaign.yaml", SETTINGS * 50)
    for at in (0, 50, 60, 70):
        # Broken, and with a dictionary of four gigabytes.
        broken = bytearray(buffer.getvalue())
        broken[at : at + 9] = b"\xff" * 9 if at else broken[:9]
        with pytest.raises(BadBundle, match=r"in a way that is not opened|broken"):
            read_bundle(bytes(broken))


@pytest.mark.parametrize("large", [False, True])
def test_a_list_of_files_that_is_too_long_is_not_read(large: bool) -> None:
    entry = b"PK\1\2" + b"\x14\0" * 2 + b"\0" * 20 + b"\1\0" + b"\0" * 16 + b"x"
    assert len(entry) == 47
    count = 200_000
    zip_data = entry * count
    if large:
        zip_data += struct.pack(
            "<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(zip_data), 0
        ) + struct.pack("<4sLQL", b"PK\6\7", 0, len(zip_data), 1)
    stated = 0 if large else len(entry * count)
    zip_data += struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 5, 5, stated, 0, 0)
    start = time.process_time()
    with pytest.raises(BadBundle, match="its list of files is longer than 8 MB"):
        read_bundle(zip_data)
    assert time.process_time() - start < 0.5


def test_many_campaigns_of_one_name_are_told_apart_in_time() -> None:
    files = {f"a{number}/c/campaign.yaml": SETTINGS for number in range(parcel.MOST_CAMPAIGNS)}
    start = time.process_time()
    bundle = bundle_of_files(files)
    assert time.process_time() - start < 1
    assert {*bundle.campaigns} == {"c", *(f"c-{n}" for n in range(2, parcel.MOST_CAMPAIGNS + 1))}


def test_more_campaigns_than_anybody_has_are_refused() -> None:
    zip_data = zipped(*((f"c{number}/campaign.yaml", SETTINGS) for number in range(9999)))
    start = time.process_time()
    with pytest.raises(BadBundle, match="more than 200 campaigns in it"):
        read_bundle(zip_data)
    assert time.process_time() - start < 5


def test_a_campaign_in_very_many_folders_is_none() -> None:
    zip_data = zipped(("/".join("d" * 3000) + "/campaign.yaml", SETTINGS))
    with pytest.raises(BadBundle, match="no campaign"):
        read_bundle(zip_data)
