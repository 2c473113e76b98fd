"""The pages that belong to no single campaign: the stories on the home page, the rules of each game by
number, the table of all games, the errata found by replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from jinja2 import Environment
from markupsafe import Markup

from chronicle.core.figures import number_in_words
from chronicle.core.game import Game
from chronicle.core.rules import OptionalRule, RuleClass
from chronicle.site.apart import draw_files, draw_text
from chronicle.site.cache import BuildCache
from chronicle.site.cards import CampaignCard, rank_for_new_readers
from chronicle.site.draw import compact_html, message_markup
from chronicle.site.files import SiteFile
from chronicle.site.front import ARCHIVE_FOLDER, ArchivePages
from chronicle.site.links import PageUrlBuilder, first_sentences
from chronicle.site.news import FEED_FILE, sessions_feed
from chronicle.site.rule_pages import (
    MAX_LISTED_LINKS,
    LinksByRule,
    RulePages,
    RuleUse,
    class_name,
    draw_rule_entry,
    page_paths_by_id,
    rule_page_path,
)
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.site.shards import script_with_call
from chronicle.words import word

CAMPAIGNS_MARKER = "<!-- chronicle:campaigns -->"
"""Where a hand-written page wants all stories."""
BEST_MARKER = "<!-- chronicle:best -->"
"""Where a hand-written page wants the few stories that readers are to begin with."""
DESK_MARKER = "<!-- chronicle:desk -->"
"""Where a hand-written page wants to lead to the desk, if the site has one."""

ENTRIES_PER_CAMPAIGN = 2
"""How many places are named at which a rule was used."""
MAX_STORIES_NOT_FOUND = 500
"""How many stories a page that is not found knows of."""
MAX_BLURB_LETTERS = 135
"""How many letters a story is announced with: what three lines below its picture hold."""
COVERS_IN_ROW = 3
"""How many covers stand side by side on a wide page."""
SMALL_STORY_MINUTES = 4
"""Shorter stories (in minutes) without a picture come below the others."""

STORIES_FOR_NEW_READERS = 3
"""The number of stories that a page shows for new readers."""
MAX_COVERS = 60
"""How many stories the home page shows by their covers."""
ARCHIVE_LINKS = (
    (word("site.by_game_and_words"), "index"),
    (word("site.by_players"), "players"),
    (word("site.what_was_played_in"), "figures"),
)
"""What leads from the home page of an archive to its campaigns."""

Link = tuple[str, str]
"""An address and its words."""
LinksByKey = dict[str, tuple[Link, ...]]
T = TypeVar("T")


class SharedPages:
    """Pages about all games and all campaigns of a site."""

    def __init__(
        self,
        env: Environment,
        url_builder: PageUrlBuilder,
        games: Mapping[str, Game[Any]],
        cards: Iterable[CampaignCard],
        unshown_names_by_folder: Mapping[str, str] | None = None,
        cache: BuildCache | None = None,
        first_folder: str = "",
    ) -> None:
        self.env = env
        self.url_builder = url_builder
        self.games = games
        self.cards = list(cards)
        self.unshown_names_by_folder = unshown_names_by_folder or {}
        """Campaigns that cannot be shown: where their page is, and how their folder is called."""
        self.first_folder = first_folder
        """The folder of the campaign that readers are to begin with."""
        self.has_desk = False
        """Whether the site has a desk."""
        self.draw_first_session: Callable[[Game[Any], str], Markup] = lambda game, page_path: (
            Markup("")
        )
        """Draws a short session that shows how to play a game."""
        self.archive_pages: ArchivePages | None = None
        """The front door of an archive, if the site is one."""
        self._macros_by_file: dict[str, Any] = {}
        self._cache = BuildCache() if cache is None else cache

    @property
    def first_campaign(self) -> CampaignCard | None:
        """The campaign that readers are to begin with."""
        return max(
            self.cards,
            key=partial(rank_for_new_readers, first_folder=self.first_folder),
            default=None,
        )

    def feed(self, site_url: str, site_name: str) -> bytes | None:
        """The sessions of all campaigns as a feed; None if no day of any is known."""
        dated_sessions = [
            (f"{card.title}: ", session) for card in self.cards for session in card.dated_sessions
        ]
        return (
            sessions_feed(
                site_url, FEED_FILE, self.url_builder.from_root("index"), site_name, dated_sessions
            )
            if dated_sessions
            else None
        )

    def not_found_data(self) -> dict[str, Any]:
        """What leads on from an address at which nothing is: addresses from the root of the site."""
        home_url = self.url_builder.from_root("index")
        stories = [
            {
                "title": card.title,
                "folder": card.folder,
                "story": self.url_builder.from_root(card.page_path("story")),
                "cast": self.url_builder.from_root(card.page_path("cast/index")),
            }
            for card in self.cards[:MAX_STORIES_NOT_FOUND]
        ]
        first_campaign = self.first_campaign
        story_to_begin = next(
            (
                story
                for story in stories
                if first_campaign and story["folder"] == first_campaign.folder
            ),
            None,
        )
        return {
            "stories": stories,
            "begin": story_to_begin,
            "home": home_url,
            "count": len(self.cards),
        }

    def macro(self, macro_file: str, macro_name: str, *args: Any, **keywords: Any) -> Markup:
        """Call a macro of the look."""
        if macro_file not in self._macros_by_file:
            self._macros_by_file[macro_file] = self.env.get_template(
                f"macros/{macro_file}.html"
            ).module
        return Markup(getattr(self._macros_by_file[macro_file], macro_name)(*args, **keywords))

    def all_stories(self, from_path: str) -> Markup:
        """All stories, as seen from page ``from_path``: one to begin with, and the others by their covers."""
        stories = [self._story_data(from_path, card) for card in self.cards]
        first_story = max(stories, key=lambda story: story["rank"], default=None)
        is_only_story = len(stories) == 1
        story_count = len(stories) + len(self.unshown_names_by_folder)
        count_words = number_in_words(story_count)
        count_text = f"{story_count:,}" if count_words.isdigit() else count_words
        campaign_counts = Counter(card.game for card in self.cards)
        other_stories = (
            [] if is_only_story else [story for story in stories if story is not first_story]
        )
        if len(other_stories) > MAX_COVERS:
            best_stories = sorted(other_stories, key=lambda story: story["rank"], reverse=True)[
                :MAX_COVERS
            ]
            best_story_urls = {story["url"] for story in best_stories}
            other_stories = [story for story in other_stories if story["url"] in best_story_urls]
        other_stories = _with_full_last_row(other_stories)
        return self._draw_template(
            "pages/home.html",
            first=first_story,
            others=other_stories,
            fallen=[
                {
                    "title": folder_name,
                    "url": self.url_builder.between(from_path, f"{folder}/index"),
                }
                for folder, folder_name in self.unshown_names_by_folder.items()
            ],
            title=word("site.all_stories_count", count=count_text)
            if is_only_story or len(other_stories) == len(stories) - 1
            else word("site.stories"),
            archive=[
                (
                    link_words,
                    self.url_builder.between(from_path, f"{ARCHIVE_FOLDER}/{archive_page}"),
                )
                for link_words, archive_page in ARCHIVE_LINKS
                if self.archive_pages is not None
            ],
            count=f"{story_count:,}",
            shelves=[
                {"key": folder_name, "game": self.games[folder_name].title, "count": count_text}
                for folder_name, count_text in campaign_counts.items()
            ],
        )

    def _draw_template(self, template_name: str, **template_values: Any) -> Markup:
        def draw() -> str:
            return compact_html(self.env.get_template(template_name).render(template_values))

        return Markup(draw_text(self.env, draw, template_name))

    def draw_best_stories(self, from_path: str) -> Markup:
        """The stories to begin with, by their covers: the best of each game before a second one of any."""
        cards = sorted(
            self.cards,
            key=partial(rank_for_new_readers, first_folder=self.first_folder),
            reverse=True,
        )
        card_count_by_game: Counter[str] = Counter()
        rounds_and_indexes: list[tuple[int, int]] = []
        for card_index, card in enumerate(cards):
            rounds_and_indexes.append((card_count_by_game[card.game], card_index))
            card_count_by_game[card.game] += 1
        stories = [
            self._story_data(from_path, cards[card_index])
            for _, card_index in sorted(rounds_and_indexes)[:STORIES_FOR_NEW_READERS]
        ]
        return self._draw_template("pages/best.html", stories=stories)

    def _story_data(self, from_path: str, card: CampaignCard) -> dict[str, Any]:
        """What the home page shows of a campaign."""
        return {
            "title": card.title,
            "url": self.url_builder.between(from_path, card.page_path("index")),
            "read": self.url_builder.between(from_path, card.page_path("story")),
            "game": self.games[card.game].title,
            "shelf": card.game,
            "blurb": first_sentences(card.summary, MAX_BLURB_LETTERS),
            "cover": self.url_builder.between(from_path, card.cover_path),
            "alt": card.cover_alt,
            "over": card.is_over,
            "sessions": card.session_count,
            "chapters": card.chapter_count,
            "minutes": card.minutes,
            "small": not card.has_own_cover and card.minutes < SMALL_STORY_MINUTES,
            "emblems": card.emblems,
            "quote": card.opening_quote,
            "rank": rank_for_new_readers(card, self.first_folder),
        }

    def fill_markers(
        self, page_html: str, page_path: str, wrap: Callable[[str], str] | None = None
    ) -> str:
        """A hand-written page, after Markdown, with its markers replaced.

        Args:
            page_html: the page.
            page_path: its path on the site.
            wrap: wraps each piece, if given.
        """
        from_path = page_path.removesuffix(".md")
        draw_by_marker: dict[str, Callable[[], Markup]] = {
            CAMPAIGNS_MARKER: partial(self.all_stories, from_path),
            BEST_MARKER: partial(self.draw_best_stories, from_path),
            DESK_MARKER: partial(self._desk_link, from_path),
        }
        for marker, draw in draw_by_marker.items():
            if marker in page_html:
                filled_html = str(draw())
                page_html = page_html.replace(
                    marker, wrap(filled_html) if wrap and filled_html else filled_html
                )
        return page_html

    def _desk_link(self, from_path: str) -> Markup:
        desk_url = self.url_builder.between(from_path, "desk/index.html")
        link_words = word("site.try_in_browser")
        link_html = Markup('<a class="ch-button ch-button--first" href="{}">{}</a>').format(
            desk_url, link_words
        )
        return link_html if self.has_desk else Markup("")

    def fill_all_markers(self, page_path: str) -> str:
        """All that can be filled into a hand-written page, to know whether it has changed."""
        return self.fill_markers(CAMPAIGNS_MARKER + BEST_MARKER + DESK_MARKER, page_path)

    def files(self) -> Iterator[SiteFile]:
        """The pages of the games."""
        yield self._cached_or_new_page("rules/index", self._campaigns_by_game(), self._games_page)
        for game_name, game in self.games.items():
            for page_path in RulePages(game, self.url_builder, self._page_head).page_paths():
                yield self._cached_or_new_page(
                    page_path,
                    self._uses_of_rules(page_path, game_name),
                    partial(self._rules_page, game),
                )
            yield self._cached_or_new_page(
                f"rules/{game_name}.js", None, partial(_card_script, game, self.url_builder)
            )
            if game.optional_rules():
                page_path = f"rules/{game_name}-add-ons"
                links_by_rule_key = self._adoptions(page_path, game_name, game)
                yield self._cached_or_new_page(
                    page_path, links_by_rule_key, partial(self._add_ons_page, game)
                )
        yield self._cached_or_new_page("rules/errata", tuple(self.games), self._errata_page)

    def _cached_or_new_page(
        self, page_path: str, cache_inputs: T, make_page: Callable[[str, T], SiteFile]
    ) -> SiteFile:
        """A page of the site, from the cache if it would show the same."""
        cached_file: SiteFile | None = self._cache.find_result(("library", page_path), cache_inputs)
        if cached_file is not None:
            return cached_file
        draw = partial(make_page, page_path, cache_inputs)
        # No template draws a script.
        site_file = (
            draw()
            if page_path.endswith(".js")
            else next(draw_files(self.env, [(page_path, draw, "")]))
        )
        # A page with a template error is not cached, so that every build reports the error.
        if not (isinstance(self.env, BoundedEnvironment) and self.env.reported_faults):
            self._cache.keep_result(("library", page_path), cache_inputs, site_file)
        return site_file

    # -- games -------------------------------------------------------------------------------------

    def _campaigns_by_game(self) -> LinksByKey:
        """Every campaign: its game, and where it is."""
        from_path = "rules/index"
        links_by_game: dict[str, list[tuple[str, str]]] = {}
        for card in self.cards:
            url = self.url_builder.between(from_path, card.page_path("index"))
            links_by_game.setdefault(card.game, []).append((url, card.title))
        return {
            game_name: tuple(campaign_links) for game_name, campaign_links in links_by_game.items()
        }

    def _games_page(self, page_path: str, links_by_game: LinksByKey) -> SiteFile:
        game_rows = []
        for game_name, game in self.games.items():
            registry = game.registry()
            rule_counts = {
                rule_class: sum(1 for rule in registry.rules if rule.kind is rule_class)
                for rule_class in RuleClass
            }
            game_rows.append(
                [
                    self._page_link(page_path, f"rules/{game_name}", game.title),
                    *(rule_counts[rule_class] for rule_class in RuleClass),
                    len(registry.rulings),
                    len(game.errata()),
                    _first_links(links_by_game.get(game_name, ())) or word("site.none_here"),
                ]
            )
        games_table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.game"),
                *(
                    {"title": class_name(rule_class).capitalize(), "align": "right"}
                    for rule_class in RuleClass
                ),
                {"title": word("site.rulings"), "align": "right"},
                {"title": word("site.errata"), "align": "right"},
                word("site.played_in"),
            ],
            game_rows,
            "games",
            word("site.games"),
        )
        class_terms = {
            str(rule_class): class_name(rule_class).capitalize() for rule_class in RuleClass
        }
        class_terms |= {"ruling": word("site.class_ruling"), "errata": word("site.errata")}
        strong_terms = {
            class_key: Markup("<strong>{}</strong>").format(term)
            for class_key, term in class_terms.items()
        }
        intro_html = Markup("<p>{}</p>").format(message_markup("site.classes_help", **strong_terms))
        descriptions_html = Markup("").join(
            Markup('<section class="ch-section"><h2>{}</h2><p>{}</p></section>').format(
                self._page_link(page_path, f"rules/{game_name}", game.title), game.summary
            )
            for game_name, game in self.games.items()
        )
        numbers_html = Markup('<section class="ch-section"><h2>{}</h2>{}{}</section>').format(
            word("site.games_by_number"), intro_html, games_table
        )
        page_html = Markup("{}{}{}").format(
            self._page_head(word("site.games")), descriptions_html, numbers_html
        )
        return self._text_page(page_path, word("site.games_and_rules"), page_html)

    def _rules_page(self, game: Game[Any], page_path: str, links_by_rule: LinksByRule) -> SiteFile:
        rule_pages = RulePages(game, self.url_builder, self._page_head)
        first_session_html = (
            self._first_session_section(game, page_path)
            if page_path == f"rules/{game.name}"
            else Markup("")
        )
        site_file = self._text_page(
            page_path,
            rule_pages.title(page_path),
            rule_pages.draw_body(page_path, links_by_rule, first_session_html),
            has_contents=True,
        )
        # The search finds the rules themselves in the file of cards.
        return replace(site_file, is_searched=False)

    def _first_session_section(self, game: Game[Any], from_path: str) -> Markup:
        """The game in play: an evening as a table may begin with it."""
        session_html = self.draw_first_session(game, from_path)
        return session_html and Markup(
            '<h2 id="in-play">{}</h2><details><summary>{}</summary><h3>{}</h3>{}</details>'
        ).format(
            word("site.in_play"),
            word("site.first_session_played"),
            message_markup(
                "site.new_begins_with", command=_code_markup(f"chronicle new --game {game.name}")
            ),
            session_html,
        )

    def _add_ons_page(
        self, game: Game[Any], page_path: str, links_by_rule_key: LinksByKey
    ) -> SiteFile:
        """Every optional rule: what it changes, what the group may set, where it is used."""
        optional_rules = game.optional_rules()
        add_ons_table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.add_on"),
                word("site.what_it_changes"),
                word("site.what_group_sets"),
                word("site.where_used"),
            ],
            [
                self._add_on_row(
                    page_path,
                    game.name,
                    row_number,
                    optional_rule,
                    links_by_rule_key.get(optional_rule.key, ()),
                )
                for row_number, optional_rule in enumerate(optional_rules)
            ],
            "add-ons",
            word("site.add_ons"),
            True,
        )
        intro_html = Markup("<p>{}</p>").format(
            message_markup(
                "site.add_ons_help",
                file=_code_markup("campaign.yaml"),
                list=_code_markup("add ons: [durable]"),
                values=_code_markup("add ons: {durable: {price: 4}}"),
                adopt=_code_markup("- adopt: durable"),
                drop=_code_markup("- end gimmick: durable"),
            )
        )
        html_parts = [
            self._page_head(word("site.add_ons_of", game=game.title), word("site.add_ons_sub")),
            intro_html,
            add_ons_table,
            Markup("<h2>{}</h2><p>{}</p>").format(
                word("site.short_games"), word("site.short_games_help")
            ),
            *(self._example_section(optional_rule) for optional_rule in optional_rules),
        ]
        return self._text_page(
            page_path, word("site.add_ons_title", game=game.title), Markup("").join(html_parts)
        )

    def _add_on_row(
        self,
        from_path: str,
        game_name: str,
        row_number: int,
        optional_rule: OptionalRule,
        campaign_links: Sequence[Link],
    ) -> list[Any]:
        changed_rules_html = Markup(" ").join(
            Markup('<a class="ch-rule" href="{}">{}</a>').format(
                self._rule_url(from_path, game_name, rule_id), rule_id
            )
            for rule_id in optional_rule.changes
        )
        parameters_html = Markup("<br>").join(
            Markup("<code>{}</code> {}").format(parameter, description)
            for parameter, description in optional_rule.parameters
        )
        example_link = Markup('<a href="#{}">{}</a>').format(
            _example_anchor(optional_rule), word("site.short_game")
        )
        return [
            {
                "text": Markup('<a href="{}">{}</a><br><code>{}</code>').format(
                    self._rule_url(from_path, game_name, optional_rule.id),
                    optional_rule.title,
                    optional_rule.key,
                ),
                "sort": row_number,
            },
            Markup("{} {}").format(
                optional_rule.summary, changed_rules_html or word("site.bends_no_rule")
            ),
            parameters_html or word("site.sets_nothing"),
            Markup(", ").join(filter(None, (_first_links(campaign_links), example_link))),
        ]

    def _rule_url(self, from_path: str, game_name: str, rule_id: str) -> str:
        return self.url_builder.between(
            from_path, rule_page_path(self.games[game_name], rule_id), rule_id.casefold()
        )

    def _adoptions(self, from_path: str, game_name: str, game: Game[Any]) -> LinksByKey:
        """The campaigns that adopted each optional rule at any time."""
        links_by_rule_key: dict[str, list[Link]] = {
            optional_rule.key: [] for optional_rule in game.optional_rules()
        }
        for card in self.cards:
            if card.game == game_name:
                for rule_key, target in card.target_by_adopted_rule.items():
                    url = self.url_builder.between(from_path, *target)
                    links_by_rule_key.setdefault(rule_key, []).append((url, card.title))
        return {
            rule_key: tuple(adoption_links)
            for rule_key, adoption_links in links_by_rule_key.items()
        }

    def _example_section(self, optional_rule: OptionalRule) -> Markup:
        file_blocks_html = Markup("").join(
            Markup("<p><code>{}</code></p><pre><code>{}</code></pre>").format(file_name, contents)
            for file_name, contents in optional_rule.specimen.items()
        )
        return Markup(
            '<section class="ch-rule-entry" id="{}"><h3><span class="ch-rule">{}</span> {}</h3>'
            "<details><summary>{}</summary>{}</details></section>"
        ).format(
            _example_anchor(optional_rule),
            optional_rule.id,
            optional_rule.title,
            word("site.log_of_short_game"),
            file_blocks_html,
        )

    def _uses_of_rules(self, from_path: str, game_name: str) -> dict[str, tuple[RuleUse, ...]]:
        """Where each rule of a game was used first, campaign by campaign."""
        uses_by_rule: dict[str, list[RuleUse]] = {}
        for card in self.cards:
            if card.game != game_name:
                continue
            for rule_id, uses in card.uses_by_rule.items():
                rule_uses = uses_by_rule.setdefault(rule_id, [])
                for step_number, target, scene_title in uses[
                    : ENTRIES_PER_CAMPAIGN - len(rule_uses)
                ]:
                    link_words = (
                        word("site.entry_in_scene", scene=scene_title, number=step_number)
                        if scene_title
                        else word("site.entry_link", number=step_number)
                    )
                    url = self.url_builder.between(from_path, *target)
                    rule_uses.append(RuleUse(card.title, url, link_words))
        return {rule_id: tuple(rule_uses) for rule_id, rule_uses in uses_by_rule.items()}

    def _errata_page(self, page_path: str, _: tuple[str, ...]) -> SiteFile:
        html_parts = [
            self._page_head(word("site.errata_found")),
            Markup("<p>{}</p>").format(word("site.errata_help")),
        ]
        for game_name, game in self.games.items():
            if game.errata():
                html_parts.append(
                    Markup("<h2>{}</h2>").format(
                        self._page_link(page_path, f"rules/{game_name}", game.title)
                    )
                )
                html_parts.extend(draw_rule_entry(erratum) for erratum in game.errata())
        return self._text_page(page_path, word("site.errata_found"), Markup("").join(html_parts))

    # -- helpers ------------------------------------------------------------------------------------

    def _page_link(self, from_path: str, to_path: str, link_title: str) -> Markup:
        return Markup('<a href="{}">{}</a>').format(
            self.url_builder.between(from_path, to_path), link_title
        )

    def _page_head(self, title: str, subtitle: str = "") -> Markup:
        return self.macro("page", "page_head", title, sub=subtitle)

    def _text_page(
        self, page_path: str, page_title: str, body_html: Markup, *, has_contents: bool = False
    ) -> SiteFile:
        """A page of text; ``has_contents``: it has contents of its own."""
        page_html = compact_html(
            f'<div class="ch-body{"" if has_contents else " ch-body--text"}">{body_html}</div>'
        )
        hidden_elements = ["toc", "navigation"] if has_contents else ["toc"]
        return SiteFile(
            page_path, page_title, page_html, meta={"title": page_title, "hide": hidden_elements}
        )


def _with_full_last_row(stories: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stories with covers, then the longest of the small ones with covers too, as many as the last row has places for,
    then the rest."""
    large_stories = [story for story in stories if not story["small"]]
    small_stories = [story for story in stories if story["small"]]
    free_place_count = -len(large_stories) % COVERS_IN_ROW
    if free_place_count > len(small_stories):
        free_place_count = 0
    longest_stories = sorted(small_stories, key=lambda story: -story["minutes"])[:free_place_count]
    return [
        *large_stories,
        *({**story, "small": False} for story in longest_stories),
        *(story for story in small_stories if story not in longest_stories),
    ]


