// The bottom of the table: one question with its answers, the line, and the action buttons of the game.

import { throwsOf } from "./dicepad.js";
import { button, coded, coin, h, icon, put, roving, uncoded } from "./dom.js";
import { sheet } from "./sheets.js";
import { plain } from "./spans.js";
import { cap, word, worded } from "./words.js";

const ON_A_PHONE = 7;
const PHONE = matchMedia("(max-width: 760px)");
const MOST_HIGH = 112;
const CHOICES_AT_ONCE = 14;
const MOST_MENDS = 4;
/** Milliseconds in which a fix that has just appeared ignores taps: they were meant for something else. */
export const TOO_SOON = 500;
const PUT_BACK = word("desk.put_back");

/** A message of which only the values are seen; those who hear the page hear all of it. */
const withUnseen = (key, values) => worded(key, values).map((part, at) => (at % 2 ? part : part && h("span.unseen", part)));

export class Composer {
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.at = -1;
    this.build();
    table.on("moment campaign", () => {
      this.drawNext();
      // What may come now begins at its beginning, whatever was looked for before.
      this.next.scrollTo(0, 0);
      if (table.campaign) this.drawBy();
    });
    table.on("draft", () => this.drawDraft());
    table.on("editing", () => this.drawEditing());
    table.on("raised moment", () => this.drawRaised());
    PHONE.addEventListener("change", () => table.campaign && this.drawNext());
    table.on("fit", () => this.drawFit());
    // A button that wrote may be gone or grey: work goes on in the line.
    table.on("settled", () => document.activeElement === document.body && this.goOn());
    table.on("unfinished", () => this.finish(this.finished));
    table.on("moment log waiting", () => {
      this.drawWhere();
      this.drawWrite();
    });
  }

  build() {
    this.next = roving(h("div.chips", { role: "toolbar", "aria-label": word("desk.possible_actions") }));
    this.deck = roving(h("div.deck", { role: "toolbar", "aria-label": word("desk.actions") }));
    this.by = button(".by", () => this.acts.choosePlayer(this.table.draft.by, (by) => this.actAs(by)));
    this.input = h("textarea.line", {
      rows: "1",
      id: "line",
      "aria-label": word("desk.line_label"),
      "aria-controls": "choices",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      autocomplete: "off",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      placeholder: word("desk.what_happens_next"),
      oninput: () => this.typed(),
      onkeydown: (event) => this.pressed(event),
      onselect: () => this.moved(),
      onclick: () => this.tapped(),
      onscroll: () => (this.mirror.scrollTop = this.input.scrollTop),
    });
    this.mirror = h("div.mirror", { "aria-hidden": "true" });
    this.write = button(".write", () => this.finish({ tapped: true }), word("desk.add"));
    this.story = button(".story", () => this.tell(), { "aria-pressed": "false", "aria-label": word("desk.tool_story") }, h("span.narrow", icon("fiction")), h("span.wide", word("desk.tool_story")));
    this.box = h("div.box", this.by, h("div.line-box", this.mirror, this.input), this.story, this.write);
    this.parts = h("ol.parts", { "aria-label": word("desk.parts_label") });
    this.kept = h("div.laid");
    this.need = h("p.need", { role: "status" });
    this.choicesTitle = h("p.row-title", { id: "choices-title" });
    this.choices = h("div.choices", { role: "listbox", id: "choices", "aria-labelledby": "choices-title", tabindex: "0", onkeydown: (event) => this.walked(event) });
    this.raised = h("div.raised", { role: "status" });
    this.editing = h("div.editing-head", { role: "status", hidden: "" });
    this.finding = h("div.draft-finding", { role: "status", "aria-live": "polite" });
    this.fiction = h("textarea.fiction-line", {
      rows: "2",
      "aria-label": word("desk.story_label"),
      placeholder: word("desk.story"),
      oninput: () => this.table.type({ fiction: this.fiction.value }),
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          this.finish({ tapped: true });
        }
      },
    });
    this.where = h("div.chips.wraps.where", { role: "group", "aria-label": word("desk.where_label") });
    this.element = h(
      "section.composer",
      { "aria-label": word("desk.add") },
      this.raised,
      this.finding,
      this.editing,
      this.kept,
      this.parts,
      // The question grows upwards: no answer moves away that is about to be tapped.
      h("div.row-choices", h("div.row-titles", this.choicesTitle, this.need), h("div.offers.row-next", this.choices, this.where, this.next)),
      this.fiction,
      this.box,
      h("div.row-next", this.deck),
    );
  }

  // -- what may come now ---------------------------------------------------------------------------

  /** The action buttons, always the same in the same place; one that is impossible now is grey, and says why. Beside an
   * empty line stands what else may come. */
  drawNext() {
    const { table } = this;
    const now = !table.place && !table.supposing && table.mayWrite;
    // What comes after a session is another one, unless something was forgotten: that can be typed.
    const over = now && table.moment?.ended;
    const ends = now && table.moment?.may_end;
    const merged = merge(over ? [] : (table.moment?.next || []).filter((one) => !(ends && one.verb === "end session")));
    // A phone has room for the first buttons only: what the others do stands in the row there.
    const all = table.moment?.buttons || [];
    const buttons = all.slice(0, PHONE.matches ? ON_A_PHONE : all.length);
    this.merged = merged;
    put(this.deck, buttons.map((each) => this.action(each)), buttons.length > 0 && button(".chip.more", () => this.allActions(), word("desk.all_actions")));
    this.deck.settle();
    // Above a keyboard there is no room for the buttons: all that may come stands in the row.
    const low = document.documentElement.classList.contains("low");
    const placed = (some, one) => some.find(({ verb }) => verb === one.verb);
    // What is due stands first in the row, whatever buttons there are, and then the buttons that a phone has no room
    // for. What else is allowed is among all actions: a row of everything says nothing of what is next.
    // So does what the headline asks for, where no button does that.
    const asked = ({ verb }) => table.moment.asked.includes(verb);
    const hidden = (one) => (placed(all, one) ? !placed(buttons, one) : asked(one) && !all.some(asked));
    const more = merged.filter((one) => low || one.settles_due || hidden(one));
    const offered = more.map((one) => this.chip({ ...one, label: placed(all, one)?.label ?? cap(one.label) }));
    put(
      this.next,
      over && button(".chip.due", () => this.acts.newEvening(), word("desk.start_next_session")),
      offered,
      ends && !merged.length && button(".chip", () => this.acts.endEvening(), word("desk.end_session")),
      low && button(".chip.more", () => this.allActions(), word("desk.all_actions")),
    );
    this.next.settle();
    this.nextTitle = word(low || over || !more.length ? "desk.possible_now" : more.every((one) => one.settles_due) ? "desk.due" : more.some((one) => one.settles_due) ? "desk.possible_now" : "desk.more_actions");
    this.markVerb();
  }

  /** An option with a verb, also where its legality depends on the words of the line; none while it is impossible. */
  possible(verb) {
    const { moment } = this.table;
    const known = this.merged.find((one) => one.verb === verb);
    if (known) return known;
    const open = !moment.ended && (moment.perhaps || []).includes(verb);
    return open || (moment.always || []).includes(verb) ? { verb, line: `${verb} `, by: "", bys: [] } : null;
  }

  /** An action button. */
  action({ verb, label }) {
    const one = this.possible(verb);
    const reason = (this.table.moment.not_now || []).find((each) => each.verb === verb)?.why || word("desk.not_possible_now");
    if (!one) return button(".chip.off", () => put(this.need, coded(reason)), { "data-verb": verb, "aria-disabled": "true", title: uncoded(reason) }, label);
    return this.chip({ ...one, label });
  }

  /** Every action in groups, those that are due first. */
  async allActions() {
    const { moment, campaign } = this.table;
    const hint = (verb) => campaign.verbs[verb]?.doc.split(". ")[0];
    const simple = (verb) => ({ verb, line: `${verb} `, label: verb, by: "", bys: [], hint: hint(verb) });
    const due = this.merged.filter((one) => one.settles_due);
    const groups = [
      [word("desk.due"), due],
      [word("desk.possible_now"), this.merged.filter((one) => !due.includes(one))],
      [word("desk.depends_on_details"), moment.ended ? [] : (moment.perhaps || []).map(simple)],
      [word("desk.always_possible"), [...(moment.always || []).filter((verb) => verb !== "gap" && !(moment.may_end && verb === "end session")).map(simple), { label: word("desk.gap"), hint: word("desk.gap_note"), act: "hole" }, ...(moment.may_end ? [{ label: word("desk.end_session"), hint: word("desk.count_together"), act: "endEvening" }] : [])]],
      [word("desk.not_possible_now"), (moment.not_now || []).map((one) => ({ label: one.verb, hint: one.why, off: true }))],
    ];
    const row = (one, close) => h("li", button(".menu-row", () => close(one), { disabled: one.off, "data-verb": one.verb }, h("span.menu-label", cap(one.label)), one.hint && h("span.aside", coded(cap(one.hint).replace(/\.$/, "")))));
    const chosen = await sheet(word("desk.all_actions"), (close) => {
      const lists = h("div");
      const search = h("input", { type: "text", role: "searchbox", autocomplete: "off", placeholder: word("desk.find_an_action"), "aria-label": word("desk.find_an_action") });
      const fits = ({ label, hint, off }) => `${label} ${(!off && hint) || ""}`.toLowerCase().includes(search.value.trim().toLowerCase());
      const draw = () => {
        const found = groups.map(([title, all]) => [title, all.filter(fits)]).filter(([, all]) => all.length);
        put(lists, found.length ? found.map(([title, all]) => [h("h3", title), h("ul.menu", all.map((one) => row(one, close)))]) : h("p.aside", word("desk.no_action_found")));
      };
      search.addEventListener("input", draw);
      // Enter takes the first that can be done.
      search.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), lists.querySelector(".menu-row:not(:disabled)")?.click()));
      draw();
      return [h("div.field", search), lists];
    });
    if (chosen?.act) this.acts[chosen.act]();
    else if (chosen) this.start(chosen);
  }

  chip(one) {
    const { amount = 0, unit } = one.price ?? {};
    const price = amount > 0 && h("span.price", unit === "Coin" ? [String(amount), coin(unit)] : `${amount} ${unit}`);
    const who = one.by && one.by !== this.table.turn && one.bys.length === 1 ? h("span.price", { class: this.pen.colour(one.by) }, one.by) : null;
    return button(
      // What the headline asks for is as green as what is due.
      `.chip${one.settles_due ? ".due" : this.table.moment?.asked?.includes(one.verb) ? ".asked" : ""}${this.thrown(one.verb) ? ".throws" : ""}`,
      () => this.start(one),
      { "data-verb": one.verb, "data-line": one.line, title: uncoded(one.hint) },
      one.label,
      // The green edge is a colour: whoever does not see it hears it.
      one.settles_due && h("span.unseen", ` ${word("desk.due")}`),
      price,
      who,
    );
  }

  /** What falls with a verb now, on the pad. */
  thrown(verb) {
    return throwsOf(this.table.moment).find((one) => one.verb === verb);
  }

  /** Begin a line with a verb that may come. */
  start(one) {
    const line = one.line ?? `${one.verb} `;
    const by = one.by && one.by !== this.table.turn && one.bys.length === 1 ? one.by : "";
    if (this.acts.thrown(one)) return;
    const { draft, campaign } = this.table;
    // Words that were typed before any action become those of the first one that takes words.
    const typed = draft.line.trim();
    if (typed && !this.verb(typed) && line.trim() === one.verb && campaign.verbs[one.verb]?.words) {
      this.go(`${one.verb} ${typed}`);
      this.focus();
      return;
    }
    // Whoever was chosen before there was a line is meant by the first one, whoever may most likely do it.
    this.begin(line, (draft.line.trim() ? "" : draft.by) || by, one.words);
  }

  /** Begin a line; what stands there can be had back. Words that are there already, from ``words`` on, go as soon
   * as others are typed. */
  begin(line, by = "", words = line.length) {
    const { line: before, by: acted } = this.table.draft;
    this.table.type({ line, caret: line.length, by });
    // What fitted another line is no choice for this one.
    put(this.choices);
    put(this.choicesTitle);
    // What was typed there was somebody's work: it waits beside the line.
    const own = before !== this.begun && before !== line;
    if (own && before.trim() !== this.verb(before)) this.table.lay({ line: before, by: acted });
    this.begun = line;
    this.table.think.now();
    this.focus();
    this.spoken = words;
    if (words < line.length) this.input.setSelectionRange(words, line.length);
  }

  /** The verb that a line begins with, the longest there is. */
  verb(line) {
    const { verbs } = this.table.campaign || {};
    let found = "";
    for (const name in verbs || {}) {
      const after = line[name.length];
      if (name.length > found.length && line.toLowerCase().startsWith(name) && (after === undefined || /[\s:]/.test(after))) found = name;
    }
    return found;
  }

  /** Whether a line may go on in another one. */
  lines(line) {
    return this.table.campaign?.verbs[this.verb(line)]?.lines;
  }

  /** What is wrong with the line as it stands; nothing while the word at the caret can still become right. */
  wrong() {
    const { draft, fit } = this.table;
    const tried = this.table.told === draft.line;
    if (!draft.line || fit?.of !== draft.line || !fit.complete || (this.ghost && !tried)) return [];
    return (fit.findings || []).filter((one) => one.severity !== "note" && !one.asks?.length && (tried || !one.passing));
  }

  /** Why the line is not all that it has to be, as long as nobody has tried to write it: said in passing. */
  get needs() {
    const { draft, fit, told } = this.table;
    if (told === draft.line) return "";
    const [lack] = this.lacks;
    if (lack) return lack.unsaid || lack.message;
    if (this.asked) return this.asked.message;
    const more = draft.line && fit?.of === draft.line && fit.complete && !this.ghost ? (fit.findings || []).find((one) => one.passing) : undefined;
    return more ? word("desk.so_far", { message: more.message }) : "";
  }

  /** Why the line is no whole entry; nothing while that is not known. */
  get lacks() {
    const { draft, fit } = this.table;
    return draft.line.trim() && fit?.of === draft.line && !fit.complete ? fit.lacks || [] : [];
  }

  /** A problem that is a question itself: it knows more than the field that would answer it. */
  get asking() {
    return this.needs.endsWith("?") ? this.needs : "";
  }

  /** What the line still lacks, asked for before anything is wrong. */
  get asked() {
    const { draft, fit } = this.table;
    return draft.line && fit?.of === draft.line && fit.complete && !this.ghost ? (fit.findings || []).find((one) => one.asks?.length) : undefined;
  }

  /** Whether the line may not stand as it is, and what is greyed behind it would mend that. */
  get half() {
    const { draft, fit } = this.table;
    // A word that is only begun is no name of its own.
    const begun = /[^:,{[]*$/.exec(draft.line)[0].trim().slice(this.verb(draft.line.trim()).length * !/[:,{[]/.test(draft.line)).trim();
    return Boolean(this.ghost) && fit?.of === draft.line && (!fit.complete || (fit.findings || []).some((one) => one.severity === "error" && (one.asks?.length || one.message.toLowerCase().includes(`'${begun.toLowerCase()}'`))));
  }

  markVerb() {
    const verb = this.verb(this.table.draft.line);
    for (const chip of this.element.querySelectorAll(".row-next [data-verb]")) {
      const on = Boolean(this.table.draft.line) && chip.dataset.verb === verb;
      chip.classList.toggle("on", on);
      chip.ariaCurrent = on ? "true" : null;
    }
  }

  /** Which entry is changed in the line, and what can be done with it. The action buttons give way meanwhile. */
  drawEditing() {
    const { table } = this;
    const { editing } = table;
    this.element.classList.toggle("changing", Boolean(editing));
    this.editing.hidden = !editing;
    const title = editing && h("b", editing.step ? word("desk.edit_entry_number", { number: editing.step }) : word("desk.edit_entry"));
    put(this.editing, editing && [title, h("span.space"), button(".delete", () => table.saveEdit("remove", {}, "desk.entry_deleted"), word("desk.delete")), button(".quiet", () => table.stopEditing(), word("desk.cancel"))]);
    if (editing) this.goOn();
  }

  /** Who of the guests wants to speak, and with which action. */
  drawRaised() {
    const { table, pen } = this;
    const asked = ({ verb }) => table.moment?.requests.find((one) => one.verb === verb);
    const row = (one) =>
      h(
        "p.raised-row",
        icon("hand"),
        h("span", worded("desk.raises_a_hand", { name: pen.player(one.name) }), asked(one) && [": ", h("b", asked(one).label)]),
        h("span.space"),
        button(".linking", () => (table.lower(one.name), this.open(one.name, asked(one)?.verb)), word("desk.open")),
        button(".linking", () => table.lower(one.name), word("desk.dismiss")),
      );
    put(this.raised, table.campaign && table.raised.filter(({ name }) => table.campaign.players.some((each) => each.name === name)).map(row));
  }

  /** Fill the line with what somebody asked for. */
  open(by, verb) {
    if (verb) this.begin(this.table.moment.next.find((one) => one.verb === verb && one.by === by)?.line ?? `${verb} `, by);
    else this.actAs(by);
  }

  // -- the line --------------------------------------------------------------------------------------

  focus() {
    this.input.focus({ preventScroll: true });
  }

  /** Go on in the line, where that opens no keyboard. */
  goOn() {
    if (matchMedia("(pointer: fine)").matches) this.focus();
  }

  typed() {
    // What is told or said may go on in another line; all else is one.
    const line = this.lines(this.input.value) ? this.input.value : this.input.value.replace(/\n/g, " ");
    this.at = -1;
    this.table.type({ line, caret: this.input.selectionStart });
  }

  moved() {
    const { draft } = this.table;
    const caret = this.input.selectionEnd;
    if (caret === (draft.over || draft.caret)) return;
    Object.assign(draft, { caret, over: 0 });
    this.drawMirror();
    this.table.think();
  }

  /** A tap on an answer asks its question again: what is chosen or typed next takes its place. */
  tapped() {
    const { selectionStart: at, selectionEnd: end, value } = this.input;
    const { fit, draft } = this.table;
    const token = at === end && at < value.length && fit?.of === value && fit.tokens?.find(([from, to]) => from <= at && at <= to);
    if (!token) return this.moved();
    Object.assign(draft, { caret: token[0], over: token[1] });
    this.input.setSelectionRange(...token);
    return this.table.think.now();
  }

  pressed(event) {
    if (event.isComposing) return;
    const { selectionStart: start, selectionEnd: end, value } = this.input;
    // Words that were there already and may stay are no more than a caret behind them.
    const atEnd = end === value.length && (start === end || (value === this.begun && start === this.spoken));
    const options = [...this.choices.querySelectorAll("[role=option]")];
    const pointed = options[this.at];
    // Of several that fit what is half typed the first is pointed at, then taken: nobody leaves within a word.
    const within = options.length > 0 && /[\p{L}\p{N}]$/u.test(value);
    const acts = {
      // With Shift, another line of what is told or said.
      Enter: !event.shiftKey && (() => (pointed ? pointed.click() : this.finish({ atEnd, anyway: event.ctrlKey || event.metaKey }))),
      Tab: !event.shiftKey && atEnd && (this.ghost ? () => this.takeGhost() : within && (() => (pointed ? pointed.click() : this.point(0, options)))),
      ArrowRight: this.ghost && atEnd && (() => this.takeGhost()),
      ArrowDown: () => this.point(this.at + 1, options),
      ArrowUp: () => this.point(this.at - 1, options),
      Escape: () => (pointed ? this.point(-1, options) : this.acts.escape()),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** Write the line, where it is whole. Where it is not, go on with what it lacks, or say so: as it is, it is written
   * only `anyway`. `tapped`: the button was, which takes nothing that is only offered. */
  finish({ atEnd = true, anyway = false, tapped = false } = {}) {
    const { table } = this;
    const { line } = table.draft;
    // What nobody has looked at yet is handed over at once, to be written if it is whole.
    this.finished = { atEnd, tapped };
    if (!anyway && line.trim() && table.fit?.of !== line) return this.acts.write({ whole: table.line.state === "open" });
    if (!anyway && !tapped && atEnd) {
      if (this.half) return this.takeGhost();
      if (this.asked) {
        const [key] = this.asked.asks;
        return /:\s*$/.test(line) || this.go(`${line.replace(/[ ,]+$/, "")}, ${key && `${key}: `}`);
      }
    }
    if (table.tried) return this.acts.write();
    const again = table.told === line;
    if (!anyway && !(again && !this.lacks.length)) {
      table.told = line;
      const [first] = table.fit?.choices || [];
      const wrong = !tapped && this.wrong().some((one) => one.severity === "error");
      if (!tapped && (wrong || this.lacks.length) && first?.kind === "new") return this.choose(first);
      // Whoever types fast has not seen it: once more, and it is written.
      if (wrong || this.lacks.length) {
        this.drawWrite();
        return this.drawFinding(this.pen);
      }
    }
    return this.acts.write();
  }

  point(at, options) {
    this.at = Math.max(-1, Math.min(at, options.length - 1));
    options.forEach((one, number) => one.classList.toggle("pointed", number === this.at));
    const one = options[this.at];
    if (one) {
      this.input.setAttribute("aria-activedescendant", one.id);
      one.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  /** The arrow keys among the choices, for whoever has gone there with Tab. */
  walked(event) {
    const options = [...this.choices.querySelectorAll("[role=option]")];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) this.point(Math.max(0, this.at + step), options);
    else if (event.key === "Escape") this.focus();
    else if ((event.key === "Enter" || event.key === " ") && options[this.at]) options[this.at].click();
    else return;
    event.preventDefault();
    this.choices.setAttribute("aria-activedescendant", options[this.at]?.id || "");
  }

  takeGhost() {
    this.go(this.table.draft.line + this.ghost);
  }

  /** Go on with another line. */
  go(line) {
    this.table.type({ line, caret: line.length });
    this.table.think.now();
  }

  /** Go on with a line that has less in it, with a way back to what was there: what was typed was somebody's work. */
  drop(line, words) {
    const { line: before, by } = this.table.draft;
    this.go(line);
    if (before.trim() === this.verb(before)) return;
    // What was typed meanwhile is not lost for that.
    const back = () => (this.table.draft.line === line ? (this.go(before), this.focus()) : this.begin(before, by));
    this.table.say(words, { action: [PUT_BACK, back], brief: true });
  }

  /** A line that was laid aside is of no more use. */
  forget(one) {
    this.table.unlay(one);
    this.table.say(word("desk.dropped"), { action: [PUT_BACK, () => this.table.lay(one)], brief: true });
  }

  drawDraft() {
    const { draft, campaign, mayWrite } = this.table;
    if (!campaign) return;
    if (this.input.value !== draft.line) {
      this.input.value = draft.line;
      const caret = Math.min(draft.caret ?? draft.line.length, draft.line.length);
      if (document.activeElement === this.input) this.input.setSelectionRange(caret, caret);
    }
    this.input.disabled = !mayWrite;
    if (this.fiction.value !== draft.fiction) this.fiction.value = draft.fiction;
    this.fiction.hidden = !draft.telling;
    this.next.hidden = Boolean(draft.line || draft.telling);
    if (!draft.line) this.choices.hidden = true;
    this.drawWhere();
    this.story.setAttribute("aria-pressed", String(Boolean(draft.telling)));
    this.drawBy();
    this.drawMirror();
    this.markVerb();
    this.drawWrite();
    this.drawKept();
    if (!draft.line) put(this.parts);
    // The field is as high as what stands in it.
    this.input.style.blockSize = "auto";
    this.input.style.blockSize = `${Math.min(Math.max(this.mirror.scrollHeight, this.input.scrollHeight), MOST_HIGH)}px`;
  }

  drawBy() {
    const { table, pen } = this;
    // A line that says who acts has the last word.
    const by = (table.fit?.of === table.draft.line && table.fit.by) || table.draft.by || table.fit?.by || table.moment?.by || table.turn;
    this.by.className = `by ${pen.colour(by)}${table.draft.by ? " chosen" : ""}`;
    const words = h("span.player", withUnseen("desk.acts_choose", { name: by ? pen.shown(by) : word("desk.everyone") }));
    put(this.by, by && h("span.dot", { "aria-hidden": "true" }), words);
  }

  actAs(by) {
    this.table.type({ by });
    this.table.think.now();
    this.focus();
  }

  /** Where what is told without a line will stand: beside what was written last, or by itself. */
  drawWhere() {
    const { draft } = this.table;
    this.where.hidden = !draft.telling || Boolean(draft.line.trim());
    if (this.where.hidden) return;
    const { spare } = this.table;
    const way = (apart, words) => {
      const on = apart === (draft.apart || !spare);
      return button(".chip", () => (this.table.type({ apart }), this.fiction.focus()), { "aria-pressed": String(on), class: on ? "on" : "" }, words);
    };
    put(this.where, spare && way(false, word("desk.with_entry", { number: spare.step, sentence: plain(spare.head) })), way(true, word("desk.as_an_entry")));
  }

  /** The same text below the field, in colours; the field itself has no ink of its own. */
  drawMirror() {
    const { draft, fit } = this.table;
    const line = this.input.value;
    const fits = fit && fit.of === line;
    const atEnd = (draft.caret ?? line.length) >= line.length;
    // A further key that a whole entry may have is no completion: it stands among the choices.
    this.ghost = fits && atEnd && line && !(fit.complete && /^\s*,/.test(fit.ghost)) ? fit.ghost || "" : "";
    // How it may go on from there is shown, and not taken with it.
    this.shape = fits && atEnd && fit.example?.startsWith(this.ghost) ? fit.example.slice(this.ghost.length) : "";
    const wrong = [...this.lacks, ...this.wrong()].filter((one) => one.severity === "error");
    const verb = line.slice(0, this.verb(line).length);
    // The very word is underlined, where the problem names it; else the verb, of what is a whole entry.
    const names = ([from, to]) => wrong.some(({ message }) => message.includes(`'${line.slice(from, to)}'`));
    const places = fits ? fit.tokens : [];
    const named = places.filter(names);
    put(this.mirror, verb && h(`span.verb${!named.length && this.wrong().some((one) => one.severity === "error") ? ".wrong" : ""}`, verb), tokens(line, verb.length, places, named), this.ghost && h("span.ghost", this.ghost), this.shape && h("span.ghost.shape", this.shape), "\u200b");
  }

  drawWrite() {
    const { table } = this;
    const wrong = this.wrong().some((one) => one.severity === "error");
    const { beside } = table;
    const words = table.tried ? word("desk.apply_fix") : table.editing ? word("desk.save_change") : beside ? word("desk.add_to", { number: beside.step }) : table.supposing ? word("desk.try_it") : wrong || this.asked ? word("desk.add_anyway") : table.place ? word("desk.insert") : word("desk.add");
    put(this.write, words);
    this.write.disabled = !table.mayWrite || !(table.draft.line.trim() || table.draft.fiction.trim());
    if (this.write.disabled && document.activeElement === this.write) this.goOn();
    this.box.classList.toggle("wrong", Boolean(wrong && !table.tried));
    // Green is what is known to be whole, and in no word that is only begun; what nobody has looked at yet is as it was.
    const { draft, fit } = table;
    const known = !draft.line.trim() || fit?.of === draft.line;
    const whole = !draft.line.trim() || Boolean(table.tried) || (fit?.complete && !wrong && !/^[\p{L}\d]/u.test(this.ghost) && !this.needs && !this.asked && !this.half);
    if (known) this.box.classList.toggle("ready", Boolean(whole));
    // Whoever does not see what is greyed in the line is told of it.
    const instead = !table.draft.by && fit?.of === table.draft.line && fit.instead;
    // It could be somebody else's as well, and nobody has said so.
    const other = instead && [word("desk.as_whose_turn", { name: fit.by }), " ", button(".linking", () => this.actAs(instead), word("desk.acts_instead", { name: instead }))];
    const open = this.lacks.length > 0 || this.asked;
    // What is the question itself stands above the answers already.
    const told = Boolean(this.asking || (this.question && this.lacks[0]?.bare)) || this.needs === this.question;
    const how = open && this.own && (this.field ? word("desk.tap_then_type", { field: this.field }) : (told || !this.needs) && word("desk.type_the_answer"));
    put(this.need, this.needs ? h(`span${told ? ".unseen" : ""}`, coded(this.needs)) : other, how && h("span", this.needs && !told ? ". " : "", how), this.needs && this.shape && h("span.unseen", ` ${word("desk.for_example", { example: `${this.ghost}${this.shape}` })}`));
  }

  // -- what fits ---------------------------------------------------------------------------------------

  drawFit() {
    const { table, pen } = this;
    const { fit } = table;
    this.at = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.drawMirror();
    // What stands in the line already is no choice; why it may not stand there is told.
    const there = table.draft.line.trim();
    const choices = (fit?.choices || []).filter((one) => (there ? one.eligible === false || one.line.trim() !== there : one.kind !== "verb"));
    // Where anything may be said, what is meant stands there alone.
    const lone = choices.length === 0 && /(^[a-z ]+|[:,{[]) $/.test(table.draft.line) && fit?.of === table.draft.line;
    this.own = choices.every((one) => one.kind === "part" || one.kind === "key");
    // The answer has a field of its own, which is no part of the line yet.
    this.field = choices.find((one) => one.kind === "key" && this.asked?.asks.includes(one.label))?.label;
    const question = this.asking || (choices[0]?.line.startsWith(`${there}\n`) ? word("desk.who_answers") : fit?.title);
    this.question = question;
    const empty = !table.draft.line;
    put(this.choicesTitle, empty ? this.next.childElementCount > 0 && this.nextTitle : (choices.length > 0 || lone) && coded(question));
    // Another question begins with its first answers.
    const asks = `${fit?.key} ${fit?.title} ${choices[0]?.kind}`;
    if (asks !== this.asks) this.many = false;
    this.asks = asks;
    const unfold = () => ((this.many = true), this.drawFit());
    const most = this.many || choices.length <= CHOICES_AT_ONCE + 1 ? choices.length : CHOICES_AT_ONCE;
    // What fell is tapped in, as long as nothing of it is typed.
    const falls = there === this.verb(there) && this.thrown(there);
    const onPad = falls && option(".on-pad", "pad", () => this.acts.thrown({ verb: there }), icon("dice"), h("span.choice-label", falls.open ? word("desk.tap_in_the_dice") : word("desk.tap_in_dice", { count: falls.rows.reduce((sum, row) => sum + row.amount, 0) })));
    // A keyboard of a phone has no other way to it, and hardly anybody knows the one of others.
    // A sentence that was typed before its action is the first answer where anything may be said.
    const loose = lone && table.laid.find(({ line }) => !this.verb(line));
    const carry = loose && option(".kind-value", "loose", () => (table.unlay(loose), this.choose({ line: `${table.draft.line}${loose.line}` })), h("span.choice-label", loose.line));
    const may = this.lines(there) && there !== this.verb(there) && !table.draft.line.endsWith("\n") && choices.every((one) => one.kind !== "name");
    const further = may && option(".kind-next", "line", () => this.choose({ line: `${there}\n` }), h("span.choice-label", word("desk.another_line")), h("span.choice-note.wide", "Shift+Enter"));
    put(this.choices, onPad, carry, further, choices.slice(0, most).map((one, at) => this.choice(one, at)), choices.length > most && option(".more", "more", unfold, h("span.choice-label", word("desk.number_more", { count: choices.length - most }))));
    this.choices.classList.toggle("unfolded", Boolean(this.many));
    if (this.choices.dataset.of !== (fit?.of ?? "")) this.choices.scrollTo(0, 0);
    this.choices.hidden = empty || !(choices.length || onPad || carry || further);
    this.choices.dataset.of = fit?.of ?? "";
    this.drawParts();
    this.drawDraft();
    this.drawFinding(pen);
  }

  /** The lines that others were begun in place of: a tap has one back. */
  drawKept() {
    const { laid } = this.table;
    const back = (one) => button(".part-words", () => this.back(one), worded("desk.back_to", { line: h("b", one.line) }));
    const drop = (one) => button(".plain.icon-only", () => this.forget(one), { "aria-label": word("desk.drop_line", { line: one.line }) }, icon("close"));
    put(this.kept, laid.map((one) => h("div.part", back(one), drop(one))));
  }

  /** Have a line back; the one in its place waits in turn. */
  back(one) {
    this.table.unlay(one);
    this.begin(one.line, one.by);
    // It is somebody's work still.
    this.begun = "";
    if (one.fiction) this.table.type({ fiction: one.fiction, telling: true });
  }

  /** What a long line lists, one below the other: a tap goes to its end, to be gone on with or changed there. */
  drawParts() {
    const { fit, draft } = this.table;
    // While a letter is thought about they stay as they are.
    if (draft.line && fit?.of !== draft.line) return;
    const parts = (draft.line && fit?.parts) || [];
    const caret = draft.caret ?? draft.line.length;
    put(
      this.parts,
      parts.map((one, at) => {
        const here = caret >= one.start && caret <= one.end;
        const go = () => {
          draft.caret = one.end;
          this.focus();
          this.input.setSelectionRange(one.end, one.end);
          this.table.think.now();
        };
        return h(
          "li.part",
          { class: here ? "here" : "" },
          button(".part-words", go, { "aria-current": here ? "true" : null }, one.who && h("b", `${one.who}: `), withUnseen("desk.change_part", { part: one.text })),
          button(".plain.icon-only", () => this.drop(one.without, word("desk.part_deleted", { part: one.text })), { "aria-label": word("desk.delete_part", { number: at + 1, part: one.text }) }, icon("close")),
        );
      }),
    );
    this.parts.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  choice(one, at) {
    const state = `${one.chosen ? ".on" : ""}${one.eligible === false ? ".no" : ""}`;
    return option(
      `.kind-${/^[a-z]+$/.test(one.kind) ? one.kind : "value"}${state}`,
      at,
      () => this.choose(one),
      { "data-line": one.line, "aria-selected": String(Boolean(one.chosen)), class: one.player ? this.pen.colour(one.player) : "" },
      // What goes into a key that the line has not got yet says into which.
      one.kind !== "key" && h("span.choice-key", this.into(one.line ?? "")),
      h("span.choice-label", this.pen.write(one.label)),
      (one.eligible === false ? one.why : one.note) && h("span.choice-note", this.pen.write(one.eligible === false ? one.why : one.note)),
    );
  }

  /** The key that a longer line has, and the one that is typed has not. */
  into(line) {
    const typed = this.table.draft.line.trimEnd();
    return line.startsWith(typed) && /^, ([a-z][a-z ]*:) \S/.exec(line.slice(typed.length))?.[1];
  }

  choose(one) {
    this.point(-1, [...this.choices.querySelectorAll("[role=option]")]);
    const line = one.line ?? one.insert ?? "";
    this.table.type({ line, caret: one.caret ?? line.length });
    this.table.think.now();
    this.goOn();
  }

  /** What would be wrong with it, and what would mend that; nothing is written yet. */
  drawFinding(pen) {
    const { table } = this;
    const shown = this.wrong().slice(0, 2);
    const offered = JSON.stringify(table.mends?.map((mend) => mend.said) ?? null);
    if (offered !== this.offered) this.mendsSince = performance.now();
    this.offered = offered;
    const lacks = table.told === table.draft.line ? this.lacks.slice(0, 1) : [];
    put(
      this.finding,
      lacks.map((one) =>
        h(
          "div.finding.error",
          h("div.finding-head", h("h2", coded(one.bare ? one.unsaid : one.message))),
          one.hints.slice(0, 2).map((line) => h("p", coded(line))),
          table.fit.yaml && h("div.mends", button(".mend", () => this.finish({ anyway: true }), word("desk.add_anyway"))),
        ),
      ),
      shown.map((one, at) =>
        h(
          `div.finding.${one.severity}`,
          h("div.finding-head", h("h2", coded(one.message)), pen.rule(one.rule || one.code)),
          at === 0 && table.told === table.draft.line && matchMedia("(pointer: fine)").matches && h("p.aside", word("desk.enter_again")),
          at === 0 && table.mends?.length > 0 && (one.related || []).slice(0, 1).map((fact) => h("p", coded(fact.message))),
          // On a phone the log needs the room more than a second line of advice.
          at === 0 && advice(one, table.mends).slice(0, PHONE.matches ? 1 : 2).map((line) => h("p.advice", coded(line))),
          at === 0 && table.mends?.length > 0 && h("div.mends", table.mends.slice(0, MOST_MENDS).map((mend, number) => this.mend(mend, number))),
        ),
      ),
    );
    const elsewhere = table.fit?.of === table.draft.line && table.fit.elsewhere;
    if (elsewhere) this.finding.append(h("div.finding.warning", h("div.finding-head", h("h2", word("desk.problems_elsewhere", { count: elsewhere })))));
    this.finding.hidden = !shown.length && !lacks.length && !elsewhere;
  }

  mend(mend, number) {
    const since = this.mendsSince;
    const press = () => {
      if (performance.now() - since <= TOO_SOON) return;
      this.table.tryFix(number);
      // Enter applies what was chosen.
      if (this.table.tried) this.write.focus({ preventScroll: true });
    };
    return fixButton(mend, this.pen, this.table.fix === number, press, (mend.preferred || mend.worse || number === 0) && h("span.effect", mend.effect));
  }

  tell() {
    const telling = !this.table.draft.telling;
    this.table.type({ telling });
    (telling ? this.fiction : this.input).focus({ preventScroll: true });
  }
}

/** One of what may be tapped beside the line: whoever types goes on typing. */
const option = (classes, id, press, ...rest) =>
  h(`div.choice${classes}`, { role: "option", id: `choice-${id}`, "aria-selected": "false", onmousedown: (event) => event.preventDefault(), onclick: press }, ...rest);

/** The words of a line from a place on, with its answers as tokens: a tap on one asks its question again. */
const tokens = (line, from, places = [], wrong = []) => [...places.flatMap((place, at) => [line.slice(places[at - 1]?.[1] ?? from, place[0]), h(`span.token${wrong.includes(place) ? ".wrong" : ""}`, line.slice(...place))]), line.slice(places.at(-1)?.[1] ?? from)];

/** The help of a problem, without the lines that its fixes say. */
export const advice = (one, mends) => {
  const said = (mends || []).flatMap((mend) => [mend.said, mend.title].map((words) => plain(words).toLowerCase()));
  return (one.hints || []).filter((line) => !said.some((one) => uncoded(line).toLowerCase().endsWith(one))).map(cap);
};

/** A fix, to be tried or no longer. */
export const fixButton = (mend, pen, on, press, ...rest) => button(`.mend${on ? ".on" : ""}`, press, { "aria-pressed": String(on) }, on && icon("check"), h("span", word("desk.fix_lead"), " ", pen.write(mend.said)), rest);

/** Several of one verb are one chip; where they go on in several ways, it begins with what all of them have. */
function merge(next) {
  const groups = Map.groupBy(next, (one) => `${one.label ?? one.verb}\0${one.price ? one.price.amount : one.free ? "free" : ""}`);
  return [...groups.values()].map((all) => {
    const [one] = all;
    const line = all.every((other) => other.line === one.line) ? one.line : `${one.verb} `;
    return { ...one, line, label: plain(one.label ?? one.verb), bys: [...new Set(all.map(({ by }) => by))] };
  });
}
