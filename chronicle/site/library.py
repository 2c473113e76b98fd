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
from chronicle.site.cards import Card, rank_for_new_readers
from chronicle.site.draw import compact_html, message_markup
from chronicle.site.files import SiteFile
from chronicle.site.front import ARCHIVE_FOLDER, ArchivePages
from chronicle.site.links import Address, first_sentences
from chronicle.site.news import FILE, sessions_feed
from chronicle.site.rule_pages import (
    LISTED,
    RulePages,
    class_name,
    draw_entry,
    pages_by_id,
    rule_page,
)
from chronicle.site.sandbox import BoundedEnvironment
from chronicle.site.shards import script
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
Links = dict[str, tuple[Link, ...]]
T = TypeVar("T")


class Library:
    """Pages about all games and all campaigns of a site."""

    def __init__(
        self,
        env: Environment,
        address: Address,
        games: Mapping[str, Game[Any]],
        campaigns: Iterable[Card],
        unshown_campaigns: Mapping[str, str] | None = None,
        cache: BuildCache | None = None,
        first_folder: str = "",
    ) -> None:
        self.env = env
        self.address = address
        self.games = games
        self.campaigns = list(campaigns)
        self.unshown_campaigns = unshown_campaigns or {}
        """Campaigns that cannot be shown: where their page is, and how their folder is called."""
        self.first_folder = first_folder
        """The folder of the campaign that readers are to begin with."""
        self.desk = False
        """Whether the site has a desk."""
        self.draw_first_session: Callable[[Game[Any], str], Markup] = lambda rules, page: Markup("")
        """Draws a short session that shows how to play a game."""
        self.front: ArchivePages | None = None
        """The front door of an archive, if the site is one."""
        self._macros: dict[str, Any] = {}
        self._cache = BuildCache() if cache is None else cache

    @property
    def first(self) -> Card | None:
        """The campaign that readers are to begin with."""
        return max(
            self.campaigns,
            key=partial(rank_for_new_readers, first_folder=self.first_folder),
            default=None,
        )

    def feed(self, site: str, name: str) -> bytes | None:
        """The sessions of all campaigns as a feed; None if no day of any is known."""
        dated_sessions = [
            (f"{card.title}: ", session) for card in self.campaigns for session in card.evenings
        ]
        return (
            sessions_feed(site, FILE, self.address.file("index"), name, dated_sessions)
            if dated_sessions
            else None
        )

    def not_found_data(self) -> dict[str, Any]:
        """What leads on from an address at which nothing is: addresses from the root of the site."""
        home_url = self.address.file("index")
        stories = [
            {
                "title": card.title,
                "folder": card.folder,
                "story": self.address.file(card.page("story")),
                "cast": self.address.file(card.page("cast/index")),
            }
            for card in self.campaigns[:MAX_STORIES_NOT_FOUND]
        ]
        first = self.first
        story_to_begin = next(
            (story for story in stories if first and story["folder"] == first.folder), None
        )
        return {
            "stories": stories,
            "begin": story_to_begin,
            "home": home_url,
            "count": len(self.campaigns),
        }

    def macro(self, file: str, name: str, *args: Any, **keywords: Any) -> Markup:
        """Call a macro of the look."""
        if file not in self._macros:
            self._macros[file] = self.env.get_template(f"macros/{file}.html").module
        return Markup(getattr(self._macros[file], name)(*args, **keywords))

    def all_stories(self, from_page: str) -> Markup:
        """All stories, as seen from page ``from_page``: one to begin with, and the others by their covers."""
        stories = [self._story_data(from_page, card) for card in self.campaigns]
        first = max(stories, key=lambda story: story["rank"], default=None)
        is_only_story = len(stories) == 1
        story_count = len(stories) + len(self.unshown_campaigns)
        words = number_in_words(story_count)
        count = f"{story_count:,}" if words.isdigit() else words
        games = Counter(card.game for card in self.campaigns)
        other_stories = [] if is_only_story else [story for story in stories if story is not first]
        if len(other_stories) > MAX_COVERS:
            best_stories = sorted(other_stories, key=lambda story: story["rank"], reverse=True)[
                :MAX_COVERS
            ]
            kept_urls = {story["url"] for story in best_stories}
            other_stories = [story for story in other_stories if story["url"] in kept_urls]
        return self._draw(
            "pages/home.html",
            first=first,
            others=other_stories,
            fallen=[
                {"title": name, "url": self.address.between(from_page, f"{folder}/index")}
                for folder, name in self.unshown_campaigns.items()
            ],
            title=word("site.all_stories_count", count=count)
            if is_only_story or len(other_stories) == len(stories) - 1
            else word("site.stories"),
            archive=[
                (words, self.address.between(from_page, f"{ARCHIVE_FOLDER}/{page}"))
                for words, page in ARCHIVE_LINKS
                if self.front is not None
            ],
            count=f"{story_count:,}",
            shelves=[
                {"key": name, "game": self.games[name].title, "count": count}
                for name, count in games.items()
            ],
        )

    def _draw(self, template: str, **values: Any) -> Markup:
        def draw() -> str:
            return compact_html(self.env.get_template(template).render(values))

        return Markup(draw_text(self.env, draw, template))

    def best_stories(self, page: str) -> Markup:
        """The stories to begin with, by their covers: the best of each game before a second one of any."""
        cards = sorted(
            self.campaigns,
            key=partial(rank_for_new_readers, first_folder=self.first_folder),
            reverse=True,
        )
        count_by_game: Counter[str] = Counter()
        ranked: list[tuple[int, int]] = []
        for index, card in enumerate(cards):
            ranked.append((count_by_game[card.game], index))
            count_by_game[card.game] += 1
        stories = [
            self._story_data(page, cards[index])
            for _, index in sorted(ranked)[:STORIES_FOR_NEW_READERS]
        ]
        return self._draw("pages/best.html", stories=stories)

    def _story_data(self, page: str, card: Card) -> dict[str, Any]:
        """What the home page shows of a campaign."""
        return {
            "title": card.title,
            "url": self.address.between(page, card.page("index")),
            "read": self.address.between(page, card.page("story")),
            "game": self.games[card.game].title,
            "shelf": card.game,
            "blurb": first_sentences(card.summary, MAX_BLURB_LETTERS),
            "cover": self.address.between(page, card.cover),
            "alt": card.alt,
            "over": card.over,
            "sessions": card.sessions,
            "chapters": card.chapters,
            "minutes": card.minutes,
            "small": not card.painted and card.minutes < SMALL_STORY_MINUTES,
            "emblems": card.emblems,
            "quote": card.quote,
            "rank": rank_for_new_readers(card, self.first_folder),
        }

    def fill_markers(self, html: str, uri: str, wrap: Callable[[str], str] | None = None) -> str:
        """A hand-written page, after Markdown, with its markers replaced.

        Args:
            html: the page.
            uri: its path on the site.
            wrap: wraps each piece, if given.
        """
        page = uri.removesuffix(".md")
        pieces: dict[str, Callable[[], Markup]] = {
            CAMPAIGNS_MARKER: partial(self.all_stories, page),
            BEST_MARKER: partial(self.best_stories, page),
            DESK_MARKER: partial(self._desk_link, page),
        }
        for marker, draw in pieces.items():
            if marker in html:
                piece = str(draw())
                html = html.replace(marker, wrap(piece) if wrap and piece else piece)
        return html

    def _desk_link(self, page: str) -> Markup:
        desk_address = self.address.between(page, "desk/index.html")
        words = word("site.try_in_browser")
        link = Markup('<a class="ch-button ch-button--first" href="{}">{}</a>').format(
            desk_address, words
        )
        return link if self.desk else Markup("")

    def fill_all_markers(self, uri: str) -> str:
        """All that can be filled into a hand-written page, to know whether it has changed."""
        return self.fill_markers(CAMPAIGNS_MARKER + BEST_MARKER + DESK_MARKER, uri)

    def files(self) -> Iterator[SiteFile]:
        """The pages of the games."""
        yield self._cached_page("rules/index", self._campaigns_by_game(), self._games_page)
        for name, rules in self.games.items():
            for page in RulePages(rules, self.address, self._page_head).paths():
                yield self._cached_page(
                    page, self._uses_of_rules(page, name), partial(self._rules_page, rules)
                )
            yield self._cached_page(
                f"rules/{name}.js", None, partial(_card_script, rules, self.address)
            )
            if rules.optional_rules():
                page = f"rules/{name}-add-ons"
                adopted = self._adoptions(page, name, rules)
                yield self._cached_page(page, adopted, partial(self._add_ons_page, rules))
        yield self._cached_page("rules/errata", tuple(self.games), self._errata_page)

    def _cached_page(self, page: str, inputs: T, make: Callable[[str, T], SiteFile]) -> SiteFile:
        """A page of the site, from the cache if it would show the same."""
        cached: SiteFile | None = self._cache.find(("library", page), inputs)
        if cached is not None:
            return cached
        draw = partial(make, page, inputs)
        # No template draws a script.
        site_file = (
            draw() if page.endswith(".js") else next(draw_files(self.env, [(page, draw, "")]))
        )
        # A page with a template error is not cached, so that every build reports the error.
        if not (isinstance(self.env, BoundedEnvironment) and self.env.reported):
            self._cache.keep(("library", page), inputs, site_file)
        return site_file

    # -- games -------------------------------------------------------------------------------------

    def _campaigns_by_game(self) -> Links:
        """Every campaign: its game, and where it is."""
        page = "rules/index"
        links_by_game: dict[str, list[tuple[str, str]]] = {}
        for card in self.campaigns:
            url = self.address.between(page, card.page("index"))
            links_by_game.setdefault(card.game, []).append((url, card.title))
        return {game: tuple(links) for game, links in links_by_game.items()}

    def _games_page(self, page: str, links_by_game: Links) -> SiteFile:
        rows = []
        for name, rules in self.games.items():
            registry = rules.registry()
            rule_counts = {
                kind: sum(1 for rule in registry.rules if rule.kind is kind) for kind in RuleClass
            }
            rows.append(
                [
                    self._page_link(page, f"rules/{name}", rules.title),
                    *(rule_counts[kind] for kind in RuleClass),
                    len(registry.rulings),
                    len(rules.errata()),
                    _first_links(links_by_game.get(name, ())) or word("site.none_here"),
                ]
            )
        table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.game"),
                *({"title": class_name(kind).capitalize(), "align": "right"} for kind in RuleClass),
                {"title": word("site.rulings"), "align": "right"},
                {"title": word("site.errata"), "align": "right"},
                word("site.played_in"),
            ],
            rows,
            "games",
            word("site.games"),
        )
        terms = {str(kind): class_name(kind).capitalize() for kind in RuleClass}
        terms |= {"ruling": word("site.class_ruling"), "errata": word("site.errata")}
        strong_terms = {
            key: Markup("<strong>{}</strong>").format(term) for key, term in terms.items()
        }
        intro = Markup("<p>{}</p>").format(message_markup("site.classes_help", **strong_terms))
        descriptions = Markup("").join(
            Markup('<section class="ch-section"><h2>{}</h2><p>{}</p></section>').format(
                self._page_link(page, f"rules/{name}", rules.title), rules.summary
            )
            for name, rules in self.games.items()
        )
        body = Markup("{}{}{}{}").format(
            self._page_head(word("site.games_by_number")), intro, table, descriptions
        )
        return self._text_page(page, word("site.games_and_rules"), body)

    def _rules_page(self, rules: Game[Any], rules_page: str, uses: Links) -> SiteFile:
        pages = RulePages(rules, self.address, self._page_head)
        first_session = (
            self._first_session_section(rules, rules_page)
            if rules_page == f"rules/{rules.name}"
            else Markup("")
        )
        page = self._text_page(
            rules_page,
            pages.title(rules_page),
            pages.draw(rules_page, uses, first_session),
            nav=True,
        )
        # The search finds the rules themselves in the file of cards.
        return replace(page, searched=False)

    def _first_session_section(self, rules: Game[Any], page: str) -> Markup:
        """The game in play: an evening as a table may begin with it."""
        session = self.draw_first_session(rules, page)
        return session and Markup(
            '<h2 id="in-play">{}</h2><details><summary>{}</summary><h3>{}</h3>{}</details>'
        ).format(
            word("site.in_play"),
            word("site.first_session_played"),
            message_markup(
                "site.new_begins_with", command=_code_markup(f"chronicle new --game {rules.name}")
            ),
            session,
        )

    def _add_ons_page(self, rules: Game[Any], page: str, adopted: Links) -> SiteFile:
        """Every optional rule: what it changes, what the group may set, where it is used."""
        optional_rules = rules.optional_rules()
        table = self.macro(
            "page",
            "sortable_table",
            [
                word("site.add_on"),
                word("site.what_it_changes"),
                word("site.what_group_sets"),
                word("site.where_used"),
            ],
            [
                self._add_on_row(page, rules.name, number, rule, adopted.get(rule.key, ()))
                for number, rule in enumerate(optional_rules)
            ],
            "add-ons",
            word("site.add_ons"),
            True,
        )
        intro = Markup("<p>{}</p>").format(
            message_markup(
                "site.add_ons_help",
                file=_code_markup("campaign.yaml"),
                list=_code_markup("add ons: [durable]"),
                values=_code_markup("add ons: {durable: {price: 4}}"),
                adopt=_code_markup("- adopt: durable"),
                drop=_code_markup("- end gimmick: durable"),
            )
        )
        parts = [
            self._page_head(word("site.add_ons_of", game=rules.title), word("site.add_ons_sub")),
            intro,
            table,
            Markup("<h2>{}</h2><p>{}</p>").format(
                word("site.short_games"), word("site.short_games_help")
            ),
            *(self._example_section(rule) for rule in optional_rules),
        ]
        return self._text_page(
            page, word("site.add_ons_title", game=rules.title), Markup("").join(parts)
        )

    def _add_on_row(
        self, page: str, game: str, number: int, rule: OptionalRule, adopted: Sequence[Link]
    ) -> list[Any]:
        changed_rules = Markup(" ").join(
            Markup('<a class="ch-rule" href="{}">{}</a>').format(
                self._rule_url(page, game, code), code
            )
            for code in rule.changes
        )
        parameters = Markup("<br>").join(
            Markup("<code>{}</code> {}").format(key, doc) for key, doc in rule.parameters
        )
        example_link = Markup('<a href="#{}">{}</a>').format(
            _example_anchor(rule), word("site.short_game")
        )
        return [
            {
                "text": Markup('<a href="{}">{}</a><br><code>{}</code>').format(
                    self._rule_url(page, game, rule.id),
                    rule.title,
                    rule.key,
                ),
                "sort": number,
            },
            Markup("{} {}").format(rule.summary, changed_rules or word("site.bends_no_rule")),
            parameters or word("site.sets_nothing"),
            Markup(", ").join(filter(None, (_first_links(adopted), example_link))),
        ]

    def _rule_url(self, page: str, game: str, id: str) -> str:
        return self.address.between(page, rule_page(self.games[game], id), id.casefold())

    def _adoptions(self, page: str, game: str, rules: Game[Any]) -> Links:
        """The campaigns that adopted each optional rule at any time."""
        links_by_key: dict[str, list[Link]] = {rule.key: [] for rule in rules.optional_rules()}
        for card in self.campaigns:
            if card.game == game:
                for key, target in card.adopted.items():
                    url = self.address.between(page, *target)
                    links_by_key.setdefault(key, []).append((url, card.title))
        return {key: tuple(links) for key, links in links_by_key.items()}

    def _example_section(self, rule: OptionalRule) -> Markup:
        files = Markup("").join(
            Markup("<p><code>{}</code></p><pre><code>{}</code></pre>").format(file, text)
            for file, text in rule.specimen.items()
        )
        return Markup(
            '<section class="ch-rule-entry" id="{}"><h3><span class="ch-rule">{}</span> {}</h3>'
            "<details><summary>{}</summary>{}</details></section>"
        ).format(_example_anchor(rule), rule.id, rule.title, word("site.log_of_short_game"), files)

    def _uses_of_rules(self, page: str, game: str) -> Links:
        """Where each rule of a game was used first, campaign by campaign."""
        links_by_rule: dict[str, list[Link]] = {}
        for card in self.campaigns:
            if card.game != game:
                continue
            for rule, targets in card.used.items():
                links = links_by_rule.setdefault(rule, [])
                for step, target in targets[: ENTRIES_PER_CAMPAIGN - len(links)]:
                    words = word("site.entry_of", story=card.title, number=step)
                    links.append((self.address.between(page, *target), words))
        return {rule: tuple(links) for rule, links in links_by_rule.items()}

    def _errata_page(self, page: str, _: tuple[str, ...]) -> SiteFile:
        parts = [
            self._page_head(word("site.errata_found")),
            Markup("<p>{}</p>").format(word("site.errata_help")),
        ]
        for name, rules in self.games.items():
            if rules.errata():
                parts.append(
                    Markup("<h2>{}</h2>").format(
                        self._page_link(page, f"rules/{name}", rules.title)
                    )
                )
                parts.extend(draw_entry(erratum) for erratum in rules.errata())
        return self._text_page(page, word("site.errata_found"), Markup("").join(parts))

    # -- helpers ------------------------------------------------------------------------------------

    def _page_link(self, from_page: str, to_page: str, title: str) -> Markup:
        return Markup('<a href="{}">{}</a>').format(self.address.between(from_page, to_page), title)

    def _page_head(self, title: str, sub: str = "") -> Markup:
        return self.macro("page", "page_head", title, sub=sub)

    def _text_page(self, path: str, title: str, body: Markup, *, nav: bool = False) -> SiteFile:
        """A page of text; ``nav``: it has contents of its own."""
        html = compact_html(f'<div class="ch-body{"" if nav else " ch-body--text"}">{body}</div>')
        hidden = ["toc", "navigation"] if nav else ["toc"]
        return SiteFile(path, title, html, meta={"title": title, "hide": hidden})


