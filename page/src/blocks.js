// One renderer for every kind of block a game can show. No game is known here.

import { coin, h, icon } from "./dom.js";
import { contest } from "./contest.js";
import { prose } from "./prose.js";
import { plain, slip } from "./spans.js";
import { word } from "./words.js";

const MOST_STONES = 30;
const MOST_COLUMNS = 3;

/** A block as an element; null if it is of a kind that is not known here. */
export const block = (one, pen) => KINDS[one.block]?.(one, pen) ?? null;

/** Blocks, one below the other. */
export const blocks = (all, pen) => (all || []).map((one) => block(one, pen));

function titled(kind, one, ...rest) {
  return h(`section.block.block-${kind}`, one.title && h("header.block-head", h("h2", one.title), one.aside && h("span.aside", one.aside)), rest);
}

const slips = (items, pen) => h("p.slips", items.map((item) => [slip(item, pen), " "]));

/** Slips under a heading of their own. */
const ring = (title, items, pen) => h("div.ring", h("h3", title), slips(items, pen));

/** Rows of names and figures, with a bar between them where a row has a `length`. */
function barred(kind, one, pen, rows) {
  const most = Math.max(...rows.map(({ length = 0 }) => length), 1);
  const bar = (length) => h("i", { style: { "inline-size": `${Math.max(0, (100 * length) / most)}%` } });
  const row = ({ player, label, length, value, turn }) =>
    h(`li.${pen.colour(player)}${turn ? ".turn" : ""}`, h("span.player", label), h("span.bar", { "aria-hidden": "true" }, length !== undefined && bar(length)), h("span.money", value));
  return titled(kind, one, h("ul.purses", rows.map(row)));
}

const KINDS = {
  note: (one, pen) => titled("note", one, h("p", pen.write(one.text, { open: true }))),

  prose: (one) => titled("prose", one, h("div.fiction", prose(one.markdown))),

  facts: (one, pen) =>
    titled("facts", one, h("dl", one.rows.map(([label, value]) => h("div", h("dt", pen.write(label)), h("dd", pen.write(value, { open: true })))))),

  stats: (one, pen) => {
    // Several figures of one player are no purses: each needs its label.
    const purses = new Set(one.items.map(({ player }) => player)).size === one.items.length && one.items.length > 1 && one.items.every(({ player, value }) => player && /^-?\d+$/.test(value));
    if (!purses) {
      return titled("stats", one, h("dl.stats", one.items.map((item) => h("div", h("dd", item.value), h("dt", item.player ? pen.player(item.player, item.label) : item.label)))));
    }
    return barred("purses", one, pen, one.items.map((item) => ({ ...item, label: [pen.shown(item.player), noted(item) && h("span.unseen", `, ${noted(item)}`)], length: Number(item.value), value: [item.value, item.unit !== "" && coin(item.unit)], turn: noted(item) })));
  },

  slips: (one, pen) => titled("slips", one, slips(one.items.map((item) => ({ ...item, t: item.t ?? item.text })), pen)),

  stones: (one, pen) =>
    titled(
      "stones",
      one,
      one.rows.map((row) =>
        h(
          `div.stones-row.${pen.colour(row.player || ownerOf(row.who))}`,
          h("div.stones-head", h("span.player", plain(row.who)), h("span.stones-count", row.words || counted(row))),
          stones({ ...row, who: plain(row.who) }),
          row.sources && h("p.stones-sources", row.sources),
        ),
      ),
      one.note && h("p.block-note", pen.write(one.note)),
    ),

  table: (one, pen) => {
    const wide = one.columns.length > MOST_COLUMNS;
    return titled("table", one, wide ? rowsAsFacts(one, pen) : rowsAsTable(one, pen), one.note && h("p.block-note", one.note));
  },

  listing: (one, pen) =>
    titled("listing", one, h(one.ordered ? "ol" : "ul", one.items.map((item) => h("li", pen.write(item.text, { open: true }), item.note && h("span.aside", ` ${item.note}`))))),

  board: (one, pen) => {
    const here = (at) => one.tokens.filter((token) => token.square === at);
    const named = one.squares.map((square, at) => ({ square: square || String(at), at })).filter(({ at }) => here(at).length);
    return titled(
      "board",
      one,
      h("div.board", { "aria-hidden": "true" }, one.squares.map((square, at) => h(`i${square ? ".marked" : ""}`, here(at).map((token) => h(`span.${pen.colour(token.player)}`))))),
      h("dl.board-named", named.map(({ square, at }) => h("div", h("dt", square), h("dd", here(at).map((token, number) => [number > 0 && ", ", token.player ? pen.player(token.player, token.label) : token.label]))))),
    );
  },

  bars: (one, pen) => barred("bars", one, pen, one.rows.map((row) => ({ ...row, length: row.value }))),

  rings: (one) => titled("rings", one, one.rings.map(({ label, sectors }) => ring(label, sectors.map(([t, state]) => ({ t, state }))))),

  graph: (one, pen) => {
    const names = new Map(one.nodes.map((node) => [node.id, node]));
    const label = (id) => {
      const node = names.get(id);
      return node?.player ? pen.player(node.player, node.label) : h("b", node?.label ?? id);
    };
    return titled(
      "graph",
      one,
      h(
        "ul.edges",
        one.edges.map((edge) =>
          h(
            `li${/^[a-z]+$/.test(edge.kind || "") ? `.edge-${edge.kind}` : ""}`,
            label(edge.one),
            edge.directed ? " → " : " – ",
            label(edge.other),
            edge.count > 1 && ` ×${edge.count}`,
            edge.label && h("span.aside", ` ${edge.label}`),
          ),
        ),
      ),
    );
  },

  steps: (one, pen) => barred("steps", one, pen, one.series.map((line) => ({ player: line.player, label: line.name, value: line.points.at(-1)?.[1] ?? "" }))),

  lanes: (one, pen) => {
    const at = (row) => one.cells.filter((cell) => cell[0] === row).map(([, column, text, player]) => ({ t: text || one.columns[column], player }));
    return titled("lanes", one, one.rows.map((row, number) => ring(row, at(number), pen)));
  },

  contest: (one, pen) => titled("contest", one, contest(one.contest, pen)),

  section: (one, pen) =>
    one.folded
      ? h("details.block.block-section", h("summary", h("h2", one.title), icon("down")), blocks(one.blocks, pen))
      : titled("section", one, h("div.block-inside", blocks(one.blocks, pen))),
};

