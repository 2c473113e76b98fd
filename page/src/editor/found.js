// Problems in the text: the words underlined, the numbers of their lines marked. Nothing is ever put between the lines.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

const MOST_SHOWN = 40;

/** Set the findings of the file that is shown. */
export const setFindings = StateEffect.define();
/** Set what stands at the end of lines: `[{line, words}]`. */
export const setInlays = StateEffect.define();

/** What marks them in the text. */
export function found() {
  const marked = StateField.define({
    create: () => ({ marks: Decoration.none, numbers: RangeSet.empty }),
    update(value, change) {
      for (const one of change.effects) if (one.is(setFindings)) return draw(change.state, one.value);
      return change.docChanged ? { marks: value.marks.map(change.changes), numbers: value.numbers.map(change.changes) } : value;
    },
    provide: (field) => [EditorView.decorations.from(field, (value) => value.marks), gutterLineClass.from(field, (value) => value.numbers)],
  });
  const inlays = StateField.define({
    create: () => Decoration.none,
    update(value, change) {
      for (const one of change.effects) if (one.is(setInlays)) return atEnds(change.state, one.value);
      return change.docChanged ? value.map(change.changes) : value;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  return [marked, inlays];
}

class Numbered extends GutterMarker {
  constructor(severity) {
    super();
    this.elementClass = `cm-number-${severity}`;
  }
}

function draw(state, list) {
  const marks = [];
  const numbers = [];
  for (const one of list.slice(0, MOST_SHOWN)) {
    const line = one.line >= 1 && one.line <= state.doc.lines ? state.doc.line(one.line) : state.doc.line(1);
    const start = Math.min(line.from + units(line.text, (one.column || 1) - 1), line.to);
    const last = one.end_line >= one.line && one.end_line <= state.doc.lines ? state.doc.line(one.end_line) : line;
    const end = one.end_line === one.line ? Math.min(last.from + units(last.text, (one.end_column || 1) - 1), last.to) : line.to;
    if (end > start) marks.push(Decoration.mark({ class: `cm-wrong cm-wrong-${one.severity}` }).range(start, end));
    marks.push(Decoration.line({ class: `cm-line-${one.severity}` }).range(line.from));
    if (one.severity !== "note") numbers.push(new Numbered(one.severity).range(line.from));
  }
  return { marks: Decoration.set(marks, true), numbers: RangeSet.of(numbers, true) };
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
  const made = list
    .filter((one) => one.line >= 1 && one.line <= state.doc.lines && one.words)
    .map((one) => Decoration.line({ class: "cm-noted", attributes: { "data-note": one.words } }).range(state.doc.line(one.line).from));
  return Decoration.set(made, true);
}