def _card_script(
    game: Game[Any], url_builder: PageUrlBuilder, script_path: str, _: None
) -> SiteFile:
    """What a card beside a rule's number says, and the page of each rule, as a script that loads from a disk, too."""
    registry = game.registry()
    card_lines_by_key = {
        rule.id: [rule.title, rule.text.replace("`", "")] for rule in registry.rules
    }
    card_lines_by_key.update({ruling.id: ["", ruling.question] for ruling in registry.rulings})
    for term in registry.terms:
        card_lines_by_key.update(
            {
                synonym.casefold(): [term.synonyms[0], term.text, term.rule]
                for synonym in term.synonyms
            }
        )
    card_keys_by_url: dict[str, list[str]] = {}
    for rule_id, page_path in page_paths_by_id(game).items():
        card_keys_by_url.setdefault(url_builder.from_root(page_path), []).append(rule_id)
    return SiteFile(
        script_path,
        contents=script_with_call("chronicleRules", card_lines_by_key, card_keys_by_url),
    )


def _example_anchor(optional_rule: OptionalRule) -> str:
    """The anchor of its short game."""
    return optional_rule.key.replace(" ", "-")


def _links_markup(links: Iterable[Link]) -> list[Markup]:
    return [Markup('<a href="{}">{}</a>').format(url, link_words) for url, link_words in links]


def _first_links(links: Sequence[Link]) -> Markup:
    """The first of some links, and how many more there are."""
    shown_links_html = Markup(", ").join(_links_markup(links[:MAX_LISTED_LINKS]))
    other_count = len(links) - MAX_LISTED_LINKS
    return (
        message_markup("site.links_more", links=shown_links_html, count=f"{other_count:,}")
        if other_count > 0
        else shown_links_html
    )


def _code_markup(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
