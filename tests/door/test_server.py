"""Who may come in at the door of the desk, and who not."""

import asyncio
import http.client
import json
import os
import shutil
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chronicle.core.edits import edit
from chronicle.door import server
from chronicle.door.guest_files import files_for_guests
from chronicle.door.guests import GuestProcess
from chronicle.door.hands import RaisedHand, RaisedHands
from chronicle.door.keys import MAX_KEYS, Keys
from chronicle.door.server import DeskServer, Strangers, draw_qr_code
from chronicle.services import new_campaign
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom

pytestmark = pytest.mark.integration

CAMPAIGN = "the-boathouse"


class Visit:
    """A door with a campaign behind it, and ways to knock at it."""

    def __init__(self, door: DeskServer, folder: Path) -> None:
        self.door, self.folder = door, folder
        self.host = f"127.0.0.1:{door.port}"

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """The answer to a request; it is asked for as it stands."""
        to = http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=10)
        to.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            to.putheader(name.replace("_", "-"), value)
        to.endheaders()
        answer = to.getresponse()
        return answer.status, {k.casefold(): v for k, v in answer.getheaders()}, answer.read()

    def knock(self, origin: str | None = "", host: str = "") -> Any:
        """A WebSocket from a page of an origin (its own, if none is said)."""
        origin = f"http://{self.host}" if origin == "" else origin
        headers = {"Host": host} if host else {}
        return connect(f"ws://{self.host}/desk", origin=origin, additional_headers=headers)  # type: ignore[arg-type]

    async def enter(self, connection: ClientConnection, key: str) -> dict[str, Any]:
        return await ask(connection, "enter", key=key)


async def ask(connection: ClientConnection, ask: str, **arguments: Any) -> dict[str, Any]:
    """The answer to a question; what is told meanwhile is left aside."""
    await connection.send(json.dumps({"id": 1, "ask": ask, **arguments}))
    while True:
        message: dict[str, Any] = json.loads(await connection.recv())
        if "tell" not in message:
            return message


@pytest.fixture
def visit(tmp_path: Path, root: Path) -> Callable[..., None]:
    """Runs a visit at an open door, of the campaigns below a folder."""
    shutil.copytree(root / "sessions" / CAMPAIGN, tmp_path / "sessions" / CAMPAIGN)
    desk = tmp_path / "page" / "desk"
    desk.mkdir(parents=True)
    (desk / "index.html").write_text("<p>{nonce}", encoding="utf-8")
    (desk / "desk.js").write_text("1", encoding="utf-8")
    (tmp_path / "page" / "other.js").write_text("secret", encoding="utf-8")
    (tmp_path / "secret.js").write_text("secret", encoding="utf-8")

    def run(act: Callable[[Visit], Awaitable[None]], folder: Path = tmp_path / "sessions") -> None:
        async def visiting() -> None:
            door = DeskServer(CampaignRoom(folder, edit, files_for_guests), tmp_path / "page")
            ready = asyncio.Event()
            running = asyncio.create_task(door.run(ready.set))
            try:
                async with asyncio.timeout(60):
                    await ready.wait()
                    await act(Visit(door, tmp_path / "sessions" / CAMPAIGN))
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

        asyncio.run(visiting())

    return run


Run = Callable[..., None]


async def _get(at: Visit, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return await asyncio.to_thread(lambda: at.get(path, **headers))


def test_the_page_comes_with_strict_words_about_itself(visit: Run) -> None:
    async def act(at: Visit) -> None:
        status, headers, body = await _get(at, "/")
        assert status == 200
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert f"'nonce-{body.decode().removeprefix('<p>')}'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        second_body = (await _get(at, "/"))[2]
        assert second_body != body
        assert (await _get(at, "/desk.js"))[2] == b"1"

    visit(act)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.js",
        "/../other.js",
        "/other.js",
        "/..%2fsecret.js",
        "/%2e%2e/secret.js",
        "//secret.js",
        "/desk.js/../../secret.js",
        "/..\\secret.js",
        "/sessions/the-boathouse/01.yaml",
        "/index.html",
        "/etc/passwd",
        "file:///etc/passwd",
        "/" + "a" * 4000,
    ],
)
def test_no_address_reaches_the_disk(visit: Run, path: str) -> None:
    async def act(at: Visit) -> None:
        status, _, body = await _get(at, path)
        assert status == 404
        assert b"secret" not in body

    visit(act)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "0"])
