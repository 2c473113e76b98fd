// What the page knows of the open campaign, and how it comes to know it. Views listen to its parts:
// "campaign", "moment", "log", "findings", "settled", "draft", "fit", "waiting", "line", "said".

import { quiet } from "./dom.js";
import { Drafts, Outbox } from "./outbox.js";
import { word } from "./words.js";

const AT_ONCE = 60;
const THINKING = 60;
const LOOKING = 350;
const MOST_LAID = 2;
const EMPTY = Object.freeze({ line: "", caret: 0, over: 0, by: "", fiction: "", telling: false, apart: false });

/** A draft that was kept, or given back. */
const again = ({ line = "", by = "", fiction = "" }) => ({ ...EMPTY, line, caret: line.length, by, fiction, telling: Boolean(fiction) });

export class Table {
  constructor(channel) {
    this.channel = channel;
    this.outbox = new Outbox(channel);
    this.drafts = new Drafts();
    this.listeners = [];
    this.clear();
    this.mayWrite = true;
    // Raised hands: of guests by campaign, for a keeper; one's own, for a guest.
    this.hands = new Map();
    this.hand = null;
    this.think = quiet(THINKING, () => this.ask());
    this.outbox.onchange = () => this.tell("waiting");
    this.outbox.onrefused = async ({ given }, error) => {
      // What a line lacks is asked where it stands, as Enter does with a line that is known: what is typed next answers.
      const { said, by, text } = given;
      const fit = error.lacks && said && this.takesBack(given) && (await this.query("fit", { ...this.here, said, by, text, caret: said.length }).catch(() => null));
      if (!this.giveBack(given) || !fit) return this.refused(error);
      this.fit = { ...fit, of: said };
      return this.tell("fit", "unfinished");
    };
    this.outbox.onfound = () => this.refresh({ quietly: Boolean(this.draft.line) });
    channel.onfault = this.refused;
    channel.onstate = (state, why, details) => {
      this.line = { state, why, details };
      this.tell("line");
      if (state === "open") {
        this.outbox.go();
        // What was shown before Chronicle had started is asked again, like what was missed.
        if ((this.missed || channel.early) && this.campaign) this.refresh({ quietly: Boolean(this.draft.line) });
        this.missed = false;
      } else this.missed = true;
    };
    channel.ontell = (message) => this.hear(message);
    this.line = { state: channel.state, why: "" };
  }

  clear() {
    this.rewritten();
    this.campaign = this.moment = null;
    this.setFindings({});
    [this.entries, this.unread] = [new Map(), new Map()];
    [this.total, this.first] = [0, 1];
    [this.scenes, this.sessions] = [[], []];
    this.place = this.editing = this.told = this.fit = this.mends = this.fix = null;
    [this.branched, this.laid] = [[], []];
    this.supposing = false;
    this.draft = { ...EMPTY };
    this.canUndo = this.canRedo = "";
  }

  on(parts, call) {
    this.listeners.push({ parts: parts.split(" "), call });
  }

  tell(...parts) {
    for (const one of this.listeners) if (one.parts.some((part) => parts.includes(part))) one.call();
  }

  /** Say something to the reader, in passing. */
  say(words, { help = "", bad = false, details = "", action = null, also = null, brief = false } = {}) {
    this.said = { words, help, bad, details, action, also, brief };
    this.tell("said");
  }

  /** Say what was written, with a way back: once something else is, undoing would undo that. */
  written(words, then = () => {}) {
    this.say(words, { action: [word("desk.undo"), async () => (await this.change("undo"), then())] });
  }

  /** Something else is written, or looked at: the way back from what was is gone. */
  rewritten() {
    if (!this.said?.action) return;
    this.said = null;
    this.tell("said");
  }

  /** Say what Chronicle would not do, or could not. */
  refused = (error) => {
    error.shown = true;
    this.say(error.message, { help: error.help, details: error.details, bad: true });
  };

