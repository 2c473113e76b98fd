// The log as it grows: each entry, what it told, and in the margin what followed from it.

import { button, coded, coin, fill, h, icon, put, roving } from "./dom.js";
import { contest } from "./contest.js";
import { prose } from "./prose.js";
import { plain } from "./spans.js";
import { word } from "./words.js";

const NEAR_THE_TOP = 300;

export class Log {
  /** `acts` are what can be done with an entry: `look`, `edit`, `mend`. */
  constructor(table, pen, acts) {
    this.table = table;
    this.pen = pen;
    this.acts = acts;
    this.list = roving(h("ol.entries", { "aria-label": word("desk.log_label") }), "button, summary");
    // From an entry Tab goes on to the names and rules in it, and only then away from the log.
    this.list.addEventListener("focusin", ({ target }) => {
      for (const one of target.closest("li")?.querySelectorAll("button, summary") || []) one.tabIndex = 0;
    });
    this.tail = h("div.log-tail", { role: "log", "aria-live": "polite", "aria-relevant": "additions" });
    this.element = h("div.log", { tabindex: "0", role: "region", "aria-label": word("desk.log_region") }, this.list, this.tail);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Whatever takes room from below, the last entry stays in sight.
    new ResizeObserver(() => this.follow && !table.place && this.toEnd()).observe(this.element);
    table.on("log moment", () => this.draw());
    table.on("waiting", () => this.drawTail());
    this.follow = true;
    this.top = 0;
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    // Only who scrolls up leaves the end: it moves by itself while earlier entries come in.
    if (scrollTop + clientHeight > scrollHeight - 80) this.follow = true;
    else if (scrollTop < this.top) this.follow = false;
    this.top = scrollTop;
    if (scrollTop < NEAR_THE_TOP && this.table.first > 1) this.table.earlier();
  }

  draw() {
    const { table, element } = this;
    const bottom = element.scrollHeight - element.scrollTop;
    const shown = table.shown();
    const rows = this.unread(0);
    let before = null;
    for (const entry of shown) {
      const head = opening(table, entry, before);
      if (head) rows.push(head);
      rows.push(this.entry(entry, before), ...this.unread(entry.step));
      before = entry;
      // What would come after a supposed entry is not what came.
      if (table.place?.step === entry.step && table.branched.length) break;
    }
    rows.push(...this.supposed());
    if (table.campaign && !table.total && !rows.length) rows.push(h("li.empty", h("p", word("desk.empty_log")), h("p.aside", word("desk.empty_log_help"))));
    put(this.list, rows);
    this.list.settle([...this.list.querySelectorAll(".number")].at(-1));
    this.drawTail();
    const there = table.place && !table.branched.length && this.list.querySelector(`[data-step="${table.place.step}"]`);
    // Whoever has written wants to see it, wherever they were looking before.
    if (table.wrote && table.wrote === shown.at(-1)?.step && table.wrote !== this.seen) this.follow = true;
    this.seen = table.wrote;
    if (there) there.scrollIntoView({ block: "center" });
    else if (this.follow || table.branched.length) this.toEnd();
    else element.scrollTop = element.scrollHeight - bottom;
  }

  toEnd() {
    const go = () => {
      this.element.scrollTop = this.element.scrollHeight;
      this.top = this.element.scrollTop;
    };
    go();
    requestAnimationFrame(go);
  }

  /** The entries around one, as a list elsewhere shows them. */
  around(entries, step, around) {
    const rows = [];
    let before = null;
    for (const entry of entries) {
      if (entry.step > step - around && entry.step < step + around) {
        const row = this.entry(entry, before);
        row.classList.toggle("current", entry.step === step);
        row.classList.toggle("after", entry.step > step);
        rows.push(row);
      }
      before = entry;
    }
    return rows;
  }

  /** What is only supposed, below the entry from which it is. */
  supposed() {
    const { table, pen } = this;
    return table.branched.map((one) =>
      h(
        "li.entry.supposed",
        h("div.number", "if"),
        h(
          "div.told",
          h("p.head", (one.head || []).map((line) => pen.write(line))),
          h("pre.yaml", one.yaml),
          (one.findings || []).filter((each) => each.severity !== "note").map((each) => h(`p.finding-line.${each.severity === "error" ? "bad" : "careful"}`, coded(each.message))),
        ),
        h("div.margin", this.follows((one.did || []).map((text) => ({ text })))),
      ),
    );
  }

