"""The front door of an archive: all its campaigns as lists, game by game and player by player, and what their
play comes to. The pages are whole without a script; with one they are filtered and searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from chronicle.core.book import Block, Ref
from chronicle.core.corpus import Corpus
from chronicle.core.rulebook import Rulebook
from chronicle.site import look
from chronicle.site.apart import draw_files
from chronicle.site.cards import Card
from chronicle.site.corpus import of_game, overview
from chronicle.site.draw import Pen, compact, worded
from chronicle.site.files import SiteFile
from chronicle.site.graphs import Drawer
from chronicle.site.links import Address, NameLinker, Slugs
from chronicle.site.rule_pages import rule_page
from chronicle.words import word

ROOT: Final = "archive"
"""Where on the site its pages lie."""
LISTED: Final = 200
"""How many campaigns stand on one page."""
SHARD: Final = 500
"""How many campaigns a script loads at once to filter them."""

Seat = tuple[str, str]
"""A player: the folder of a campaign on the site, and the name that readers know there."""


class Door(NamedTuple):
    """What the front door knows besides the cards of the campaigns."""

    corpus: Corpus
    people: Mapping[str, Sequence[Seat]]
    """Who is one person over several campaigns, by name."""
    downloads: Sequence[tuple[str, str]] = ()
    """The figures as files: where they lie, and their words."""


class Front:
    """The pages of the front door."""

    def __init__(
        self,
        env: Environment,
        address: Address,
        games: Mapping[str, Rulebook[Any]],
        cards: Sequence[Card],
        door: Door,
        *,
        rules: bool,
    ) -> None:
        self.env = env
        self.address = address
        self.games = games
        self.cards = in_order(cards)
        self.door = door
        self.rules = rules
        """Whether the rules of the games are pages of the site."""
        slugs = Slugs()
        self._people = {name: f"{ROOT}/people/{slugs.of(name, name)}" for name in door.people}
        self._seats = {seat: name for name, seats in door.people.items() for seat in seats}

    def files(self) -> Iterator[SiteFile]:
        """All of them."""
        pages = max(1, -(-len(self.cards) // LISTED))
        archive = "pages/archive.html"
        games = dict.fromkeys(card.game for card in self.cards)
        yield from draw_files(
            self.env,
            [
                *((_page(n), partial(self._list, n, pages), archive) for n in range(1, pages + 1)),
                *((f"{ROOT}/{game}", partial(self._game, game), "") for game in games),
                (f"{ROOT}/players", self._everybody, ""),
                *((at, partial(self._person, name), "") for name, at in self._people.items()),
                (f"{ROOT}/figures", self._figures, ""),
            ],
        )
        path, script = look.script_asset(look.ARCHIVE_SCRIPT)
        yield SiteFile(path, data=script.encode())

    # -- lists -------------------------------------------------------------------------------------

    def _list(self, number: int, pages: int) -> SiteFile:
        here = _page(number)
        shown = self.cards[(number - 1) * LISTED : number * LISTED]
        years = sorted({day[:4] for card in self.cards for day in card.dates if day[:4].isdigit()})
        add_ons = {
            (card.game, key): self._add_on(card.game, key)
            for card in self.cards
            for key in card.adopted
        }
        body = self.env.get_template("pages/archive.html").render(
            rows=[self._row(here, card) for card in shown],
            count=len(self.cards),
            first=(number - 1) * LISTED + 1,
            pages=[
                (str(n), "" if n == number else self.address.between(here, _page(n)))
                for n in range(1, pages + 1)
            ]
            if pages > 1
            else [],
            games=self._shelves(here),
            years=years,
            add_ons=sorted(
                ((f"{game}:{key}", title) for (game, key), title in add_ons.items()),
                key=lambda one: one[1].casefold(),
            ),
            beside=self._beside(here),
            root=self.address.between(here, f"{ROOT}/x.js").removesuffix("x.js"),
            site=self.address.between(here, "x.js").removesuffix("x.js"),
            shards=-(-len(self.cards) // SHARD),
        )
        title = (
            word("site.all_campaigns")
            if number == 1
            else word("site.campaigns_page", number=number)
        )
        return self._made(here, title, Markup(body))

    def _shelves(self, here: str) -> list[dict[str, Any]]:
        found: dict[str, int] = {}
        for card in self.cards:
            found[card.game] = found.get(card.game, 0) + 1
        return [
            {
                "key": game,
                "title": self.games[game].title,
                "count": count,
                "url": self.address.between(here, f"{ROOT}/{game}"),
            }
            for game, count in sorted(found.items(), key=lambda one: (-one[1], one[0]))
        ]

    def _beside(self, here: str) -> list[tuple[str, str]]:
        pages = (
            (word("site.players"), f"{ROOT}/players"),
            (word("site.what_was_played"), f"{ROOT}/figures"),
        )
        told = [(words, self.address.between(here, page)) for words, page in pages]
        return [*told, (word("site.feed"), self.address.between(here, f"{ROOT}/feed.xml"))]

    def _row(self, here: str, card: Card) -> dict[str, Any]:
        """What a list says of a campaign."""
        return {
            "title": card.title,
            "url": self.address.between(here, card.page("index")),
            "game": self.games[card.game].title,
            "players": [self._player(here, card, name) for name in card.players],
            "over": card.over,
            "sessions": card.sessions,
            "minutes": card.minutes,
            "days": days_of(card),
            "add_ons": [self._add_on(card.game, key) for key in card.adopted],
            "blurb": card.summary,
            "cover": self.address.between(here, card.cover),
        }

    def _player(self, here: str, card: Card, name: str) -> tuple[str, str]:
        person = self._seats.get((card.folder, name))
        if person is None:
            return name, ""
        return name, self.address.between(here, self._people[person])

    def _add_on(self, game: str, key: str) -> str:
        found = (one.title for one in self.games[game].optional_rules() if one.key == key)
        return next(found, key)

    def _rows(self, here: str, cards: Sequence[Card]) -> Markup:
        module = self.env.get_template("macros/archive.html").module
        rows = [self._row(here, card) for card in cards[:LISTED]]
        made = Markup(module.campaigns(rows))  # type: ignore[attr-defined]
        if len(cards) > LISTED:
            url = self.address.between(here, f"{ROOT}/index")
            link = Markup('<a href="{}">{}</a>').format(url, word("site.all_campaigns_link"))
            more = worded("site.more_campaigns", count=f"{len(cards) - LISTED:,}", link=link)
            made += Markup('<p class="ch-soft">{}</p>').format(more)
        return made

    # -- by game, by player ------------------------------------------------------------------------

    def _game(self, game: str) -> SiteFile:
        here = f"{ROOT}/{game}"
        mine = [card for card in self.cards if card.game == game]
        sums = self.door.corpus.sums_by_game.get(game)
        parts = [self._head(here, self.games[game].title, word("site.game_campaigns"))]
        if sums is not None:
            blocks = [*of_game(sums, self.games[game])]
            parts += [self._drawn(here, blocks[:1]), self._heading(word("site.campaigns_head"))]
            parts += [self._rows(here, mine), self._drawn(here, blocks[1:])]
        else:
            parts.append(self._rows(here, mine))
        return self._made(here, self.games[game].title, Markup("").join(parts))

    def _everybody(self) -> SiteFile:
        here = f"{ROOT}/players"
        by_folder = {card.folder: card for card in self.cards}
        items = Markup("").join(
            Markup('<li><a href="{}">{}</a> <span class="ch-soft">{}</span></li>').format(
                self.address.between(here, self._people[name]),
                name,
                ", ".join(dict.fromkeys(by_folder[at].title for at, _ in seats)),
            )
            for name, seats in sorted(self.door.people.items(), key=lambda one: one[0].casefold())
        )
        told = (
            Markup('<ul class="ch-list">{}</ul>').format(items)
            if items
            else Markup("<p>{}</p>").format(word("site.nobody_twice"))
        )
        link = Markup('<a href="{}">{}</a>').format(
            self.address.between(here, f"{ROOT}/index"), word("site.all_campaigns_link")
        )
        about = Markup('<p class="ch-soft">{}</p>').format(worded("site.same_name", link=link))
        head = self._head(here, word("site.players"), word("site.who_played_several"))
        return self._made(here, word("site.players"), head + told + about)

    def _person(self, name: str) -> SiteFile:
        here = self._people[name]
        at = {folder for folder, _ in self.door.people[name]}
        mine = [card for card in self.cards if card.folder in at]
        known = dict.fromkeys(seat for _, seat in self.door.people[name] if seat != name)
        sub = word("site.known_as", names=", ".join(known)) if known else ""
        body = self._head(here, name, sub) + self._rows(here, mine)
        return self._made(here, name, body)

    def _figures(self) -> SiteFile:
        here = f"{ROOT}/figures"
        parts = [
            self._head(here, word("site.what_was_played"), word("site.counted_over_all")),
            self._drawn(here, [*overview(self.door.corpus, self.games)]),
        ]
        if self.door.downloads:
            links = Markup("").join(
                Markup(
                    '<li><a href="{}" download>{}</a> <span class="ch-soft">{}</span></li>'
                ).format(self.address.between(here, f"{ROOT}/{file}"), file, words)
                for file, words in self.door.downloads
            )
            parts += [self._heading(word("site.for_programs"))]
            parts += [Markup('<ul class="ch-list">{}</ul>').format(links)]
        return self._made(here, word("site.what_was_played"), Markup("").join(parts))

    # -- small things ------------------------------------------------------------------------------

    def _drawn(self, here: str, blocks: Sequence[Block]) -> Markup:
        game = here.rpartition("/")[2]

        def address(ref: Ref) -> str:
            if ref.kind == "game":
                return self.address.between(here, f"{ROOT}/{ref.id}")
            if ref.kind == "rule" and self.rules:
                page = rule_page(self.games[game], ref.id)
                return self.address.between(here, page, ref.id.casefold())
            return ""

        def nobody(name: str) -> int:
            return 0

        pen = Pen(self.env, address, nobody, NameLinker({}), Drawer(address, nobody))
        return pen.blocks(blocks)

    def _heading(self, title: str) -> Markup:
        return Markup("<h2>{}</h2>").format(title)

    def _head(self, here: str, title: str, sub: str) -> Markup:
        page = self.env.get_template("macros/page.html").module
        archive = self.env.get_template("macros/archive.html").module
        way = [(word("site.all_campaigns"), self.address.between(here, f"{ROOT}/index"))]
        back = archive.beside([*way, *self._beside(here)])  # type: ignore[attr-defined]
        return Markup(back) + Markup(page.page_head(title, sub=sub))  # type: ignore[attr-defined]

    def _made(self, here: str, title: str, body: Markup) -> SiteFile:
        html = compact(f'<div class="ch-body ch-archive">{body}</div>')
        return SiteFile(here, title, html, meta={"title": title, "hide": ["toc"], "wide": True})


def in_order(cards: Sequence[Card]) -> list[Card]:
    """Campaigns as a list has them: by their titles."""
    return sorted(cards, key=lambda card: (card.title.casefold(), card.folder))


def days_of(card: Card) -> str:
    """When a campaign was played, in words."""
    if not card.dates:
        return ""
    first, last = card.dates[0], card.dates[-1]
    return first if first == last else word("site.days", first=first, last=last)


def _page(number: int) -> str:
    return f"{ROOT}/index" if number == 1 else f"{ROOT}/list-{number}"