  hear(message) {
    if (message.tell === "changed" && message.campaign === this.campaign?.id) this.changedElsewhere();
    if (message.tell === "changed" && !this.campaign) this.tell("shelf");
    if (message.tell === "hands") this.hands.set(message.campaign, message.hands);
    if (message.tell === "hand") this.hand = message;
    if (message.tell?.startsWith("hand")) this.tell("raised");
    if (message.tell === "role") {
      this.mayWrite = message.write;
      this.tell("campaign", "moment");
      if (message.words) this.say(message.words);
    }
  }

  /** The hands that are up for the open campaign. */
  get raised() {
    return this.hands.get(this.campaign?.id) ?? [];
  }

  /** Take a hand down, here and for everybody. */
  lower(name) {
    return this.query("lower", { name }).catch(this.refused);
  }

  /** Ask something of the open campaign. */
  query(name, given = {}) {
    return this.channel.ask(name, { campaign: this.campaign.id, ...given });
  }

  // -- opening and looking -------------------------------------------------------------------------

  async open(id) {
    this.clear();
    this.tell("log", "moment", "editing");
    const campaign = await this.channel.ask("open", { campaign: id });
    this.campaign = { id, ...campaign };
    this.canUndo = campaign.undo;
    this.canRedo = campaign.redo;
    this.drafts.opened(this.campaign);
    const left = this.drafts.found(this.campaign.id);
    if (left) {
      this.draft = again(left);
      this.laid = left.laid ?? [];
      this.keep();
    }
    this.tell("campaign", "draft");
    await this.refresh();
    this.outbox.go();
  }

  close() {
    this.clear();
    this.tell("campaign");
  }

  /** Where new entries go: the end, or below an earlier entry that is looked at. */
  get spot() {
    return this.place ? { file: this.place.file, line: this.place.line } : {};
  }

  /** The same, with what is only supposed; of an entry that is being changed, the place above it. */
  get here() {
    if (this.editing) return { file: this.editing.file, line: this.editing.line - 1 };
    return this.branched.length ? { ...this.spot, branch: this.branched.map(({ yaml }) => yaml) } : this.spot;
  }

  /** Ask again for all that is on the page. */
  async refresh({ quietly = false } = {}) {
    const id = this.campaign?.id;
    if (!id) return;
    const first = this.entries.size ? this.first : Math.max(1, (this.campaign.summary?.entries ?? AT_ONCE) - AT_ONCE);
    const [moment, log, findings] = await Promise.all([this.query("table", this.here), this.query("log", { first }), this.query("findings")]);
    if (this.campaign?.id !== id) return;
    this.take(log, true);
    this.moment = moment;
    this.setFindings(findings);
    this.tell("log", "moment", "findings");
    if (!quietly) this.ask();
  }

  changedElsewhere = quiet(150, async () => {
    const before = this.total;
    await this.refresh();
    if (this.total !== before && this.mayWrite) this.say(word("desk.changed_elsewhere"));
  });

  setFindings(answer) {
    this.counts = answer.counts || { error: 0, warning: 0, note: 0 };
    this.findings = answer.findings || [];
  }

  /** Take entries of the log, in place of all there are (`anew`) or besides them. */
  take(log, anew = false) {
    if (anew) [this.entries, this.unread] = [new Map(), new Map()];
    this.total = log.total;
    if (log.sessions) this.sessions = log.sessions;
    if (log.scenes) this.scenes = log.scenes;
    for (const entry of log.entries) this.entries.set(entry.step, entry);
    for (const one of log.unread || []) this.unread.set(`${one.file}:${one.line}`, one);
    const steps = [...this.entries.keys()];
    this.first = steps.length ? Math.min(...steps) : 1;
  }

  /** Entries above what is shown; at least from number `from` on. */
  async earlier(from = this.first) {
    if (this.first <= 1) return;
    this.fetching ??= this.fetch(Math.max(1, Math.min(from, this.first) - AT_ONCE)).finally(() => (this.fetching = null));
    await this.fetching;
  }

  async fetch(first) {
    const log = await this.query("log", { first, last: this.first - 1 });
    this.take(log);
    this.tell("log");
  }

  shown() {
    return [...this.entries.values()].sort((one, other) => one.step - other.step);
  }