def _card_script(rules: Game[Any], address: Address, path: str, _: None) -> SiteFile:
    """What a card beside a rule's number says, and the page of each rule, as a script that loads from a disk, too."""
    registry = rules.registry()
    texts = {rule.id: [rule.title, rule.text.replace("`", "")] for rule in registry.rules}
    texts.update({ruling.id: ["", ruling.question] for ruling in registry.rulings})
    for term in registry.terms:
        texts.update(
            {word.casefold(): [term.synonyms[0], term.text, term.rule] for word in term.synonyms}
        )
    pages: dict[str, list[str]] = {}
    for id, page in pages_by_id(rules).items():
        pages.setdefault(address.file(page), []).append(id)
    return SiteFile(path, data=script("chronicleRules", texts, pages))


def _example_anchor(rule: OptionalRule) -> str:
    """The anchor of its short game."""
    return rule.key.replace(" ", "-")


def _links_markup(links: Iterable[Link]) -> list[Markup]:
    return [Markup('<a href="{}">{}</a>').format(url, words) for url, words in links]


def _first_links(links: Sequence[Link]) -> Markup:
    """The first of some links, and how many more there are."""
    shown_links = Markup(", ").join(_links_markup(links[:LISTED]))
    other_count = len(links) - LISTED
    return (
        message_markup("site.links_more", links=shown_links, count=f"{other_count:,}")
        if other_count > 0
        else shown_links
    )


def _code_markup(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
