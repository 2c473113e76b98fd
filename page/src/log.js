// The log as it grows: each entry, what it told, and in the margin what followed from it.

import { button, coded, coin, h, icon, put, roving } from "./dom.js";
import { contest } from "./contest.js";
import { SLOW } from "./outbox.js";
import { prose } from "./prose.js";
import { plain } from "./spans.js";
import { cap, word } from "./words.js";

const NEAR_THE_TOP = 300;

export class Log {
  /** `acts` are what can be done with an entry: `look`, `edit`, `mend`. */
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.list = roving(h("ol.entries", { "aria-label": word("desk.log_label") }), "button, summary", ".number");
    // From an entry Tab goes on to the names and rules in it, and only then away from the log.
    this.list.addEventListener("focusin", ({ target }) => {
      for (const one of target.closest("li")?.querySelectorAll("button, summary") || []) one.tabIndex = 0;
    });
    this.tail = h("div.log-tail", { role: "log", "aria-live": "polite", "aria-relevant": "additions" });
    this.element = h("div.log", { tabindex: "0", role: "region", "aria-label": word("desk.log_region") }, this.list, this.tail);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Whatever takes room from below, the last entry stays in sight.
    new ResizeObserver(() => this.follow && !table.place && this.toEnd()).observe(this.element);
    this.draft = h("li.draft", { "aria-label": word("desk.preview_label") });
    table.on("log moment", () => this.draw());
    table.on("draft fit", () => this.drawDraft());
    table.on("editing", () => this.drawEdited());
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
    for (const entry of shown) {
      rows.push(opening(table, entry), this.entry(entry), ...this.unread(entry.step));
      // What would come after a supposed entry is not what came.
      if (table.place?.step === entry.step && table.branched.length) break;
    }
    rows.push(...this.supposed());
    if (table.campaign && !table.total && !rows.length) rows.push(h("li.empty", h("p", word("desk.empty_log")), h("p.aside", word("desk.empty_log_help"))));
    put(this.list, rows, this.draft);
    this.drawEdited();
    this.drawDraft();
    this.list.settle([...this.list.querySelectorAll("button.number")].at(-1));
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

  /** The last entries, newest first. */
  latest(count) {
    const all = this.table.shown().filter((one) => !one.parent);
    return all.slice(-count).reverse().map((entry) => this.entry(entry));
  }

  /** The entries around one, as a list elsewhere shows them. */
  around(entries, step, around) {
    const near = entries.filter((entry) => Math.abs(entry.step - step) < around);
    return near.map((entry) => {
      const row = this.entry(entry);
      row.classList.toggle("current", entry.step === step);
      row.classList.toggle("after", entry.step > step);
      return row;
    });
  }

  /** An entry that is being changed gives its place to the line. */
  drawEdited() {
    const { editing } = this.table;
    this.list.querySelector(".edited")?.classList.remove("edited");
    const edited = editing && this.list.querySelector(`.entry[data-step="${editing.step}"]`);
    if (!edited) return this.list.append(this.draft);
    edited.classList.add("edited");
    edited.after(this.draft);
    this.draft.scrollIntoView({ block: "nearest" });
    return null;
  }

  /** The line that is being typed, as the row that it will be. */
  drawDraft() {
    const { table, pen } = this;
    const { draft, fit } = table;
    const known = fit?.of === draft.line;
    const begun = Boolean(draft.line.trim());
    // While a letter is thought about, the row stays as it is.
    if (begun && !known && !this.draft.hidden) return;
    const rows = (begun && known && fit.rows) || [];
    this.draft.hidden = !begun;
    this.draft.className = `draft ${pen.colour(draft.by || fit?.by || table.turn)}`;
    this.draft.dataset.entry = (rows.length && fit.yaml) || "";
    const told = rows.length ? rows.map((one) => [row(one, pen), story(one, one.fiction, prose)]) : [h("div.sentence", h("p.head.aside", draft.line)), draft.fiction.trim() && h("div.fiction", prose(draft.fiction))];
    put(this.draft, h("div.number", table.editing?.step ? String(table.editing.step) : word("desk.draft")), h("div.told", table.tried && h("p.also", h("b", word("desk.fix_lead")), " ", pen.write(table.tried.said)), told));
    if (begun && this.follow && !table.place && !table.editing) this.toEnd();
  }

