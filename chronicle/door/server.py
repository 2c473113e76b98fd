"""The server. It answers only requests to its own name, from its own page, with a valid key."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from chronicle.campaigns import fault_in
from chronicle.core.host_header import is_own_host as is_own_host
from chronicle.door.guests import GuestProcess
from chronicle.door.hands import RaisedHand, RaisedHands
from chronicle.door.keys import Keys
from chronicle.door.pages import page_response, read_pages, respond
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom

SOCKET_PATH: Final = "/desk"
"""The address of the WebSocket."""
ALL_ADDRESSES: Final = "0.0.0.0"
"""The host of a server that other devices in the network can reach."""
MAX_KEEPER_MESSAGE_BYTES: Final = 20 * 1024 * 1024
"""The largest question of a keeper, in bytes: a file and some text around it."""
MAX_GUEST_MESSAGE_BYTES: Final = 4 * 1024
"""The largest question of a guest, in bytes."""
MAX_STRANGER_MESSAGE_BYTES: Final = 1024
"""The largest message of a visitor without a key, in bytes."""
ENTER_TIMEOUT: Final = 5.0
"""The seconds that a visitor has to finish a request, and then to show a key."""
MAX_STRANGERS: Final = 32
"""The number of open connections without a key. A browser opens six to fetch the page."""
MAX_KEEPERS: Final = 32
"""The number of keepers' desks that can be open."""
MAX_GUESTS: Final = 32
"""The number of guests that can watch."""
MAX_NAME_LENGTH: Final = 80
"""The characters of a name that a guest gives with a raised hand."""
DISK_CHECK_INTERVAL: Final = 0.4
"""The seconds between two checks of the disk for changes."""


class Strangers:
    """The connections without a key. If there are too many, the oldest connection of the busiest address is closed,
    so that one address cannot keep out the others."""

    def __init__(self, limit: int = MAX_STRANGERS) -> None:
        self._limit = limit
        # In the order of arrival.
        self._addresses: dict[ServerConnection, str] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def arrive(self, connection: ServerConnection) -> None:
        """Add a connection, and close an older connection if there are too many."""
        self._addresses[connection] = str((connection.remote_address or ("",))[0])
        if len(self._addresses) > self._limit:
            ((busiest_address, _),) = Counter(self._addresses.values()).most_common(1)
            oldest_connection = next(
                other_connection
                for other_connection, address in self._addresses.items()
                if address == busiest_address
            )
            self.leave(oldest_connection)
            oldest_connection.transport.abort()

    def leave(self, connection: ServerConnection) -> None:
        """Stop counting a connection: it has shown a key, or has ended."""
        self._addresses.pop(connection, None)


