// The pad: it knows how many dice or cards are due and from what, or who still owes a figure of Coins, and takes
// what lies there one tap each.

import { button, h, icon, put } from "./dom.js";
import { ink } from "./contest.js";
import { row as rowOf } from "./log.js";
import { inShort, oddsOf } from "./side.js";
import { plain } from "./spans.js";
import { word, worded } from "./words.js";

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const TOGETHER = 600;
const FEW = 3;

/** What is due and can be tapped: dice and cards that are counted, and figures. */
const throwable = (due) => (due || []).filter((one) => one.faces?.length > 0).map((one) => (one.amount ? one : { ...one, amount: 1, figure: true }));

/** Those that go into one entry, grouped by who throws: what is due, and after it what may fall though nobody owes it
 * (`open`: an entry of it says more than faces). */
export function throwsOf(moment) {
  const due = throwable(moment?.due);
  const groups = Map.groupBy([...due, ...throwable(moment?.falls)], (one) => `${one.verb}\0${one.within || ""}`);
  return [...groups.values()].map((rows) => ({ verb: rows[0].verb, within: rows[0].within || "", rows, open: !due.includes(rows[0]) }));
}

export class DicePad {
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.element = h("section.pad", { "aria-label": word("desk.dice"), hidden: "" });
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.told = h("textarea.told-line", { rows: "1", "aria-label": word("desk.story"), placeholder: word("desk.story"), oninput: () => table.type({ fiction: this.told.value, telling: Boolean(this.told.value) }) });
    table.on("moment campaign", () => this.open && this.renew());
  }

  get open() {
    return !this.element.hidden;
  }

  /** Open the pad for a throw that is due, at one of its rollers. */
  start(thrown, who = "") {
    this.thrown = thrown;
    this.verb = thrown.rows[0].deed;
    this.rows = thrown.rows.map((due) => ({ due, faces: [], more: 0 }));
    this.at = Math.max(0, this.rows.findIndex((row) => row.due.who === who));
    this.place = null;
    this.answer = null;
    this.element.hidden = false;
    this.told.value = this.table.draft.fiction;
    this.draw();
    this.element.querySelector(".key")?.focus({ preventScroll: true });
  }

  close() {
    this.element.hidden = true;
    put(this.element);
    this.acts.closed();
  }

  /** Something was written: what was due may be due no more. */
  renew() {
    const again = throwsOf(this.table.moment).find((one) => one.verb === this.thrown.verb && one.within === this.thrown.within);
    const same = again && again.rows.map((one) => `${one.who}${one.kind}${one.amount}`).join() === this.thrown.rows.map((one) => `${one.who}${one.kind}${one.amount}`).join();
    if (!same) this.close();
  }

  /** What somebody rolled so far. */
  rolled(who) {
    return this.rows.filter(({ due }) => due.who === who).flatMap(({ faces }) => faces).join(" · ");
  }

  /** Go to a roller. */
  turnTo(who) {
    const row = this.rows.find(({ due }) => due.who === who);
    if (row) this.pick(row);
  }

  get row() {
    return this.rows[this.at];
  }

  // -- faces ---------------------------------------------------------------------------------------

  /** How many dice a row has in all: those due, and one for each face that earns another. */
  want(row) {
    const chains = new Set(row.due.chains || []);
    return row.due.amount + row.more + row.faces.filter((face) => chains.has(face)).length;
  }

  full(row) {
    return row.faces.length >= this.want(row);
  }

  tap(face) {
    const { row } = this;
    const now = Date.now();
    const quick = this.lastTyped && now - this.lastTyped.at < TOGETHER && this.lastTyped.row === this.at && `${this.lastTyped.face}${face}`;
    this.lastTyped = null;
    if (quick && row.due.faces.includes(quick) && this.typing) row.faces[row.faces.length - 1] = quick;
    else {
      if (this.typing) this.lastTyped = { at: now, face, row: this.at };
      const at = this.place ?? row.faces.length;
      if (at >= this.want(row) && this.place === null) return;
      row.faces[at] = face;
      this.place = this.place !== null && at + 1 < row.faces.length ? at + 1 : null;
    }
    const joins = this.typing && row.due.faces.some((one) => one.length > 1 && one.startsWith(face) && one !== face);
    if (this.full(row) && this.place === null && !joins) this.on();
    this.changed();
  }

  back() {
    const { row } = this;
    if (this.place !== null) row.faces.splice(this.place, 1);
    else if (row.faces.length) row.faces.pop();
    else if (this.at > 0) {
      // What was typed last stands in the row before.
      this.at--;
      this.row.faces.pop();
    }
    this.place = null;
    this.changed();
  }

  /** The rows that lack dice; of what nobody owes, whoever throws goes on alone. */
  get left() {
    const { who } = this.row.due;
    return this.rows.filter((row) => !this.full(row) && (!this.thrown.open || row.due.who === who));
  }

  /** The first row after this one, and around to it, of which something holds. */
  after(holds) {
    return [...this.rows.slice(this.at + 1), ...this.rows.slice(0, this.at + 1)].find(holds);
  }

  /** On to the next row that lacks dice. */
  on() {
    const { left } = this;
    const next = this.after((row) => left.includes(row));
    if (next) this.at = this.rows.indexOf(next);
    this.place = null;
    this.moved = this.typing && Boolean(next);
  }

  next() {
    const { row } = this;
    const next = this.after((other) => other.due.who !== row.due.who && !this.full(other));
    if (next) this.pick(next);
    else if (this.left.length && !this.thrown.open) this.table.say(word("desk.dice_missing", { name: row.due.who, count: this.left.reduce((sum, one) => sum + this.want(one) - one.faces.length, 0) }), { brief: true });
    else if (row.faces.length || !this.left.includes(row)) this.write();
  }

  /** Let the page throw what is left of a roller: for a table without dice. */
  roll() {
    const { who } = this.row.due;
    for (const row of this.rows.filter((one) => one.due.who === who)) {
      while (!this.full(row)) row.faces.push(random(row.due.faces));
    }
    this.on();
    this.changed();
  }

  more(change) {
    const { row } = this;
    row.more = Math.max(-row.due.amount, row.more + change);
    row.faces.length = Math.min(row.faces.length, this.want(row));
    this.changed();
  }

  pressed(event) {
    if (event.target === this.told) {
      // Digits are words there.
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.write();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const faces = this.row?.due.faces || [];
    // Enter behind the last face of somebody has nothing left to do: the pad has gone on already.
    const { moved } = this;
    this.moved = false;
    const meant = event.key === "0" && !faces.includes("0") && faces.includes("10") && !this.lastTyped ? "10" : event.key === "0" && faces.includes("o") ? "o" : event.key;
    const joined = this.lastTyped && faces.includes(`${this.lastTyped.face}${event.key}`);
    if (event.key === "Tab" || event.key.startsWith("Arrow")) this.byKeys = false;
    if (faces.includes(meant) || joined) {
      event.preventDefault();
      this.byKeys = true;
      // A one that could have been ten to twelve was a one: this belongs to whoever throws next.
      if (!joined && this.full(this.row) && this.place === null) this.on();
      this.typing = true;
      this.tap(joined ? event.key : meant);
      this.typing = false;
    } else if (event.key === "Backspace") {
      event.preventDefault();
      this.back();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Enter" && (this.byKeys || !event.target.closest(".key, .plain, .die"))) {
      // Whoever types faces goes on by Enter, whatever key of the pad is in focus.
      event.preventDefault();
      if (!moved) this.next();
    }
  }

  // -- what will be written ------------------------------------------------------------------------

  get dice() {
    return this.rows
      .filter((row) => row.faces.length && (!this.thrown.open || row.due.who === this.row.due.who))
      .map((row) => ({ who: row.due.who, kind: row.due.kind, faces: row.faces.slice(0, row.due.amount + row.more), extra: row.faces.slice(row.due.amount + row.more) }));
  }

  /** The entry for what was tapped in. The contest is named only where several are at hand. */
  ask() {
    const { verb, within } = this.thrown;
    const several = throwsOf(this.table.moment).filter((one) => one.verb === verb).length > 1;
    return this.table.query("throw", { ...this.table.here, verb, dice: this.dice, ...(several && within ? { within } : {}) });
  }

  async changed() {
    this.draw();
    const asked = (this.asked = {});
    const answer = this.dice.length ? await this.ask().catch((error) => ({ error })) : null;
    if (asked !== this.asked || !this.open) return;
    this.answer = answer;
    this.drawAnswer();
  }

  /** Write it, or begin a line with it in which more is said. */
  async write(more = this.thrown.open) {
    if (!this.dice.length) return;
    const { entry, line } = await this.ask();
    const { fiction, line: before } = this.table.draft;
    const { open, verb } = this.thrown;
    if (more && line) {
      // What comes of it is said behind the faces; what fell before stays in the line.
      const opened = before.replace(/[^{]/g, "").length - before.replace(/[^}]/g, "").length;
      const head = open && before.startsWith(`${verb} `) && before.includes("{") ? `${before.replace(/[ ,]+$/, "")}${"}".repeat(opened)}, ${line.slice(verb.length + 1)}` : line;
      const begun = open ? head.replace(/[\]}]+$/, ", ") : line;
      this.table.type({ line: begun, caret: begun.length });
    }
    this.close();
    if (!more || !line) await this.table.put({ entry, text: fiction });
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    const { row, pen } = this;
    const { due } = row;
    const mine = this.rows.filter((one) => one.due.who === due.who);
    const who = due.player && due.player !== due.who ? worded("desk.does_for", { player: pen.player(due.player), deed: this.verb, person: due.who }) : worded("desk.does", { player: pen.player(due.player || due.who, due.who), deed: this.verb });
    this.against = h("div");
    this.foot = h("div.pad-foot");
    put(
      this.element,
      h("header.pad-head", h("h2", { "aria-live": "polite" }, who, this.thrown.within && h("span.aside", ` · ${this.thrown.within}`)), button(".plain.icon-only", () => this.close(), { "aria-label": word("desk.close_the_pad") }, icon("close"))),
      this.against,
      h(`div.pad-rows${mine.length > 1 && mine.every((one) => this.want(one) <= FEW) ? ".few" : ""}`, mine.map((one) => this.drawRow(one))),
      this.odds(due).map((line) => oddsOf(line, pen)),
      this.keys(due),
      this.told,
      this.foot,
    );
    this.drawFoot();
    if (!this.element.contains(document.activeElement)) this.element.querySelector(".key")?.focus({ preventScroll: true });
    this.acts.turned?.(due.who);
  }

  /** How likely what is; where each has odds of their own, those of whoever throws. */
  odds(due) {
    const all = this.table.moment?.odds || [];
    return all.length > 1 ? all.filter((line) => plain(line).includes(due.who)) : all;
  }

  drawRow(row) {
    const { due } = row;
    const current = row === this.row;
    const hits = new Set(due.hits || []);
    const chains = new Set(due.chains || []);
    const first = due.amount + row.more;
    const want = this.want(row);
    const cells = Array.from({ length: Math.max(want, row.faces.length) }, (_, at) => {
      const face = row.faces[at];
      const extra = at >= first;
      const here = current && (this.place === null ? at === row.faces.length : at === this.place);
      const classes = [ink(due.colour || due.kind), face !== undefined && hits.has(face) && "hit", extra && "extra", face === undefined && "blank", here && "caret"];
      return button(".die", () => this.pick(row, at), { class: classes.filter(Boolean).join(" "), tabindex: "-1", "aria-label": due.figure ? `${due.what}: ${face ?? word("desk.not_known")}` : face === undefined ? word("desk.die_not_rolled", { number: at + 1 }) : word("desk.die_shows", { number: at + 1, face }) }, face === undefined ? "" : shown(face));
    });
    return h(
      "div.pad-row",
      { class: current ? "current" : "" },
      h(
        "p.pad-row-head",
        h(`b.inked.${ink(due.colour || due.kind)}`, due.figure ? due.what : `${first} ${due.what.replace(/ (dice|die)$/, "")}`),
        h("span.pad-sources", due.figure ? word("desk.of_most", { most: due.faces.at(-1) }) : inShort(due.sources || [], " · ")),
        h("span.pad-count", told(row, want, hits, chains)),
      ),
      h("div.dice-row", cells),
    );
  }

  /** Go to a row, and to a face that is in it. */
  pick(row, place = null) {
    this.at = this.rows.indexOf(row);
    this.place = place < row.faces.length ? place : null;
    this.draw();
  }

  keys(due) {
    const cards = due.faces.length > 20 && due.faces.every((face) => /^(\d+|[AKQJ])[shdc]$/i.test(face));
    const many = due.faces.length > 13 ? ".cards" : "";
    const faceKey = (face) => button(".key", () => this.tap(face), { "data-face": face, class: cards ? `suit-${face.at(-1).toLowerCase()}` : "" }, shown(face));
    const label = cards ? word("desk.cards") : due.figure ? word("desk.how_many") : word("desk.faces");
    return [h(`div.keys${many}`, { role: "group", "aria-label": label }, due.faces.map(faceKey)), h("div.keys-end", button(".key.back-key", () => this.back(), { "aria-label": word("desk.undo_the_last_one") }, icon("back")), this.go())];
  }

  /** On to the next, or write: the one key that ends something. */
  go() {
    const { left } = this;
    const next = left.find((row) => row.due.who !== this.row.due.who);
    const whole = left.length === 0;
    if (whole || !next) return button(`.key.go${whole ? ".write" : ""}`, () => this.write(), { disabled: !this.dice.length || !this.table.mayWrite }, h("span", this.thrown.open ? word("desk.continue") : word("desk.add")));
    return button(".key.go.next", () => this.next(), h("span", word("desk.next_name", { name: next.due.short || next.due.who })));
  }

  drawFoot() {
    const { left } = this;
    const whole = left.length === 0;
    const other = this.thrown.open && this.rows.find((row, at) => at > this.at && row.due.who !== this.row.due.who);
    const mine = left.some((row) => row.due.who === this.row.due.who);
    const done = [...new Set(this.dice.map((one) => one.who))];
    this.says = h("div.pad-says", { role: "group", "aria-label": word("desk.preview_label"), tabindex: "0" });
    put(
      this.foot,
      // What comes and goes stands last: the others keep their places.
      h(
        "div.pad-actions",
        !this.row.due.figure && button(".small", () => this.roll(), { disabled: !mine }, this.verb === "plays" ? word("desk.draw_here") : word("desk.roll_here")),
        !this.row.due.figure && button(".small", () => this.more(-1), { title: word("desk.one_die_fewer"), disabled: this.row.due.amount + this.row.more <= 0 }, word("desk.fewer")),
        !this.row.due.figure && button(".small", () => this.more(1), { title: word("desk.one_die_more") }, word("desk.more")),
        other && button(".small", () => this.pick(other), word("desk.rather_name", { name: other.due.short || other.due.who })),
        !this.thrown.open && done.length > 0 && button(".small", () => this.write(true), word("desk.say_more")),
        !whole && done.length > 0 && this.go().classList.contains("next") && button(".small", () => this.write(), { disabled: !this.table.mayWrite }, this.thrown.open ? word("desk.continue_with", { count: done.length, name: done[0] }) : word("desk.add_only", { count: done.length, name: done[0] })),
      ),
      this.says,
    );
    this.drawAnswer();
  }

  /** What was answered of the faces, drawn by itself: a button that is being pressed stays the one it is. */
  drawAnswer() {
    const { error, findings = [], entry = "", rows = [] } = this.answer || {};
    const wrong = !this.left.length && !this.thrown.open && findings.find((one) => one.severity === "error");
    put(this.against, (error || wrong) && h("p.bad", (error || wrong).message));
    put(this.says, rows.map((one) => rowOf(one, this.pen)));
    this.says.dataset.entry = entry;
  }
}

/** A face as it is printed: a card with its suit's sign. */
function shown(face) {
  const card = /^(\d+|[AKQJ])([shdc])$/i.exec(face);
  return card ? `${card[1]}${SUITS[card[2].toLowerCase()]}` : face === "-" ? "−" : face;
}

/** "5 count; 1 brought more", "11 of 17". */
function told(row, want, hits, chains) {
  const { faces } = row;
  if (faces.length < want) return faces.length ? word("desk.of_wanted", { count: faces.length, wanted: want }) : "";
  const chained = faces.filter((face) => chains.has(face)).length;
  const hit = faces.filter((face) => hits.has(face)).length;
  return [hits.size > 0 && word("desk.dice_count", { count: hit }), hits.size > 0 && chained > 0 && h("span.wide", "; "), chained > 0 && h("span.wide", word("desk.dice_brought_more", { count: chained }))];
}

/** One of so few faces that 32 bits favour none of them by more than one in ten million. */
const random = (faces) => faces[crypto.getRandomValues(new Uint32Array(1))[0] % faces.length];