  /** What is only supposed, below the entry from which it is. */
  supposed() {
    const { table, pen } = this;
    const told = (each) => h(`p.finding-line.${each.severity === "error" ? "bad" : "careful"}`, coded(each.message));
    return table.branched.map((one) => h("li.entry.supposed", h("div.number", "if"), h("div.told", one.rows.map((each) => row(each, pen)), (one.findings || []).filter((each) => each.severity !== "note").map(told))));
  }

  /** What stands in the log after an entry and could not be read as one. */
  unread(step) {
    const { table, acts } = this;
    const there = [...table.unread.values()].filter((one) => one.after === step).sort((one, other) => one.line - other.line);
    const number = (one) => button(".number", () => acts.menu(one), { "aria-label": word("desk.not_an_entry_label", { line: one.line, file: one.file }) }, icon("warn"));
    const told = (one) => h("div.told", h("p.head", word("desk.not_an_entry")), h("pre.yaml", one.text), table.findingsOf(one).map((each) => this.finding(each, one)));
    return there.map((one) => h("li.entry.unread.p0.found-error", number(one), told(one)));
  }

  drawTail() {
    const { table } = this;
    if (!table.campaign) return;
    const waiting = table.outbox
      .waiting(table.campaign.id)
      // What was written just now stands in the log in a moment; what a page before this one has left may take longer.
      .filter((one) => one.ask === "write" && (table.line.state !== "open" || !table.outbox.listeners.has(one.key) || Date.now() - one.at >= SLOW))
      .map((one) =>
        h("div.entry.waiting", h("div.number", icon("wait")), h("div.told", h("p.head", h("code", one.given.said || one.given.entry || "")), one.given.text && h("div.fiction", prose(one.given.text)), h("p.aside", word("desk.waiting_to_be_saved")))),
      );
    put(this.tail, waiting);
  }

  entry(entry) {
    const { table, pen } = this;
    const after = table.place && entry.step > table.place.step;
    const current = table.place ? entry.step === table.place.step : entry.step === table.total;
    const fresh = entry.step === table.wrote;
    const classes = [pen.colour(entry.player), after && "after", current && "current", fresh && "fresh", entry.struck && "struck", entry.hidden && "hidden-entry", entry.parent && "nested"];
    const found = table.findingsOf(entry);
    const worst = ["error", "warning"].find((severity) => found.some((one) => one.severity === severity));
    if (worst) classes.push(`found-${worst}`);
    return h(
      "li.entry",
      { class: classes.filter(Boolean).join(" "), "data-step": entry.step, onclick: (event) => this.tapped(event, entry) },
      button(".number", () => this.acts.menu(entry), { "aria-label": word(`desk.entry_menu_${worst ?? "clean"}`, { number: entry.step }) }, worst && icon("warn"), String(entry.step)),
      h(
        "div.told",
        row(entry.row, pen, { open: true }),
        entry.hidden && h("p.aside", word("desk.secret_entry")),
        entry.written?.length > 0 && h("dl.written", entry.written.map((one) => h("div", h("dt", one.key === entry.verb ? "" : one.key), h("dd", one.text)))),
        entry.dice && contest(entry.dice, pen),
        story(entry.row, entry.fiction, () => told(entry, pen)),
        entry.talk && h("div.talk", prose(entry.talk)),
        this.links(entry),
        found.map((one) => this.finding(one, entry)),
      ),
    );
  }

  /** A tap anywhere on an entry changes it, unless a name or a button was meant, or words were selected. */
  tapped(event, entry) {
    const selects = event.detail < 2 && !getSelection().isCollapsed;
    if (!selects && !event.target.closest("button, a, summary")) this.acts.edit(entry);
  }

  finding(one, entry) {
    const lead = { error: word("desk.error_lead"), warning: word("desk.warning_lead") }[one.severity];
    return button(`.entry-finding.${one.severity}`, () => this.acts.mend(one, entry), lead && h("span.unseen", lead, " "), h("span.finding-words", coded(one.message)), h("b.fix", word("desk.fix")));
  }

