// The top of the table view: what is open, whose turn it is, what is due.

import { button, coin, h, icon, renew } from "./dom.js";
import { noted, ownerOf, stones } from "./blocks.js";
import { plain } from "./spans.js";
import { dated, word } from "./words.js";

const LONG = 58;

export class Moment {
  constructor(table, pen) {
    Object.assign(this, { table, pen });
    this.element = h("section.moment", { "aria-label": word("desk.where_play_is_now") });
  }

  /** The moment that is looked at. */
  draw() {
    const { moment } = this.table;
    return moment ? this.drawn(moment, true) : renew(this.element);
  }

  /** A moment, drawn. */
  drawn(moment, here = false) {
    const { table, pen } = this;
    const [first, rest] = moment.sub?.length ? [moment.headline, moment.sub] : parted([moment.headline].flat());
    const back = here && (table.place || table.supposing) && this.looking();
    const said = plain(first).toLowerCase();
    const crumbs = (moment.crumbs || []).filter((crumb) => !said.startsWith(crumb.toLowerCase()));
    renew(
      this.element,
      back,
      crumbs.length > 0 && h("p.crumbs", crumbs.map((crumb, at) => [at > 0 && h("span.chevron", { "aria-hidden": "true" }, "›"), h("span.crumb", short(crumb))])),
      h("h1", { "aria-live": "polite", class: plain(first).length > LONG ? "long" : "" }, pen.write(first, { coloured: true })),
      rest.length > 0 && h("p.sub", pen.write(rest, { coloured: true })),
      this.strip(moment),
    );
    return this.element;
  }

  /** That this is not how things stand, and the way back. */
  looking() {
    const { table } = this;
    const where = table.supposing ? (table.place ? word("desk.trying_from_entry", { number: table.place.step, count: table.total }) : word("desk.trying_from_here")) : word("desk.viewing_entry", { number: table.place?.step, count: table.total });
    const supposed = table.branched.length;
    return h(
      "div.looking",
      { role: "status" },
      h("span", where),
      !table.supposing && button(".small", () => table.look(table.place, { supposing: true }), word("desk.try_something")),
      supposed > 0 && button(".small", () => table.unsuppose(), word("desk.undo")),
      supposed > 0 && table.mayWrite && button(".small", () => table.keepBranch(), word("desk.add_tried", { count: supposed })),
      button(".small", () => table.look(null), word("desk.back_to_now")),
    );
  }

  /** On a phone: purses and pools in short, since the side panel is folded away. */
  strip(moment) {
    const all = moment.panel || [];
    const purses = all.find((one) => one.block === "stats" && one.items.length > 1 && one.items.every((item) => item.player));
    const pools = all.find((one) => one.block === "stones" && one.rows.length <= 3);
    if (!purses && !pools) return null;
    return h(
      "div.strip",
      purses && h("ul.strip-purses", purses.items.map((item) => h(`li.${this.pen.colour(item.player)}${noted(item) || item.player === moment.turn ? ".turn" : ""}`, h("span.player", this.pen.shown(item.player)), h("span.money", item.value, item.unit !== "" && /\d/.test(item.value) && coin(item.unit)), noted(item) && h("span.unseen", ` ${noted(item)}`)))),
      pools && h("div.strip-pools", h("span.aside", pools.title.split(" (")[0]), pools.rows.map((row) => h(`span.${this.pen.colour(row.player || ownerOf(row.who))}`, h("span.player", plain(row.who)), ` ${row.filled} `, stones({ ...row, who: plain(row.who) })))),
    );
  }
}

const BREAK = /[;:]\s|\.\s+(?=\p{Lu})/u;

/** A sentence in two: what comes before its first semicolon or colon, large; the rest below it. */
function parted(spans) {
  const at = spans.findIndex((one) => typeof one === "string" && BREAK.test(one));
  const cut = at < 0 ? 0 : spans[at].search(BREAK);
  return at < 0 ? [spans, []] : [[...spans.slice(0, at), spans[at].slice(0, cut)], [spans[at].slice(cut + 2), ...spans.slice(at + 1)]];
}