  findingsOf(entry) {
    const keys = new Set(entry.findings || []);
    return this.findings.filter((one) => keys.has(one.key));
  }

  /** Look at the table as it was after an entry; without one, at the end again. */
  async look(entry, { supposing = false } = {}) {
    this.place = entry && (entry.step < this.total || supposing) ? { file: entry.file, line: entry.line, step: entry.step } : null;
    this.branched = [];
    this.supposing = supposing;
    if (this.place && this.place.step < this.first) await this.earlier(this.place.step);
    await this.around();
  }

  async around() {
    const place = this.place;
    const moment = await this.query("table", this.here);
    if (place !== this.place) return;
    this.moment = moment;
    this.tell("moment", "log", "draft");
    this.ask();
  }

  /** Whose turn it is: as the game says, or else whoever most of what may come falls to. */
  get turn() {
    if (this.moment?.turn !== undefined) return this.moment.turn;
    const falls = Map.groupBy((this.moment?.next || []).filter(({ by }) => by), ({ by }) => by);
    const [first] = [...falls].sort(([, one], [, other]) => other.length - one.length);
    return first && first[1].length > 1 ? first[0] : "";
  }

  // -- typing --------------------------------------------------------------------------------------

  /** Change what is half typed. */
  type(change) {
    Object.assign(this.draft, { over: 0 }, change);
    // What was asked about the line as it was is of no more use.
    this.asked = this.mends = this.fix = null;
    // A way back to what stood there is of use until something else does.
    if (this.said?.brief) this.rewritten();
    this.keep();
    this.tell("draft");
    this.think();
  }

  /** Nothing that is half typed is lost with the tab. */
  keep() {
    if (this.editing) return;
    this.drafts.keep(this.campaign.id, { ...this.draft, laid: this.laid });
  }

  empty() {
    this.draft = { ...EMPTY };
    this.fit = this.mends = null;
    this.keep();
    this.tell("draft", "fit");
  }

  /** Lay a line aside that another is begun in place of. */
  lay(one) {
    this.laid = [one, ...this.laid.filter(({ line }) => line !== one.line)].slice(0, MOST_LAID);
    this.keep();
    this.tell("draft");
  }

  /** Take a line that was laid aside from there. */
  unlay(one) {
    this.laid = this.laid.filter(({ line }) => line !== one.line);
    this.keep();
    this.tell("draft");
  }

  /** Change an entry in the line; false where no line means the same. What is half typed waits until that is done. */
  async edit(entry) {
    // Until the last change has arrived, the entry may be at another place.
    await this.changing;
    const there = this.entries.get(entry.step) ?? entry;
    const { said, by, fiction, line, version } = await this.query("entry", this.standing(there));
    if (!said) return false;
    const waiting = this.editing ? this.editing.waiting : this.draft;
    this.editing = { step: entry.step, file: entry.file, line, version, was: said, waiting };
    this.draft = { ...again({ line: said, by, fiction: fiction.trim() }), telling: Boolean(fiction.trim()) };
    this.fit = this.mends = this.fix = null;
    this.tell("editing", "draft");
    this.ask();
    return true;
  }

  /** Go on with what was half typed before an entry was changed. */
  stopEditing() {
    if (!this.editing) return;
    const { waiting } = this.editing;
    this.editing = null;
    this.fit = this.mends = this.fix = null;
    this.draft = waiting;
    this.keep();
    this.tell("editing", "draft", "fit");
    this.ask();
  }

  /** Write the entry as it was changed, or take it out. */
  saveEdit(ask, given, words) {
    const { file, line, version, step } = this.editing;
    return this.rewrite(ask, { step, file, line, version, ...given }, words);
  }

