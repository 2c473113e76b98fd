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
from chronicle.door.guests import Guests
from chronicle.door.hands import Hand, Hands
from chronicle.door.keys import Keys
from chronicle.door.pages import page_response, pages, respond
from chronicle.services.desk import Desk
from chronicle.services.open_campaigns import CampaignRoom

SOCKET: Final = "/desk"
"""The address of the WebSocket."""
EVERYWHERE: Final = "0.0.0.0"
"""The host of a server that other devices in the network can reach."""
LARGEST: Final = 20 * 1024 * 1024
"""The largest question of a keeper, in bytes: a file and some text around it."""
LARGEST_OF_GUEST: Final = 4 * 1024
"""The largest question of a guest, in bytes."""
LARGEST_OF_STRANGER: Final = 1024
"""The largest message of a visitor without a key, in bytes."""
PATIENCE: Final = 5.0
"""The seconds that a visitor has to finish a request, and then to show a key."""
MOST_STRANGERS: Final = 32
"""The number of open connections without a key. A browser opens six to fetch the page."""
MOST_KEEPERS: Final = 32
"""The number of keepers' desks that can be open."""
MOST_GUESTS: Final = 32
"""The number of guests that can watch."""
LONGEST_NAME: Final = 80
"""The characters of a name that a guest gives with a raised hand."""
PAUSE: Final = 0.4
"""The seconds between two checks of the disk for changes."""


class Strangers:
    """The connections without a key. If there are too many, the oldest connection of the busiest address is closed,
    so that one address cannot keep out the others."""

    def __init__(self, most: int = MOST_STRANGERS) -> None:
        self._most = most
        # In the order of arrival.
        self._addresses: dict[ServerConnection, str] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def arrive(self, connection: ServerConnection) -> None:
        """Add a connection, and close an older connection if there are too many."""
        self._addresses[connection] = str((connection.remote_address or ("",))[0])
        if len(self._addresses) > self._most:
            ((busiest, _),) = Counter(self._addresses.values()).most_common(1)
            oldest = next(held for held, address in self._addresses.items() if address == busiest)
            self.leave(oldest)
            oldest.transport.abort()

    def leave(self, connection: ServerConnection) -> None:
        """Stop counting a connection: it has shown a key, or has ended."""
        self._addresses.pop(connection, None)


class Visit(ServerConnection):
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