/** On a narrow page a crumb shows its first words alone. */
function short(crumb) {
  const [first, ...rest] = String(crumb).split(", ");
  return [first, rest.length > 0 && h("span.crumb-rest", `, ${rest.join(", ")}`)];
}

/** The bar at the very top: title, state of the log, undo, redo, menu. */
export class Top {
  constructor(table, acts) {
    Object.assign(this, { table, acts });
    this.element = h("header.top");
    table.on("campaign findings moment line waiting log", () => this.draw());
  }

  draw() {
    const { table, acts } = this;
    const { campaign } = table;
    if (!campaign) return renew(this.element, h("a.brand", { href: "#/" }, "Chronicle"), this.line());
    const session = table.sessions.at(-1);
    const there = session && (session.title ? word("desk.session_titled", { number: session.number, title: session.title }) : word("desk.session_number", { number: session.number }));
    const around = session && [session.date && dated(session.date), attended(session, campaign.players)].filter(Boolean).join(", ");
    return renew(
      this.element,
      button(".brand", acts.home, { "aria-label": word("desk.title_all_campaigns", { title: campaign.title }) }, campaign.title),
      there && button(".session", acts.evening, { disabled: !table.mayWrite, title: word("desk.session_title_help") }, h("span.session-title", there), around && h("span.session-day", around)),
      h("span.space"),
      table.mayWrite && h("div.segments.only-wide", { role: "group", "aria-label": word("desk.view") }, ["table", "editor"].map((view) => button(".segment", () => acts.turn(view), { "aria-pressed": String(this.view === view) }, view === "table" ? word("desk.log") : word("desk.editor")))),
      this.line() || this.counts(),
      table.mayWrite && button(".plain.icon-only", () => table.change("undo"), { "aria-label": table.canUndo ? word("desk.undo_change", { change: table.canUndo }) : word("desk.nothing_to_undo"), title: word("desk.undo"), disabled: !table.canUndo }, icon("undo")),
      table.mayWrite && button(".plain.icon-only.redo", () => table.change("redo"), { "aria-label": table.canRedo ? word("desk.redo_change", { change: table.canRedo }) : word("desk.nothing_to_redo"), title: word("desk.redo"), disabled: !table.canRedo }, icon("redo")),
      button(".plain.icon-only", acts.menu, { "aria-label": word("desk.menu"), "aria-haspopup": "dialog" }, icon("menu")),
    );
  }

  /** What is wrong with the line to Chronicle, if anything. */
  line() {
    const { state } = this.table.line;
    // Who is not let in reads below how to come in.
    if (state === "open" || state === "shut") return null;
    const waiting = this.table.outbox.waiting().length;
    const words = state === "joining" ? word("desk.starting") : waiting ? word("desk.offline_waiting", { count: waiting }) : word("desk.offline");
    return h(`p.status${state === "joining" ? "" : ".bad"}`, { role: "status" }, state === "joining" ? null : icon("wait"), h("span", words));
  }

  counts() {
    const { error, warning, note } = this.table.counts;
    const saved = note ? word("desk.saved_notes", { count: note }) : word("desk.saved_no_problems");
    const settled = !error && !warning;
    const words = settled
      ? !this.table.mayWrite ? word("desk.up_to_date") : [h("span.wide", saved), h("span.narrow", word("desk.saved"))]
      : word("desk.problems", { count: error + warning });
    return button(`.status${settled ? "" : error ? ".bad" : ".careful"}`, this.acts.findings, { "aria-label": settled && this.table.mayWrite ? saved : undefined }, icon(settled ? "check" : "warn"), h("span", words));
  }
}

/** Who is there, in a few words. */
function attended({ present = [] }, players) {
  if (!present.length) return "";
  return present.length === players.length ? word("desk.all_here") : word("desk.players_here", { count: present.length, players: players.length });
}