  /** Change or take out an entry, and say which later ones are somebody else's by that. */
  async rewrite(ask, { step, ...given }, words) {
    const { total } = this;
    const later = this.shown().filter((one) => one.step > step && !one.parent);
    const answer = await this.change(ask, given);
    // What was not taken stays in the line.
    if (!answer) return null;
    if (this.editing?.step === step) this.stopEditing();
    const moved = later.map((one) => [one, this.entries.get(one.step + this.total - total)]).filter(([one, now]) => now?.player && now.player !== one.player);
    const [, first] = moved[0] ?? [];
    this.written([step ? word(words, { number: step }) : word("desk.saved"), first && word("desk.entries_change_hands", { count: moved.length, number: first.step, name: first.player })].filter(Boolean).join(" "));
    return answer;
  }

  /** What is half typed, as Chronicle is told of it. */
  get typed() {
    const { line, by, fiction } = this.draft;
    return { said: line, by, text: fiction };
  }

  /** What fits the half-typed line. */
  async ask() {
    if (!this.campaign) return;
    this.think.stop();
    const asked = (this.asked = {});
    const { line, caret, over } = this.draft;
    try {
      const fit = await this.query("fit", { ...this.here, ...this.typed, caret, ...(over && { over }) });
      if (asked !== this.asked) return;
      this.fit = { ...fit, of: line };
      this.tell("fit");
      const wrong = !/^[^,\s]/.test(fit.ghost || "") && fit.findings?.some((one) => one.severity === "error" && !one.asks?.length);
      if (fit.complete && (wrong || this.editing)) this.mend(asked);
    } catch (error) {
      if (asked !== this.asked) return;
      this.fit = null;
      this.tell("fit");
    }
  }

  /** What would mend the finding that the draft causes: looked for while nothing else is typed. */
  mend = quiet(LOOKING, async (asked) => {
    if (asked !== this.asked) return;
    // A problem that is in the log already has its fixes as long as its entry is unchanged.
    const { editing } = this;
    const key = editing && editing.was === this.draft.line && this.findingsOf(this.entries.get(editing.step) ?? {})[0]?.key;
    if (editing && !key) {
      const { file, line, version } = editing;
      const { elsewhere = 0 } = editing.was === this.draft.line ? {} : await this.query("amend", { file, line, version, entry: this.fit.yaml }).catch(() => ({}));
      if (asked !== this.asked) return;
      this.fit.elsewhere = elsewhere;
      this.tell("fit");
      return;
    }
    const mends = await this.query("fixes", key ? { key } : { ...this.spot, ...this.typed }).catch(() => []);
    if (asked !== this.asked) return;
    this.mends = mends;
    this.tell("fit");
  });

  /** Try a fix together with the draft, or no longer: nothing is written before the button is tapped. */
  tryFix(number) {
    this.fix = this.fix === number ? null : number;
    this.tell("fit");
  }

  /** The fix that is tried. */
  get tried() {
    return this.fix === null ? null : (this.mends?.[this.fix] ?? null);
  }

  /** Write the draft with the fix that is tried. */
  async applyFix() {
    const key = this.editing && this.findingsOf(this.entries.get(this.editing.step) ?? {})[0]?.key;
    const answer = await this.change("apply", { ...(key ? { key } : this.typed), n: this.fix });
    if (!answer) return null;
    if (this.editing) this.stopEditing();
    else this.empty();
    this.ask();
    this.written(word("desk.fixed"));
    return answer;
  }

  /** Take one of the ways to mend a finding. */
  async settleFinding(found, number) {
    const answer = await this.change("apply", { key: found.key, n: number });
    if (answer) this.written(word("desk.fixed"));
    return answer;
  }

  /** The entry that was written last before here, where nothing is told of it yet. */
  get spare() {
    if (this.editing || this.supposing || this.outbox.waiting(this.campaign.id).length) return null;
    const step = this.place?.step ?? this.total;
    const last = this.shown().findLast((one) => one.step <= step && !one.parent);
    return last && !last.fiction && !last.talk ? last : null;
  }

  /** The entry beside which what is told goes, since no line is begun. */
  get beside() {
    const { line, fiction, apart } = this.draft;
    return fiction.trim() && !line.trim() && !apart ? this.spare : null;
  }

  // -- writing -------------------------------------------------------------------------------------

  /** What a change of the log says besides: where, and which version of the file it was typed against. */
  get against() {
    return { campaign: this.campaign.id, ...this.spot, version: this.moment?.version ?? "" };
  }