class CountedConnection(ServerConnection):
    """A connection to the server. It counts as a stranger from its first moment."""

    def __init__(self, strangers: Strangers, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._strangers = strangers

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection."""
        super().connection_made(transport)
        self._strangers.arrive(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self._strangers.leave(self)
        super().connection_lost(exc)


class DeskServer:
    """One server with its desks."""

    def __init__(self, room: CampaignRoom, assets_folder: Path, host: str = "127.0.0.1") -> None:
        self.room, self.host = room, host
        self.keys = Keys()
        self._pages = read_pages(assets_folder)
        # One thread answers the questions, one after the other, so that connections stay responsive.
        self._worker = ThreadPoolExecutor(1, "desk")
        self._strangers = Strangers()
        self._guests = GuestProcess(room.folder)
        # Changes up to now are not news.
        room.ids_changed_outside()
        # Guests have no desk here (None): a separate process answers them.
        self._desks: dict[ServerConnection, Desk | None] = {}
        self._hands: RaisedHands[ServerConnection] = RaisedHands()
        # The campaign on the page of each keeper; empty: the list of campaigns.
        self._shown_campaigns: dict[ServerConnection, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: Server | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._server is not None
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def run(
        self, ready: Callable[[], object] = lambda: None, ports: Sequence[int] = (0,)
    ) -> None:
        """Serve until cancelled, on the first free port of ``ports`` (0: any). ``ready`` is called when the server
        accepts connections."""
        try:
            async with await self._listen(ports) as server:
                self._server = server
                ready()
                await self._watch_disk()
        finally:
            # Let the last write finish.
            self._worker.shutdown(wait=True)
            await self._guests.close()

    async def _listen(self, ports: Sequence[int]) -> Server:
        # The library expects a class here, but only calls it.
        make_connection: Any = partial(CountedConnection, self._strangers)
        for port in ports:
            try:
                return await serve(
                    self._serve,
                    self.host,
                    port,
                    create_connection=make_connection,
                    process_request=self._respond,
                    # No compression: a small message cannot unpack into a large one.
                    compression=None,
                    max_size=MAX_STRANGER_MESSAGE_BYTES,
                    max_queue=4,
                    open_timeout=ENTER_TIMEOUT,
                    # A long question delays reading, the answer to a ping included. That must not close a desk.
                    ping_timeout=None,
                    server_header=None,
                )
            except OSError as error:
                if port == ports[-1] or error.errno != errno.EADDRINUSE:
                    raise
        raise ValueError("no port to listen on")

    # -- access ------------------------------------------------------------------------------------

    def _respond(self, connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None starts a WebSocket."""
        hosts = request.headers.get_all("Host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not host or not is_own_host(host, self.host):
            return respond(HTTPStatus.FORBIDDEN, b"This is served under its own name only.\n")
        path = request.path.partition("?")[0]
        if path == SOCKET_PATH:
            if request.headers.get("Origin") != f"http://{host}":
                return respond(HTTPStatus.FORBIDDEN, b"Questions come from the page itself.\n")
            return None
        if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin") and (
            request.headers.get("Sec-Fetch-Mode") != "navigate"
        ):
            return respond(HTTPStatus.FORBIDDEN, b"This is for its own page.\n")
        page = self._pages.get(path)
        if page is None:
            return respond(HTTPStatus.NOT_FOUND, b"There is nothing here.\n")
        return page_response(page, host)

    async def _enter(self, connection: ServerConnection) -> bool:
        """Wait for a key, a token or a code, and open a desk for it. Returns whether the visitor was let in."""
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            async with asyncio.timeout(ENTER_TIMEOUT):
                question = _read_question(await connection.recv())
                credential = question.get("key")
                access = (
                    self.keys.enter(credential)
                    if question.get("ask") == "enter" and isinstance(credential, str)
                    else None
                )
                question_id = question.get("id")
                if access is None:
                    # Slow down guessing.
                    await asyncio.sleep(1)
                    return await self._refuse(connection, question_id, "this key is not known here")
                key, is_guest = access
                open_count = sum((desk is None) == is_guest for desk in self._desks.values())
                if open_count >= (MAX_GUESTS if is_guest else MAX_KEEPERS):
                    message = (
                        f"too many {'guests are watching' if is_guest else 'desks are open'} here"
                    )
                    return await self._refuse(connection, question_id, message)
                self._strangers.leave(connection)
                connection.protocol.max_message_size = (
                    MAX_GUEST_MESSAGE_BYTES if is_guest else MAX_KEEPER_MESSAGE_BYTES
                )
                desk = None if is_guest else Desk(self.room, tell_changed=self._send_changed_soon)
                self._desks[connection] = desk
                answer = {"key": key, "guest": is_guest}
                await connection.send(_as_json({"id": question_id, "answer": answer}))
                return True
        return False

    async def _refuse(
        self, connection: ServerConnection, question_id: object, message: str
    ) -> bool:
        refusal = {"message": message, "help": []}
        await connection.send(_as_json({"id": question_id, "refused": refusal}))
        await connection.close(1008)
        return False

    # -- questions ---------------------------------------------------------------------------------

    async def _serve(self, connection: ServerConnection) -> None:
        try:
            if await self._enter(connection):
                async for message in connection:
                    question = _read_question(message)
                    await connection.send(await self._answer_any(connection, question))
                    self._apply_side_effects(connection, question)
        except ConnectionClosed:
            pass
        finally:
            closed_desk = self._desks.pop(connection, None)
            if shown_campaign := self._shown_campaigns.pop(connection, ""):
                self._send_hands(shown_campaign)
            if closed_desk is not None:
                await self._run_on_worker(closed_desk.leave)

    async def _answer_any(self, connection: ServerConnection, question: dict[str, Any]) -> str:
        """Answer a question, as JSON. Without a desk it is the question of a guest."""
        desk = self._desks[connection]
        if question.get("ask") == "lower" or (desk is None and question.get("ask") == "raise"):
            return _as_json({"id": question.get("id"), "answer": {}})
        if desk is None:
            return await self._guests.answer(question)
        if question.get("ask") == "invite":
            invitation = self.invite(for_keeper=question.get("keeper") is True)
            return _as_json({"id": question.get("id"), "answer": invitation})
        return _as_json(await self._answer(desk, question))

    def _apply_side_effects(self, connection: ServerConnection, question: dict[str, Any]) -> None:
        """Do what a question asks for besides its answer: raise or lower a hand, and keep which campaign a page
        shows. Nothing is written."""
        question_name = question.get("ask")
        campaign, name, verb = (
            str(question.get(key, ""))[:MAX_NAME_LENGTH] for key in ("campaign", "name", "verb")
        )
        if self._desks[connection] is None:
            if question_name == "raise":
                self._hands.add(RaisedHand(campaign, name, verb, connection))
                self._send_hands(campaign)
        elif question_name in ("campaigns", "table"):
            self._set_shown_campaign(campaign, connection)
        hand = self._hands.lower(campaign, name) if question_name == "lower" else None
        if hand is not None:
            self._start_task(
                _send(hand.guest, _as_json({"tell": "hand", **_hand_data(hand), "up": False}))
            )
            self._send_hands(campaign)

    def _set_shown_campaign(self, campaign: str, connection: ServerConnection) -> None:
        previous_campaign = self._shown_campaigns.get(connection, "")
        self._shown_campaigns[connection] = campaign
        for changed_campaign in (
            {previous_campaign, campaign} - {""} if previous_campaign != campaign else ()
        ):
            self._send_hands(changed_campaign)

    def _send_hands(self, campaign: str) -> None:
        """Show the hands for a campaign to the keepers, and tell each guest who has one up whether a keeper sees it."""
        hands = self._hands.hands_for(campaign)
        hands_data = [{"name": hand.name, "verb": hand.verb} for hand in hands]
        message = _as_json({"tell": "hands", "campaign": campaign, "hands": hands_data})
        for connection, shown_campaign in [*self._shown_campaigns.items()]:
            if shown_campaign == campaign:
                self._start_task(_send(connection, message))
        is_seen = campaign in self._shown_campaigns.values()
        for hand in hands:
            hand_message = {"tell": "hand", **_hand_data(hand), "up": True, "seen": is_seen}
            self._start_task(_send(hand.guest, _as_json(hand_message)))

    async def _answer(self, desk: Desk, question: dict[str, Any]) -> Any:
        try:
            return await self._run_on_worker(desk.ask, question)
        except Exception as error:
            if os.environ.get("CHRONICLE_DEBUG"):
                raise
            # Without an answer the page would reconnect and ask the same question for ever.
            fault = fault_in(self.room.folder, error)
            refusal = {"message": fault.message, "help": [*fault.help]}
            return {"id": question.get("id"), "refused": refusal}

    @property
    def address(self) -> str:
        """The address for other devices in the network; empty if the server is for this computer only."""
        return f"http://{network_address()}:{self.port}/" if self.host == ALL_ADDRESSES else ""

    def invite(self, *, for_keeper: bool = False) -> dict[str, Any]:
        """Invite another person: a keeper by a link that works once, guests by a code that works any number of
        times. ``dots`` is the link as a QR code, row by row, for another device."""
        credential = self.keys.token() if for_keeper else self.keys.code()
        address = self.address
        link = f"{address or f'http://{self.host}:{self.port}/'}#{credential}"
        qr_rows = draw_qr_code(link) if address else []
        return {"word": credential, "address": address, "link": link, "dots": qr_rows}

    async def _run_on_worker(self, function: Callable[..., Any], *args: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._worker, function, *args))

    # -- changes -----------------------------------------------------------------------------------

    def _send_changed_soon(self, campaign: str, author: Desk) -> None:
        """Notify the other desks that a desk changed a campaign. Called on the thread of the worker."""
        assert self._server is not None
        self._server.get_loop().call_soon_threadsafe(self._send_changed, campaign, author)

    def _send_changed(self, campaign: str, author: Desk | None = None) -> None:
        message = _as_json({"tell": "changed", "campaign": campaign})
        for connection, desk in [*self._desks.items()]:
            if author is None or desk is not author:
                self._start_task(_send(connection, message))

    def _start_task(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(coroutine)
        # The event loop holds only weak references to tasks.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch_disk(self) -> None:
        """Check the disk for changes that were not made at a desk, for ever."""
        while True:
            await asyncio.sleep(DISK_CHECK_INTERVAL)
            for campaign in await self._run_on_worker(self.room.ids_changed_outside):
                self._send_changed(campaign)


def draw_qr_code(link: str) -> list[str]:
    """Return the QR code of a link, row by row: ``1`` is dark. The margin around it is not in the rows.

    Raises:
        segno.DataOverflowError: when the link has more than 2,953 bytes.
    """
    # Only a desk that others can reach draws one; most of the time of this import goes into modules for the web.
    from segno import make_qr

    return ["".join(map(str, row)) for row in make_qr(link).matrix]


def network_address() -> str:
    """The address of this computer in the local network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _hand_data(hand: RaisedHand[ServerConnection]) -> dict[str, str]:
    return {"campaign": hand.campaign, "name": hand.name, "verb": hand.verb}


async def _send(connection: ServerConnection, message: str) -> None:
    with contextlib.suppress(ConnectionClosed):
        await connection.send(message)


def _read_question(message: str | bytes) -> dict[str, Any]:
    """A question; an empty mapping if it cannot be read."""
    with contextlib.suppress(ValueError, RecursionError):
        question = json.loads(message)
        if isinstance(question, dict):
            return question
    return {}


def _as_json(answer: object) -> str:
    # ASCII: an answer may repeat a lone surrogate of its question.
    return json.dumps(answer, separators=(",", ":"))
