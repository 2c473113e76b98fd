// Problems and their fixes, in a panel below the file of the editor and in a sheet over the log. A fix is tried
// first; another button applies it.

import { button, coded, h, icon, put, quiet } from "./dom.js";
import { TOO_SOON, advice, fixButton } from "./composer.js";
import { sheet } from "./sheets.js";
import { word } from "./words.js";

const MOST_SHOWN = 40;
const LOOKING = 350;

/** Whether one counts as a problem wherever problems are counted: an error or a warning. */
export const counts = (one) => one.severity !== "note";

export class Problems {
  /** `acts` are `go`, `apply` and, for the open one, `more` (buttons); `here` is the name of the file that is shown. */
  constructor(table, pen, acts, here = () => "") {
    Object.assign(this, { table, pen, acts, here, all: [] });
    this.list = h("ul");
    this.head = h("header.problems-head");
    this.element = h("section.problems", { "aria-label": word("desk.problems_title") }, this.head, this.list);
    this.clear(null);
  }

  clear(one) {
    this.one = one;
    this.mends = null;
    this.tried = -1;
  }

  /** Show these; of them the one at the cursor is open (`near`), or the one that was. */
  show(all, near = null) {
    this.all = all;
    const one = near ?? all.find(({ key }) => key === this.one?.key) ?? null;
    if (one !== this.one) this.clear(one);
    this.draw();
    // Looking takes a while: it is done for the entry at the cursor, and where it is asked for.
    if (one && one === near && !this.mends && this.table.mayWrite) this.look();
  }

  look = quiet(LOOKING, async () => {
    const { one } = this;
    const mends = await this.table.query("fixes", { key: one.key }).catch(() => []);
    if (one !== this.one) return;
    this.mends = mends;
    this.since = performance.now();
    this.draw();
  });

  /** Open one, and go to it. */
  turn(one) {
    this.show(this.all, one);
    this.acts.go?.(one);
  }

  /** Try a fix, or no longer. */
  try(number) {
    if (!this.mends?.[number] || performance.now() - this.since < TOO_SOON) return;
    this.tried = this.tried === number ? -1 : number;
    this.draw();
    const tried = this.list.querySelector(".tried");
    tried?.scrollIntoView({ block: "nearest" });
    // Enter applies what was chosen.
    tried?.querySelector(".write").focus({ preventScroll: true });
  }

  apply() {
    if (this.tried < 0) this.try(0);
    else this.acts.apply(this.one, this.tried);
  }

  draw() {
    // In the editor those of its file can be seen alone.
    const here = this.all.filter((one) => one.file === this.here());
    const all = this.only ? here : this.all;
    const pick = (only, words) => button(".segment", () => ((this.only = only), this.draw()), { "aria-pressed": String(Boolean(this.only) === only) }, words);
    this.element.hidden = !this.all.length;
    put(this.head, h("h2", word("desk.problems_title")), h(`span.badge${all.some((one) => one.severity === "error") ? ".error" : ".warning"}`, String(all.filter(counts).length)), h("span.space"), this.here() && h("div.segments", pick(true, word("desk.this_file")), pick(false, word("desk.all_files"))), button(".plain.icon-only", () => (this.element.hidden = true), { "aria-label": word("desk.close") }, icon("close")));
    const notes = all.filter((one) => !counts(one));
    const shown = [...all.filter(counts), ...notes].slice(0, MOST_SHOWN);
    const first = shown.find((one) => !counts(one));
    // A note is no problem: it stands below, under a heading of its own.
    put(this.list, shown.flatMap((one) => [one === first && h("li.problem-kind", h("h3", word("desk.notes_title"), h("span.badge.note", String(notes.length)))), this.row(one)]).filter(Boolean));
  }

  row(one) {
    const open = one === this.one;
    const told = one.related?.[0];
    const at = ({ file, line, step = this.table.shown().find((entry) => entry.file === file && entry.line === line)?.step }) =>
      file === this.here() ? word("desk.line_number", { number: line }) : step ? word("desk.in_entry", { number: step }) : word("desk.file_and_line", { file, line });
    return h(
      `li.problem.${one.severity}${open ? ".open" : ""}`,
      h("div.problem-row", button(".problem-words", () => this.turn(one), { "aria-expanded": String(open) }, icon("warn"), h("span", h("b", coded(one.message)), told && h("span.aside", " ", coded(told.message), told.line > 0 && ` (${at(told)})`))), this.pen.rule(one.rule), h("span.aside", at(one))),
      open && this.fixes(one),
    );
  }

  fixes(one) {
    const { mends, tried, pen } = this;
    const mend = mends?.[tried];
    return [
      advice(one, mends).slice(0, 1).map((line) => h("p.advice", coded(line))),
      !mends?.length && (!mends && this.table.mayWrite ? h("p.aside", word("desk.looking_for_fixes")) : !one.hints?.length && h("p.aside", word("desk.no_fix"))),
      h("div.mends", mends?.map((each, number) => fixButton(each, pen, number === tried, () => this.try(number))), this.acts.more?.(one)),
      mend && h("div.tried", h("pre.diff", [...mend.takes.map((line) => h("del", line)), ...mend.gives.map((line) => h("ins", line))].slice(0, 8)), h("span.aside", mend.effect), button(".write", () => this.apply(), word("desk.apply_fix"))),
    ];
  }
}

/** All problems in a sheet, or the fixes of one; `edit` changes an entry. */
export async function showProblems(table, pen, edit, one = null) {
  if (!table.findings.length) return table.say(word("desk.entries_no_problems", { count: table.total }));
  const act = await sheet(word("desk.problems_title"), (close) => {
    const way = (sign, words, act) => button(".mend", () => close(act), icon(sign), h("span", word(words)));
    const more = (found) => [found.step > 0 && way("right", "desk.go_to_it", () => table.look(found)), table.mayWrite && (found.step > 0 || found.line > 1) && way("edit", "desk.edit_entry", () => edit(table.entries.get(found.step) ?? found))];
    const problems = new Problems(table, pen, { apply: (found, number) => close(() => table.settleFinding(found, number)), more });
    problems.show(one ? [one] : table.findings, one);
    return problems.list;
  });
  return act?.();
}