  /** The entries that this one belongs with, by their numbers. */
  links(entry) {
    const there = entry.links || [];
    return there.length > 0 && h("p.aside.links", word("desk.see_entries"), " ", there.map((one, at) => [at > 0 && ", ", button(".linking", () => this.table.look(one), { "aria-label": word("desk.look_at_entry", { number: one.step }) }, String(one.step))]));
  }
}

/** What is told with an entry, unless its sentence ends with that. */
const story = (one, text, shown) => text?.trim() && !plain(one.sentence).endsWith(text.trim()) && h("div.fiction", shown(text));

const MOST_CHANGES = 4;
const MOST_EFFECTS = 3;

/** What an entry did: its sentence, effects that this does not tell, and at the right the figures that it changed. */
export function row(one, pen, { open = false } = {}) {
  const { sentence, also, changes, now } = one;
  const lines = [...figures(changes, pen), now.length > 0 && h("p.change", h("span.aside", word("desk.now")), " ", pen.write(now, { coloured: true }))].filter(Boolean);
  const shown = lines.length > MOST_CHANGES ? [...lines.slice(0, MOST_CHANGES - 1), h("p.change.aside", word("desk.and_more", { count: lines.length - MOST_CHANGES + 1 }))] : lines;
  const more = also.length - MOST_EFFECTS;
  const effects = more > 1 ? [...also.slice(0, MOST_EFFECTS), [word("desk.and_more", { count: more })]] : also;
  return [
    h("div.sentence", sentence.length > 0 && h("p.head", pen.write(sentence, { open })), effects.length > 0 && h("p.also", effects.map((spans, at) => [at > 0 && "; ", pen.write(spans, { open })]))),
    shown.length > 0 && h("div.changes", shown),
  ];
}

/** Changed figures, a line for each owner; one that needs a label has a line of its own. */
function figures(changes, pen) {
  const lines = [];
  for (const one of changes) {
    const owner = plain(one.who);
    const last = lines.at(-1);
    if (last && !one.label && last.owner === owner && !last.label) last.all.push(one);
    else lines.push({ owner, label: one.label, who: one.who, all: [one] });
  }
  return lines.map(({ who, all }) => h("p.change", who.length > 0 && h("span.change-who", pen.write(who, { coloured: true })), all.map(figure)));
}

/** Before, after, and the unit as a sign or in words. */
function figure({ label, before, after, unit }) {
  const sign = /^coins?$/i.test(unit) ? coin(unit) : /\b(die|dice)$/.test(unit) ? h("span.small-die", { role: "img", "aria-label": unit }, icon("dice")) : null;
  const words = label || (sign ? "" : unit);
  return [
    after !== "" && h("span.change-figures", before !== "" && [before, h("span.arrow", { role: "img", "aria-label": word("desk.becomes") }, "→")], h("b", after), sign),
    words && h("span.aside", words),
  ];
}

/** Where an evening or a scene begins, its name. */
function opening({ sessions, scenes }, entry) {
  const begun = (all, number) => all.find((one) => one.number === number && one.first_step === entry.step);
  const session = begun(sessions, entry.session);
  const scene = begun(scenes, entry.scene);
  if (!session && !scene) return null;
  const around = scene ? [scene.time, scene.place, attending(scene)].filter((one) => one && !alikeNamed(one, scene.title)) : [];
  return h(
    "li.opening",
    session && h("h2", session.title ? word("desk.session_titled", { number: session.number, title: session.title }) : word("desk.session_number", { number: session.number })),
    scene && h("h2.scene", h("span.scene-number", `${scene.kind ? cap(scene.kind) : word("desk.scene")} ${scene.number}`), " ", scene.title),
    around.length > 0 && h("p.aside", around.join(" · ")),
  );
}

/** Whether a place and a title are the same, but for an article and how they begin. */
const alikeNamed = (...two) => new Set(two.map((one) => String(one).toLowerCase().replace(/^(the|an?) /, ""))).size < 2;

const MOST_NAMED = 6;

/** Who is in a scene beside its place, or how many. */
function attending({ cast = [], place, title }) {
  const there = cast.filter((one) => !alikeNamed(one, place) && !alikeNamed(one, title));
  return there.length > MOST_NAMED ? word("desk.people_in_it", { count: there.length }) : there.join(", ");
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
  return speaker && entry.verb === "say" ? [h("p.speaker", pen.write(entry.speaker)), body] : body;
}
