"""The pages of one campaign: a pure function of its Book."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from chronicle.core.book import (
    Bars,
    Block,
    Book,
    Column,
    Edge,
    Facts,
    Graph,
    Inline,
    Item,
    Lanes,
    Listing,
    Node,
    Note,
    Page,
    Ref,
    RegistryPage,
    Section,
    SessionView,
    Sheet,
    Stat,
    Stats,
    Table,
    appearances,
    findings,
    readings_table,
)
from chronicle.core.campaign import Artwork
from chronicle.core.common import Aside, Say, Tell
from chronicle.core.diagnostic import Diagnostic, Severity, plural, units
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.names import PLAYER
from chronicle.core.record import Record, Step
from chronicle.core.timeline import Frame, Scene
from chronicle.site.draw import Pen, compact
from chronicle.site.evening import Tally, findings_in
from chronicle.site.evening import rows as evening_rows
from chronicle.site.findings import Lines, Redactor
from chronicle.site.graphs import Drawer
from chronicle.site.links import Address, NameLinker, Slugs, slugify, stem_of
from chronicle.site.luck import luck
from chronicle.site.prose import inline, prose
from chronicle.site.works import Work, Works

RESERVED = (
    "index",
    "state",
    "story",
    "sessions",
    "scenes",
    "timeline",
    "relations",
    "ledger",
    "dice",
    "rules-used",
    "check",
    "loose-ends",
    "names",
    "journal",
    "gallery",
    "downloads",
    "notes",
    "changes",
    "players",
    "curves",
    "art",
)

NEIGHBOURS = 12
"""How many nodes the relations on a sheet may show."""
MOST = 60
"""How many lines a list of what changed may have."""
MOVEMENTS = 500
"""How many movements the ledger's page shows; the exports hold them all."""
THROWS = 300
"""How many throws the page of the dice lists."""
BOOK = 150_000
"""How many letters the story may have before each session becomes a page of its own."""
FOUND = 300
"""How many findings the check report shows."""
TURNS = frozenset(
    (
        *("enters", "creates", "leaves", "leaves play", "dies", "ejected", "eliminates"),
        *("eliminated", "returned", "joins", "arrives"),
    )
)
"""Kinds of events that bring somebody or something into play, or out of it."""

_LIVE = re.compile(
    r"<script|<foreignobject|<iframe|\son\w+\s*=|javascript:|href\s*=\s*.https?:", re.I
)
_REDIRECT = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
    '<meta http-equiv="refresh" content="0; url={url}"><meta name="robots" content="noindex">'
    '<link rel="canonical" href="{url}"></head>'
    '<body><p>This page has moved: <a href="{url}">{name}</a>.</p></body></html>'
)


@dataclass(slots=True)
class SiteFile:
    """One file of the site. ``path`` is without ending for a page (``lamps/sessions/1``).

    ``html`` is the page's body, ``markdown`` a page written in Markdown instead, ``data`` a plain
    file. ``meta`` is the front matter.
    """

    path: str
    title: str = ""
    html: str = ""
    markdown: str = ""
    data: bytes | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    source: str = ""
    """The file of the project this page comes from, for edit links."""


def _no_lines(path: str) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Studio:
    """What all pages of a site share: templates, addresses, where rules are explained, warnings."""

    env: Environment
    address: Address
    rules: dict[str, str]
    """Game to the page that explains its rules (``rules/positive``)."""
    warn: Any = print
    graphs: dict[str, str] = field(default_factory=dict)
    """Layouts by content, kept between builds."""
    downloads: Any = None
    """Gives the files a reader may take: ``downloads(book)`` yields (name, title, bytes)."""
    lines: Lines = _no_lines
    """Gives the lines of a transcript, for the check report."""
    root: Path = Path()
    """The folder that paths of campaigns are relative to."""


