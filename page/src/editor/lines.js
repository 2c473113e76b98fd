// How a log looks in the editor: verbs, keys, players and told text. It goes by lines, as a log is written.

import { foldService, indentService } from "@codemirror/language";
import { RangeSetBuilder, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

const ENTRY = /^(\s*)(- )([^\s"'[\]{}#,&*!|>%@`-][^:#]*?)(:)(?=\s|$)/;
const KEY = /^(\s*)([^\s"'[\]{}#,&*!|>%@`-][^:#]*?)(:)(?=\s|$)/;
const BLOCK = /:\s*[|>][-+0-9]*\s*(#.*)?$/;
const TOLD = new Set(["text", "tell", "told", "fiction", "say", "aside", "journal"]);

/** What each line is: `entry`, `key`, `told`, `block`, `plain`; told lines know the key they belong to. */
export function classify(doc) {
  const found = [];
  let block = null;
  for (const text of doc.iterLines()) {
    const indent = text.search(/\S/);
    if (block && (indent < 0 || indent > block.indent)) {
      found.push({ kind: block.told ? "told" : "block", indent });
      continue;
    }
    block = null;
    const entry = ENTRY.exec(text);
    const key = entry || KEY.exec(text);
    const word = (entry ? entry[3] : key?.[2]) || "";
    found.push({ kind: entry ? "entry" : key ? "key" : "plain", indent, match: key, word });
    if (BLOCK.test(text) && key) block = { indent: entry ? indent + 2 : indent, told: TOLD.has(word) };
  }
  return found;
}

export const lines = StateField.define({
  create: (state) => classify(state.doc),
  update: (value, change) => (change.docChanged ? classify(change.state.doc) : value),
});

const mark = (name) => Decoration.mark({ class: name });
const MARKS = { verb: mark("cm-verb"), key: mark("cm-key"), dash: mark("cm-dash"), told: mark("cm-told"), note: mark("cm-note"), comment: mark("cm-comment"), sign: mark("cm-sign") };
/** A line that is wrapped goes on below its first word, so many letters from the edge. */
const hanging = (letters) => Decoration.line({ class: "cm-hanging", attributes: { style: `--in: ${Math.min(8, Math.max(0, letters))}ch` } });

/** Colours of a log; `colours` is a map from players' names to numbers. */
export function inks(colours) {
  const names = [...colours.keys()].sort((one, other) => other.length - one.length);
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const player = names.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  const paint = new Map(names.map((name) => [name, mark(`cm-player p${colours.get(name)}`)]));

  function draw(view) {
    const builder = new RangeSetBuilder();
    const kinds = view.state.field(lines);
    for (const { from, to } of view.visibleRanges) {
      for (let at = from; at <= to; ) {
        const line = view.state.doc.lineAt(at);
        one(builder, line, kinds[line.number - 1] || { kind: "plain" });
        at = line.to + 1;
      }
    }
    return builder.finish();
  }

  function one(builder, line, kind) {
    const add = (from, to, what) => from < to && builder.add(line.from + from, line.from + to, what);
    if (kind.kind === "told") {
      builder.add(line.from, line.from, hanging(kind.indent));
      return add(Math.max(0, kind.indent), line.length, MARKS.told);
    }
    builder.add(line.from, line.from, hanging(kind.indent + (kind.kind === "entry" ? 4 : 2)));
    if (kind.kind === "block") return undefined;
    let rest = 0;
    if (kind.match) {
      const [all, space, dash] = kind.match;
      rest = all.length;
      const name = space.length + (kind.kind === "entry" ? dash.length : 0);
      if (kind.kind === "entry") add(space.length, space.length + 1, MARKS.dash);
      add(name, rest - 1, kind.kind === "entry" ? MARKS.verb : MARKS.key);
      add(rest - 1, rest, MARKS.sign);
    }
    const comment = line.text.slice(rest).search(/(^|\s)#/);
    const end = comment < 0 ? line.length : rest + comment;
    const note = kind.kind === "key" && (kind.word === "note" || kind.word === "wants" || kind.word === "agreed");
    if (note) add(rest, end, MARKS.note);
    else if (player) {
      player.lastIndex = rest;
      for (let found; (found = player.exec(line.text)) && found.index < end; ) add(found.index, found.index + found[0].length, paint.get(found[0]));
    }
    return add(end, line.length, MARKS.comment);
  }

  return ViewPlugin.define(
    (view) => ({
      marks: draw(view),
      update(change) {
        if (change.docChanged || change.viewportChanged) this.marks = draw(change.view);
      },
    }),
    { decorations: (plugin) => plugin.marks },
  );
}

/** The entry a line belongs to: its first and last line. */
export function entryAt(state, number) {
  const kinds = state.field(lines);
  let first = number;
  while (first > 0 && kinds[first - 1]?.kind !== "entry") first--;
  let last = number;
  while (last < kinds.length && kinds[last]?.kind !== "entry") last++;
  return { first, last };
}

export const folding = foldService.of((state, from) => {
  const line = state.doc.lineAt(from);
  if (state.field(lines)[line.number - 1]?.kind !== "entry") return null;
  const { last } = entryAt(state, line.number);
  return last > line.number ? { from: line.to, to: state.doc.line(last).to } : null;
});

export const indenting = indentService.of((context, at) => {
  const line = context.lineAt(at, -1);
  const before = line.text.slice(0, Math.max(0, at - line.from)) || line.text;
  const indent = before.search(/\S/);
  if (indent < 0) return line.text.length;
  if (/^\s*- /.test(before)) return indent + (BLOCK.test(before) ? 4 : 2);
  return BLOCK.test(before) ? indent + 2 : indent;
});

export const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.92rem", lineHeight: "1.62" },
  ".cm-content": { padding: "0 0 6rem", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 1.2rem 0 0.4rem" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--soft)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.8rem 0 1.2rem", minWidth: "3.2rem" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--wash)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-wash) !important" },
  ".cm-foldPlaceholder": { background: "var(--wash)", border: "0", color: "var(--soft)" },
});
