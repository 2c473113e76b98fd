"""The pages of one campaign: a pure function of its Book."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from chronicle.core.book import (
    Bars,
    Block,
    Book,
    Column,
    Facts,
    Inline,
    Item,
    Lanes,
    Listing,
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
    findings,
    journal_of,
)
from chronicle.core.diagnostic import Diagnostic, Severity, plural
from chronicle.core.dice import Die
from chronicle.core.ledger import kind_of, owner_of
from chronicle.core.names import PLAYER
from chronicle.core.record import Step
from chronicle.core.timeline import Frame, Scene
from chronicle.site.draw import Pen, compact
from chronicle.site.graphs import Drawer
from chronicle.site.links import Address, NameLinker, Slugs, slugify
from chronicle.site.prose import prose

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


@dataclass(frozen=True, slots=True)
class Studio:
    """What all pages of a site share: templates, addresses, where rules are explained, warnings."""

    env: SandboxedEnvironment
    address: Address
    rules: dict[str, str]
    """Game to the page that explains its rules (``rules/positive``)."""
    warn: Any = print
    graphs: dict[str, str] = field(default_factory=dict)
    """Layouts by content, kept between builds."""
    downloads: Any = None
    """Gives the files a reader may take: ``downloads(book)`` yields (name, title, bytes)."""


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
        self._sheets = Slugs()
        for sheet in book.sheets:
            self._sheets.of(sheet.id, sheet.name)
        self._players = Slugs()
        self._notes = Slugs()
        self._order = {name: seat for seat, name in enumerate(book.players(), 1)}
        self._where = {
            step.index: f"sessions/{session.number}"
            for session in book.sessions
            for step in session.steps
        }
        self._names_by_page: dict[str, NameLinker] = {}
        self._here = "index"

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
                scene = self.record.timeline.get(int(ref.id))
                if scene.session not in {session.number for session in self.book.sessions}:
                    return None
                return self.path(f"sessions/{scene.session}"), f"scene-{scene.number}"
            case "session":
                return self.path(f"sessions/{ref.id}"), ""
            case "sheet":
                sheet = self.book.sheet(ref.id)
                return (self.path(self.sheet_page(sheet)), "") if sheet is not None else None
            case "player":
                return self.path(f"players/{self._players.of(ref.id, ref.id)}"), ""
            case "page":
                known = {page.slug for page in self.book.pages}
                slug = self._slugs.of(f"page:{ref.id}", ref.id) if ref.id in known else ref.id
                return self.path(slug), ""
            case "rule":
                rules = self.studio.rules.get(self.record.rulebook.name)
                found = self.record.rulebook.registry().get(ref.id) if rules else None
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
            for name in (sheet.name, *sheet.aliases):
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
        yield self._story()
        for session in self.book.sessions:
            yield self._session(session)
        yield self._blocks_page("sessions/index", "Sessions", self._sessions())
        yield self._blocks_page("scenes", "Scenes", self._scenes())
        yield self._blocks_page("timeline", "Timeline", self._timeline(), wide=True)
        for registry in self.book.registries:
            yield self._registry(registry)
        for sheet in self.book.sheets:
            yield self._sheet(sheet)
        for name in self.book.players():
            yield self._player(name)
        if self.book.relations:
            yield self._blocks_page("relations", "Relations", list(self.book.relations), wide=True)
        for page in self.book.pages:
            yield self._game_page(page)
        yield self._ledger()
        yield self._blocks_page("dice", "Dice", self._dice())
        yield self._blocks_page("rules-used", "Rules used", self._rules_used())
        yield self._check()
        yield self._blocks_page("loose-ends", "Loose ends", self._loose_ends())
        yield self._blocks_page("names", "Index of names", self._names())
        yield self._blocks_page("changes", "What changed", self._changes())
        if self.record.campaign.journal:
            yield self._journal()
        if self.record.campaign.art:
            yield self._gallery()
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
            ("Scenes", "scenes"),
            ("Dice", "dice"),
            ("Rules used", "rules-used"),
            ("Check report", "check"),
            ("Loose ends", "loose-ends"),
            ("What changed", "changes"),
            ("Index of names", "names"),
            *([("Gallery", "gallery")] if self.record.campaign.art else []),
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
        chosen = campaign.settings.rulings or {}
        if chosen:
            rows.append(
                (
                    "Readings chosen",
                    escape("; ".join(f"{key}: {value}" for key, value in chosen.items())),
                )
            )
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
                        ("In it", ", ".join(self._thing(id) for id in scene.cast) or "nobody yet"),
                    ),
                    "The scene",
                ),
            )
        if self.book.loose_ends:
            blocks.append(Listing(tuple(self.book.loose_ends), "Still open"))
        last = self.book.sessions[-1].steps[-6:] if self.book.sessions else []
        blocks.append(
            Listing(
                tuple(
                    Item(
                        (step.player or "The table", ": ", step.headline or step.action.verb),
                        "",
                        step.index,
                    )
                    for step in last
                    if not step.hidden
                ),
                "The last entries",
            )
        )
        return blocks

    def _thing(self, id: str) -> str:
        named = self.record.names.all.get(id)
        return named.name if named is not None else id

    def _story(self) -> SiteFile:
        pen = self.pen("story")
        chapters: list[dict[str, Any]] = []
        for session in self.book.sessions:
            parts: list[dict[str, Any]] = []
            scene = 0
            for step in session.steps:
                if step.hidden or not step.fiction:
                    continue
                if step.scene and step.scene != scene:
                    scene = step.scene
                    found = self.record.timeline.get(scene)
                    parts.append({"heading": found.title, "time": found.time, "text": ""})
                parts.append({"heading": "", "time": "", "text": pen.prose(step.fiction)})
            if parts:
                chapters.append({"title": session.title, "number": session.number, "parts": parts})
        body = self._render(
            "story.html", pen, chapters=chapters, crumbs=self._crumbs("Story so far")
        )
        return self._make("story", "Story so far", body, voice="story")

    def _session(self, session: SessionView) -> SiteFile:
        page = f"sessions/{session.number}"
        pen = self.pen(page)
        counts: Counter[Severity] = Counter(
            d.severity for step in session.steps for d in step.diagnostics
        )
        rows: list[dict[str, Any]] = []
        scene_now: int | None = None
        speaker = ""
        for step in session.steps:
            if step.hidden:
                rows.append({"kind": "hidden", "anchor": step.anchor, "number": step.index})
                continue
            if step.scene is not None and step.scene != scene_now:
                scene_now, speaker = step.scene, ""
                rows.append(self._scene_row(pen, self.record.timeline.get(step.scene), step))
            rows.append(self._step_row(pen, step, speaker))
            speaker = step.player
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
            session_url=lambda view: self.url(Ref("session", str(view.number), "")),
        )
        path = next(
            (e.session.path for e in self.record.sessions if e.session.number == session.number), ""
        )
        return self._make(page, session.title, body, source=path)

    def _scene_row(self, pen: Pen, scene: Scene, step: Step) -> dict[str, Any]:
        marks = [
            Markup("{} {}").format(label, pen.text(words)) for label, words in scene.marks.items()
        ]
        again = scene.first_step != step.index and scene.session != step.session
        label = (
            f"{scene.time}"
            if scene.time
            else ("" if scene.frame is Frame.NOW else str(scene.frame))
        )
        return {
            "kind": "scene",
            "number": scene.number,
            "title": scene.title or f"Scene {scene.number}",
            "place": pen.text(scene.place),
            "time": label,
            "anchor": f"scene-{scene.number}" if scene.first_step == step.index else "",
            "aside": Markup("<br>").join(marks),
            "again": again,
        }

    def _step_row(self, pen: Pen, step: Step, speaker: str) -> dict[str, Any]:
        events = [
            Markup("{} {}").format(pen.text(event.text), pen.rule(event.rule))
            for event in step.events
        ]
        head = pen.text(step.headline or (step.events[0].text if step.events else ""))
        links = [
            Markup('<a href="{}">entry {}</a>').format(self.url(Ref("step", str(i), "")), i)
            for i in step.links
        ]
        return {
            "kind": "step",
            "verb": slugify(step.action.verb),
            "number": step.index,
            "anchor": step.anchor,
            "player": step.player,
            "colour": self.colour(step.player),
            "speaker": pen.text(step.player) if step.player and step.player != speaker else "",
            "fiction": pen.prose(step.fiction) if step.fiction else "",
            "talk": pen.prose(step.talk) if step.talk else "",
            "head": head,
            "events": events if step.headline else events[1:],
            "moves": self._moves(pen, step),
            "balance": "",
            "links": links,
            "indent": step.parent is not None,
            "contest": pen.contest(step.contest) if step.contest is not None else "",
            "diagnostics": [
                self._finding(pen, d) for d in step.diagnostics if d.cause is None and d.severity
            ],
        }

    def _moves(self, pen: Pen, step: Step) -> list[Markup]:
        """What a step moved, in few words: who, how much, of what; one chip a rule. Movements that an
        event of the step tells already (under the same rule) are left to it."""
        told = {event.rule for event in step.events}
        groups: dict[tuple[str, str], list[str]] = {}
        for p in self.record.postings(step):
            if p.rule in told:
                continue
            to, source = owner_of(p.target), owner_of(p.source)
            who, sign = (to, "+") if to else (source, "−")
            words = f"{self._thing(who)} {sign}{p.amount}" if who else f"{p.amount}"
            if to and source and to != source:
                words = f"{self._thing(source)} → {self._thing(to)} {p.amount}"
            groups.setdefault((p.rule, p.unit), []).append(words)
        return [
            Markup("{} {} {}").format(pen.text(", ".join(words)), unit, pen.rule(rule))
            for (rule, unit), words in groups.items()
        ]

    def _finding(self, pen: Pen, found: Diagnostic) -> Markup:
        return pen.macro(
            "page",
            "diagnostic",
            str(found.severity),
            found.full_code.rpartition(":")[2],
            pen.text(found.message + (f" (excused: {found.excused})" if found.excused else "")),
            "",
            pen.text(" ".join(found.help)) if found.help else "",
            "",
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
                    ", ".join(self._thing(id) for id in scene.cast),
                    "open" if scene.open else _shorten(scene.closing) or "closed",
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
        )
        blocks: list[Block] = [Table(columns, tuple(rows))]
        for scene in self.record.timeline.scenes:
            panel = self.book.scene_panels.get(scene.number)
            if panel:
                blocks.append(
                    Section(
                        f"How things stood after scene {scene.number}, {scene.title}",
                        panel,
                        f"after-{scene.number}",
                        folded=True,
                    )
                )
        return blocks

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
                                s.branch,
                            )
                            if part
                        ),
                    )
                    for s in scenes
                ),
                title,
                ordered=True,
            )

        names = list(dict.fromkeys(id for scene in story for id in scene.cast))
        cells = tuple(
            (row, column, self._thing(id), self._player_of(id))
            for row, id in enumerate(names)
            for column, scene in enumerate(story)
            if id in scene.cast
        )
        blocks: list[Block] = [
            Section(
                "Two orders",
                (listing(played, "As played"), listing(story, "In the order of the story")),
                "orders",
            )
        ]
        if names and len(names) <= 40 and len(story) <= 60:
            blocks.append(
                Lanes(
                    "Who is where, in the order of the story",
                    tuple(self._thing(id) for id in names),
                    tuple(scene.title or f"Scene {scene.number}" for scene in story),
                    cells,
                )
            )
        return blocks

    def _player_of(self, id: str) -> str:
        sheet = self.book.sheet(id)
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
        names = (sheet.name, *sheet.aliases)
        slugs = set(journal_of(self.record, names))
        folded = {name.casefold() for name in names}
        notes = [n for n in campaign.notes if any(a.casefold() in folded for a in n.about)]
        art = [a for a in campaign.art if any(x.casefold() in folded for x in a.about)]
        registry = self._slugs.of(f"registry:{sheet.registry}", sheet.registry)
        body = self._render(
            "sheet.html",
            pen,
            sheet=sheet,
            status=pen.text(sheet.status),
            tagline=pen.text(sheet.tagline),
            aliases=", ".join(sheet.aliases),
            portraits=[self._plate(pen, page, a) for a in art],
            journal=[
                (
                    e.title,
                    self.studio.address.between(self.path(page), self.path("journal"), e.slug),
                )
                for e in campaign.journal
                if e.slug in slugs
            ],
            notes=[(n.title, pen.prose(n.body)) for n in notes],
            crumbs=self._crumbs(sheet.name, (sheet.registry, f"{registry}/index")),
        )
        return self._make(page, sheet.name, body)

    def _plate(self, pen: Pen, page: str, art: Any) -> Markup:
        src = self.studio.address.between(self.path(page), self.path(f"art/{art.file.name}"))
        credit = ", ".join(part for part in (art.artist, art.licence) if part)
        return pen.macro("page", "gallery_item", src, art.alt, art.title, credit)

    def _player(self, name: str) -> SiteFile:
        slug = self._players.of(name, name)
        record = self.record
        steps = [s for s in record.visible() if s.player == name]
        opened = [s for s in record.timeline.scenes if s.opener == name]
        paid: Counter[str] = Counter()
        for posting in record.ledger.postings:
            if owner_of(posting.source) == name and posting.why:
                paid[f"{posting.why} ({posting.unit})"] += posting.amount
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
                    (self.book.accounts.get(kind_of(account), kind_of(account)), f"{amount} {unit}")
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
                tuple((why, count, name) for why, count in paid.most_common(14)),
            ),
            Listing(
                tuple(Item(Ref("scene", str(s.number), s.title), s.time) for s in opened),
                "Scenes they opened",
                ordered=True,
            ),
        ]
        if not paid:
            del blocks[3]
        return self._blocks_page(f"players/{slug}", name, blocks)

    def _game_page(self, page: Page) -> SiteFile:
        slug = self._slugs.of(f"page:{page.slug}", page.slug)
        return self._blocks_page(slug, page.title, page.blocks, intro=page.intro)

    def _ledger(self) -> SiteFile:
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
        shown = rows[-2000:]
        blocks: list[Block] = [*self.book.curves, balances]
        if len(shown) < len(rows):
            blocks.append(
                Note(f"The last {len(shown)} of {len(rows)} movements; the exports hold them all.")
            )
        blocks.append(Table(columns, tuple(shown), "Every movement"))
        return self._blocks_page("ledger", "Ledger", blocks, search={"exclude": True})

    def _account(self, account: str) -> str:
        kind, owner = kind_of(account), owner_of(account)
        words = self.book.accounts.get(kind, kind)
        return f"{self._thing(owner)}: {words}" if owner else words

    def _dice(self) -> list[Block]:
        rolled: dict[tuple[str, str], Counter[str]] = {}
        for step in self.record.visible():
            for throw in step.throws:
                rolled.setdefault((throw.die, throw.player), Counter()).update(throw.faces)
        if not rolled:
            return [Note("No dice have been rolled yet.")]
        blocks: list[Block] = []
        for die_name, die in self.book.dice.items():
            blocks.extend(_luck(die_name, die, rolled))
        contests = [s for s in self.record.visible() if s.contest is not None]
        blocks.append(
            Table(
                (Column("Throw"), Column("Result"), Column("Odds")),
                tuple(
                    (
                        Ref("step", str(s.index), _shorten(s.contest.title) or f"entry {s.index}"),
                        s.contest.score,
                        s.contest.odds,
                    )
                    for s in contests
                    if s.contest is not None
                ),
                "Every throw",
            )
        )
        return blocks

    def _rules_used(self) -> list[Block]:
        registry = self.record.rulebook.registry()
        rows: list[tuple[Inline, ...]] = []
        for id, steps in sorted(self.record.rules_used().items(), key=lambda item: -len(item[1])):
            found = registry.get(id)
            title = getattr(found, "title", "") or getattr(found, "question", "") if found else ""
            first: Inline = Ref("step", str(steps[0]), f"entry {steps[0]}") if steps[0] else "start"
            rows.append((Ref("rule", id, id), title, len(steps), first))
        columns = (Column("Rule"), Column("What it says"), Column("Times", True), Column("First"))
        blocks: list[Block] = [Table(columns, tuple(rows), "Rules that mattered")]
        points = {ruling.key: ruling for ruling in registry.rulings}
        readings: list[tuple[Inline, ...]] = []
        chosen = {str(k) for k in (self.record.campaign.settings.rulings or {})}
        for key, steps in self.record.rulings_used.items():
            ruling = points.get(key)
            if ruling is None:
                continue
            value = _reading(self.record, ruling)
            readings.append(
                (
                    Ref("rule", ruling.id, ruling.id),
                    ruling.question,
                    ruling.readings.get(value, value),
                    "chosen" if key in chosen or ruling.id in chosen else "default",
                    len(steps),
                )
            )
        blocks.append(
            Table(
                (
                    Column("Point"),
                    Column("Question"),
                    Column("Reading in force"),
                    Column("By"),
                    Column("Times", True),
                ),
                tuple(readings),
                "Readings of silent points that mattered",
            )
        )
        return blocks

    def _check(self) -> SiteFile:
        pen = self.pen("check")
        found = [d for d in self.record.diagnostics if d.cause is None]
        groups: list[dict[str, Any]] = []
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
            mine = [d for d in found if d.severity is severity]
            if mine:
                groups.append(
                    {
                        "title": plural(len(mine), str(severity)),
                        "items": [
                            {
                                "body": self._finding(pen, d),
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
        for named in self.record.names.all.values():
            if named.kind == PLAYER:
                rows.append((Ref("player", named.id, named.name), "player", ""))
        rows.sort(key=lambda row: row[0].label.casefold() if isinstance(row[0], Ref) else "")
        return [Table((Column("Name"), Column("What"), Column("")), tuple(rows))]

    def _changes(self) -> list[Block]:
        blocks: list[Block] = []
        for session in reversed(self.book.sessions):
            scenes = [s for s in self.record.timeline.scenes if s.session == session.number]
            entered = [
                Item(event.text, "", step.index)
                for step in session.steps
                for event in step.events
                if not step.hidden
                and event.kind
                in ("enters", "creates", "leaves play", "dies", "ejected", "eliminates")
            ]
            net: Counter[tuple[str, str]] = Counter()
            for step in session.steps:
                for p in self.record.postings(step):
                    net[(p.source, p.unit)] -= p.amount
                    net[(p.target, p.unit)] += p.amount
            rows = tuple(
                (self._account(account), unit, amount)
                for (account, unit), amount in net.items()
                if amount and owner_of(account)
            )
            blocks.append(
                Section(
                    f"Session {session.number}: {session.title}",
                    (
                        Listing(
                            tuple(
                                Item(Ref("scene", str(s.number), s.title), s.time) for s in scenes
                            ),
                            "Scenes",
                        ),
                        Listing(tuple(entered[:60]), "Who and what came and went"),
                        Table(
                            (Column("Account"), Column("Unit"), Column("Change", True)),
                            rows,
                            "Net change",
                        ),
                    ),
                    f"session-{session.number}",
                )
            )
        return blocks

    def _journal(self) -> SiteFile:
        pen = self.pen("journal")
        entries = [
            pen.macro(
                "page",
                "journal_entry",
                entry.title,
                ", ".join(
                    part
                    for part in (
                        f"in {entry.voice}’s words" if entry.voice else "",
                        f"by {entry.author}" if entry.author else "",
                        f"session {entry.session}" if entry.session is not None else "",
                    )
                    if part
                ),
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
        plates = [self._plate(pen, "gallery", art) for art in self.record.campaign.art]
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


def _reading(record: Any, ruling: Any) -> str:
    chosen = record.campaign.settings.rulings or {}
    for key in (ruling.key, ruling.id):
        for word, value in chosen.items():
            if str(word) == key:
                return str(value)
    return str(ruling.default)


def long_date(text: str) -> str:
    """``2026-06-20`` as ``20 June 2026``; any other date as it was written."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{day.day} {day:%B %Y}"