class CampaignPages:
    """All pages of one campaign."""

    def __init__(self, book: Book, studio: Studio, folder: str = "") -> None:
        self.book = book
        self.record = book.record
        self.studio = studio
        self.folder = folder or slugify(book.record.campaign.slug) or "campaign"
        self._slugs = Slugs(RESERVED)
        for page in book.pages:
            self._slugs.of(f"page:{page.slug}", page.slug)
        for registry in book.registries:
            self._slugs.of(f"registry:{registry.title}", registry.title)
        self._by_id = {sheet.id: sheet for sheet in reversed(book.sheets)}
        self._sheets = Slugs(("index",))
        for sheet in book.sheets:
            self._sheets.of(sheet.id, sheet.name)
        self._players = Slugs(("index",))
        self._notes = Slugs(("index",))
        self._order = {name: seat for seat, name in enumerate(book.players(), 1)}
        self._where = {
            step.index: f"sessions/{session.number}"
            for session in book.sessions
            for step in session.steps
        }
        self._opens: dict[int, int] = {}
        for step in self.record.visible():
            if step.scene is not None and step.index in self._where:
                self._opens.setdefault(step.scene, step.index)
        self._rules = self.record.rulebook.registry()
        self._names_by_page: dict[str, NameLinker] = {}
        self._here = "index"
        self.redactor = Redactor(studio.lines, self.record)
        self.tally = Tally(self)
        self._art = self._pictures()
        self.works = Works(book)

    def opens(self, scene: int) -> int:
        """The step that a scene's heading stands above: the first of it that is shown; 0 if none is."""
        return self._opens.get(scene, 0)

    # -- addresses ---------------------------------------------------------------------------------

    def path(self, page: str) -> str:
        """The path of a page of this campaign within the site."""
        return f"{self.folder}/{page}"

    def page_of(self, ref: Ref) -> tuple[str, str] | None:
        """(page within the site, anchor) of a reference, or None."""
        match ref.kind:
            case "step":
                index = int(ref.id or 0)
                if index not in self._where:
                    return None
                return self.path(self._where[index]), self.record.step(index).anchor
            case "scene":
                opens = self.opens(int(ref.id))
                return (self.path(self._where[opens]), f"scene-{ref.id}") if opens else None
            case "session":
                return self.path(f"sessions/{ref.id}"), ""
            case "sheet":
                sheet = self._by_id.get(ref.id)
                return (self.path(self.sheet_page(sheet)), "") if sheet is not None else None
            case "player":
                return self.path(f"players/{self._players.of(ref.id, ref.id)}"), ""
            case "page":
                known = {page.slug for page in self.book.pages}
                slug = self._slugs.of(f"page:{ref.id}", ref.id) if ref.id in known else ref.id
                return self.path(slug), ""
            case "after":
                opens = self.opens(int(ref.id))
                return (self.path(self._where[opens]), f"after-{ref.id}") if opens else None
            case "path":
                return self.path(ref.id), ""
            case "journal":
                return self.path("journal"), ref.id
            case "art":
                shown = self._art.get(ref.id)
                return (self.path("gallery"), self._plate_id(shown[0])) if shown else None
            case "map":
                return self.path("relations"), ""
            case "rule":
                rules = self.studio.rules.get(self.record.rulebook.name)
                found = self._rules.get(ref.id) if rules else None
                return (rules, found.id.casefold()) if rules and found is not None else None
        return None

    def sheet_page(self, sheet: Sheet) -> str:
        """The page of a sheet."""
        registry = self._slugs.of(f"registry:{sheet.registry}", sheet.registry)
        return f"{registry}/{self._sheets.of(sheet.id, sheet.name)}"

    def url(self, ref: Ref) -> str:
        """The address of a reference as seen from the page being drawn; empty if it leads nowhere."""
        found = self.page_of(ref)
        if found is None:
            return ""
        return self.studio.address.between(self.path(self._here), *found)

    def colour(self, name: str) -> int:
        """The seat of a player, from 1; 0 for anybody else."""
        return self._order.get(name, 0)

    def _linker(self) -> NameLinker:
        depth = self._here.count("/")
        kind = f"{depth}:{self._here.split('/')[0] if depth else ''}"
        if kind not in self._names_by_page or self.studio.address.folders:
            self._names_by_page[kind] = NameLinker(dict(self._targets()))
        return self._names_by_page[kind]

    def _targets(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for name in self.book.players():
            url = self.url(Ref("player", name, name))
            yield (
                name,
                (
                    f'<a class="ch-player p{(self.colour(name) - 1) % 8 + 1}" href="{escape(url)}">',
                    "</a>",
                ),
            )
        for sheet in self.book.sheets:
            url = self.url(Ref("sheet", sheet.id, sheet.name))
            tags = (f'<a class="ch-name" href="{escape(url)}">', "</a>")
            for name in sheet.names:
                if len(name) > 1:
                    yield name, tags

    def pen(self, here: str) -> Pen:
        """A pen for the page ``here``."""
        self._here = here
        graphs = Drawer(self.url, self.colour, self.studio.warn, self.studio.graphs)
        return Pen(self.studio.env, self.url, self.colour, self._linker(), graphs)

    # -- the pages ---------------------------------------------------------------------------------

    def files(self) -> Iterator[SiteFile]:
        """Every file of the campaign."""
        yield self._overview()
        yield self._blocks_page("state", "State of play", self._state(), intro=self.book.situation)
        yield from self._story()
        for session in self.book.sessions:
            yield self._session(session)
        yield self._blocks_page("sessions/index", "Sessions", self._sessions())
        yield self._blocks_page("scenes", "Scenes", self._scenes())
        yield self._blocks_page("timeline", "Timeline", self._timeline(), wide=True)
        for registry in self.book.registries:
            yield self._registry(registry)
        for sheet in self.book.sheets:
            yield self._sheet(sheet)
        yield self._blocks_page("players/index", "Players", self._players_index())
        for name in self.book.players():
            yield self._player(name)
        yield from self._aliases()
        if self.book.relations:
            yield self._blocks_page("relations", "Relations", list(self.book.relations), wide=True)
        for page in self.book.pages:
            yield self._game_page(page)
        yield self._ledger()
        if self._with_dice:
            yield self._blocks_page("dice", "Dice", self._dice())
        yield self._blocks_page("rules-used", "Rules used", self._rules_used())
        yield self._check()
        yield self._blocks_page("loose-ends", "Loose ends", self._loose_ends())
        yield self._blocks_page("names", "Index of names", self._names())
        yield from self._changes()
        if self.record.campaign.journal:
            yield self._journal()
        if self._art:
            yield self._gallery()
            for name, data in self._art.values():
                yield SiteFile(self.path(name), data=data)
        yield from self._keeper_notes()
        yield from self._downloads()

    def _meta(self, page: str, title: str, **more: Any) -> dict[str, Any]:
        """Front matter: the campaign's own navigation instead of the site's."""
        here = page.partition("/")[0]
        first = (
            self._slugs.of(f"registry:{self.book.registries[0].title}", "")
            if self.book.registries
            else ""
        )
        main = [
            ("State of play", "state"),
            ("Story", "story"),
            ("Sessions", "sessions/index"),
            ("Timeline", "timeline"),
        ]
        if first:
            main.append((self.book.registries[0].title, f"{first}/index"))
        main.append(("Ledger", "ledger"))
        if self.record.campaign.journal:
            main.append(("Journal", "journal"))
        more_pages = [
            *(
                (r.title, f"{self._slugs.of(f'registry:{r.title}', r.title)}/index")
                for r in self.book.registries[1:]
            ),
            *((p.title, self._slugs.of(f"page:{p.slug}", p.slug)) for p in self.book.pages),
            *([("Relations", "relations")] if self.book.relations else []),
            ("Players", "players/index"),
            ("Scenes", "scenes"),
            *([("Dice", "dice")] if self._with_dice else []),
            ("Rules used", "rules-used"),
            ("Check report", "check"),
            ("Loose ends", "loose-ends"),
            ("What changed", "changes/index"),
            ("Index of names", "names"),
            *([("Gallery", "gallery")] if self._art else []),
            *([("Notes", "notes/index")] if self.record.campaign.notes else []),
            ("Downloads", "downloads"),
        ]

        def link(name: str, target: str) -> dict[str, Any]:
            same = target == page
            inside = target.partition("/")[0] == here and here != "index"
            state = "page" if same else inside
            return {
                "title": name,
                "url": f"{self.path(target)}.md",
                **({"here": state} if state else {}),
            }

        return {
            "title": title,
            "hide": ["navigation", "toc"],
            "campaign": {
                "title": self.book.title,
                "home": f"{self.path('index')}.md",
                "nav": [link(*item) for item in main],
                "more": [link(*item) for item in more_pages],
            },
            **more,
        }

    def _make(
        self, page: str, title: str, body: Markup, *, source: str = "", **meta: Any
    ) -> SiteFile:
        return SiteFile(
            self.path(page),
            title,
            compact(f'<div class="ch-body">{body}</div>'),
            meta=self._meta(page, title, **meta),
            source=source,
        )

    def _render(self, template: str, pen: Pen, **values: Any) -> Markup:
        context = {"pen": pen, "book": self.book, "campaign": self.record.campaign, "Ref": Ref}
        return Markup(self.studio.env.get_template(f"pages/{template}").render(**context, **values))

    def _crumbs(self, title: str, *between: tuple[str, str]) -> list[dict[str, str]]:
        address = self.studio.address
        here = self.path(self._here)
        crumbs = [{"title": self.book.title, "url": address.between(here, self.path("index"))}]
        crumbs += [
            {"title": name, "url": address.between(here, self.path(page))} for name, page in between
        ]
        return [*crumbs, {"title": title}]

    def _blocks_page(
        self,
        page: str,
        title: str,
        blocks: Iterable[Block],
        *,
        intro: str = "",
        wide: bool = False,
        crumbs: tuple[tuple[str, str], ...] = (),
        **meta: Any,
    ) -> SiteFile:
        pen = self.pen(page)
        body = self._render(
            "page.html",
            pen,
            title=title,
            intro=pen.text(intro) if intro else "",
            blocks=list(blocks),
            crumbs=self._crumbs(title, *crumbs),
        )
        return self._make(page, title, body, **meta)

    def _overview(self) -> SiteFile:
        pen = self.pen("index")
        campaign = self.record.campaign
        counts = dict(findings(self.record))
        sessions = [
            {
                "number": session.number,
                "title": session.title,
                "date": long_date(session.date),
                "summary": prose(session.summary) if session.summary else "",
                "url": self.url(Ref("session", str(session.number), "")),
                "players": [pen.player(name) for name in session.present],
            }
            for session in self.book.sessions
        ]
        groups: dict[str, list[tuple[str, str]]] = {}
        for item in self._meta("index", "")["campaign"]["more"]:
            target = item["url"].removesuffix(".md")
            groups.setdefault("", []).append(
                (item["title"], self.studio.address.between(self.path("index"), target))
            )
        body = self._render(
            "overview.html",
            pen,
            game=self.record.rulebook.title,
            summary=prose(str(campaign.settings.summary)) if campaign.settings.summary else "",
            sessions=sessions,
            players=[pen.player(name) for name in self.book.players()],
            situation=pen.text(self.book.situation) if self.book.situation else "",
            links=groups.get("", []),
            facts=self._campaign_facts(pen),
            steps=len(self.record.steps),
            errors=counts.get(Severity.ERROR, 0),
            warnings=counts.get(Severity.WARNING, 0),
            check_url=self.studio.address.between(self.path("index"), self.path("check")),
            story_url=self.studio.address.between(self.path("index"), self.path("story")),
            first_session=sessions[0]["url"] if sessions else "",
        )
        return self._make("index", self.book.title, body, source=campaign.path)

    def _campaign_facts(self, pen: Pen) -> list[tuple[str, Markup]]:
        campaign = self.record.campaign
        rows: list[tuple[str, Markup]] = [
            ("Game", escape(self.record.rulebook.title)),
            ("Kept", escape(str(campaign.strictness))),
        ]
        points = {point.key: point for point in self._rules.rulings}
        for key in self.record.rulings.chosen:
            point = points[key]
            answer = point.readings[self.record.rulings[key]]
            rows.append(("Reading", Markup("{} <em>{}</em>").format(point.question, answer)))
        for id, house in (campaign.settings.house_rules or {}).items():
            rows.append((f"House rule {id}", prose(str(house.rule))))
        if campaign.settings.authors:
            rows.append(("Written down by", escape(", ".join(campaign.settings.authors))))
        if campaign.settings.licence:
            rows.append(("Licence", escape(str(campaign.settings.licence))))
        return rows

    def _state(self) -> list[Block]:
        blocks: list[Block] = list(self.book.state)
        scene = self.record.timeline.current
        if scene is not None:
            blocks.insert(
                0,
                Facts(
                    (
                        (
                            "Open scene",
                            Ref("scene", str(scene.number), scene.title or f"Scene {scene.number}"),
                        ),
                        ("Opened by", scene.opener or "nobody in particular"),
                        ("In it", ", ".join(self.thing(id) for id in scene.cast) or "nobody yet"),
                    ),
                    "The scene",
                ),
            )
        if self.book.loose_ends:
            blocks.append(Listing(tuple(self.book.loose_ends), "Still open"))
        last = self.book.sessions[-1].steps[-6:] if self.book.sessions else []
        blocks.append(
            Listing(
                tuple(Item(_said(step), "", step.index) for step in last if not step.hidden),
                "The last entries",
            )
        )
        return blocks

    def thing(self, id: str) -> str:
        """The name of a thing by its id; the id itself if nobody registered it."""
        named = self.record.names.all.get(id)
        return named.name if named is not None else id

    def _story(self) -> Iterator[SiteFile]:
        """The story alone: on one page, or, once it is a long book, on a page a session."""
        told = {
            session.number: sum(len(step.fiction) for step in session.steps if not step.hidden)
            for session in self.book.sessions
        }
        sessions = [session for session in self.book.sessions if told[session.number]]
        if sum(told.values()) <= BOOK:
            pen = self.pen("story")
            chapters = [self._chapter(pen, session) for session in sessions]
            body = self._render(
                "story.html", pen, chapters=chapters, crumbs=self._crumbs("Story so far")
            )
            yield self._make("story", "Story so far", body, voice="story")
            return
        rows: list[tuple[Inline, ...]] = [
            (Ref("path", f"story/{session.number}", session.title), session.number, session.summary)
            for session in sessions
        ]
        columns = (Column("Chapter"), Column("Session", True), Column("What it tells"))
        yield self._blocks_page("story", "Story so far", [Table(columns, tuple(rows))])
        for session in sessions:
            page = f"story/{session.number}"
            pen = self.pen(page)
            body = self._render(
                "story.html",
                pen,
                chapters=[self._chapter(pen, session)],
                crumbs=self._crumbs(session.title, ("Story so far", "story")),
            )
            yield self._make(page, session.title, body, voice="story")

    def _chapter(self, pen: Pen, session: SessionView) -> dict[str, Any]:
        parts: list[dict[str, Any]] = []
        scene = 0
        for step in session.steps:
            if step.hidden or not step.fiction:
                continue
            if step.scene and step.scene != scene:
                scene = step.scene
                found = self.record.timeline.get(scene)
                branch = self.record.timeline.branch_of(found)
                when = " · ".join(part for part in (found.time, branch) if part)
                parts.append({"heading": found.title, "time": when, "text": ""})
            parts.append({"heading": "", "time": "", "text": pen.prose(step.fiction)})
        return {"title": session.title, "number": session.number, "parts": parts}

    def _session(self, session: SessionView) -> SiteFile:
        page = f"sessions/{session.number}"
        pen = self.pen(page)
        counts = findings_in(session)
        rows = list(evening_rows(self, pen, session))
        numbers = [view.number for view in self.book.sessions]
        at = numbers.index(session.number)
        neighbours = {
            "before": self.book.sessions[at - 1] if at else None,
            "after": self.book.sessions[at + 1] if at + 1 < len(numbers) else None,
        }
        body = self._render(
            "session.html",
            pen,
            session=session,
            game=self.record.rulebook.title,
            date=long_date(session.date),
            summary=prose(session.summary) if session.summary else "",
            players=[pen.player(name) for name in session.present],
            absent=[pen.player(name) for name in session.absent],
            rows=rows,
            errors=counts[Severity.ERROR],
            warnings=counts[Severity.WARNING],
            check_url=self.studio.address.between(self.path(page), self.path("check")),
            crumbs=self._crumbs(session.title, ("Sessions", "sessions/index")),
            neighbours=neighbours,
            stood=self._stood(session),
            session_url=lambda view: self.url(Ref("session", str(view.number), "")),
        )
        path = next(
            (e.session.path for e in self.record.sessions if e.session.number == session.number), ""
        )
        return self._make(page, session.title, body, source=path)

    def _stood(self, session: SessionView) -> list[Block]:
        """The state of play as each scene of the evening ended; the last one stands open."""
        ended = [
            (scene, panel)
            for scene in self.record.timeline.scenes
            if self._where.get(self.opens(scene.number)) == f"sessions/{session.number}"
            and (panel := self.book.scene_panels.get(scene.number))
        ]
        return [
            Section(
                f"After scene {scene.number}, {scene.title}",
                panel,
                f"after-{scene.number}",
                folded=scene is not ended[-1][0],
            )
            for scene, panel in ended
        ]

    def finding(self, pen: Pen, found: Diagnostic, where: str = "") -> Markup:
        """One finding of the check, with the keeper's own line."""
        return pen.macro(
            "page",
            "diagnostic",
            str(found.severity),
            found.full_code.rpartition(":")[2],
            inline(found.message + (f" (excused: {found.excused})" if found.excused else "")),
            self.redactor.excerpt(found),
            Markup("<br>").join(escape(line) for line in found.help),
            where,
            self.url(Ref("rule", found.code, found.code)),
        )

    def _sessions(self) -> list[Block]:
        rows: list[tuple[Inline, ...]] = [
            (
                Ref("session", str(s.number), s.title),
                s.number,
                s.date,
                ", ".join(s.present),
                sum(1 for step in s.steps if not step.hidden),
            )
            for s in self.book.sessions
        ]
        columns = (
            Column("Title"),
            Column("No.", True),
            Column("Date"),
            Column("At the table"),
            Column("Entries", True),
        )
        return [Table(columns, tuple(rows))]

    def _scenes(self) -> list[Block]:
        rows: list[tuple[Inline, ...]] = []
        for scene in self.record.timeline.scenes:
            rows.append(
                (
                    Ref("scene", str(scene.number), scene.title or f"Scene {scene.number}"),
                    scene.number,
                    scene.session,
                    scene.opener,
                    scene.time or ("" if scene.frame is Frame.NOW else str(scene.frame)),
                    ", ".join(self.thing(id) for id in scene.cast),
                    "open" if scene.open else _shorten(scene.closing) or "closed",
                    Ref("after", str(scene.number), "then")
                    if scene.number in self.book.scene_panels
                    else "",
                )
            )
        columns = (
            Column("Scene"),
            Column("No.", True),
            Column("Session", True),
            Column("Opened by"),
            Column("Time"),
            Column("In it"),
            Column("How it closed"),
            Column("How things stood"),
        )
        return [Table(columns, tuple(rows))]

    def _timeline(self) -> list[Block]:
        timeline = self.record.timeline
        played = [s for s in timeline.scenes if s.frame is not Frame.OUTSIDE]
        story = timeline.story_order()

        def listing(scenes: list[Scene], title: str) -> Listing:
            return Listing(
                tuple(
                    Item(
                        Ref("scene", str(s.number), s.title or f"Scene {s.number}"),
                        " · ".join(
                            part
                            for part in (
                                s.time or ("" if s.frame is Frame.NOW else str(s.frame)),
                                f"session {s.session}",
                                timeline.branch_of(s),
                            )
                            if part
                        ),
                    )
                    for s in scenes
                ),
                title,
                ordered=True,
            )

        branches = list(dict.fromkeys(scene.branch for scene in story))
        ways = [
            (
                f": {branch}" if len(branches) > 1 else "",
                [scene for scene in story if timeline.tells(branch, scene.number)],
            )
            for branch in branches
        ]
        blocks: list[Block] = [
            Section(
                "Two orders" if len(ways) < 2 else "All orders",
                (
                    listing(played, "As played"),
                    *(listing(told, f"In the order of the story{way}") for way, told in ways),
                ),
                "orders",
            )
        ]
        for way, told in ways:
            names = list(dict.fromkeys(id for scene in told for id in scene.cast))
            if not names or len(names) > 40 or len(told) > 60:
                continue
            blocks.append(
                Lanes(
                    f"Who is where, in the order of the story{way}",
                    tuple(self.thing(id) for id in names),
                    tuple(scene.title or f"Scene {scene.number}" for scene in told),
                    tuple(
                        (row, column, self.thing(id), self._player_of(id))
                        for row, id in enumerate(names)
                        for column, scene in enumerate(told)
                        if id in scene.cast
                    ),
                )
            )
        return blocks

    def _player_of(self, id: str) -> str:
        sheet = self._by_id.get(id)
        return sheet.player if sheet is not None else id if id in self._order else ""

    def _registry(self, registry: RegistryPage) -> SiteFile:
        slug = self._slugs.of(f"registry:{registry.title}", registry.title)
        rows: list[tuple[Inline, ...]] = []
        for sheet in self.book.sheets:
            if sheet.registry == registry.title:
                cells = (*sheet.row, *([""] * (len(registry.columns) - len(sheet.row))))
                rows.append((Ref("sheet", sheet.id, sheet.name), *cells))
        table = Table((Column("Name"), *registry.columns), tuple(rows))
        return self._blocks_page(f"{slug}/index", registry.title, [table], intro=registry.intro)

    def _sheet(self, sheet: Sheet) -> SiteFile:
        page = self.sheet_page(sheet)
        pen = self.pen(page)
        campaign = self.record.campaign
        works = self.works.about("sheet", sheet.id)
        folded = {name.casefold() for name in sheet.names}
        notes = [n for n in campaign.notes if any(a.casefold() in folded for a in n.about)]
        registry = self._slugs.of(f"registry:{sheet.registry}", sheet.registry)
        body = self._render(
            "sheet.html",
            pen,
            sheet=sheet,
            status=pen.text(sheet.status),
            tagline=pen.text(sheet.tagline),
            aliases=", ".join(sheet.aliases),
            former=", ".join(sheet.former),
            portraits=self.plates(pen, works),
            beside=self._beside(sheet),
            map_url=self.url(Ref("map", "", "")) if self.book.relations else "",
            journal=[(w.ref.label, self.url(w.ref)) for w in works if w.art is None],
            notes=[(n.title, pen.prose(n.body)) for n in notes],
            crumbs=self._crumbs(sheet.name, (sheet.registry, f"{registry}/index")),
        )
        return self._make(page, sheet.name, body)

    def _beside(self, sheet: Sheet) -> list[Block]:
        """What every sheet has at its side, unless the game has put it there: relations, appearances."""
        blocks: list[Block] = []
        have = [*sheet.blocks, *sheet.aside]
        if not any(isinstance(block, Graph) for block in have):
            ties = ego(self.book.relations, sheet)
            if ties is not None:
                blocks.append(ties)
        seen = appearances(self.record, sheet.id)
        if seen.items and not any(
            isinstance(block, Listing) and block.title == seen.title for block in have
        ):
            blocks.append(seen)
        return blocks

    def _aliases(self) -> Iterator[SiteFile]:
        """Pages under former and other names, that lead on to the sheet."""
        every = [self._slugs.of(f"registry:{r.title}", r.title) for r in self.book.registries]
        for sheet in self.book.sheets:
            target = self.sheet_page(sheet)
            folder = target.rpartition("/")[0]
            for alias in sheet.names[1:]:
                slug = stem_of(alias)
                if self._sheets.taken(slug):
                    continue
                self._sheets.of(f"alias:{sheet.id}:{alias}", alias)
                # What was merged into something of another kind had its page in another place.
                for place in every if alias in sheet.former else [folder]:
                    yield self._redirect(f"{place}/{slug}", target, sheet.name)
        for named in self.record.names.all.values():
            if named.kind == PLAYER:
                target = f"players/{self._players.of(named.name, named.name)}"
                for old in self.record.names.formerly(named):
                    slug = stem_of(old)
                    if not self._players.taken(slug):
                        self._players.of(f"alias:{old}", old)
                        yield self._redirect(f"players/{slug}", target, named.name)

    def _redirect(self, page: str, target: str, name: str) -> SiteFile:
        """A page that leads on to another, without script and from a disk too."""
        url = self.studio.address.between(self.path(page), self.path(target))
        html = _REDIRECT.format(url=escape(url), name=escape(name))
        file = f"{page}/index.html" if self.studio.address.folders else f"{page}.html"
        return SiteFile(self.path(file), data=html.encode())

    def _pictures(self) -> dict[str, tuple[str, bytes]]:
        """The pictures that may be shown: file in the campaign to (file on the site, content)."""
        home = (self.studio.root / self.record.campaign.folder).resolve()
        names = Slugs()
        found: dict[str, tuple[str, bytes]] = {}
        for art in self.record.campaign.art:
            file = (home / art.file).resolve()
            if not file.is_relative_to(home) or not file.is_file():
                continue
            data = file.read_bytes()
            if file.suffix.casefold() == ".svg" and _LIVE.search(data.decode("utf-8", "replace")):
                self.studio.warn(f"{art.file}: a picture with script or links in it is not shown")
                continue
            slug = names.of(str(art.file), file.stem)
            found[str(art.file)] = (f"art/{slug}{file.suffix.casefold()}", data)
        return found

    def _plate_id(self, file: str) -> str:
        """The anchor of a picture in the gallery."""
        return PurePosixPath(file).stem

    def plates(self, pen: Pen, works: Iterable[Work]) -> list[Markup]:
        """The pictures among some works, each leading to its place in the gallery."""
        return [
            self._plate(pen, work.art, self.url(work.ref))
            for work in works
            if work.art is not None and str(work.art.file) in self._art
        ]

    def _plate(self, pen: Pen, art: Artwork, url: str = "") -> Markup:
        """A picture; in the gallery itself (without ``url``) with all that is known about it."""
        file = self._art[str(art.file)][0]
        src = self.studio.address.between(self.path(self._here), self.path(file))
        credit = ", ".join(part for part in (art.artist, art.licence) if part)
        if url:
            return pen.macro("page", "gallery_item", src, art.alt, art.title, credit, url=url)
        line = pen.text(self.works.by_line(art))
        return pen.macro(
            "page", "gallery_item", src, art.alt, art.title, line, anchor=self._plate_id(file)
        )

    def _players_index(self) -> list[Block]:
        """Everybody at the table, with what they did and hold."""
        record = self.record
        kinds: dict[tuple[str, str], dict[str, int]] = {}
        names = self.book.players()
        for account, unit, amount in record.ledger.balances():
            if owner_of(account) in names:
                kinds.setdefault((kind_of(account), unit), {})[owner_of(account)] = amount
        shown = [(key, held) for key, held in kinds.items() if any(held.values())][:4]
        entries = Counter(step.player for step in record.visible())
        opened = Counter(scene.opener for scene in record.timeline.scenes)
        columns = (
            Column("Player"),
            Column("Entries", True),
            Column("Scenes opened", True),
            *(Column(self.book.accounts.get(kind, kind), True) for (kind, _), _ in shown),
        )
        rows: tuple[tuple[Inline, ...], ...] = tuple(
            (
                Ref("player", name, name),
                entries[name],
                opened[name],
                *(held.get(name, 0) for _, held in shown),
            )
            for name in names
        )
        return [Table(columns, rows)]

    def _player(self, name: str) -> SiteFile:
        slug = self._players.of(name, name)
        record = self.record
        steps = [s for s in record.visible() if s.player == name]
        opened = [s for s in record.timeline.scenes if s.opener == name]
        paid: Counter[tuple[str, str]] = Counter()
        for posting in record.ledger.postings:
            # What only moves between a player's own purses (a bid, a gain kept) is not spent.
            if owner_of(posting.source) == name != owner_of(posting.target) and posting.why:
                paid[(posting.why, posting.unit)] += posting.amount
        several = len({unit for _, unit in paid}) > 1
        blocks: list[Block] = [
            Stats(
                (
                    Stat(str(len(steps)), "entries"),
                    Stat(str(len(opened)), "scenes opened"),
                    Stat(str(sum(1 for s in steps if s.fiction)), "pieces of the story"),
                )
            ),
            Facts(
                tuple(
                    (
                        self.book.accounts.get(kind_of(account), kind_of(account)),
                        units(amount, unit),
                    )
                    for account, unit, amount in record.ledger.balances()
                    if owner_of(account) == name
                ),
                "What they hold now",
            ),
            Listing(
                tuple(
                    Item(Ref("sheet", sheet.id, sheet.name), sheet.status)
                    for sheet in self.book.sheets
                    if sheet.player == name
                ),
                "Theirs",
            ),
            Bars(
                "What they spent on",
                tuple(
                    (f"{why} ({unit})" if several else why, count, name)
                    for (why, unit), count in paid.most_common(14)
                ),
            ),
            Listing(
                tuple(Item(Ref("scene", str(s.number), s.title), s.time) for s in opened[-MOST:]),
                "Scenes they opened"
                if len(opened) <= MOST
                else f"The last {MOST} scenes they opened",
                ordered=len(opened) <= MOST,
            ),
            Listing(tuple(Item(work.ref) for work in self.works.by(name)), "Texts and pictures"),
        ]
        blocks = [block for block in blocks if _holds(block)]
        crumbs = (("Players", "players/index"),)
        return self._blocks_page(f"players/{slug}", name, blocks, crumbs=crumbs)

    def _game_page(self, page: Page) -> SiteFile:
        slug = self._slugs.of(f"page:{page.slug}", page.slug)
        return self._blocks_page(slug, page.title, page.blocks, intro=page.intro)

    def _ledger(self) -> SiteFile:
        return self._blocks_page("ledger", "Ledger", self.ledger_blocks(), search={"exclude": True})

    def ledger_blocks(self, most: int = MOVEMENTS) -> list[Block]:
        """Curves, balances, and the last ``most`` movements; the exports hold them all."""
        record = self.record
        rows: list[tuple[Inline, ...]] = []
        for posting in record.ledger.postings:
            where: Inline = (
                Ref("step", str(posting.step), str(posting.step)) if posting.step else "start"
            )
            rows.append(
                (
                    where,
                    self._account(posting.source),
                    self._account(posting.target),
                    posting.amount,
                    posting.unit,
                    posting.why,
                    Ref("rule", posting.rule, posting.rule) if posting.rule else "",
                )
            )
        columns = (
            Column("Entry", True),
            Column("From"),
            Column("To"),
            Column("Amount", True),
            Column("Unit"),
            Column("For"),
            Column("Rule"),
        )
        balances = Table(
            (Column("Account"), Column("Unit"), Column("Balance", True)),
            tuple(
                (self._account(account), unit, amount)
                for account, unit, amount in sorted(record.ledger.balances())
                if amount
            ),
            "Balances",
            "the sum over all accounts of a unit is zero",
        )
        shown = rows[-most:]
        blocks: list[Block] = [*self.book.curves, balances]
        if len(shown) < len(rows):
            blocks.append(
                Note(f"The last {len(shown)} of {len(rows)} movements; the exports hold them all.")
            )
        blocks.append(Table(columns, tuple(shown), "Every movement"))
        return blocks

    def _account(self, account: str) -> str:
        kind, owner = kind_of(account), owner_of(account)
        words = self.book.accounts.get(kind, kind)
        return f"{self.thing(owner)}: {words}" if owner else words

    @cached_property
    def _with_dice(self) -> bool:
        """Whether chance is a matter of dice here, and not of cards, which the game tells of itself."""
        thrown = {throw.die for step in self.record.visible() for throw in step.throws}
        return not thrown or not thrown.isdisjoint(self.book.dice)

    def _dice(self) -> list[Block]:
        rolled: dict[tuple[str, str], Counter[str]] = {}
        for step in self.record.visible():
            for throw in step.throws:
                rolled.setdefault((throw.die, throw.player), Counter()).update(throw.faces)
        if not rolled:
            return [Note("No dice have been rolled yet.")]
        blocks: list[Block] = []
        for die_name, die in self.book.dice.items():
            blocks.extend(luck(die_name, die, rolled))
        contests = [s for s in self.record.visible() if s.contest is not None][-THROWS:]
        odds = any(s.contest.odds for s in contests if s.contest is not None)
        blocks.append(
            Table(
                (Column("Throw"), Column("Result"), *([Column("Odds")] if odds else [])),
                tuple(
                    (
                        Ref("step", str(s.index), _shorten(s.contest.title) or f"entry {s.index}"),
                        s.contest.score,
                        *([str(s.contest.odds)] if odds else []),
                    )
                    for s in contests
                    if s.contest is not None
                ),
                "Throws",
                f"the last {THROWS}" if len(contests) == THROWS else "",
            )
        )
        return blocks

    def _rules_used(self) -> list[Block]:
        registry = self._rules
        rows: list[tuple[Inline, ...]] = []
        for id, steps in sorted(self.record.rules_used().items(), key=lambda item: -len(item[1])):
            found = registry.get(id)
            title = getattr(found, "title", "") or getattr(found, "question", "") if found else ""
            first: Inline = Ref("step", str(steps[0]), f"entry {steps[0]}") if steps[0] else "start"
            rows.append((Ref("rule", id, id), title, len(steps), first))
        columns = (Column("Rule"), Column("What it says"), Column("Times", True), Column("First"))
        blocks: list[Block] = [Table(columns, tuple(rows), "Rules that mattered")]
        points = {ruling.key: ruling for ruling in registry.rulings}
        mattered = [points[key] for key in self.record.rulings_used if key in points]
        title = "Readings of silent points that mattered"
        blocks.append(readings_table(self.record, mattered, title))
        return blocks

    def _check(self) -> SiteFile:
        pen = self.pen("check")
        found = [d for d in self.record.diagnostics if d.cause is None and d.severity]
        left_out = len(found) - FOUND
        found = sorted(found, key=lambda d: -d.severity)[:FOUND]
        groups: list[dict[str, Any]] = []
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
            mine = [d for d in found if d.severity is severity]
            if mine:
                groups.append(
                    {
                        "title": plural(len(mine), str(severity)),
                        "items": [
                            {
                                "body": self.finding(pen, d),
                                "where": f"{d.place.path}:{d.place.line}"
                                if d.place.line
                                else d.place.path,
                                "url": self.url(Ref("step", str(d.step), "")) if d.step else "",
                                "more": len(d.dependents),
                            }
                            for d in mine
                        ],
                    }
                )
        counts = dict(findings(self.record))
        body = self._render(
            "check.html",
            pen,
            groups=groups,
            steps=len(self.record.steps),
            errors=counts.get(Severity.ERROR, 0),
            warnings=counts.get(Severity.WARNING, 0),
            strictness=str(self.record.campaign.strictness),
            left_out=max(left_out, 0),
            crumbs=self._crumbs("Check report"),
        )
        return self._make("check", "Check report", body, search={"exclude": True})

    def _loose_ends(self) -> list[Block]:
        blocks: list[Block] = [Listing(tuple(self.book.loose_ends), "Still open in play")]
        gaps = [s for s in self.record.visible() if s.action.verb == "gap"]
        if gaps:
            blocks.append(
                Listing(
                    tuple(Item(s.talk or "nothing is known", "", s.index) for s in gaps),
                    "Holes in the record",
                )
            )
        unseen = [
            sheet
            for sheet in self.book.sheets
            if not sheet.spirit and not any(sheet.id in s.cast for s in self.record.timeline.scenes)
        ]
        if unseen:
            blocks.append(
                Listing(
                    tuple(Item(Ref("sheet", sheet.id, sheet.name), sheet.kind) for sheet in unseen),
                    "Never seen in a scene",
                )
            )
        open_scenes = [s for s in self.record.timeline.scenes if s.open]
        if open_scenes:
            blocks.append(
                Listing(
                    tuple(
                        Item(Ref("scene", str(s.number), s.title), f"session {s.session}")
                        for s in open_scenes
                    ),
                    "Scenes that are not over",
                )
            )
        shut = [self.record.step(index) for index in self.record.shut]
        if shut:
            blocks.append(
                Listing(
                    tuple(
                        Item(f"{step.player or 'Somebody'}: {step.headline}", "", step.index)
                        for step in shut
                        if not step.hidden
                    ),
                    "Sealed, and not opened yet",
                )
            )
        if self.record.unrevealed:
            blocks.append(Note(f"{plural(self.record.unrevealed, 'secret')} not revealed yet."))
        return blocks

    def _names(self) -> list[Block]:
        rows: list[tuple[Inline, ...]] = []
        for sheet in self.book.sheets:
            rows.append((Ref("sheet", sheet.id, sheet.name), sheet.kind, ""))
            rows.extend(
                (Ref("sheet", sheet.id, alias), sheet.kind, f"see {sheet.name}")
                for alias in sheet.aliases
            )
            rows.extend(
                (Ref("sheet", sheet.id, old), sheet.kind, f"formerly; now {sheet.name}")
                for old in sheet.former
            )
        for named in self.record.names.all.values():
            if named.kind == PLAYER:
                rows.append((Ref("player", named.id, named.name), "player", ""))
                rows.extend(
                    (Ref("player", named.id, old), "player", f"formerly; now {named.name}")
                    for old in self.record.names.formerly(named)
                )
        rows.sort(key=lambda row: row[0].label.casefold() if isinstance(row[0], Ref) else "")
        return [Table((Column("Name"), Column("What"), Column("")), tuple(rows))]

    def _changes(self) -> Iterator[SiteFile]:
        """What changed since a session, for any session that can be chosen."""
        rows: list[tuple[Inline, ...]] = []
        count = len(self.book.sessions)
        changed = _Changed()
        blocks: dict[int, list[Block]] = {}
        for session in reversed(self.book.sessions):
            changed.add(self.record, session)
            blocks[session.number] = self._changed(changed)
        for at, session in enumerate(self.book.sessions):
            later = self.book.sessions[at:]
            page = f"changes/since-{session.number}"
            title = f"Since the start of session {session.number}"
            if at == count - 1:
                title = f"In session {session.number}"
            yield self._blocks_page(
                page,
                title,
                blocks[session.number],
                intro=f"{session.title}" + (" and everything after it" if at < count - 1 else ""),
                crumbs=(("What changed", "changes/index"),),
                search={"exclude": True},
            )
            rows.append(
                (
                    Ref("path", page, title),
                    session.title,
                    sum(len(view.steps) for view in later),
                    sum(
                        1
                        for scene in self.record.timeline.scenes
                        if scene.session >= session.number
                    ),
                )
            )
        columns = (
            Column("What changed"),
            Column("From"),
            Column("Entries", True),
            Column("Scenes", True),
        )
        yield self._blocks_page(
            "changes/index",
            "What changed",
            [Table(columns, tuple(reversed(rows)))],
            intro="You missed an evening, or three? Choose where you left off.",
        )

    def _changed(self, changed: _Changed) -> list[Block]:
        scenes = [
            Item(Ref("scene", str(s.number), s.title or f"Scene {s.number}"), s.time)
            for s in self.record.timeline.scenes
            if s.session in changed.numbers
        ]
        rows = tuple(
            (self._account(account), unit, amount)
            for (account, unit), amount in sorted(changed.net.items())
            if amount and owner_of(account)
        )
        blocks: list[Block] = [Note(self.book.situation)] if self.book.situation else []
        blocks.append(_capped(scenes, "Scenes"))
        if changed.entered:
            blocks.append(_capped(changed.entered, "Who and what came and went"))
        columns = (Column("Account"), Column("Unit"), Column("Change", True))
        blocks.append(Table(columns, rows[:MOST], "Net change"))
        return blocks

    def _journal(self) -> SiteFile:
        pen = self.pen("journal")
        entries = [
            pen.macro(
                "page",
                "journal_entry",
                entry.title,
                pen.text(self.works.by_line(entry)),
                pen.prose(entry.body),
                entry.date,
                entry.slug,
            )
            for entry in self.record.campaign.journal
        ]
        body = self._render(
            "list.html", pen, title="Journal", items=entries, crumbs=self._crumbs("Journal")
        )
        return self._make("journal", "Journal", body)

    def _gallery(self) -> SiteFile:
        pen = self.pen("gallery")
        plates = [
            self._plate(pen, art) for art in self.record.campaign.art if str(art.file) in self._art
        ]
        body = self._render(
            "list.html",
            pen,
            title="Gallery",
            items=[pen.macro("page", "gallery", plates)],
            crumbs=self._crumbs("Gallery"),
        )
        return self._make("gallery", "Gallery", body)

    def _keeper_notes(self) -> Iterator[SiteFile]:
        notes = self.record.campaign.notes
        if not notes:
            return
        pages = {note.slug: f"notes/{self._notes.of(note.slug, note.slug)}" for note in notes}
        pen = self.pen("notes/index")
        links = [
            Markup('<a href="{}">{}</a>').format(
                self.studio.address.between(self.path("notes/index"), self.path(pages[note.slug])),
                note.title,
            )
            for note in notes
        ]
        listing = Markup('<ul class="ch-list">{}</ul>').format(
            Markup("").join(Markup("<li>{}</li>").format(link) for link in links)
        )
        body = self._render(
            "list.html", pen, title="Notes", items=[listing], crumbs=self._crumbs("Notes")
        )
        yield self._make("notes/index", "Notes", body)
        for note in notes:
            page = pages[note.slug]
            pen = self.pen(page)
            text = Markup('<div class="ch-fiction">{}</div>').format(pen.prose(note.body))
            body = self._render(
                "list.html",
                pen,
                title=note.title,
                items=[text],
                crumbs=self._crumbs(note.title, ("Notes", "notes/index")),
            )
            yield self._make(page, note.title, body, source=note.path)

    def _downloads(self) -> Iterator[SiteFile]:
        files = list(self.studio.downloads(self.book)) if self.studio.downloads is not None else []
        rows: list[tuple[Inline, ...]] = []
        for name, title, data in files:
            yield SiteFile(self.path(f"files/{name}"), title, data=data)
            rows.append((Ref("file", name, name), title, len(data)))
        pen = self.pen("downloads")
        links = [
            [
                Markup('<a href="{}" download>{}</a>').format(
                    self.studio.address.between(self.path("downloads"), self.path(f"files/{name}")),
                    name,
                ),
                title,
                {"text": f"{len(data):,}", "sort": len(data)},
            ]
            for name, title, data in files
        ]
        table = (
            pen.macro(
                "page",
                "sortable_table",
                ["File", "What it holds", {"title": "Bytes", "align": "right"}],
                links,
                "files",
                "Files",
            )
            if links
            else Markup("<p>There is nothing to download.</p>")
        )
        intro = Markup("<p>Everything here leaves out what has not been revealed.</p>")
        body = self._render(
            "list.html",
            pen,
            title="Downloads",
            items=[intro, table],
            crumbs=self._crumbs("Downloads"),
        )
        yield self._make("downloads", "Downloads", body, search={"exclude": True})


def _said(step: Step) -> str:
    """Who did what, the name once."""
    told = step.fiction or step.talk if isinstance(step.action, (Tell, Say, Aside)) else ""
    words = step.headline or _shorten(told.replace("*", "")) or step.action.verb
    player = step.player or "The table"
    return words if words.startswith(player) else f"{player}: {words}"


class _Changed:
    """What some sessions changed, counted from the last one backwards."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()
        self.net: Counter[tuple[str, str]] = Counter()
        self.entered: list[Item] = []

    def add(self, record: Record, session: SessionView) -> None:
        """Count the session before those counted so far."""
        self.numbers.add(session.number)
        entered: list[Item] = []
        for step in session.steps:
            for p in record.postings(step):
                self.net[(p.source, p.unit)] -= p.amount
                self.net[(p.target, p.unit)] += p.amount
            if not step.hidden and not any(event.kind == "undone" for event in step.events):
                entered += [
                    Item(event.text, "", step.index) for event in step.events if event.kind in TURNS
                ]
        self.entered = entered + self.entered


def _capped(items: list[Item], title: str) -> Listing:
    """The last items of a list that may be long."""
    if len(items) <= MOST:
        return Listing(tuple(items), title)
    return Listing(
        (Item(f"{len(items) - MOST} earlier ones are left out here"), *items[-MOST:]), title
    )


def ego(graphs: Iterable[Graph], sheet: Sheet) -> Graph | None:
    """Somebody's own corner of the relations: those next to them, at most :data:`NEIGHBOURS`."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    key: dict[str, str] = {}
    centre: set[str] = set()
    for graph in graphs:
        known = {node.id: node for node in graph.nodes}
        mine = {
            node.id
            for node in graph.nodes
            if node.ref is not None and node.ref.kind == "sheet" and node.ref.id == sheet.id
        }
        for edge in graph.edges:
            if not mine & {edge.one, edge.other} or not known.keys() >= {edge.one, edge.other}:
                continue
            fresh = [id for id in dict.fromkeys((edge.one, edge.other)) if id not in nodes]
            if len(nodes) + len(fresh) > NEIGHBOURS:
                continue
            nodes.update((id, known[id]) for id in fresh)
            edges.append(edge)
            centre |= mine
            key.update((kind, words) for kind, words in graph.key if kind == edge.kind)
    if not edges:
        return None
    marked = tuple(
        node._replace(kind=node.kind if id not in centre else "centre")
        for id, node in nodes.items()
    )
    return Graph("Relations", marked, tuple(edges), tuple(key.items()))


def long_date(text: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day.day} {day:%B %Y}"


def _holds(block: Block) -> bool:
    """Whether a block has anything to show."""
    match block:
        case Listing():
            return bool(block.items)
        case Bars() | Facts():
            return bool(block.rows)
        case _:
            return True


def _shorten(text: str, most: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def front_matter(meta: dict[str, Any]) -> str:
    """Front matter as YAML; JSON is YAML, and no name can break it."""
    return (
        "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in meta.items()) + "---\n"
    )
