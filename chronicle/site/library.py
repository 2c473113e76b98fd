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

SEEN = 2
"""How many places are named at which a rule was used."""
MOST_LOST = 500
"""How many stories a page that is not found knows of."""
MOST_BLURB = 135
"""How many letters a story is announced with: what three lines below its picture hold."""
SMALL = 4
"""A story of fewer minutes that has no picture stands below the others."""
COUNTS = [
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

FEW = 3
"""How many stories stand where a page wants those to begin with."""
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
        self.first_evening: Callable[[Rulebook[Any], str], Markup] = lambda rules, here: Markup("")
        """Draws an evening of a game as it is played first."""
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
        told = [(f"{card.title}: ", one) for card in self.campaigns for one in card.evenings]
        return atom(site, FILE, self.address.file("index"), name, told) if told else None

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
        begin = next((one for one in shown if first and one["folder"] == first.folder), None)
        return {"stories": shown, "begin": begin, "home": front, "count": len(self.campaigns)}

    def macro(self, file: str, name: str, *args: Any, **more: Any) -> Markup:
        """Call a macro of the look."""
        if file not in self._macros:
            self._macros[file] = self.env.get_template(f"macros/{file}.html").module
        return Markup(getattr(self._macros[file], name)(*args, **more))

    def home(self, here: str) -> Markup:
        """All stories, as seen from page ``here``: one to begin with, and the others by their covers."""
        stories = [self._story(here, card) for card in self.campaigns]
        first = max(stories, key=lambda one: one["rank"], default=None)
        alone = len(stories) == 1
        many = len(stories) + len(self.fallen)
        count = COUNTS[many] if many < len(COUNTS) else f"{many:,}"
        games = Counter(card.game for card in self.campaigns)
        others = [] if alone else [one for one in stories if one is not first]
        if len(others) > COVERS:
            best = sorted(others, key=lambda one: one["rank"], reverse=True)[:COVERS]
            kept = {one["url"] for one in best}
            others = [one for one in others if one["url"] in kept]
        return self._draw(
            "pages/home.html",
            first=first,
            others=others,
            fallen=[
                {"title": name, "url": self.address.between(here, f"{folder}/index")}
                for folder, name in self.fallen.items()
            ],
            title=word("site.all_stories_count", count=count)
            if alone or len(others) == len(stories) - 1
            else word("site.stories"),
            archive=[
                (words, self.address.between(here, f"{ROOT}/{page}"))
                for words, page in DOORS
                if self.front is not None
            ],
            count=f"{many:,}",
            shelves=[
                {"key": name, "game": self.games[name].title, "count": count}
                for name, count in games.items()
            ],
        )

    def _draw(self, template: str, **values: Any) -> Markup:
        def draw() -> str:
            return compact(self.env.get_template(template).render(values))

        return Markup(draw_text(self.env, draw, template))

    def best(self, here: str) -> Markup:
        """The stories to begin with, by their covers: the best of each game before a second one of any."""
        cards = sorted(self.campaigns, key=partial(rank, begin=self.begin), reverse=True)
        seen: Counter[str] = Counter()
        turns: list[tuple[int, int]] = []
        for place, card in enumerate(cards):
            turns.append((seen[card.game], place))
            seen[card.game] += 1
        stories = [self._story(here, cards[place]) for _, place in sorted(turns)[:FEW]]
        return self._draw("pages/best.html", stories=stories)

    def _story(self, here: str, card: Card) -> dict[str, Any]:
        """What the home page shows of a campaign."""
        return {
            "title": card.title,
            "url": self.address.between(here, card.page("index")),
            "read": self.address.between(here, card.page("story")),
            "game": self.games[card.game].title,
            "shelf": card.game,
            "blurb": first_sentences(card.summary, MOST_BLURB),
            "cover": self.address.between(here, card.cover),
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
            uri: where it lies on the site.
            dress: puts something around each piece, if given.
        """
        here = uri.removesuffix(".md")
        pieces: dict[str, Callable[[], Markup]] = {
            MARKER: partial(self.home, here),
            BEST: partial(self.best, here),
            DESK: partial(self._way_to_desk, here),
        }
        for marker, draw in pieces.items():
            if marker in html:
                piece = str(draw())
                html = html.replace(marker, dress(piece) if dress and piece else piece)
        return html

    def _way_to_desk(self, here: str) -> Markup:
        at = self.address.between(here, "desk/index.html")
        words = word("site.try_in_browser")
        link = Markup('<a class="ch-button ch-button--first" href="{}">{}</a>').format(at, words)
        return link if self.desk else Markup("")

    def filling(self, uri: str) -> str:
        """All that can be filled into a hand-written page, to know whether it has changed."""
        return self.fill(MARKER + BEST + DESK, uri)

    def files(self) -> Iterator[SiteFile]:
        """The pages of the games."""
        yield self._again("rules/index", self._played(), self._games)
        for name, rules in self.games.items():
            for page in RulePages(rules, self.address, self._head).paths():
                yield self._again(page, self._used(page, name), partial(self._rules, rules))
            yield self._again(f"rules/{name}.js", None, partial(_cards, rules, self.address))
            if rules.optional_rules():
                page = f"rules/{name}-add-ons"
                adopted = self._adopted(page, name, rules)
                yield self._again(page, adopted, partial(self._optional, rules))
        yield self._again("rules/errata", tuple(self.games), self._errata)

    def _again(self, page: str, shown: T, make: Callable[[str, T], SiteFile]) -> SiteFile:
        """A page, made anew only if it shows something else of the campaigns than it did."""
        found: SiteFile | None = self._cache.find(("library", page), shown)
        if found is not None:
            return found
        draw = partial(make, page, shown)
        # No template draws a script.
        made = draw() if page.endswith(".js") else next(draw_files(self.env, [(page, draw, "")]))
        # What a template fails at is told by every build.
        if not (isinstance(self.env, Bounded) and self.env.reported):
            self._cache.keep(("library", page), shown, made)
        return made

    # -- games -------------------------------------------------------------------------------------

    def _played(self) -> Links:
        """Every campaign: its game, and where it is."""
        here = "rules/index"
        found: dict[str, list[tuple[str, str]]] = {}
        for card in self.campaigns:
            url = self.address.between(here, card.page("index"))
            found.setdefault(card.game, []).append((url, card.title))
        return {game: tuple(links) for game, links in found.items()}

    def _games(self, here: str, played: Links) -> SiteFile:
        rows = []
        for name, rules in self.games.items():
            registry = rules.registry()
            kinds = {kind: sum(1 for r in registry.rules if r.kind is kind) for kind in RuleClass}
            rows.append(
                [
                    self._link(here, f"rules/{name}", rules.title),
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
        about = Markup("").join(
            Markup('<section class="ch-section"><h2>{}</h2><p>{}</p></section>').format(
                self._link(here, f"rules/{name}", rules.title), rules.summary
            )
            for name, rules in self.games.items()
        )
        body = Markup("{}{}{}{}").format(
            self._head(word("site.games_by_number")), intro, table, about
        )
        return self._page(here, word("site.games_and_rules"), body)

    def _rules(self, rules: Rulebook[Any], here: str, used: Links) -> SiteFile:
        pages = RulePages(rules, self.address, self._head)
        front = self._shown(rules, here) if here == f"rules/{rules.name}" else Markup("")
        page = self._page(here, pages.title(here), pages.draw(here, used, front), nav=True)
        # The search finds the rules themselves in the file of cards.
        return replace(page, searched=False)

    def _shown(self, rules: Rulebook[Any], here: str) -> Markup:
        """The game in play: an evening as a table may begin with it."""
        played = self.first_evening(rules, here)
        return played and Markup(
            '<h2 id="in-play">{}</h2><details><summary>{}</summary><h3>{}</h3>{}</details>'
        ).format(
            word("site.in_play"),
            word("site.first_session_played"),
            worded("site.new_begins_with", command=_code(f"chronicle new --game {rules.name}")),
            played,
        )

    def _optional(self, rules: Rulebook[Any], here: str, adopted: Links) -> SiteFile:
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
                self._optional_row(here, rules.name, number, one, adopted.get(one.key, ()))
                for number, one in enumerate(optional_rules)
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
            *(self._specimen(one) for one in optional_rules),
        ]
        return self._page(
            here, word("site.add_ons_title", game=rules.title), Markup("").join(parts)
        )

    def _optional_row(
        self, here: str, game: str, number: int, one: OptionalRule, adopted: Sequence[Link]
    ) -> list[Any]:
        bent = Markup(" ").join(
            Markup('<a class="ch-rule" href="{}">{}</a>').format(
                self._rule_url(here, game, code), code
            )
            for code in one.changes
        )
        settable = Markup("<br>").join(
            Markup("<code>{}</code> {}").format(key, doc) for key, doc in one.parameters
        )
        used = Markup('<a href="#{}">{}</a>').format(_stem(one), word("site.short_game"))
        return [
            {
                "text": Markup('<a href="{}">{}</a><br><code>{}</code>').format(
                    self._rule_url(here, game, one.id),
                    one.title,
                    one.key,
                ),
                "sort": number,
            },
            Markup("{} {}").format(one.summary, bent or word("site.bends_no_rule")),
            settable or word("site.sets_nothing"),
            Markup(", ").join(filter(None, (_some(adopted), used))),
        ]

    def _rule_url(self, here: str, game: str, id: str) -> str:
        return self.address.between(here, rule_page(self.games[game], id), id.casefold())

    def _adopted(self, here: str, game: str, rules: Rulebook[Any]) -> Links:
        """The campaigns that adopted each optional rule at any time."""
        found: dict[str, list[Link]] = {one.key: [] for one in rules.optional_rules()}
        for card in self.campaigns:
            if card.game == game:
                for key, at in card.adopted.items():
                    url = self.address.between(here, *at)
                    found.setdefault(key, []).append((url, card.title))
        return {key: tuple(links) for key, links in found.items()}

    def _specimen(self, one: OptionalRule) -> Markup:
        files = Markup("").join(
            Markup("<p><code>{}</code></p><pre><code>{}</code></pre>").format(file, text)
            for file, text in one.specimen.items()
        )
        return Markup(
            '<section class="ch-rule-entry" id="{}"><h3><span class="ch-rule">{}</span> {}</h3>'
            "<details><summary>{}</summary>{}</details></section>"
        ).format(_stem(one), one.id, one.title, word("site.log_of_short_game"), files)

    def _used(self, here: str, game: str) -> Links:
        """Where each rule of a game was used first, campaign by campaign."""
        used: dict[str, list[Link]] = {}
        for card in self.campaigns:
            if card.game != game:
                continue
            for rule, places in card.used.items():
                links = used.setdefault(rule, [])
                for step, at in places[: SEEN - len(links)]:
                    words = word("site.entry_of", story=card.title, number=step)
                    links.append((self.address.between(here, *at), words))
        return {rule: tuple(links) for rule, links in used.items()}

    def _errata(self, here: str, _: tuple[str, ...]) -> SiteFile:
        parts = [
            self._head(word("site.errata_found")),
            Markup("<p>{}</p>").format(word("site.errata_help")),
        ]
        for name, rules in self.games.items():
            if rules.errata():
                parts.append(
                    Markup("<h2>{}</h2>").format(self._link(here, f"rules/{name}", rules.title))
                )
                parts.extend(draw_entry(erratum) for erratum in rules.errata())
        return self._page(here, word("site.errata_found"), Markup("").join(parts))

    # -- small things --------------------------------------------------------------------------------

    def _link(self, here: str, there: str, title: str) -> Markup:
        return Markup('<a href="{}">{}</a>').format(self.address.between(here, there), title)

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
    said = {rule.id: [rule.title, rule.text.replace("`", "")] for rule in registry.rules}
    said.update({one.id: ["", one.question] for one in registry.rulings})
    for term in registry.terms:
        said.update(
            {word.casefold(): [term.synonyms[0], term.text, term.rule] for word in term.synonyms}
        )
    pages: dict[str, list[str]] = {}
    for id, page in pages_by_id(rules).items():
        pages.setdefault(address.file(page), []).append(id)
    return SiteFile(path, data=script("chronicleRules", said, pages))


def _stem(one: OptionalRule) -> str:
    """The anchor of its short game."""
    return one.key.replace(" ", "-")


def _links(links: Iterable[Link]) -> list[Markup]:
    return [Markup('<a href="{}">{}</a>').format(url, words) for url, words in links]


def _some(links: Sequence[Link]) -> Markup:
    """The first of some links, and how many more there are."""
    shown = Markup(", ").join(_links(links[:LISTED]))
    more = len(links) - LISTED
    return worded("site.links_more", links=shown, count=f"{more:,}") if more > 0 else shown


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)