  /** Where an entry stands that the log shows, and in which version of its file. */
  standing({ file, line }) {
    return { file, line, version: this.sessions.find((one) => one.file === file)?.version ?? "" };
  }

  /** Write the half-typed line. */
  async write({ whole = false } = {}) {
    const { beside, typed } = this;
    const { line, fiction } = this.draft;
    if (!line.trim() && !fiction.trim()) return null;
    if (this.tried) return this.applyFix();
    if (this.editing) return this.saveEdit("edit", typed, "desk.entry_changed");
    if (beside) {
      this.empty();
      return this.change("tell", { ...this.standing(beside), text: fiction });
    }
    return this.put(line.trim() ? typed : { entry: "tell:", text: fiction }, whole && line.trim() ? { whole } : {});
  }

  /** Write an entry (`{entry}` in YAML, or `{said}` in one line) where the page stands. */
  async put(what, also = {}) {
    if (this.supposing) return this.suppose(what);
    const given = { ...this.against, ...what };
    this.empty();
    return this.settle(this.outbox.give("write", given, also));
  }

  /** Whether the line is free for what was not taken. */
  takesBack({ campaign }) {
    return campaign === this.campaign?.id && !this.editing && !this.draft.line && !this.draft.fiction;
  }

  /** Nothing that was typed is lost: what was not taken stands in the line again, or waits beside what was typed since,
   * or is kept for the next time. */
  giveBack({ campaign, said: line, by, text: fiction }) {
    const draft = again({ line, by, fiction });
    const free = this.takesBack({ campaign });
    if (free) this.type(draft);
    else if (campaign === this.campaign?.id && line) this.lay({ line, by, fiction, refused: true });
    else if (line || fiction) this.drafts.leave(campaign, draft);
    return free;
  }

  /** Any other change: `edit`, `remove`, `undo`, `redo`, `apply`, `hole`, `session`. */
  change(ask, given = {}) {
    return (this.changing = this.settle(this.outbox.give(ask, { campaign: this.campaign.id, ...given })));
  }

  /** Take what a change brought about. */
  async settle(promise) {
    this.rewritten();
    const { laid } = this;
    let answer;
    try {
      answer = await promise;
    } catch {
      return null;
    }
    if (!this.campaign) return answer;
    // A line that was set aside waits until the next entry; one that was not taken, as long as need be.
    if (answer.step) this.laid = this.laid.filter((one) => one.refused || !laid.includes(one));
    this.keep();
    const log = await this.query("log", { first: this.first });
    this.take(log, true);
    if (answer.table && !this.place) this.moment = answer.table;
    else this.moment = await this.query("table", this.here);
    this.setFindings(answer.findings?.counts ? answer.findings : await this.query("findings"));
    this.canUndo = answer.undo ?? this.canUndo;
    this.canRedo = answer.redo ?? this.canRedo;
    this.wrote = answer.step ?? null;
    this.tell("log", "moment", "findings", "settled");
    if (answer.words) this.say(answer.words, { brief: true });
    this.ask();
    return answer;
  }

  // -- what if -------------------------------------------------------------------------------------

  /** Play an entry on a branch that is written nowhere. */
  async suppose(what) {
    const tried = await this.query("try", { ...this.here, ...what }).catch(this.refused);
    if (!tried?.yaml) return null;
    this.branched = [...this.branched, tried];
    this.draft = { ...EMPTY };
    this.tell("draft");
    await this.around();
    return tried;
  }

  /** Take back what was supposed last. */
  async unsuppose() {
    this.branched = this.branched.slice(0, -1);
    await this.around();
  }

  /** Write what was only supposed, where it was supposed. */
  async keepBranch() {
    const entries = this.branched;
    this.branched = [];
    this.supposing = false;
    for (const { yaml } of entries) {
      const answer = await this.put({ entry: yaml });
      if (!answer) break;
      if (this.place) this.place = { file: answer.file, line: answer.line, step: answer.step };
    }
    await this.look(null);
  }
}
