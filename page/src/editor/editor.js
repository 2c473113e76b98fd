// The editor view: the files on the left, what they say on the right. Loaded only where there is room.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, pickedCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { blocks } from "../blocks.js";
import { button, h, put, quiet, roving, uncoded } from "../dom.js";
import { unsaved } from "../outbox.js";
import { prose } from "../prose.js";
import { Problems } from "../problems.js";
import { choose } from "../sheets.js";
import { plain } from "../spans.js";
import { found, points, setFindings, setInlays } from "./found.js";
import { entryAt, folding, indenting, inks, lines, look } from "./lines.js";
import { word } from "../words.js";

const TYPING = 120;
const AT_REST = 4000;
const AROUND = 8;

export class Editor {
  /** `acts`: rule, apply a repair, draw a log entry, say something. */
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.files = new Map();
    this.pane = "page";
    this.tabs = roving(h("div.tabs", { role: "tablist", "aria-label": word("desk.files") }));
    this.panel = h("div.editor-pane", { role: "tabpanel", "aria-label": word("desk.the_file") });
    this.problems = new Problems(table, pen, { go: (one) => this.show(one.file, one.line), apply: (one, at) => this.apply(one, at) }, () => this.file);
    this.where = h("p.follows-cursor");
    const pane = ([id, words]) => button(".segment", () => this.turn(id), { role: "tab", "data-pane": id, "aria-selected": String(id === this.pane) }, words);
    this.panes = roving(h("div.segments", { role: "tablist", "aria-label": word("desk.beside_the_file") }, [["page", word("desk.preview")], ["state", word("desk.overview")], ["come", word("desk.next")]].map(pane)));
    this.beside = h("div.beside", { tabindex: "0", role: "tabpanel", "aria-label": word("desk.cursor_moment") });
    this.come = h("div.beside-come");
    this.status = h("footer.editor-status");
    this.element = h(
      "main.editor-view",
      h("h1.unseen", word("desk.campaign_files")),
      h("section.editor-left", { "aria-label": word("desk.editor") }, h("div.bar-row", this.tabs), this.panel, this.problems.element),
      h("section.editor-right", { "aria-label": word("desk.what_the_file_says") }, h("div.bar-row", this.where, this.panes), this.beside, this.come),
      this.status,
    );
    this.checking = quiet(TYPING, () => this.check());
    this.resting = quiet(AT_REST, () => this.save());
    this.following = quiet(90, () => this.follow());
    table.on("findings", () => this.drawFindings());
    table.on("log", () => this.reread());
    addEventListener("beforeunload", (event) => this.unsaved() && event.preventDefault());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
  }

  // -- files ---------------------------------------------------------------------------------------

  /** Show a campaign's files, at a line of one of them. */
  async open(place = null) {
    const { campaign } = this.table;
    if (this.campaign !== campaign.id) {
      this.campaign = campaign.id;
      this.files.clear();
      this.view?.destroy();
      this.view = null;
      this.file = "";
    }
    const last = campaign.files.filter((one) => one.kind === "session").at(-1);
    const wanted = place?.file || this.file || last?.name || campaign.files[0].name;
    await this.show(wanted, place?.line || (wanted === this.table.moment?.file ? this.table.moment.line : 0));
  }

  async show(name, line = 0) {
    let file = this.files.get(name);
    if (!file) {
      const { text, version } = await this.table.query("text", { file: name });
      const kept = unsaved.get(`${this.campaign}/${name}`);
      file = { name, version, saved: text, state: this.state(kept?.version === version ? kept.text : text), dirty: kept?.version === version && kept.text !== text };
      this.files.set(name, file);
    }
    if (this.view) this.files.get(this.file).state = this.view.state;
    this.file = name;
    if (this.view) this.view.setState(file.state);
    else this.view = new EditorView({ state: file.state, parent: this.panel, dispatchTransactions: (all, view) => this.took(all, view) });
    this.view.scrollDOM.tabIndex = 0;
    this.drawTabs();
    this.drawFindings();
    const end = line || file.state.doc.lines;
    if (line || !file.seen) {
      const at = file.state.doc.line(Math.min(end, file.state.doc.lines));
      this.view.dispatch({ selection: { anchor: at.to }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    }
    file.seen = true;
    if (file.dirty) this.checking();
    this.follow();
    this.view.focus();
  }

  state(doc) {
    const { campaign } = this.table;
    const colours = new Map(campaign.players.map((one) => [one.name, one.colour]));
    return EditorState.create({
      doc,
      extensions: [
        lines,
        look,
        inks(colours),
        folding,
        indenting,
        lineNumbers(),
        foldGutter({ openText: "⌄", closedText: "›" }),
        codeFolding(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        bracketMatching(),
        closeBrackets(),
        search({ top: true }),
        autocompletion({ override: [(context) => this.complete(context)], icons: false, activateOnTypingDelay: 60 }),
        hoverTooltip((view, at) => this.hover(view, at)),
        found,
        EditorState.tabSize.of(2),
        EditorView.cspNonce.of(document.querySelector('meta[name="style-nonce"]')?.content || ""),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": word("desk.the_file_as_yaml"), spellcheck: "false", autocapitalize: "off" }),
        EditorState.readOnly.of(!this.table.mayWrite),
        keymap.of([
          { key: "Mod-s", preventDefault: true, run: () => (this.save(), true) },
          { key: "F8", run: () => (this.nextFinding(), true) },
          { key: "Alt-Enter", run: () => (this.problems.apply(), true) },
          ...[1, 2, 3, 4].map((number) => ({ key: `Alt-${number}`, run: () => (this.problems.try(number - 1), true) })),
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...completionKeymap,
          // The Escape key gives Tab back to the page for whoever has no pointer.
          indentWithTab,
        ]),
      ],
    });
  }

  took(transactions, view) {
    view.update(transactions);
    const changed = transactions.some((one) => one.docChanged && !one.annotation(theirs));
    if (changed) {
      const file = this.files.get(this.file);
      file.dirty = true;
      unsaved.set(`${this.campaign}/${this.file}`, { version: file.version, text: view.state.doc.toString() });
      this.checking();
      this.resting();
      this.drawStatus();
    }
    if (changed || transactions.some((one) => one.selection)) this.following();
  }

  text(name = this.file) {
    return (name === this.file ? this.view.state : this.files.get(name).state).doc.toString();
  }

  unsaved() {
    return [...this.files.values()].some((one) => one.dirty);
  }

  /** Look at what is typed; nothing is saved by that. */
  async check() {
    const file = this.files.get(this.file);
    const asked = (this.asked = {});
    const answer = await this.table.query("change", { file: file.name, text: this.text(), version: file.version }).catch(this.table.refused);
    if (!answer || asked !== this.asked) return;
    this.table.setFindings(answer);
    this.took_ = answer.took;
    this.table.tell("findings");
    this.follow();
  }

  async save() {
    this.resting.stop();
    for (const file of this.files.values()) {
      if (!file.dirty) continue;
      const mine = this.text(file.name);
      await this.table.query("change", { file: file.name, text: mine, version: file.version });
      const answer = await this.table.query("save", { file: file.name }).catch(this.table.refused);
      if (!answer) continue;
      file.version = answer.version;
      file.saved = answer.text;
      if (this.text(file.name) === mine) {
        file.dirty = false;
        unsaved.drop(`${this.campaign}/${file.name}`);
        if (answer.text !== mine) this.replace(file, answer.text);
      } else unsaved.set(`${this.campaign}/${file.name}`, { version: file.version, text: this.text(file.name) });
      this.savedAt = new Date();
    }
    this.drawStatus();
    this.table.refresh({ quietly: true });
  }

  /** Take a text that was written elsewhere, where nothing is half typed here. */
  replace(file, text) {
    const state = file.name === this.file ? this.view.state : file.state;
    const old = state.doc.toString();
    if (old === text) return;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start++;
    let end = 0;
    while (end < old.length - start && end < text.length - start && old.at(-1 - end) === text.at(-1 - end)) end++;
    const change = { changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) }, annotations: theirs.of(true) };
    if (file.name === this.file) this.view.dispatch(change);
    else file.state = state.update(change).state;
  }

  /** The log has changed: by the table view, by another desk, by an editor. */
  async reread() {
    if (!this.view || this.element.hidden || !this.table.campaign) return;
    for (const file of this.files.values()) {
      if (file.dirty) continue;
      const { text, version } = await this.table.query("text", { file: file.name }).catch(() => ({}));
      if (text === undefined || file.dirty) continue;
      file.version = version;
      file.saved = text;
      this.replace(file, text);
    }
    this.drawFindings();
    this.follow();
  }

  async apply(one, at) {
    if (this.unsaved()) await this.save();
    const again = this.table.findings.find((other) => other.key === one.key) || this.table.findings.find((other) => other.message === one.message && other.file === one.file);
    if (!again) return;
    await this.table.settleFinding(again, at);
    this.view.focus();
  }

  /** Whether a finding is of the entry at the cursor. */
  near(one) {
    const { state } = this.view;
    const { first, last } = entryAt(state, state.doc.lineAt(state.selection.main.head).number);
    return one.file === this.file && first <= one.line && one.line <= last;
  }

  nextFinding() {
    const here = this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
    const { all } = this.problems;
    const next = all.find((one) => one.file === this.file && one.line > here) ?? all.find((one) => one.file !== this.file) ?? all[0];
    if (next) this.show(next.file, next.line);
  }

  // -- help while typing ---------------------------------------------------------------------------

  place(state, at) {
    const line = state.doc.lineAt(at);
    return { file: this.file, line: line.number, column: points(line.text, at - line.from) + 1 };
  }

  async complete(context) {
    const word = context.matchBefore(/[\p{L}\p{N}_'’.& -]*/u);
    if (!word || (word.from === word.to && !context.explicit && !/[:{[,-] $/.test(context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos)))) return null;
    if (this.checking && this.files.get(this.file).dirty) await this.check();
    const items = await this.table.query("complete", this.place(context.state, context.pos)).catch(() => null);
    if (!items?.length || context.aborted) return null;
    const { from: start, text } = context.state.doc.lineAt(context.pos);
    const before = Array.from(text.slice(0, context.pos - start));
    // Each takes the place of so many characters as Chronicle says.
    const options = items.map((one) => {
      const from = start + before.slice(0, before.length - one.over).join("").length;
      const { insert, after } = one;
      const apply = (view, option, _, to) => view.dispatch({ changes: { from, to, insert: insert + after }, selection: { anchor: from + insert.length }, annotations: pickedCompletion.of(option) });
      return { label: one.label, detail: one.why || one.note, info: one.told ? () => explained(one.told) : undefined, type: one.why ? "no" : one.kind, apply };
    });
    return { from: context.pos - (items[0].over && before.slice(-items[0].over).join("").length), options, filter: false };
  }

  async hover(view, at) {
    const place = this.place(view.state, at);
    const answer = await this.table.query("hover", place).catch(() => null);
    if (!answer) return null;
    return { pos: at, above: true, create: () => ({ dom: explained(answer.text) }) };
  }

  // -- beside it -----------------------------------------------------------------------------------

  turn(pane) {
    this.pane = pane;
    for (const one of this.panes.children) one.setAttribute("aria-selected", String(one.dataset.pane === pane));
    this.drawBeside();
  }

  /** Show the moment after the entry at the cursor. */
  async follow() {
    if (!this.view || this.element.hidden) return;
    const line = this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
    const asked = (this.followed = {});
    const kind = this.table.campaign.files.find((one) => one.name === this.file)?.kind;
    const { first } = entryAt(this.view.state, line);
    const moment = kind === "session" ? await this.table.query("table", { file: this.file, line: first || line }).catch(() => null) : null;
    if (asked !== this.followed) return;
    this.moment = moment;
    this.cursor = line;
    const step = moment?.step || 0;
    const log = moment ? await this.table.query("log", { first: Math.max(1, step - 3 * AROUND), last: step + AROUND }).catch(() => null) : null;
    if (asked !== this.followed) return;
    this.around = log;
    this.drawBeside();
    this.drawInlays();
    this.drawStatus();
  }

  drawBeside() {
    const { moment, pen } = this;
    put(this.where, word("desk.follows_the_cursor", { number: this.cursor ?? 1 }));
    if (!moment) {
      put(this.beside, h("p.aside.alone", word("desk.no_play")));
      put(this.come);
      return;
    }
    if (this.pane === "state") put(this.beside, blocks(moment.panel, pen));
    else if (this.pane === "come") put(this.beside, this.mayCome(moment));
    else put(this.beside, this.acts.moment(moment), h("ol.entries", this.acts.entries(this.around?.entries || [], moment.step, AROUND)));
    if (this.pane === "page") this.beside.querySelector(".entry.current")?.scrollIntoView({ block: "center" });
    const chips = [...Map.groupBy(moment.next || [], ({ verb }) => verb).values()].map(([first]) => first);
    const turn = moment.turn || "";
    put(
      this.come,
      h("p.aside", turn ? word("desk.possible_for", { name: turn }) : word("desk.possible_actions")),
      h("div.chips.wraps", chips.slice(0, 6).map((one) => button(".chip", () => this.insert(one), { title: one.hint }, one.label || one.verb)), chips.length > 6 && button(".chip.more", () => this.turn("come"), word("desk.all_actions"))),
    );
  }

  mayCome(moment) {
    return [
      h("ul.come", (moment.next || []).map((one) => h("li", button(".menu-row", () => this.insert(one), h("b", one.label || one.verb), one.by && this.pen.player(one.by), h("span.aside", one.hint), this.pen.rule(one.rule))))),
      moment.not_now?.length > 0 && h("details", h("summary", word("desk.not_possible_now", { count: moment.not_now.length })), h("ul.come", moment.not_now.map((one) => h("li", h("b", one.verb), h("span.aside", ` ${one.why || ""}`))))),
    ];
  }

  /** Put a verb that may come below the entry at the cursor. */
  insert(one) {
    const { state } = this.view;
    const { last } = entryAt(state, state.doc.lineAt(state.selection.main.head).number);
    let at = last || state.doc.lines;
    while (at > 1 && !state.doc.line(at).text.trim()) at--;
    const line = state.doc.line(at);
    const words = `\n- ${one.verb}: `;
    this.view.dispatch({ changes: { from: line.to, insert: words }, selection: { anchor: line.to + words.length }, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  drawInlays() {
    const all = (this.around?.entries || []).filter((one) => one.file === this.file && !one.parent);
    this.view.dispatch({ effects: setInlays.of(all.map((one) => ({ line: one.line, words: inlay(one) }))) });
  }

  drawFindings() {
    if (!this.view || !this.table.campaign) return;
    const mine = this.table.findings.filter((one) => one.file === this.file);
    this.view.dispatch({ effects: setFindings.of(mine) });
    const wrong = this.table.findings.filter((one) => one.severity !== "note");
    this.problems.show([...wrong].sort((one, other) => (other.file === this.file) - (one.file === this.file)), wrong.find((one) => this.near(one)));
    this.drawTabs();
    this.drawStatus();
  }

  drawTabs() {
    const { campaign, findings } = this.table;
    const wrong = (names) => findings.filter((one) => names.includes(one.file) && one.severity === "error").length;
    const logs = campaign.files.filter((one) => one.kind === "campaign" || one.kind === "session");
    const others = Map.groupBy(campaign.files.filter((one) => !logs.includes(one)), ({ kind }) => kind);
    const tab = (words, names, press, title) =>
      button(`.tab${wrong(names) ? ".bad" : ""}`, press, { role: "tab", "aria-selected": String(names.includes(this.file)), title }, words, wrong(names) > 0 && ` ${wrong(names)}`);
    put(
      this.tabs,
      logs.map((one) => tab(one.name, [one.name], () => this.show(one.name), one.title || one.name)),
      [...others].map(([kind, files]) => {
        const names = files.map(({ name }) => name);
        const open = async () => {
          const name = names.length > 1 ? await choose(kind, names.map((one) => ({ label: one.slice(kind.length + 1), value: one, on: one === this.file }))) : names[0];
          if (name) this.show(name);
        };
        return tab(kind, names, open, names.join(", "));
      }),
    );
    this.tabs.settle(this.tabs.querySelector("[aria-selected=true]"));
  }

  drawStatus() {
    const { campaign, total } = this.table;
    const { error, warning } = this.table.counts;
    const dirty = this.files.get(this.file)?.dirty;
    put(
      this.status,
      button(error ? ".bad" : warning ? ".careful" : "", () => (this.problems.element.hidden = !this.problems.element.hidden || !(error + warning)), error + warning ? word("desk.problems", { count: error + warning }) : word("desk.no_problems")),
      h("span", this.took_ ? word("desk.entries_replayed", { count: total, seconds: this.took_.toFixed(2) }) : word("desk.entries", { count: total })),
      h("span", [campaign.game_title, campaign.strictness].filter(Boolean).join(", ")),
      h("span.space"),
      h("span", { role: "status" }, dirty ? word("desk.not_saved") : this.savedAt ? word("desk.saved_at", { time: this.savedAt.toTimeString().slice(0, 5) }) : word("desk.saved")),
      button(".small", () => this.save(), { disabled: !dirty }, word("desk.save")),
    );
  }
}

/** A change that was made elsewhere. */
const theirs = Annotation.define();

/** An explanation; every second part of it is an example in YAML. */
const explained = (text) => h("div.cm-hover", text.split(/```(?:yaml)?\n?/).map((part, number) => (number % 2 ? h("pre", part.trimEnd()) : prose(uncoded(part)))));

/** What an entry left everybody with, in a few words. */
function inlay(entry) {
  const { changes } = entry.row;
  if (changes.length) return changes.slice(0, 4).map((one) => [plain(one.who), one.after, one.label].filter(Boolean).join(" ")).join(" · ");
  if (entry.dice?.score) return entry.dice.score;
  return "";
}
