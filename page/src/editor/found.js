// Problems in the text: the words underlined, the numbers of their lines marked. Nothing is ever put between the lines.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

const MOST_SHOWN = 40;

/** Set the findings of the file that is shown. */
export const setFindings = StateEffect.define();
/** Set what stands at the end of lines: `[{line, words}]`. */
export const setInlays = StateEffect.define();

/** Ranges that are drawn anew when an effect says so, and that move with the text until then. */
const ranges = (effect, draw, shown) =>
  StateField.define({
    create: () => RangeSet.empty,
    update(value, change) {
      const told = change.effects.find((one) => one.is(effect));
      return told ? draw(change.state, told.value) : value.map(change.changes);
    },
    provide: (field) => shown.from(field),
  });

const lineOf = (state, number) => (number >= 1 && number <= state.doc.lines ? state.doc.line(number) : null);

class Numbered extends GutterMarker {
  constructor(severity) {
    super();
    this.elementClass = `cm-number-${severity}`;
  }
}

function marks(state, list) {
  const made = [];
  for (const one of list.slice(0, MOST_SHOWN)) {
    const line = lineOf(state, one.line) ?? state.doc.line(1);
    const start = Math.min(line.from + units(line.text, (one.column || 1) - 1), line.to);
    const last = (one.end_line >= one.line && lineOf(state, one.end_line)) || line;
    const end = one.end_line === one.line ? Math.min(last.from + units(last.text, (one.end_column || 1) - 1), last.to) : line.to;
    if (end > start) made.push(Decoration.mark({ class: `cm-wrong cm-wrong-${one.severity}` }).range(start, end));
    made.push(Decoration.line({ class: `cm-line-${one.severity}` }).range(line.from));
  }
  return Decoration.set(made, true);
}

function numbers(state, list) {
  const shown = list.slice(0, MOST_SHOWN).filter((one) => one.severity !== "note");
  return RangeSet.of(shown.map((one) => new Numbered(one.severity).range((lineOf(state, one.line) ?? state.doc.line(1)).from)), true);
}

/** Code points to the editor's units. */
function units(text, points) {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** The editor's units to code points. */
export const points = (text, at) => [...text.slice(0, at)].length;

/** What an entry left stands at the right edge of its first row: a float of the line, so that no letter moves for it. */
function atEnds(state, list) {
  const shown = list.filter((one) => lineOf(state, one.line) && one.words);
  return Decoration.set(shown.map((one) => Decoration.line({ class: "cm-noted", attributes: { "data-note": one.words } }).range(state.doc.line(one.line).from)), true);
}

/** What marks problems and entries in the text. */
export const found = [ranges(setFindings, marks, EditorView.decorations), ranges(setFindings, numbers, gutterLineClass), ranges(setInlays, atEnds, EditorView.decorations)];