class Door:
    """One server with its desks."""

    def __init__(self, room: CampaignRoom, assets: Path, host: str = "127.0.0.1") -> None:
        self.room, self.host = room, host
        self.keys = Keys()
        self._pages = pages(assets)
        # One thread answers the questions, one after the other, so that connections stay responsive.
        self._worker = ThreadPoolExecutor(1, "desk")
        self._strangers = Strangers()
        self._guests = Guests(room.folder)
        # Changes up to now are not news.
        room.outside_changes()
        # Guests have no desk here (None): a separate process answers them.
        self._open: dict[ServerConnection, Desk | None] = {}
        self._hands: Hands[ServerConnection] = Hands()
        # The campaign on the page of each keeper; empty: the list of campaigns.
        self._shown: dict[ServerConnection, str] = {}
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
                await self._watch()
        finally:
            # Let the last write finish.
            self._worker.shutdown(wait=True)
            await self._guests.close()

    async def _listen(self, ports: Sequence[int]) -> Server:
        # The library expects a class here, but only calls it.
        visit: Any = partial(Visit, self._strangers)
        for port in ports:
            try:
                return await serve(
                    self._serve,
                    self.host,
                    port,
                    create_connection=visit,
                    process_request=self._request,
                    # No compression: a small message cannot unpack into a large one.
                    compression=None,
                    max_size=LARGEST_OF_STRANGER,
                    max_queue=4,
                    open_timeout=PATIENCE,
                    # A long question delays reading, the answer to a ping included. That must not close a desk.
                    ping_timeout=None,
                    server_header=None,
                )
            except OSError as error:
                if port == ports[-1] or error.errno != errno.EADDRINUSE:
                    raise
        raise ValueError("no port to listen on")

    # -- access ------------------------------------------------------------------------------------

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None starts a WebSocket."""
        hosts = request.headers.get_all("Host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not host or not is_own_host(host, self.host):
            return respond(HTTPStatus.FORBIDDEN, b"This is served under its own name only.\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
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
            async with asyncio.timeout(PATIENCE):
                question = _read(await connection.recv())
                word = question.get("key")
                entered = (
                    self.keys.enter(word)
                    if question.get("ask") == "enter" and isinstance(word, str)
                    else None
                )
                id = question.get("id")
                if entered is None:
                    # Slow down guessing.
                    await asyncio.sleep(1)
                    return await self._refuse(connection, id, "this key is not known here")
                key, guest = entered
                open_count = sum((desk is None) == guest for desk in self._open.values())
                if open_count >= (MOST_GUESTS if guest else MOST_KEEPERS):
                    message = (
                        f"too many {'guests are watching' if guest else 'desks are open'} here"
                    )
                    return await self._refuse(connection, id, message)
                self._strangers.leave(connection)
                connection.protocol.max_message_size = LARGEST_OF_GUEST if guest else LARGEST
                desk = None if guest else Desk(self.room, tell=self._changed)
                self._open[connection] = desk
                answer = {"key": key, "guest": guest}
                await connection.send(_as_json({"id": id, "answer": answer}))
                return True
        return False

    async def _refuse(self, connection: ServerConnection, id: object, message: str) -> bool:
        refused = {"message": message, "help": []}
        await connection.send(_as_json({"id": id, "refused": refused}))
        await connection.close(1008)
        return False

    # -- questions ---------------------------------------------------------------------------------

    async def _serve(self, connection: ServerConnection) -> None:
        try:
            if await self._enter(connection):
                async for message in connection:
                    question = _read(message)
                    await connection.send(await self._answer_any(connection, question))
                    self._follow(connection, question)
        except ConnectionClosed:
            pass
        finally:
            closed_desk = self._open.pop(connection, None)
            if shown := self._shown.pop(connection, ""):
                self._tell_hands(shown)
            if closed_desk is not None:
                await self._work(closed_desk.leave)

    async def _answer_any(self, connection: ServerConnection, question: dict[str, Any]) -> str:
        """Answer a question, as JSON. Without a desk it is the question of a guest."""
        desk = self._open[connection]
        if question.get("ask") == "lower" or (desk is None and question.get("ask") == "raise"):
            return _as_json({"id": question.get("id"), "answer": {}})
        if desk is None:
            return await self._guests.answer(question)
        if question.get("ask") == "invite":
            invited = self.invite(keeper=question.get("keeper") is True)
            return _as_json({"id": question.get("id"), "answer": invited})
        return _as_json(await self._answer(desk, question))

    def _follow(self, connection: ServerConnection, question: dict[str, Any]) -> None:
        """Do what a question asks for besides its answer: raise or lower a hand, and keep which campaign a page
        shows. Nothing is written."""
        asked = question.get("ask")
        campaign, name, verb = (
            str(question.get(key, ""))[:LONGEST_NAME] for key in ("campaign", "name", "verb")
        )
        if self._open[connection] is None:
            if asked == "raise":
                self._hands.add(Hand(campaign, name, verb, connection))
                self._tell_hands(campaign)
        elif asked in ("campaigns", "table"):
            self._show(campaign, connection)
        hand = self._hands.lower(campaign, name) if asked == "lower" else None
        if hand is not None:
            self._start(_send(hand.guest, _as_json({"tell": "hand", **_told(hand), "up": False})))
            self._tell_hands(campaign)

    def _show(self, campaign: str, connection: ServerConnection) -> None:
        before = self._shown.get(connection, "")
        self._shown[connection] = campaign
        for changed in {before, campaign} - {""} if before != campaign else ():
            self._tell_hands(changed)

    def _tell_hands(self, campaign: str) -> None:
        """Show the hands for a campaign to the keepers, and tell each guest who has one up whether a keeper sees it."""
        hands = self._hands.of(campaign)
        told = [{"name": hand.name, "verb": hand.verb} for hand in hands]
        message = _as_json({"tell": "hands", "campaign": campaign, "hands": told})
        for connection, shown in [*self._shown.items()]:
            if shown == campaign:
                self._start(_send(connection, message))
        is_seen = campaign in self._shown.values()
        for hand in hands:
            state = {"tell": "hand", **_told(hand), "up": True, "seen": is_seen}
            self._start(_send(hand.guest, _as_json(state)))

    async def _answer(self, desk: Desk, question: dict[str, Any]) -> Any:
        try:
            return await self._work(desk.ask, question)
        except Exception as error:
            if os.environ.get("CHRONICLE_DEBUG"):
                raise
            # Without an answer the page would reconnect and ask the same question for ever.
            fault = fault_in(self.room.folder, error)
            refused = {"message": fault.message, "help": [*fault.help]}
            return {"id": question.get("id"), "refused": refused}

    @property
    def address(self) -> str:
        """The address for other devices in the network; empty if the server is for this computer only."""
        return f"http://{nearby()}:{self.port}/" if self.host == EVERYWHERE else ""

    def invite(self, *, keeper: bool = False) -> dict[str, Any]:
        """Invite another person: a keeper by a link that works once, guests by a code that works any number of
        times. ``dots`` is the link as a QR code, row by row, for another device."""
        word = self.keys.token() if keeper else self.keys.code()
        address = self.address
        link = f"{address or f'http://{self.host}:{self.port}/'}#{word}"
        dots = draw_code(link) if address else []
        return {"word": word, "address": address, "link": link, "dots": dots}

    async def _work(self, act: Callable[..., Any], *args: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._worker, act, *args))

    # -- changes -----------------------------------------------------------------------------------

    def _changed(self, campaign: str, by: Desk) -> None:
        """Notify the other desks that a desk changed a campaign. Called on the thread of the worker."""
        assert self._server is not None
        self._server.get_loop().call_soon_threadsafe(self._tell, campaign, by)

    def _tell(self, campaign: str, by: Desk | None = None) -> None:
        message = _as_json({"tell": "changed", "campaign": campaign})
        for connection, desk in [*self._open.items()]:
            if by is None or desk is not by:
                self._start(_send(connection, message))

    def _start(self, act: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(act)
        # The event loop holds only weak references to tasks.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        """Check the disk for changes that were not made at a desk, for ever."""
        while True:
            await asyncio.sleep(PAUSE)
            for campaign in await self._work(self.room.outside_changes):
                self._tell(campaign)


def draw_code(link: str) -> list[str]:
    """Return the QR code of a link, row by row: ``1`` is dark. The margin around it is not in the rows.

    Raises:
        segno.DataOverflowError: when the link has more than 2,953 bytes.
    """
    # Only a desk that others can reach draws one; most of the time of this import goes into modules for the web.
    from segno import make_qr

    return ["".join(map(str, row)) for row in make_qr(link).matrix]


def nearby() -> str:
    """The address of this computer in the local network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _told(hand: Hand[ServerConnection]) -> dict[str, str]:
    return {"campaign": hand.campaign, "name": hand.name, "verb": hand.verb}


async def _send(connection: ServerConnection, message: str) -> None:
    with contextlib.suppress(ConnectionClosed):
        await connection.send(message)


def _read(message: str | bytes) -> dict[str, Any]:
    """A question; an empty mapping if it cannot be read."""
    with contextlib.suppress(ValueError, RecursionError):
        question = json.loads(message)
        if isinstance(question, dict):
            return question
    return {}


def _as_json(answer: object) -> str:
    # ASCII: an answer may repeat a lone surrogate of its question.
    return json.dumps(answer, separators=(",", ":"))
