"""The front door of an archive: all its campaigns as lists, game by game and player by player, and what their
play comes to. The pages are whole without a script; with one they are filtered and searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from chronicle.core.campaign_view import Block, Ref
from chronicle.core.corpus import CampaignStatistics
from chronicle.core.game import Game
from chronicle.site import look
from chronicle.site.apart import draw_files
from chronicle.site.cards import CampaignCard
from chronicle.site.corpus import game_statistics, games_overview
from chronicle.site.draw import Renderer, compact_html, message_markup
from chronicle.site.files import SiteFile
from chronicle.site.graphs import GraphDrawer
from chronicle.site.links import NameLinker, PageUrlBuilder, Slugs
from chronicle.site.rule_pages import rule_page_path
from chronicle.words import word

ARCHIVE_FOLDER: Final = "archive"
"""Where on the site its pages lie."""
CARDS_PER_PAGE: Final = 200
"""The number of campaigns on one page."""
CARDS_PER_SHARD: Final = 500
"""The number of campaigns that a script loads together to filter them."""

PlayerInCampaign = tuple[str, str]
"""A player: the folder of a campaign on the site, and the name that readers know there."""


class ArchiveData(NamedTuple):
    """What the front door knows besides the cards of the campaigns."""

    statistics: CampaignStatistics
    players_by_person: Mapping[str, Sequence[PlayerInCampaign]]
    """Who is one person over several campaigns, by name."""
    downloads: Sequence[tuple[str, str]] = ()
    """The figures as files: where they lie, and their words."""


class ArchivePages:
    """The pages of the front door."""

    def __init__(
        self,
        env: Environment,
        url_builder: PageUrlBuilder,
        games_by_name: Mapping[str, Game[Any]],
        cards: Sequence[CampaignCard],
        archive_data: ArchiveData,
        *,
        has_rule_pages: bool,
    ) -> None:
        self.env = env
        self.url_builder = url_builder
        self.games_by_name = games_by_name
        self.cards = sorted_by_title(cards)
        self.archive_data = archive_data
        self.has_rule_pages = has_rule_pages
        """Whether the rules of the games are pages of the site."""
        slugs = Slugs()
        self._page_path_by_person = {
            person: f"{ARCHIVE_FOLDER}/people/{slugs.slug_of(person, person)}"
            for person in archive_data.players_by_person
        }
        self._person_by_player = {
            player_in_campaign: person
            for person, players in archive_data.players_by_person.items()
            for player_in_campaign in players
        }

    def make_files(self) -> Iterator[SiteFile]:
        """All of them."""
        page_count = max(1, -(-len(self.cards) // CARDS_PER_PAGE))
        template_name = "pages/archive.html"
        game_names = dict.fromkeys(card.game for card in self.cards)
        yield from draw_files(
            self.env,
            [
                *(
                    (
                        _list_page_path(page_number),
                        partial(self._list_file, page_number, page_count),
                        template_name,
                    )
                    for page_number in range(1, page_count + 1)
                ),
                *(
                    (f"{ARCHIVE_FOLDER}/{game_name}", partial(self._game_file, game_name), "")
                    for game_name in game_names
                ),
                (f"{ARCHIVE_FOLDER}/players", self._players_file, ""),
                *(
                    (page_path, partial(self._person_file, person), "")
                    for person, page_path in self._page_path_by_person.items()
                ),
                (f"{ARCHIVE_FOLDER}/figures", self._figures_file, ""),
            ],
        )
        script_path, script_text = look.script_asset(look.ARCHIVE_SCRIPT)
        yield SiteFile(script_path, contents=script_text.encode())

    # -- lists -------------------------------------------------------------------------------------

    def _list_file(self, list_number: int, page_count: int) -> SiteFile:
        page_path = _list_page_path(list_number)
        cards_shown = self.cards[(list_number - 1) * CARDS_PER_PAGE : list_number * CARDS_PER_PAGE]
        years = sorted(
            {
                session_date[:4]
                for card in self.cards
                for session_date in card.session_dates
                if session_date[:4].isdigit()
            }
        )
        add_on_titles = {
            (card.game, rule_key): self._add_on_title(card.game, rule_key)
            for card in self.cards
            for rule_key in card.target_by_adopted_rule
        }
        list_html = self.env.get_template("pages/archive.html").render(
            rows=[self._card_data(page_path, card) for card in cards_shown],
            count=len(self.cards),
            first=(list_number - 1) * CARDS_PER_PAGE + 1,
            pages=[
                (
                    str(page_number),
                    ""
                    if page_number == list_number
                    else self.url_builder.between(page_path, _list_page_path(page_number)),
                )
                for page_number in range(1, page_count + 1)
            ]
            if page_count > 1
            else [],
            games=self._game_filters(page_path),
            years=years,
            add_ons=sorted(
                (
                    (f"{game_name}:{rule_key}", add_on_title)
                    for (game_name, rule_key), add_on_title in add_on_titles.items()
                ),
                key=lambda id_and_title: id_and_title[1].casefold(),
            ),
            beside=self._links_at_top(page_path),
            root=self.url_builder.between(page_path, f"{ARCHIVE_FOLDER}/x.js").removesuffix("x.js"),
            site=self.url_builder.between(page_path, "x.js").removesuffix("x.js"),
            shards=-(-len(self.cards) // CARDS_PER_SHARD),
        )
        list_title = (
            word("site.all_campaigns")
            if list_number == 1
            else word("site.campaigns_page", number=list_number)
        )
        return self._site_file(page_path, list_title, Markup(list_html))

    def _game_filters(self, from_path: str) -> list[dict[str, Any]]:
        campaign_counts: dict[str, int] = {}
        for card in self.cards:
            campaign_counts[card.game] = campaign_counts.get(card.game, 0) + 1
        return [
            {
                "key": game_name,
                "title": self.games_by_name[game_name].title,
                "count": campaign_count,
                "url": self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/{game_name}"),
            }
            for game_name, campaign_count in sorted(
                campaign_counts.items(),
                key=lambda name_and_count: (-name_and_count[1], name_and_count[0]),
            )
        ]

    def _links_at_top(self, from_path: str) -> list[tuple[str, str]]:
        titles_and_paths = (
            (word("site.players"), f"{ARCHIVE_FOLDER}/players"),
            (word("site.what_was_played"), f"{ARCHIVE_FOLDER}/figures"),
        )
        page_links = [
            (link_words, self.url_builder.between(from_path, page_path))
            for link_words, page_path in titles_and_paths
        ]
        return [
            *page_links,
            (word("site.feed"), self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/feed.xml")),
        ]

    def _card_data(self, from_path: str, card: CampaignCard) -> dict[str, Any]:
        """What a list says of a campaign."""
        return {
            "title": card.title,
            "url": self.url_builder.between(from_path, card.page_path("index")),
            "game": self.games_by_name[card.game].title,
            "players": [self._player_link(from_path, card, player) for player in card.players],
            "over": card.is_over,
            "sessions": card.session_count,
            "minutes": card.minutes,
            "days": play_dates(card),
            "add_ons": [
                self._add_on_title(card.game, rule_key) for rule_key in card.target_by_adopted_rule
            ],
            "blurb": card.summary,
            "cover": self.url_builder.between(from_path, card.cover_path),
        }

    def _player_link(self, from_path: str, card: CampaignCard, player: str) -> tuple[str, str]:
        person = self._person_by_player.get((card.folder, player))
        if person is None:
            return player, ""
        return player, self.url_builder.between(from_path, self._page_path_by_person[person])

    def _add_on_title(self, game_name: str, rule_key: str) -> str:
        add_on_titles = (
            add_on.title
            for add_on in self.games_by_name[game_name].optional_rules()
            if add_on.key == rule_key
        )
        return next(add_on_titles, rule_key)

    def _draw_cards(self, from_path: str, cards: Sequence[CampaignCard]) -> Markup:
        archive_macros = self.env.get_template("macros/archive.html").module
        cards_data = [self._card_data(from_path, card) for card in cards[:CARDS_PER_PAGE]]
        cards_html = Markup(archive_macros.campaigns(cards_data))  # type: ignore[attr-defined]
        if len(cards) > CARDS_PER_PAGE:
            url = self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/index")
            link_html = Markup('<a href="{}">{}</a>').format(url, word("site.all_campaigns_link"))
            more_line = message_markup(
                "site.more_campaigns", count=f"{len(cards) - CARDS_PER_PAGE:,}", link=link_html
            )
            cards_html += Markup('<p class="ch-soft">{}</p>').format(more_line)
        return cards_html

    # -- by game, by player ------------------------------------------------------------------------

    def _game_file(self, game_name: str) -> SiteFile:
        page_path = f"{ARCHIVE_FOLDER}/{game_name}"
        game_cards = [card for card in self.cards if card.game == game_name]
        game_figures = self.archive_data.statistics.figures_by_game.get(game_name)
        html_parts = [
            self._page_head(
                page_path, self.games_by_name[game_name].title, word("site.game_campaigns")
            )
        ]
        if game_figures is not None:
            blocks = [*game_statistics(game_figures, self.games_by_name[game_name])]
            html_parts += [
                self._draw_blocks(page_path, blocks[:1]),
                self._heading_html(word("site.campaigns_head")),
            ]
            html_parts += [
                self._draw_cards(page_path, game_cards),
                self._draw_blocks(page_path, blocks[1:]),
            ]
        else:
            html_parts.append(self._draw_cards(page_path, game_cards))
        return self._site_file(
            page_path, self.games_by_name[game_name].title, Markup("").join(html_parts)
        )

    def _players_file(self) -> SiteFile:
        page_path = f"{ARCHIVE_FOLDER}/players"
        cards_by_folder = {card.folder: card for card in self.cards}
        list_items = Markup("").join(
            Markup('<li><a href="{}">{}</a> <span class="ch-soft">{}</span></li>').format(
                self.url_builder.between(page_path, self._page_path_by_person[person]),
                person,
                ", ".join(dict.fromkeys(cards_by_folder[folder].title for folder, _ in players)),
            )
            for person, players in sorted(
                self.archive_data.players_by_person.items(),
                key=lambda person_and_players: person_and_players[0].casefold(),
            )
        )
        people_html = (
            Markup('<ul class="ch-list">{}</ul>').format(list_items)
            if list_items
            else Markup("<p>{}</p>").format(word("site.nobody_twice"))
        )
        link_html = Markup('<a href="{}">{}</a>').format(
            self.url_builder.between(page_path, f"{ARCHIVE_FOLDER}/index"),
            word("site.all_campaigns_link"),
        )
        explanation = Markup('<p class="ch-soft">{}</p>').format(
            message_markup("site.same_name", link=link_html)
        )
        head_html = self._page_head(
            page_path, word("site.players"), word("site.who_played_several")
        )
        return self._site_file(
            page_path, word("site.players"), head_html + people_html + explanation
        )

    def _person_file(self, person: str) -> SiteFile:
        page_path = self._page_path_by_person[person]
        campaign_folders = {folder for folder, _ in self.archive_data.players_by_person[person]}
        person_cards = [card for card in self.cards if card.folder in campaign_folders]
        other_names = dict.fromkeys(
            player for _, player in self.archive_data.players_by_person[person] if player != person
        )
        subtitle = word("site.known_as", names=", ".join(other_names)) if other_names else ""
        page_html = self._page_head(page_path, person, subtitle) + self._draw_cards(
            page_path, person_cards
        )
        return self._site_file(page_path, person, page_html)

    def _figures_file(self) -> SiteFile:
        page_path = f"{ARCHIVE_FOLDER}/figures"
        html_parts = [
            self._page_head(page_path, word("site.what_was_played"), word("site.counted_over_all")),
            self._draw_blocks(
                page_path, [*games_overview(self.archive_data.statistics, self.games_by_name)]
            ),
        ]
        if self.archive_data.downloads:
            download_links = Markup("").join(
                Markup(
                    '<li><a href="{}" download>{}</a> <span class="ch-soft">{}</span></li>'
                ).format(
                    self.url_builder.between(page_path, f"{ARCHIVE_FOLDER}/{file_name}"),
                    file_name,
                    description,
                )
                for file_name, description in self.archive_data.downloads
            )
            html_parts += [self._heading_html(word("site.for_programs"))]
            html_parts += [Markup('<ul class="ch-list">{}</ul>').format(download_links)]
        return self._site_file(page_path, word("site.what_was_played"), Markup("").join(html_parts))

    # -- helpers ------------------------------------------------------------------------------------

    def _draw_blocks(self, from_path: str, blocks: Sequence[Block]) -> Markup:
        game_name = from_path.rpartition("/")[2]

        def find_address(ref: Ref) -> str:
            if ref.kind == "game":
                return self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/{ref.id}")
            if ref.kind == "rule" and self.has_rule_pages:
                rules_page_path = rule_page_path(self.games_by_name[game_name], ref.id)
                return self.url_builder.between(from_path, rules_page_path, ref.id.casefold())
            return ""

        def no_seat(player: str) -> int:
            return 0

        renderer = Renderer(
            self.env, find_address, no_seat, NameLinker({}), GraphDrawer(find_address, no_seat)
        )
        return renderer.blocks(blocks)

    def _heading_html(self, title: str) -> Markup:
        return Markup("<h2>{}</h2>").format(title)

    def _page_head(self, from_path: str, title: str, subtitle: str) -> Markup:
        page_macros = self.env.get_template("macros/page.html").module
        archive_macros = self.env.get_template("macros/archive.html").module
        home_link = [
            (
                word("site.all_campaigns"),
                self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/index"),
            )
        ]
        links_html = archive_macros.beside([*home_link, *self._links_at_top(from_path)])  # type: ignore[attr-defined]
        return Markup(links_html) + Markup(page_macros.page_head(title, sub=subtitle))  # type: ignore[attr-defined]

    def _site_file(self, page_path: str, page_title: str, body_html: Markup) -> SiteFile:
        page_html = compact_html(f'<div class="ch-body ch-archive">{body_html}</div>')
        return SiteFile(
            page_path,
            page_title,
            page_html,
            meta={"title": page_title, "hide": ["toc"], "wide": True},
        )


def sorted_by_title(cards: Sequence[CampaignCard]) -> list[CampaignCard]:
    """Campaigns as a list has them: by their titles."""
    return sorted(cards, key=lambda card: (card.title.casefold(), card.folder))


def play_dates(card: CampaignCard) -> str:
    """When a campaign was played, in words."""
    if not card.session_dates:
        return ""
    first_day, last_day = card.session_dates[0], card.session_dates[-1]
    return first_day if first_day == last_day else word("site.days", first=first_day, last=last_day)


def _list_page_path(list_number: int) -> str:
    return f"{ARCHIVE_FOLDER}/index" if list_number == 1 else f"{ARCHIVE_FOLDER}/list-{list_number}"