def test_a_foreign_name_is_refused(visit: Run, host: str) -> None:
    async def act(at: Visit) -> None:
        assert (await _get(at, "/", Host=host))[0] == 403
        with pytest.raises(InvalidStatus):
            async with at.knock(host=host):
                pass

    visit(act)


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1", "evil.example"], ["127.0.0.1"] * 2])
def test_a_request_names_one_host(visit: Run, hosts: list[str]) -> None:
    async def act(at: Visit) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.door.port)
        named = "".join(f"Host: {host}\r\n" for host in hosts)
        writer.write(f"GET / HTTP/1.1\r\n{named}\r\n".encode())
        assert (await reader.readline()).split()[1] == b"403"
        writer.close()

    visit(act)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", None, "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_foreign_page_is_refused(visit: Run, origin: str | None) -> None:
    async def act(at: Visit) -> None:
        with pytest.raises(InvalidStatus):
            async with at.knock(origin=origin):
                pass

    visit(act)


def test_no_file_of_the_page_is_for_another_site(visit: Run) -> None:
    async def act(at: Visit) -> None:
        cross = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
        assert (await _get(at, "/desk.js", **cross))[0] == 403
        assert (await _get(at, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate"))[
            0
        ] == 200

    visit(act)


def test_a_link_works_once_and_its_key_goes_on(visit: Run) -> None:
    async def act(at: Visit) -> None:
        token = at.door.keys.token()
        async with at.knock() as connection:
            entered = (await at.enter(connection, token))["answer"]
            assert not entered["guest"]
            assert (await ask(connection, "findings", campaign=CAMPAIGN))["answer"]["entries"] > 80
        async with at.knock() as connection:
            assert "refused" in await at.enter(connection, token)
        async with at.knock() as connection:
            assert "answer" in await at.enter(connection, entered["key"])

    visit(act)


@pytest.mark.parametrize(
    "first",
    [
        {"ask": "enter", "key": "wrong"},
        {"ask": "enter", "key": ""},
        {"ask": "enter", "key": None},
        {"ask": "enter"},
        {"ask": "findings", "campaign": CAMPAIGN},
        {"ask": "enter", "key": "\ud800"},
        [],
        "x",
    ],
)
def test_nobody_is_answered_without_a_key(visit: Run, first: object) -> None:
    async def act(at: Visit) -> None:
        at.door.keys.token()
        async with at.knock() as connection:
            await connection.send(json.dumps(first))
            assert "refused" in json.loads(await connection.recv())
            with pytest.raises(ConnectionClosed):
                await connection.send(
                    json.dumps({"id": 2, "ask": "findings", "campaign": CAMPAIGN})
                )
                await connection.recv()

    visit(act)


def test_a_guest_looks_and_does_not_write(visit: Run) -> None:
    async def act(at: Visit) -> None:
        bytes_before = {file: file.read_bytes() for file in at.folder.rglob("*") if file.is_file()}
        async with at.knock() as connection:
            assert (await at.enter(connection, at.door.keys.code()))["answer"]["guest"]
            assert (await ask(connection, "log", campaign=CAMPAIGN, first=1, last=3))["answer"][
                "entries"
            ]
            for name in (
                "write",
                "edit",
                "remove",
                "change",
                "save",
                "undo",
                "redo",
                "text",
                "invite",
            ):
                assert "refused" in await ask(
                    connection, name, campaign=CAMPAIGN, entry="tell: x"
                ), name
        assert {f: f.read_bytes() for f in at.folder.rglob("*") if f.is_file()} == bytes_before

    visit(act)


def test_a_raised_hand_is_seen_by_keepers_alone_and_is_short(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as keeper, at.knock() as guest, at.knock() as other_connection:
            await at.enter(keeper, at.door.keys.token())
            await ask(keeper, "table", campaign=CAMPAIGN)
            assert json.loads(await keeper.recv())["hands"] == []
            for connection in (guest, other_connection):
                await at.enter(connection, at.door.keys.code())
            question = {
                "campaign": CAMPAIGN,
                "name": "Ana" * 99,
                "verb": ["no", "word"],
                "more": "x",
            }
            assert (await ask(guest, "raise", **question))["answer"] == {}
            message = json.loads(await keeper.recv())
            assert (message["tell"], message["campaign"]) == ("hands", CAMPAIGN)
            (hand,) = message["hands"]
            assert hand.keys() == {"name", "verb"}
            assert all(len(value) <= server.MAX_NAME_LENGTH for value in hand.values())
            # The guest learns that it is seen; another guest hears nothing of it.
            message = json.loads(await guest.recv())
            assert (message["tell"], message["up"], message["seen"]) == ("hand", True, True)
            await other_connection.send(json.dumps({"id": 1, "ask": "campaigns"}))
            assert "answer" in json.loads(await other_connection.recv())
            assert "refused" in await ask(keeper, "raise", campaign=CAMPAIGN)

    visit(act)


def test_a_raised_hand_waits_until_its_campaign_is_opened_and_is_lowered_for_all(
    visit: Run,
) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as keeper, at.knock() as guest:
            await at.enter(guest, at.door.keys.code())
            await ask(guest, "raise", campaign=CAMPAIGN, name="Ana", verb="call")
            assert json.loads(await guest.recv())["seen"] is False
            # A keeper comes, looks at the list, and then opens the campaign.
            await at.enter(keeper, at.door.keys.token())
            await ask(keeper, "campaigns")
            await ask(keeper, "table", campaign=CAMPAIGN)
            assert json.loads(await keeper.recv())["hands"] == [{"name": "Ana", "verb": "call"}]
            assert json.loads(await guest.recv())["seen"] is True
            # Back at the list it is not seen any more; opened again, it is still there.
            await ask(keeper, "campaigns")
            assert json.loads(await guest.recv())["seen"] is False
            await ask(keeper, "table", campaign=CAMPAIGN)
            assert len(json.loads(await keeper.recv())["hands"]) == 1
            assert json.loads(await guest.recv())["seen"] is True
            await ask(keeper, "lower", campaign=CAMPAIGN, name="Ana")
            assert json.loads(await keeper.recv())["hands"] == []
            assert json.loads(await guest.recv())["up"] is False

    visit(act)


def test_hands_are_as_many_as_there_is_room_for() -> None:
    hands: RaisedHands[None] = RaisedHands(limit=2)
    for name in ("Ana", "Bo", "Ana", "Cleo"):
        hands.add(RaisedHand(CAMPAIGN, name, "", None))
    assert [hand.name for hand in hands.hands_for(CAMPAIGN)] == ["Ana", "Cleo"]


def test_one_more_keeper_comes_in_once_and_guests_by_a_code(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            alone = (await ask(connection, "invite"))["answer"]
            assert alone["link"] == f"http://{at.host}/#{alone['word']}"
            assert not alone["dots"] and not alone["address"]
            monkeypatch.setattr(server.DeskServer, "address", "http://10.0.0.7:1/")
            guests = (await ask(connection, "invite"))["answer"]
            keeper = (await ask(connection, "invite", keeper=True))["answer"]
            assert guests["dots"] == draw_qr_code(guests["link"])
            assert guests["link"].endswith(f":1/#{alone['word']}")
        for word, guest in ((guests["word"], True), (keeper["word"], False)):
            for is_second in (False, True):
                async with at.knock() as other_connection:
                    entered = await at.enter(other_connection, word)
                    assert ("refused" in entered) == (is_second and not guest)
                    assert "refused" in entered or entered["answer"]["guest"] == guest

    visit(act)


def test_a_code_that_was_guessed_at_changes(visit: Run) -> None:
    async def act(at: Visit) -> None:
        code = at.door.keys.code()
        for _ in range(10):
            assert at.door.keys.enter("1234") is None
        assert at.door.keys.enter(code) is None
        assert at.door.keys.code() != code

    visit(act)


def test_a_question_too_large_ends_the_visit_and_no_other(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_KEEPER_MESSAGE_BYTES", 100_000)

    async def act(at: Visit) -> None:
        async with at.knock() as connection, at.knock() as other_connection:
            await at.enter(connection, at.door.keys.token())
            await at.enter(other_connection, at.door.keys.token())
            with pytest.raises(ConnectionClosed):
                await connection.send("x" * 100_001)
                await connection.recv()
            assert "answer" in await ask(other_connection, "campaigns")

    visit(act)


def test_a_question_that_takes_long_closes_nobodys_desk(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is asked meanwhile waits unread, and the answers to pings behind it.
    hasty = partial(serve, ping_interval=0.05, ping_timeout=0.2)
    monkeypatch.setattr(server, "serve", hasty)

    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            monkeypatch.setattr(new_campaign, "game_forms", lambda: time.sleep(1))
            for number in range(12):
                name = "campaigns" if number else "games"
                await connection.send(json.dumps({"id": number, "ask": name}))
            assert [json.loads(await connection.recv())["id"] for _ in range(12)] == [*range(12)]

    visit(act)


def test_a_fault_is_told_and_closes_nobodys_desk(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(desk: Desk) -> None:
        raise RuntimeError("no such luck")

    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            monkeypatch.setattr(CampaignRoom, "folder_by_id", fails)
            refused = (await ask(connection, "campaigns"))["refused"]
            assert "a fault in Chronicle, not in your log" in refused["message"]
            assert "no such luck" in refused["message"]
            monkeypatch.undo()
            assert "answer" in await ask(connection, "campaigns")

    visit(act)


@pytest.mark.parametrize("half", [{"id": "\ud800"}, {"text": "tell: \ud800"}])
def test_half_a_sign_is_no_text(visit: Run, half: dict[str, str]) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            question = {
                "id": 1,
                "ask": "change",
                "campaign": CAMPAIGN,
                "file": "02.yaml",
                "text": "x",
            }
            await connection.send(json.dumps(question | half))
            message = json.loads(await connection.recv())
            assert message["id"] == half.get("id", 1)
            assert ("refused" in message) == ("text" in half)
            assert "answer" in await ask(connection, "findings", campaign=CAMPAIGN)

    visit(act)


def test_other_desks_are_told_of_what_is_written_here_or_in_an_editor(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection, at.knock() as other_connection:
            await at.enter(connection, at.door.keys.token())
            await at.enter(other_connection, at.door.keys.token())
            await ask(other_connection, "open", campaign=CAMPAIGN)
            await ask(connection, "write", campaign=CAMPAIGN, entry="aside: Tea")
            message = json.loads(await other_connection.recv())
            assert message == {"tell": "changed", "campaign": CAMPAIGN}
            file = at.folder / "02.yaml"
            file.write_bytes(file.read_bytes() + b"- aside: More tea\n")
            assert json.loads(await other_connection.recv()) == message
            assert json.loads(await connection.recv()) == message
            log = (await ask(connection, "log", campaign=CAMPAIGN))["answer"]
            assert [entry["head"] for entry in log["entries"][-2:]]
            assert log["entries"][-1]["talk"] or log["entries"][-1]["head"]

    visit(act)


@pytest.mark.parametrize(
    "folder", [".", "sessions", f"sessions/{CAMPAIGN}", "./sessions/../sessions"]
)
def test_an_outside_edit_is_noticed_whichever_way_the_folder_is_named(
    visit: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            await ask(connection, "open", campaign=CAMPAIGN)
            file = at.folder / "02.yaml"
            file.write_bytes(file.read_bytes() + b"- aside: More tea\n")
            async with asyncio.timeout(10):
                message = json.loads(await connection.recv())
            assert message == {"tell": "changed", "campaign": CAMPAIGN}
            log = (await ask(connection, "log", campaign=CAMPAIGN))["answer"]
            assert "More tea" in json.dumps(log["entries"][-1])

    monkeypatch.chdir(tmp_path)
    visit(act, Path(folder))


def test_a_stranger_sends_one_small_message_that_is_not_compressed(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection, at.knock() as other_connection:
            assert not connection.protocol.extensions
            await other_connection.send(json.dumps({"ask": "enter", "key": at.door.keys.token()}))
            assert "answer" in json.loads(await other_connection.recv())
            with pytest.raises(ConnectionClosed) as closed:
                await connection.send(json.dumps({"ask": "enter", "key": "x" * 1024}))
                await connection.recv()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
            assert "answer" in await ask(other_connection, "findings", campaign=CAMPAIGN)

    visit(act)


def test_many_strangers_keep_no_keeper_out(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection:
            await at.enter(connection, at.door.keys.token())
            idle = [socket.create_connection(("127.0.0.1", at.door.port)) for _ in range(100)]
            strangers = [await at.knock() for _ in range(server.MAX_STRANGERS + 8)]
            assert len(at.door._strangers) <= server.MAX_STRANGERS
            async with at.knock() as other_connection:
                assert "answer" in await at.enter(other_connection, at.door.keys.token())
                assert "answer" in await ask(other_connection, "campaigns")
            assert "answer" in await ask(connection, "campaigns")
            for idle_connection in idle:
                idle_connection.close()
            for stranger in strangers:
                await stranger.close()
        async with asyncio.timeout(5):
            while len(at.door._strangers):
                await asyncio.sleep(0.01)

    visit(act)


def test_of_too_many_strangers_one_at_the_busiest_address_goes() -> None:
    class Coming:
        def __init__(self, address: str) -> None:
            self.remote_address, self.transport, self.gone = (address, 1), self, False

        def abort(self) -> None:
            self.gone = True

    strangers = Strangers(3)
    came: list[Any] = [Coming(address) for address in ("10.0.0.1", *["10.0.0.2"] * 4)]
    for visitor in came:
        strangers.arrive(visitor)
    assert [visitor.gone for visitor in came] == [False, True, True, False, False]


def test_a_stranger_who_shows_nothing_is_gone_soon(
    visit: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ENTER_TIMEOUT", 0.2)

    async def act(at: Visit) -> None:
        _, silent = await asyncio.open_connection("127.0.0.1", at.door.port)
        async with at.knock() as connection:
            with pytest.raises(ConnectionClosed):
                await connection.recv()
        async with asyncio.timeout(5):
            while len(at.door._strangers):
                await asyncio.sleep(0.01)
        silent.close()

    visit(act)


def test_no_guest_takes_the_key_of_a_keeper_away() -> None:
    keys = Keys()
    entered = keys.enter(keys.token())
    assert entered is not None
    code = keys.code()
    guests = [keys.enter(code) for _ in range(MAX_KEYS + 1)]
    assert keys.enter(entered[0]) == entered
    first, last = guests[0], guests[-1]
    assert first and last
    assert keys.enter(first[0]) is None
    assert keys.enter(last[0]) == last


def test_too_many_guests_keep_no_keeper_out(visit: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_GUESTS", 1)

    async def act(at: Visit) -> None:
        async with at.knock() as connection, at.knock() as other_connection, at.knock() as keeper:
            assert "answer" in await at.enter(connection, at.door.keys.code())
            refused = await at.enter(other_connection, at.door.keys.code())
            assert refused["refused"]["message"] == "too many guests are watching here"
            assert "answer" in await at.enter(keeper, at.door.keys.token())

    visit(act)


def test_a_large_question_of_a_guest_ends_the_visit(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as connection, at.knock() as other_connection:
            for asker in (connection, other_connection):
                await at.enter(asker, at.door.keys.code())
            refused = await ask(connection, "table", campaign=CAMPAIGN, branch=["tell: x"])
            assert refused["refused"]["message"] == "guests cannot use 'branch' of 'table'"
            with pytest.raises(ConnectionClosed):
                await ask(connection, "card", campaign=CAMPAIGN, name="x" * 5000)
            assert "answer" in await ask(other_connection, "campaigns")

    visit(act)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs a way to stop a process")
def test_no_keeper_waits_for_a_guest(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as keeper, at.knock() as guest:
            await at.enter(keeper, at.door.keys.token())
            await at.enter(guest, at.door.keys.code())
            assert "answer" in await ask(guest, "campaigns")
            process = at.door._guests._process
            assert process is not None
            os.kill(process.pid, signal.SIGSTOP)
            waiting = asyncio.create_task(ask(guest, "log", campaign=CAMPAIGN))
            for name in ("campaigns", "open", "write", "log"):
                arguments = {} if name == "campaigns" else {"campaign": CAMPAIGN}
                arguments |= {"entry": "aside: Tea"} if name == "write" else {}
                assert "answer" in await ask(keeper, name, **arguments)
            assert not waiting.done()
            os.kill(process.pid, signal.SIGCONT)
            assert "Tea" in json.dumps(await waiting)

    visit(act)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs a way to stop a process")
def test_a_guest_who_asks_for_too_much_is_refused_and_others_are_answered(
    tmp_path: Path, root: Path
) -> None:
    shutil.copytree(root / "sessions" / CAMPAIGN, tmp_path / CAMPAIGN)

    async def act() -> None:
        guests = GuestProcess(tmp_path, timeout=20)
        question = {"id": 7, "ask": "log", "campaign": CAMPAIGN}
        assert "answer" in json.loads(await guests.answer(question))
        stopped = guests._process
        assert stopped is not None
        os.kill(stopped.pid, signal.SIGSTOP)
        guests._timeout = 0.3
        answer = json.loads(await guests.answer(question))
        assert (answer["id"], answer["refused"]["message"]) == (7, "this took too long")
        assert stopped.returncode is not None
        guests._timeout = 20
        assert "answer" in json.loads(await guests.answer(question))
        process = guests._process
        assert process is not None
        process.kill()
        await process.wait()
        assert "answer" in json.loads(await guests.answer(question))
        await guests.close()

    asyncio.run(act())


def test_a_guest_sees_what_is_written_in_a_campaign_that_no_keeper_has_open(visit: Run) -> None:
    async def act(at: Visit) -> None:
        async with at.knock() as guest:
            await at.enter(guest, at.door.keys.code())
            assert "More tea" not in json.dumps(await ask(guest, "log", campaign=CAMPAIGN))
            file = at.folder / "02.yaml"
            file.write_bytes(file.read_bytes() + b"- aside: More tea\n")
            assert json.loads(await guest.recv()) == {"tell": "changed", "campaign": CAMPAIGN}
            assert "More tea" in json.dumps(await ask(guest, "log", campaign=CAMPAIGN))

    visit(act)
