// Findings in their place: the words underlined, what is wrong and what would mend it right below.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, keymap } from "@codemirror/view";
import { button, h, put } from "../dom.js";
import { effect } from "../composer.js";
import { word } from "../words.js";

const MOST_SHOWN = 40;

/** Set the findings of the file that is shown. */
export const setFindings = StateEffect.define();
/** Set what stands at the end of lines: `[{line, words}]`. */
export const setInlays = StateEffect.define();

class Card extends WidgetType {
  constructor(finding, acts) {
    super();
    this.finding = finding;
    this.acts = acts;
  }

  eq(other) {
    return other.finding.key === this.finding.key && other.finding.message === this.finding.message;
  }

  toDOM(view) {
    const { finding, acts } = this;
    const mends = h("div.mends");
    const card = h(
      `div.cm-finding.finding.${finding.severity}`,
      h("div.finding-head", h("h2", finding.message), acts.rule(finding.rule)),
      (finding.related || []).slice(0, 2).map((fact) => h("p", fact.message, fact.line > 0 && ` (${word("desk.line_number", { number: fact.line })})`)),
      (finding.help || []).slice(0, 2).map((line) => h("p", line)),
      mends,
    );
    // Looking for ways takes a while: it is done for the entry at the cursor, and where it is asked for.
    const look = async () => {
      const all = await acts.fixes(finding);
      put(mends, all.map((one, at) => button(`.mend${one.preferred ? ".preferred" : ""}`, () => acts.apply(finding, at), at < 4 && h("kbd", at === 0 ? "⌥↵" : `⌥${at + 1}`), h("span", acts.write(one.title)), effect(one) && h("span.effect", effect(one)))));
      mends.hidden = !all.length;
      view.requestMeasure();
    };
    if (acts.near(finding)) look();
    else put(mends, button(".mend", look, word("desk.show_fixes")));
    return card;
  }

  ignoreEvent() {
    return true;
  }
}

class Words extends WidgetType {
  constructor(words) {
    super();
    this.words = words;
  }

  eq(other) {
    return other.words === this.words;
  }

  toDOM() {
    return h("span.cm-inlay", { "aria-hidden": "true" }, this.words);
  }
}

/** The extension that shows them; `acts` mend and explain. */
export function found(acts) {
  const cards = StateField.define({
    create: () => ({ list: [], marks: Decoration.none }),
    update(value, change) {
      for (const one of change.effects) if (one.is(setFindings)) return { list: one.value, marks: draw(change.state, one.value, acts) };
      return change.docChanged ? { list: value.list, marks: value.marks.map(change.changes) } : value;
    },
    provide: (field) => EditorView.decorations.from(field, (value) => value.marks),
  });
  const inlays = StateField.define({
    create: () => Decoration.none,
    update(value, change) {
      for (const one of change.effects) if (one.is(setInlays)) return atEnds(change.state, one.value);
      return change.docChanged ? value.map(change.changes) : value;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const near = (view) => {
    const line = view.state.doc.lineAt(view.state.selection.main.head).number;
    const { list } = view.state.field(cards);
    return list.find((one) => one.line <= line && line <= (one.end_line || one.line) + 8) || list[0];
  };
  const keys = [1, 2, 3, 4].map((number) => ({
    key: number === 1 ? "Alt-Enter" : `Alt-${number}`,
    run: (view) => {
      const one = near(view);
      if (!one) return false;
      acts.apply(one, number - 1);
      return true;
    },
  }));
  return [cards, inlays, keymap.of(keys)];
}

function draw(state, list, acts) {
  const marks = [];
  const widgets = new Map();
  for (const one of list.slice(0, MOST_SHOWN)) {
    const line = one.line >= 1 && one.line <= state.doc.lines ? state.doc.line(one.line) : state.doc.line(1);
    const start = Math.min(line.from + units(line.text, (one.column || 1) - 1), line.to);
    const last = one.end_line >= one.line && one.end_line <= state.doc.lines ? state.doc.line(one.end_line) : line;
    const end = one.end_line === one.line ? Math.min(last.from + units(last.text, (one.end_column || 1) - 1), last.to) : line.to;
    if (end > start) marks.push(Decoration.mark({ class: `cm-wrong cm-wrong-${one.severity}` }).range(start, end));
    marks.push(Decoration.line({ class: `cm-line-${one.severity}` }).range(line.from));
    if (one.severity !== "note") widgets.set(one.key, Decoration.widget({ widget: new Card(one, acts), block: true, side: 1 }).range(line.to));
  }
  return Decoration.set([...marks, ...widgets.values()], true);
}

/** Code points to the editor's units. */
function units(text, points) {
  let at = 0;
  for (let left = points; left > 0 && at < text.length; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** The editor's units to code points. */
export const points = (text, at) => [...text.slice(0, at)].length;

function atEnds(state, list) {
  const made = list
    .filter((one) => one.line >= 1 && one.line <= state.doc.lines && one.words)
    .map((one) => Decoration.widget({ widget: new Words(one.words), side: 1 }).range(state.doc.line(one.line).to));
  return Decoration.set(made, true);
}