/** A table as it is. */
function rowsAsTable(one, pen) {
  return h(
    "div.scrolls",
    { tabindex: "0", role: "region", "aria-label": one.title || word("desk.table") },
    h(
      "table",
      h("thead", h("tr", one.columns.map((column) => h(`th${column.numeric ? ".numeric" : ""}`, { scope: "col" }, column.title)))),
      h("tbody", one.rows.map((row) => h("tr", row.map((cell, at) => h(`td${one.columns[at]?.numeric ? ".numeric" : ""}`, pen.write(cell, { open: true })))))),
    ),
  );
}

/** A table that is too wide for the side: each row by itself, what is nothing left out. */
function rowsAsFacts(one, pen) {
  const nothing = (cell) => /^(0|nothing|none|no|–|-|)$/i.test(plain(cell).trim());
  const written = (cell) => pen.write(cell, { open: true });
  const cells = (rest) => {
    const found = [];
    rest.forEach((cell, at) => {
      if (nothing(cell)) return;
      const { title } = one.columns[at + 1];
      // "Green labels" say more of "Green", and stand with it.
      const of = found.find((there) => title.startsWith(`${there.title} `));
      if (of) of.more = cell;
      else found.push({ title, cell });
    });
    return found.map(({ title, cell, more }) => h(`span.cell${more ? ".long" : ""}`, h("span.aside", `${title} `), written(cell), more && [": ", written(more)]));
  };
  return h("ul.rows", one.rows.map(([first, ...rest]) => h("li", h("b", written(first)), cells(rest))));
}

/** What is said of a player besides the name: "on turn". */
export const noted = (item) => (item.label?.startsWith(`${item.player}, `) ? item.label.slice(item.player.length + 2) : "");

/** The player that a name names, given as spans or as text. */
export const ownerOf = (name) => [name].flat().find((span) => span.player)?.player;

/** "4", or "4 of 9". */
const counted = ({ filled, of }) => (of > filled ? word("desk.of_wanted", { count: filled, wanted: of }) : String(filled));

/** A row of stones, some filled. */
export function stones({ who, filled, of }) {
  const all = Math.max(of || 0, filled);
  if (all > MOST_STONES) return h("span.stones.many", `${filled}`);
  return h("span.stones", { role: "img", "aria-label": `${who}: ${counted({ filled, of })}` }, Array.from({ length: all }, (_, at) => h(`i${at < filled ? ".filled" : ""}`)));
}