  /** What stands in the log after an entry and could not be read as one. */
  unread(step) {
    const { table, acts } = this;
    const there = [...table.unread.values()].filter((one) => one.after === step).sort((one, other) => one.line - other.line);
    return there.map((one) =>
      h(
        "li.entry.unread.p0.found-error",
        button(".number", () => acts.menu(one), { "aria-label": word("desk.not_an_entry_label", { line: one.line, file: one.file }) }, icon("warn")),
        h("div.told", h("p.head", word("desk.not_an_entry")), h("pre.yaml", one.text), table.findingsOf(one).map((each) => this.finding(each, one))),
        h("div.margin"),
      ),
    );
  }

  drawTail() {
    const { table } = this;
    if (!table.campaign) return;
    const waiting = table.outbox
      .waiting(table.campaign.id)
      // What was written just now stands in the log in a moment; what a page before this one has left may take longer.
      .filter((one) => one.ask === "write" && (table.line.state !== "open" || !table.outbox.listeners.has(one.key)))
      .map((one) =>
        h("div.entry.waiting", h("div.number", icon("wait")), h("div.told", h("p.head", h("code", one.given.said || one.given.entry || "")), one.given.text && h("div.fiction", prose(one.given.text))), h("div.margin", h("p.aside", word("desk.waiting_to_be_saved")))),
      );
    put(this.tail, waiting);
  }

  entry(entry, before) {
    const { table, pen } = this;
    const after = table.place && entry.step > table.place.step;
    const current = table.place ? entry.step === table.place.step : entry.step === table.total;
    const fresh = entry.step === table.wrote;
    const classes = [pen.colour(entry.player), after && "after", current && "current", fresh && "fresh", entry.struck && "struck", entry.hidden && "hidden-entry", entry.parent && "nested", before && before.player === entry.player && "goes-on"];
    const found = table.findingsOf(entry);
    const worst = ["error", "warning"].find((severity) => found.some((one) => one.severity === severity));
    if (worst) classes.push(`found-${worst}`);
    return h(
      "li.entry",
      { class: classes.filter(Boolean).join(" "), "data-step": entry.step },
      button(".number", () => this.acts.menu(entry), { "aria-label": word(`desk.entry_menu_${worst ?? "clean"}`, { number: entry.step }) }, worst && icon("warn"), String(entry.step)),
      h(
        "div.told",
        h("p.head", headOf(entry, pen)),
        entry.hidden && h("p.aside", word("desk.secret_entry")),
        entry.written?.length > 0 && h("dl.written", entry.written.map((one) => h("div", h("dt", one.key === entry.verb ? "" : one.key), h("dd", one.text)))),
        entry.dice && contest(entry.dice, pen),
        entry.fiction && h("div.fiction", told(entry, pen)),
        entry.talk && h("div.talk", prose(entry.talk)),
        found.map((one) => this.finding(one, entry)),
      ),
      this.margin(entry),
    );
  }

  finding(one, entry) {
    return h(
      `div.entry-finding.${one.severity}`,
      h("p", one.severity !== "note" && [icon("warn"), h("b.severity", one.severity === "error" ? word("desk.error_lead") : word("desk.warning_lead"), " ")], h("b", coded(one.message)), " ", this.pen.rule(one.rule)),
      button(".small", () => this.acts.mend(one, entry), word("desk.fix")),
    );
  }

  follows(lines) {
    const { pen } = this;
    const drawn = lines.map((one) => h("p", pen.write(one.text, { open: true }), one.times > 1 && ` ×${one.times}`, one.rule && [" ", pen.rule(one.rule)]));
    if (drawn.length <= MOST_FOLLOWS) return h("div.follows", drawn);
    return h("div.follows", drawn.slice(0, MOST_FOLLOWS - 2), h("details", h("summary", word("desk.and_more", { count: drawn.length - MOST_FOLLOWS + 2 })), drawn.slice(MOST_FOLLOWS - 2)));
  }

  /** The entries that this one belongs with, by their numbers. */
  links(entry) {
    const there = entry.links || [];
    return there.length > 0 && h("p.aside.links", word("desk.see_entries"), " ", there.map((one, at) => [at > 0 && ", ", button(".linking", () => this.table.look(one), { "aria-label": word("desk.look_at_entry", { number: one.step }) }, String(one.step))]));
  }

