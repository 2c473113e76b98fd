// Words with meaning: what Chronicle says comes as spans, and is drawn the same everywhere.

import { button, coded, coin, h } from "./dom.js";
import { curly } from "./prose.js";
import { word } from "./words.js";

/** Draws spans for one campaign: it knows the players' colours, and what a tap on a name or rule does. */
export class Pen {
  players = new Map();

  constructor(acts = {}) {
    this.acts = acts;
  }

  know(players) {
    this.players = new Map(players.map((one) => [one.name, one]));
  }

  /** The class of a player's colour (`p0` for nobody). */
  colour(name) {
    return `p${this.players.get(name)?.colour ?? 0}`;
  }

  shown(name) {
    return this.players.get(name)?.shown || name;
  }

  player(name, words = this.shown(name)) {
    return h(`span.player.${this.colour(name)}`, words);
  }

  /** A rule's number, on its small plate. */
  rule(id) {
    if (!id) return null;
    return button(".rule", () => this.acts.rule?.(id), h("span.unseen", `${word("desk.rule")} `), id.slice(id.lastIndexOf(":") + 1));
  }

  /** One span, or a list of them, as nodes. `open`: a tap on whoever is named opens their card. */
  write(spans, { coloured = false, open = false } = {}) {
    let quoted = false;
    return [spans ?? []].flat().map((one) => {
      if (typeof one !== "object" || one === null) {
        const text = String(one ?? "");
        const before = quoted;
        if (text.split('"').length % 2 === 0) quoted = !quoted;
        return coded(text, (part) => curly(part, before));
      }
      // A name inside a title is a word of the title.
      return quoted && one.ref ? one.t : this.one(one, coloured, open);
    });
  }

  one(span, coloured, open) {
    if (span.rule && !span.t) return this.rule(span.rule);
    const words = span.t ?? "";
    if (span.coin !== undefined) return h("span.money", `${span.coin}`, coin(span.unit));
    if (span.slip !== undefined) return slip({ t: words, count: span.count, state: span.slip });
    if (span.code) return h("code", words);
    const [kind, id] = span.ref || [];
    if (span.player && (!kind || coloured)) return this.player(span.player, words || undefined);
    if (kind === "step" && this.acts.step) return button(".to-step", () => this.acts.step(Number(id)), words);
    // Names open their cards by a tap or a click; in a long log they are no stops for Tab.
    if (kind && kind !== "step" && kind !== "session" && open && this.acts.name) return button(".opens", () => this.acts.name(id), { tabindex: "-1" }, words);
    return h(span.strong || kind ? "b" : "span", words);
  }

  /** A name that opens its card. */
  named(name) {
    return this.acts.name ? button(".named", () => this.acts.name(name), name) : h("b", name);
  }
}

const SAID = { removed: "removed", wound: "a wound", inherited: "inherited", negated: "negated" };

/** A word on a slip of paper. */
export function slip({ t, count = 1, state = "", player = "" }, pen = null) {
  const known = /^[a-z-]+$/.test(state) ? `.slip-${state}` : "";
  return h(
    `span.slip${known}${player && pen ? `.of-player.${pen.colour(player)}` : ""}`,
    t,
    count > 1 && h("span.times", `\u2009×${count}`),
    SAID[state] && h("span.unseen", `, ${SAID[state]}`),
  );
}

/** Spans as plain text: for labels that a screen reader says. */
export function plain(spans) {
  return [spans]
    .flat()
    .map((one) => (typeof one !== "object" || one === null ? String(one ?? "") : one.coin !== undefined ? `${one.coin} ${one.unit || "Coins"}` : one.t || one.player || ""))
    .join("");
}
