// A throw as it lay on the table: dice in the order they fell, the comparison in the middle.

import { h } from "./dom.js";
import { word } from "./words.js";

/** The class of a die's ink. */
export const ink = (colour) => `ink-${/^[a-z]+$/.test(colour) ? colour : "plain"}`;

/** One die. */
export function die({ face, hit, colour, extra, void: lost }) {
  const classes = `${ink(colour)}${hit ? ".hit" : ""}${extra ? ".extra" : ""}${lost ? ".void" : ""}`;
  return h(`span.die.${classes}`, face);
}

/** What was thrown, by side. */
export function contest(thrown, pen) {
  return h(
    "div.contest",
    { role: "group", "aria-label": thrown.title || word("desk.a_roll") },
    thrown.sides.map((side) => sideOf(side, pen)),
    thrown.score && h("p.contest-score", h("b", thrown.score), thrown.unit && ` ${thrown.unit}`, thrown.rule && [" ", pen.rule(thrown.rule)]),
    (thrown.outcome || []).map((line) => h("p.contest-outcome", pen.write(line))),
    thrown.odds && h("p.contest-odds", thrown.odds),
    (thrown.earlier || []).map((sides, at) =>
      h("details.contest-earlier", h("summary", thrown.earlier.length > 1 ? word("desk.rolled_before_number", { number: at + 1 }) : word("desk.rolled_before")), sides.map((side) => sideOf(side, pen))),
    ),
  );
}

function sideOf(side, pen) {
  return h(
    `div.contest-side${side.won ? ".won" : ""}`,
    h("div.contest-who", side.player ? pen.player(side.player, side.name) : h("b", side.name), side.result && h("span.contest-result", side.result)),
    side.dice.length > 0 && h("div.dice-row", { role: "img", "aria-label": said(side) }, side.dice.map(die)),
    side.sources.length > 0 && h("p.contest-sources", side.sources.join(", ")),
  );
}

function said(side) {
  const faces = side.dice.map((one) => (one.hit ? word("desk.face_counts", { face: one.face }) : one.face));
  return `${side.name}: ${faces.join(", ")}`;
}
