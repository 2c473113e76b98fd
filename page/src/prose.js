// Fiction as players type it: a little Markdown, drawn as elements. What it does not know stays text.

import { h } from "./dom.js";

const MARKS = [
  { open: "**", tag: "strong" },
  { open: "__", tag: "strong" },
  { open: "*", tag: "em" },
  { open: "_", tag: "em" },
];
const WORD = /[\p{L}\p{N}]/u;
const DEEPEST = 8;

/** Blocks of a text: paragraphs, quotes, lists, headings. */
export function prose(text, deep = 0) {
  const found = [];
  let lines = [];
  const flush = () => {
    if (lines.length) found.push(h("p", ...inline(joined(lines))));
    lines = [];
  };
  const rows = String(text).replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (!row.trim()) {
      flush();
    } else if (/^\s{0,3}>/.test(row) && deep < DEEPEST) {
      flush();
      const quoted = [];
      while (at < rows.length && /^\s{0,3}>/.test(rows[at])) quoted.push(rows[at++].replace(/^\s{0,3}> ?/, ""));
      at--;
      found.push(h("blockquote", ...prose(quoted.join("\n"), deep + 1)));
    } else if (/^\s{0,3}([-*+]|\d{1,9}[.)])\s+\S/.test(row)) {
      flush();
      const list = h(/^\s{0,3}\d/.test(row) ? "ol" : "ul");
      while (at < rows.length && /^\s{0,3}([-*+]|\d{1,9}[.)])\s+\S/.test(rows[at])) {
        list.append(h("li", ...inline(rows[at++].replace(/^\s{0,3}([-*+]|\d{1,9}[.)])\s+/, ""))));
      }
      at--;
      found.push(list);
    } else if (/^#{1,6}\s/.test(row)) {
      flush();
      found.push(h("p.prose-head", ...inline(row.replace(/^#+\s+/, ""))));
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(row)) {
      flush();
      found.push(h("p.prose-rule", { role: "separator" }, "⁂"));
    } else {
      lines.push(row);
    }
  }
  flush();
  return found;
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
    const mark = deep < DEEPEST && MARKS.find((one) => text.startsWith(one.open, at) && opens(text, at, one.open));
    const end = mark ? closing(text, at + mark.open.length, mark.open) : -1;
    if (end > 0) {
      flush();
      found.push(h(mark.tag, ...inline(text.slice(at + mark.open.length, end), deep + 1)));
      at = end + mark.open.length - 1;
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
