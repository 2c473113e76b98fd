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

from chronicle.core.figures import in_words
from chronicle.core.rulebook import Rulebook
from chronicle.core.rules import OptionalRule, RuleClass
from chronicle.site.apart import draw_files, draw_text
from chronicle.site.cache import BuildCache
from chronicle.site.cards import Card, rank
from chronicle.site.draw import compact, worded
from chronicle.site.files import SiteFile
from chronicle.site.front import ROOT, Front
from chronicle.site.links import Address, first_sentences
from chronicle.site.news import FILE, atom
from chronicle.site.rule_pages import (
    LISTED,
    RulePages,
    class_name,
    draw_entry,
    pages_by_id,
    rule_page,
)
from chronicle.site.sandbox import Bounded
from chronicle.site.shards import script
from chronicle.words import word

MARKER = "<!-- chronicle:campaigns -->"
"""Where a hand-written page wants all stories."""
BEST = "<!-- chronicle:best -->"
"""Where a hand-written page wants the few stories that readers are to begin with."""
DESK = "<!-- chronicle:desk -->"
"""Where a hand-written page wants to lead to the desk, if the site has one."""

SHOWN_PLACES = 2
"""How many places are named at which a rule was used."""
MOST_LOST = 500
"""How many stories a page that is not found knows of."""
MOST_BLURB = 135
"""How many letters a story is announced with: what three lines below its picture hold."""
SMALL = 4
"""Shorter stories (in minutes) without a picture come below the others."""

