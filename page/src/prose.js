// Fiction as players type it: a little Markdown, drawn as elements. What it does not know stays text.

import { h } from "./dom.js";

const MARKS = { "**": "strong", __: "strong", "*": "em", _: "em" };
const WORD = /[\p{L}\p{N}]/u;
const DEEPEST = 8;

const QUOTE = /^\s{0,3}> ?/;
const ITEM = /^\s{0,3}([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const HEAD = /^#{1,6}\s+/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;

/** Each kind of block, from the lines that follow each other in it. */
const KINDS = {
  blank: () => [],
  quote: (rows, deep) => h("blockquote", prose(rows.map((row) => row.replace(QUOTE, "")).join("\n"), deep + 1)),
  list: (rows) => h(/^\s{0,3}\d/.test(rows[0]) ? "ol" : "ul", rows.map((row) => h("li", inline(row.replace(ITEM, ""))))),
  head: (rows) => rows.map((row) => h("p.prose-head", inline(row.replace(HEAD, "")))),
  rule: (rows) => rows.map(() => h("p.prose-rule", { role: "separator" }, "⁂")),
  text: (rows) => h("p", inline(joined(rows))),
};

function kindOf(row, deep) {
  if (!row.trim()) return "blank";
  if (QUOTE.test(row) && deep < DEEPEST) return "quote";
  if (ITEM.test(row)) return "list";
  if (HEAD.test(row)) return "head";
  return RULE.test(row) ? "rule" : "text";
}

/** Blocks of a text: paragraphs, quotes, lists, headings. */
export function prose(text, deep = 0) {
  const found = [];
  for (const row of String(text).replace(/\r\n?/g, "\n").split("\n")) {
    const kind = kindOf(row, deep);
    if (found.at(-1)?.kind === kind) found.at(-1).rows.push(row);
    else found.push({ kind, rows: [row] });
  }
  return found.flatMap(({ kind, rows }) => KINDS[kind](rows, deep));
}

/** The lines of a paragraph as one text: emphasis goes on over their ends. */
const joined = (lines) => lines.map((line, at) => line.trim().replace(/\\$/, "") + (at === lines.length - 1 ? "" : / {2,}$|\\$/.test(line) ? "\n" : " ")).join("");

/** A text with emphasis and links (links show their words alone); its lines break where it does. */
export function inline(text, deep = 0) {
  const found = [];
  let plain = "";
  const flush = () => {
    plain.split("\n").forEach((line, at) => found.push(at > 0 && h("br"), line && curly(line)));
    plain = "";
  };
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\" && /[\\*_`[\]#>-]/.test(text[at + 1] || "")) {
      plain += text[++at];
      continue;
    }
    const link = text[at] === "[" && /^\[([^[\]]{1,300})\]\([^()\s]{0,500}\)/.exec(text.slice(at, at + 820));
    if (link) {
      flush();
      found.push(...(deep < DEEPEST ? inline(link[1], deep + 1) : [link[1]]));
      at += link[0].length - 1;
      continue;
    }
    const mark = deep < DEEPEST && Object.keys(MARKS).find((one) => text.startsWith(one, at) && opens(text, at, one));
    const end = mark ? closing(text, at + mark.length, mark) : -1;
    if (end > 0) {
      flush();
      found.push(h(MARKS[mark], inline(text.slice(at + mark.length, end), deep + 1)));
      at = end + mark.length - 1;
    } else {
      plain += text[at];
    }
  }
  flush();
  return found;
}

function opens(text, at, mark) {
  const after = text[at + mark.length];
  if (!after || /\s/.test(after)) return false;
  return mark[0] === "*" || !WORD.test(text[at - 1] || "");
}

function closing(text, from, mark) {
  for (let at = text.indexOf(mark, from); at > 0; at = text.indexOf(mark, at + 1)) {
    if (at === from || /\s/.test(text[at - 1])) continue;
    if (mark.length === 1 && (text[at + 1] === mark || text[at - 1] === mark)) continue;
    if (mark[0] === "_" && WORD.test(text[at + mark.length] || "")) continue;
    return at;
  }
  return -1;
}

/** Quotation marks and apostrophes as a book sets them; `open`: a quotation is open already. */
export function curly(text, open = false) {
  return text
    .replace(/"/g, (mark, at) => {
      const before = text[at - 1];
      if (at === 0 && open) return "”";
      return before === undefined || /[\s([{–—-]/.test(before) ? "“" : "”";
    })
    .replace(/(^|[\s([{“–—-])'(?=\S)/g, (all, before, at) => (at === 0 && !before && /^'(s|re|ve|ll|d|t|m)\b/.test(text) ? "’" : `${before}‘`))
    .replace(/'/g, "’");
}