  margin(entry) {
    const { pen } = this;
    const lines = (entry.follows || []).filter((one) => plain(one.text) !== plain(entry.head));
    const moved = (entry.moved || []).filter((one) => one.change && isPurse(one));
    const links = this.links(entry);
    if (!lines.length && !moved.length) return h("div.margin", links);
    return h(
      "div.margin",
      this.follows(alike(lines)),
      moved.length > 0 && h("div.balances", moved.map((one) => h("p", pen.write(one.who), ` ${one.balance} `, coin(one.unit)))),
      links,
    );
  }
}

const MOST_FOLLOWS = 5;

/** Coins in a purse have a balance worth saying; dice in a pool are told in words. */
const isPurse = (one) => one.unit === "Coin" || one.unit === "coin" || one.unit === "Coins";

/** Lines that differ by their figures alone are one: the last, and how often. */
function alike(lines) {
  const found = [];
  for (const one of lines) {
    const said = `${one.rule} ${plain(one.text).replace(/\d+/g, "#")}`;
    const before = found.at(-1);
    if (before?.said === said) found[found.length - 1] = { ...one, said, times: before.times + 1 };
    else found.push({ ...one, said, times: 1 });
  }
  return found;
}

/** Where an evening or a scene begins, its name. */
function opening(table, entry, before) {
  if (before && before.session === entry.session && before.scene === entry.scene) return null;
  const found = [];
  if (!before || before.session !== entry.session) {
    const session = table.sessions.find((one) => one.number === entry.session);
    if (session && session.first_step === entry.step) found.push(h("h2", session.title ? word("desk.session_titled", { number: session.number, title: session.title }) : word("desk.session_number", { number: session.number })));
  }
  if (entry.scene && (!before || before.scene !== entry.scene)) {
    const scene = table.scenes.find((one) => one.number === entry.scene);
    if (scene && scene.first_step === entry.step) found.push(h("h2.scene", h("span.scene-number", `${scene.kind ? cap(scene.kind) : word("desk.scene")} ${scene.number}`), " ", scene.title));
    const around = scene && scene.first_step === entry.step && [scene.time, scene.place, attending(scene)].filter((one) => one && !alikeNamed(one, scene.title));
    if (around?.length) found.push(h("p.aside", around.join(" · ")));
  }
  return found.length ? h("li.opening", found) : null;
}

/** Whether a place and a title are the same, but for an article and how they begin. */
const alikeNamed = (...two) => new Set(two.map((one) => String(one).toLowerCase().replace(/^(the|an?) /, ""))).size < 2;

const MOST_NAMED = 6;

/** Who is in a scene beside its place, or how many. */
function attending({ cast = [], place, title }) {
  const there = cast.filter((one) => !alikeNamed(one, place) && !alikeNamed(one, title));
  return there.length > MOST_NAMED ? word("desk.people_in_it", { count: there.length }) : there.join(", ");
}

const cap = (word) => word[0].toUpperCase() + word.slice(1);

/** What was done, with whose act it was in front, unless the sentence names them or whom they play. */
export function headOf(entry, pen, open = true) {
  const spans = entry.head || [];
  const named = spans.some((one) => one.player === entry.player);
  return [entry.player && !named && [pen.player(entry.player), spans.length > 0 && ": "], pen.write(spans, { open })];
}

const SPOKEN = /^\s*(?:\*\*)?([\p{L}][^:*“"]{0,40}):(?:\*\*)?\s+(.+)$/u;

/** Fiction; lines that are spoken stand under each other with their speakers beside them. */
function told(entry, pen) {
  const speaker = plain(entry.speaker || []);
  const body = prose(entry.fiction);
  const spoken = entry.fiction.split("\n").filter((line) => line.trim());
  const pairs = spoken.map((line) => SPOKEN.exec(line));
  if (pairs.length > 1 && pairs.every(Boolean)) {
    return h("dl.spoken", pairs.map(([, who, words]) => h("div", h("dt", pen.named(who)), h("dd", ...prose(words)))));
  }
  return speaker && entry.verb === "say" ? fill(h("div.by-speaker"), [h("p.speaker", pen.write(entry.speaker)), body]) : body;
}