def _shorten(text: str, most: int = 90) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _luck(name: str, die: Die, rolled: dict[tuple[str, str], Counter[str]]) -> Iterator[Block]:
    """How often each face fell against how often it should, and whether that is out of the ordinary."""
    total: Counter[str] = Counter()
    players: dict[str, Counter[str]] = {}
    for (kind, player), faces in rolled.items():
        if kind == name:
            total.update(faces)
            players.setdefault(player or "the table", Counter()).update(faces)
    count = sum(total.values())
    if not count:
        return
    rows: list[tuple[Inline, ...]] = [
        (who, sum(faces.values()), *(faces[face] for face in die.faces))
        for who, faces in players.items()
    ]
    rows.append(("all", count, *(total[face] for face in die.faces)))
    shown = {"o": "blank", "-": "−"}
    columns = (
        Column("Who"),
        Column("Dice", True),
        *(Column(shown.get(face, face), True) for face in die.faces),
    )
    yield Table(columns, tuple(rows), f"Faces of {die.name}")
    yield Bars(
        f"All {count} throws of {die.name}",
        tuple((shown.get(face, face), total[face], "") for face in die.faces),
    )
    yield Note(_honest(total, die, count))


def _honest(total: Counter[str], die: Die, count: int) -> str:
    """A chi-squared comparison with fair dice in plain words; silent where there are too few dice."""
    expected = Fraction(count, die.sides)
    if expected < 5:
        return (
            f"{count} dice are too few to say anything about luck: a fair test needs at least "
            f"{5 * die.sides}."
        )
    chi = float(sum((total[face] - expected) ** 2 / expected for face in die.faces))
    degrees = die.sides - 1
    # Wilson and Hilferty: the cube root of a chi-squared value over its degrees is nearly normal.
    z = ((chi / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)) ** 0.5
    if z > 2.33:
        verdict = "Fair dice would be this uneven in fewer than one record in a hundred."
    elif z > 1.64:
        verdict = "Fair dice are this uneven in fewer than one record in twenty."
    else:
        verdict = "That is what fair dice do."
    return f"Chi-squared {chi:.1f} on {degrees} degrees of freedom. {verdict}"


def front_matter(meta: dict[str, Any]) -> str:
    """Front matter as YAML; JSON is YAML, and no name can break it."""
    return (
        "---\n" + "".join(f"{key}: {json.dumps(value)}\n" for key, value in meta.items()) + "---\n"
    )