FEW = 3
"""The number of stories that a page shows for new readers."""
COVERS = 60
"""How many stories the home page shows by their covers."""
DOORS = (
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
        games: Mapping[str, Rulebook[Any]],
        campaigns: Iterable[Card],
        fallen: Mapping[str, str] | None = None,
        cache: BuildCache | None = None,
        begin: str = "",
    ) -> None:
        self.env = env
        self.address = address
        self.games = games
        self.campaigns = list(campaigns)
        self.fallen = fallen or {}
        """Campaigns that cannot be shown: where their page is, and how their folder is called."""
        self.begin = begin
        """The folder of the campaign that readers are to begin with."""
        self.desk = False
        """Whether the site has a desk."""
        self.first_evening: Callable[[Rulebook[Any], str], Markup] = lambda rules, page: Markup("")
        """Draws a short session that shows how to play a game."""
        self.front: Front | None = None
        """The front door of an archive, if the site is one."""
        self._macros: dict[str, Any] = {}
        self._cache = BuildCache() if cache is None else cache

    @property
    def first(self) -> Card | None:
        """The campaign that readers are to begin with."""
        return max(self.campaigns, key=partial(rank, begin=self.begin), default=None)

    def feed(self, site: str, name: str) -> bytes | None:
        """The evenings of all campaigns as a feed; None if no day of any is known."""
        evenings = [
            (f"{card.title}: ", evening) for card in self.campaigns for evening in card.evenings
        ]
        return atom(site, FILE, self.address.file("index"), name, evenings) if evenings else None

    def lost(self) -> dict[str, Any]:
        """What leads on from an address at which nothing is: addresses from the root of the site."""
        front = self.address.file("index")
        shown = [
            {
                "title": card.title,
                "folder": card.folder,
                "story": self.address.file(card.page("story")),
                "cast": self.address.file(card.page("cast/index")),
            }
            for card in self.campaigns[:MOST_LOST]
        ]
        first = self.first
        begin = next((story for story in shown if first and story["folder"] == first.folder), None)
        return {"stories": shown, "begin": begin, "home": front, "count": len(self.campaigns)}

    def macro(self, file: str, name: str, *args: Any, **keywords: Any) -> Markup:
        """Call a macro of the look."""
        if file not in self._macros:
            self._macros[file] = self.env.get_template(f"macros/{file}.html").module
        return Markup(getattr(self._macros[file], name)(*args, **keywords))

    def home(self, from_page: str) -> Markup:
        """All stories, as seen from page ``from_page``: one to begin with, and the others by their covers."""
        stories = [self._story(from_page, card) for card in self.campaigns]
        first = max(stories, key=lambda story: story["rank"], default=None)
        alone = len(stories) == 1
        story_count = len(stories) + len(self.fallen)
        words = in_words(story_count)
        count = f"{story_count:,}" if words.isdigit() else words
        games = Counter(card.game for card in self.campaigns)
        other_stories = [] if alone else [story for story in stories if story is not first]
        if len(other_stories) > COVERS:
            best_stories = sorted(other_stories, key=lambda story: story["rank"], reverse=True)[
                :COVERS
            ]
            kept_urls = {story["url"] for story in best_stories}
            other_stories = [story for story in other_stories if story["url"] in kept_urls]
        return self._draw(
            "pages/home.html",
            first=first,
            others=other_stories,
            fallen=[
                {"title": name, "url": self.address.between(from_page, f"{folder}/index")}
                for folder, name in self.fallen.items()
            ],
            title=word("site.all_stories_count", count=count)
            if alone or len(other_stories) == len(stories) - 1
            else word("site.stories"),
            archive=[
                (words, self.address.between(from_page, f"{ROOT}/{page}"))
                for words, page in DOORS
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
            return compact(self.env.get_template(template).render(values))

        return Markup(draw_text(self.env, draw, template))

    def best(self, page: str) -> Markup:
        """The stories to begin with, by their covers: the best of each game before a second one of any."""
        cards = sorted(self.campaigns, key=partial(rank, begin=self.begin), reverse=True)
        count_by_game: Counter[str] = Counter()
        turns: list[tuple[int, int]] = []
        for place, card in enumerate(cards):
            turns.append((count_by_game[card.game], place))
            count_by_game[card.game] += 1
        stories = [self._story(page, cards[place]) for _, place in sorted(turns)[:FEW]]
        return self._draw("pages/best.html", stories=stories)

    def _story(self, page: str, card: Card) -> dict[str, Any]:
        """What the home page shows of a campaign."""
        return {
            "title": card.title,
            "url": self.address.between(page, card.page("index")),
            "read": self.address.between(page, card.page("story")),
            "game": self.games[card.game].title,
            "shelf": card.game,
            "blurb": first_sentences(card.summary, MOST_BLURB),
            "cover": self.address.between(page, card.cover),
            "alt": card.alt,
            "over": card.over,
            "sessions": card.sessions,
            "chapters": card.chapters,
            "minutes": card.minutes,
            "small": not card.painted and card.minutes < SMALL,
            "emblems": card.emblems,
            "quote": card.quote,
            "rank": rank(card, self.begin),
        }

    def fill(self, html: str, uri: str, dress: Callable[[str], str] | None = None) -> str:
        """A hand-written page, after Markdown, with its markers replaced.

        Args:
            html: the page.
            uri: its path on the site.
            dress: wraps each piece, if given.
        """
        page = uri.removesuffix(".md")
        pieces: dict[str, Callable[[], Markup]] = {
            MARKER: partial(self.home, page),
            BEST: partial(self.best, page),
            DESK: partial(self._way_to_desk, page),
        }
        for marker, draw in pieces.items():
            if marker in html:
                piece = str(draw())
                html = html.replace(marker, dress(piece) if dress and piece else piece)
        return html

    def _way_to_desk(self, page: str) -> Markup:
        desk_address = self.address.between(page, "desk/index.html")
        words = word("site.try_in_browser")
        link = Markup('<a class="ch-button ch-button--first" href="{}">{}</a>').format(
            desk_address, words
        )
        return link if self.desk else Markup("")

    def filling(self, uri: str) -> str:
        """All that can be filled into a hand-written page, to know whether it has changed."""
        return self.fill(MARKER + BEST + DESK, uri)

    def files(self) -> Iterator[SiteFile]:
        """The pages of the games."""
        yield self._cached_page("rules/index", self._played(), self._games)
        for name, rules in self.games.items():
            for page in RulePages(rules, self.address, self._head).paths():
                yield self._cached_page(page, self._used(page, name), partial(self._rules, rules))
            yield self._cached_page(f"rules/{name}.js", None, partial(_cards, rules, self.address))
            if rules.optional_rules():
                page = f"rules/{name}-add-ons"
                adopted = self._adopted(page, name, rules)
                yield self._cached_page(page, adopted, partial(self._optional, rules))
        yield self._cached_page("rules/errata", tuple(self.games), self._errata)

    def _cached_page(self, page: str, shown: T, make: Callable[[str, T], SiteFile]) -> SiteFile:
        """A page of the site, from the cache if it would show the same."""
        cached: SiteFile | None = self._cache.find(("library", page), shown)
        if cached is not None:
            return cached
        draw = partial(make, page, shown)
        # No template draws a script.
        site_file = (
            draw() if page.endswith(".js") else next(draw_files(self.env, [(page, draw, "")]))
        )
        # A page with a template error is not cached, so that every build reports the error.
        if not (isinstance(self.env, Bounded) and self.env.reported):
            self._cache.keep(("library", page), shown, site_file)
        return site_file

    # -- games -------------------------------------------------------------------------------------

    def _played(self) -> Links:
        """Every campaign: its game, and where it is."""
        page = "rules/index"
        links_by_game: dict[str, list[tuple[str, str]]] = {}
        for card in self.campaigns:
            url = self.address.between(page, card.page("index"))
            links_by_game.setdefault(card.game, []).append((url, card.title))
        return {game: tuple(links) for game, links in links_by_game.items()}

    def _games(self, page: str, played: Links) -> SiteFile:
        rows = []
        for name, rules in self.games.items():
            registry = rules.registry()
            kinds = {kind: sum(1 for r in registry.rules if r.kind is kind) for kind in RuleClass}
            rows.append(
                [
                    self._link(page, f"rules/{name}", rules.title),
                    *(kinds[kind] for kind in RuleClass),
                    len(registry.rulings),
                    len(rules.errata()),
                    _some(played.get(name, ())) or word("site.none_here"),
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
        strong = {key: Markup("<strong>{}</strong>").format(term) for key, term in terms.items()}
        intro = Markup("<p>{}</p>").format(worded("site.classes_help", **strong))
        descriptions = Markup("").join(
            Markup('<section class="ch-section"><h2>{}</h2><p>{}</p></section>').format(
                self._link(page, f"rules/{name}", rules.title), rules.summary
            )
            for name, rules in self.games.items()
        )
        body = Markup("{}{}{}{}").format(
            self._head(word("site.games_by_number")), intro, table, descriptions
        )
        return self._page(page, word("site.games_and_rules"), body)

    def _rules(self, rules: Rulebook[Any], rules_page: str, used: Links) -> SiteFile:
        pages = RulePages(rules, self.address, self._head)
        front = (
            self._shown(rules, rules_page) if rules_page == f"rules/{rules.name}" else Markup("")
        )
        page = self._page(
            rules_page, pages.title(rules_page), pages.draw(rules_page, used, front), nav=True
        )
        # The search finds the rules themselves in the file of cards.
        return replace(page, searched=False)

    def _shown(self, rules: Rulebook[Any], page: str) -> Markup:
        """The game in play: an evening as a table may begin with it."""
        played = self.first_evening(rules, page)
        return played and Markup(
            '<h2 id="in-play">{}</h2><details><summary>{}</summary><h3>{}</h3>{}</details>'
        ).format(
            word("site.in_play"),
            word("site.first_session_played"),
            worded("site.new_begins_with", command=_code(f"chronicle new --game {rules.name}")),
            played,
        )

    def _optional(self, rules: Rulebook[Any], page: str, adopted: Links) -> SiteFile:
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
                self._optional_row(page, rules.name, number, rule, adopted.get(rule.key, ()))
                for number, rule in enumerate(optional_rules)
            ],
            "add-ons",
            word("site.add_ons"),
            True,
        )
        intro = Markup("<p>{}</p>").format(
            worded(
                "site.add_ons_help",
                file=_code("campaign.yaml"),
                list=_code("add ons: [durable]"),
                values=_code("add ons: {durable: {price: 4}}"),
                adopt=_code("- adopt: durable"),
                drop=_code("- end gimmick: durable"),
            )
        )
        parts = [
            self._head(word("site.add_ons_of", game=rules.title), word("site.add_ons_sub")),
            intro,
            table,
            Markup("<h2>{}</h2><p>{}</p>").format(
                word("site.short_games"), word("site.short_games_help")
            ),
            *(self._specimen(rule) for rule in optional_rules),
        ]
        return self._page(
            page, word("site.add_ons_title", game=rules.title), Markup("").join(parts)
        )

    def _optional_row(
        self, page: str, game: str, number: int, rule: OptionalRule, adopted: Sequence[Link]
    ) -> list[Any]:
        bent = Markup(" ").join(
            Markup('<a class="ch-rule" href="{}">{}</a>').format(
                self._rule_url(page, game, code), code
            )
            for code in rule.changes
        )
        settable = Markup("<br>").join(
            Markup("<code>{}</code> {}").format(key, doc) for key, doc in rule.parameters
        )
        example_link = Markup('<a href="#{}">{}</a>').format(_stem(rule), word("site.short_game"))
        return [
            {
                "text": Markup('<a href="{}">{}</a><br><code>{}</code>').format(
                    self._rule_url(page, game, rule.id),
                    rule.title,
                    rule.key,
                ),
                "sort": number,
            },
            Markup("{} {}").format(rule.summary, bent or word("site.bends_no_rule")),
            settable or word("site.sets_nothing"),
            Markup(", ").join(filter(None, (_some(adopted), example_link))),
        ]

    def _rule_url(self, page: str, game: str, id: str) -> str:
        return self.address.between(page, rule_page(self.games[game], id), id.casefold())

    def _adopted(self, page: str, game: str, rules: Rulebook[Any]) -> Links:
        """The campaigns that adopted each optional rule at any time."""
        links_by_key: dict[str, list[Link]] = {rule.key: [] for rule in rules.optional_rules()}
        for card in self.campaigns:
            if card.game == game:
                for key, place in card.adopted.items():
                    url = self.address.between(page, *place)
                    links_by_key.setdefault(key, []).append((url, card.title))
        return {key: tuple(links) for key, links in links_by_key.items()}

    def _specimen(self, rule: OptionalRule) -> Markup:
        files = Markup("").join(
            Markup("<p><code>{}</code></p><pre><code>{}</code></pre>").format(file, text)
            for file, text in rule.specimen.items()
        )
        return Markup(
            '<section class="ch-rule-entry" id="{}"><h3><span class="ch-rule">{}</span> {}</h3>'
            "<details><summary>{}</summary>{}</details></section>"
        ).format(_stem(rule), rule.id, rule.title, word("site.log_of_short_game"), files)

    def _used(self, page: str, game: str) -> Links:
        """Where each rule of a game was used first, campaign by campaign."""
        used: dict[str, list[Link]] = {}
        for card in self.campaigns:
            if card.game != game:
                continue
            for rule, places in card.used.items():
                links = used.setdefault(rule, [])
                for step, place in places[: SHOWN_PLACES - len(links)]:
                    words = word("site.entry_of", story=card.title, number=step)
                    links.append((self.address.between(page, *place), words))
        return {rule: tuple(links) for rule, links in used.items()}

    def _errata(self, page: str, _: tuple[str, ...]) -> SiteFile:
        parts = [
            self._head(word("site.errata_found")),
            Markup("<p>{}</p>").format(word("site.errata_help")),
        ]
        for name, rules in self.games.items():
            if rules.errata():
                parts.append(
                    Markup("<h2>{}</h2>").format(self._link(page, f"rules/{name}", rules.title))
                )
                parts.extend(draw_entry(erratum) for erratum in rules.errata())
        return self._page(page, word("site.errata_found"), Markup("").join(parts))

    # -- helpers ------------------------------------------------------------------------------------

    def _link(self, from_page: str, to_page: str, title: str) -> Markup:
        return Markup('<a href="{}">{}</a>').format(self.address.between(from_page, to_page), title)

    def _head(self, title: str, sub: str = "") -> Markup:
        return self.macro("page", "page_head", title, sub=sub)

    def _page(self, path: str, title: str, body: Markup, *, nav: bool = False) -> SiteFile:
        """A page of text; ``nav``: it has contents of its own."""
        html = compact(f'<div class="ch-body{"" if nav else " ch-body--text"}">{body}</div>')
        hidden = ["toc", "navigation"] if nav else ["toc"]
        return SiteFile(path, title, html, meta={"title": title, "hide": hidden})


def _cards(rules: Rulebook[Any], address: Address, path: str, _: None) -> SiteFile:
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


def _stem(rule: OptionalRule) -> str:
    """The anchor of its short game."""
    return rule.key.replace(" ", "-")


def _links(links: Iterable[Link]) -> list[Markup]:
    return [Markup('<a href="{}">{}</a>').format(url, words) for url, words in links]


def _some(links: Sequence[Link]) -> Markup:
    """The first of some links, and how many more there are."""
    shown = Markup(", ").join(_links(links[:LISTED]))
    rest_count = len(links) - LISTED
    return (
        worded("site.links_more", links=shown, count=f"{rest_count:,}") if rest_count > 0 else shown
    )


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
