// The side of the table: who is due what, then the game's own blocks.

import { button, h, put, roving } from "./dom.js";
import { blocks } from "./blocks.js";
import { ink } from "./contest.js";
import { plain } from "./spans.js";
import { word } from "./words.js";

export class Side {
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    // The names in it are one stop for Tab; arrow keys go from one to the next.
    this.element = roving(h("aside.side", { "aria-label": word("desk.overview"), tabindex: "0" }), ".opens");
    table.on("moment campaign", () => this.draw());
  }

  draw() {
    const { moment } = this.table;
    if (!moment) return put(this.element);
    put(
      this.element,
      dueOf(moment.due || [], this.pen, this.acts, moment.odds),
      blocks(besides(moment), this.pen),
      moment.owed?.length > 0 && h("section.block", h("header.block-head", h("h2", word("desk.owed"))), moment.owed.map((line) => h("p", this.pen.write(line)))),
    );
    if (!this.element.childElementCount) put(this.element, h("p.block.aside", word("desk.overview_empty")));
    this.element.settle();
  }
}

/** The panel, without the odds that stand beside the dice that are due. */
function besides({ odds = [], panel = [] }) {
  const told = (one) => one.note && odds.some((line) => plain(one.note).includes(plain(line)));
  return panel.map((one) => (told(one) ? { ...one, note: null } : one));
}

/** A line of odds; no percent sign goes to another line than its figure. */
export const oddsOf = (line, pen) => h("p.odds", pen.write([line].flat().map((one) => (typeof one === "string" ? one.replace(/ %/g, "\u00a0%") : one))));

/** Who must throw or say what: dice as dice, the rest in words. */
function dueOf(due, pen, acts, odds = []) {
  if (!due.length) return null;
  const rollers = Map.groupBy(due, (one) => `${one.within}\0${one.verb}\0${one.who}\0${one.amount ? "" : one.what}`);
  const counted = due.some((one) => one.amount && one.faces?.length);
  const rules = [...new Set(due.map((one) => one.rule).filter(Boolean))];
  return h(
    "section.block.block-due",
    h("header.block-head", h("h2", counted ? word("desk.dice_due") : word("desk.due")), rules.length === 1 && pen.rule(rules[0])),
    h(
      "ul.due",
      [...rollers.values()].map((all) => ({ ...all[0], all })).map((one) =>
        h(
          `li.${pen.colour(one.player)}`,
          button(
            ".due-row",
            () => acts.due(one),
            h("span.due-who", h("b", one.who || word("desk.everyone")), one.player && one.player !== one.who && pen.player(one.player)),
            one.amount ? h("span.due-dice", one.all.map((each) => h(`span.due-count.${ink(each.colour || each.kind)}`, String(each.amount), h("span.unseen", ` ${each.what}`)))) : h("span.due-what", one.what),
          ),
          one.amount > 0 && h("p.due-sources", sources(one.all)),
        ),
      ),
    ),
    odds.map((line) => oddsOf(line, pen)),
  );
}

/** "links 3 + goal against links 3": where the dice come from, in the ink of each. */
function sources(all) {
  const told = all.filter((one) => one.sources?.length);
  return told.map((one, at) => [at > 0 && ` ${word("desk.against")} `, h(`span.inked.${ink(one.colour || one.kind)}`, inShort(one.sources, " + "))]);
}

/** Sources in short: those of one thing ("links with Ruth", "links with Bo") are one. */
export function inShort(sources, between) {
  const found = new Map();
  for (const { label, amount } of sources) {
    const what = label.split(/ with |: /)[0];
    found.set(what, (found.get(what) || 0) + amount);
  }
  const alone = found.size === 1 && [...found.values()][0] === 1;
  return [...found].map(([what, amount]) => (amount === 1 && (alone || between.includes("+")) ? what : `${what} ${amount}`)).join(between);
}
