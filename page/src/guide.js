// A first evening, led: what happened at the table, and what a keeper types for it, one entry after the other.
// Another try is told kindly, before anything is written, and may be written all the same.

import { button, h, icon, put } from "./dom.js";
import { wish } from "./outbox.js";
import { choose } from "./sheets.js";
import { word, worded } from "./words.js";

const place = (id) => `guide:${id}`;
const MOST_SAID = 3;

/** Choose a game. `ready` is called when the games are there. Resolves with the form of the game, if one was chosen. */
export async function chooseGame(channel, title, ready) {
  const games = await channel.ask("games");
  ready();
  return choose(title, games.map((one) => ({ label: one.title, note: `${one.people}. ${one.intro}`, value: one, class: "game" })));
}

/** Choose a game, and begin its first evening. Resolves with the campaign, if one was begun. */
export async function beginGuide(channel, ready) {
  const game = await chooseGame(channel, word("desk.guide_which_game"), ready);
  if (!game) return null;
  const { id } = await channel.ask("lead", { game: game.game });
  wish.set(place(id), "yes");
  return id;
}

/** What comes next on the way, above the line in which it is typed. */
export class Guide {
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.led = null;
    this.differs = [];
    this.insists = "";
    this.element = h("section.guide", { "aria-label": word("desk.guided_first_evening"), hidden: "" });
    table.on("campaign log", () => this.follow());
    table.on("moment", () => this.show());
    table.on("draft", () => this.mark());
    table.on("fit", () => this.compare());
  }

  /** Whether somebody is led through the open campaign. */
  get leads() {
    const { campaign, mayWrite } = this.table;
    return Boolean(campaign && mayWrite && wish.get(place(campaign.id), ""));
  }

  async follow() {
    const { campaign } = this.table;
    if (!this.leads) return this.show();
    const led = await this.table.query("led").catch(() => null);
    if (this.table.campaign !== campaign) return null;
    const moved = led?.done !== this.led?.done;
    this.led = led;
    this.differs = [];
    this.show();
    if (moved) this.draw();
    return null;
  }

  show() {
    this.element.hidden = !this.leads || !this.led || Boolean(this.table.place || this.table.supposing);
  }

  /** What is otherwise in the line as it stands, once it is an entry. */
  async compare() {
    const { draft, fit } = this.table;
    if (!this.leads || !this.led?.step) return;
    const whole = draft.line && fit?.of === draft.line && fit.complete;
    const led = whole ? await this.table.query("led", { said: draft.line, by: fit.by || "" }).catch(() => null) : null;
    if (draft.line !== this.table.draft.line) return;
    this.differs = led?.differs || [];
    this.mark();
  }

  /** Whether the line may be written: not at once if the evening went otherwise. */
  async agrees() {
    const { line } = this.table.draft;
    if (!this.leads || this.element.hidden || !this.led?.step || !line.trim() || this.insists === line) return true;
    const led = await this.table.query("led", { said: line, by: this.table.fit?.by || "" }).catch(() => null);
    if (!led?.differs.length) return true;
    this.differs = led.differs;
    this.insists = line;
    this.mark();
    return false;
  }

  draw() {
    const leave = button(".small", () => this.leave(), word("desk.leave_the_guide"));
    const { done = 0, of = 0, step, told, player } = this.led || {};
    if (!step) {
      put(this.element, h("div.guide-at", h("p", worded("desk.guide_done", { lead: h("b", word("desk.guide_done_lead")) })), leave));
      return;
    }
    this.line = h("pre.guide-words", { tabindex: "0", role: "group", "aria-label": word("desk.what_the_keeper_types") });
    this.said = h("div.guide-said", { role: "status", "aria-live": "polite" });
    put(
      this.element,
      h("div.guide-at", h("p", h("b.guide-count", word("desk.step_of", { number: done + 1, count: of })), " ", player && told[0]?.player !== player && [this.pen.player(player), ": "], this.pen.write(told)), leave),
      !done && h("p.aside", word("desk.guide_how")),
      step.about && h("p.aside", step.about),
      h("div.guide-line", this.line, button(".small", () => this.take(), icon("down"), h("span", step.line ? word("desk.fill_in_for_me") : word("desk.add")))),
      step.text && h("p.aside.guide-told", worded("desk.story_told", { text: h("q", step.text.trim()) })),
      this.said,
    );
    this.mark();
  }

  /** How much of it is typed, and what is otherwise. */
  mark() {
    const { step } = this.led || {};
    if (this.element.hidden || !step || !this.line) return;
    const wanted = step.line || `- ${step.entry}`;
    const typed = this.table.draft.line;
    let same = 0;
    while (same < typed.length && wanted[same]?.toLowerCase() === typed[same].toLowerCase()) same++;
    put(this.line, same > 0 && h("mark", wanted.slice(0, same)), wanted.slice(same));
    const whole = typed && this.table.fit?.of === typed && this.table.fit.complete;
    const said = whole ? this.differs.slice(0, MOST_SAID) : [];
    put(this.said, said.length > 0 && h("p", h("b", word("desk.nearly")), " ", said.map((one) => [this.pen.write(one), " "]), this.insists === typed && word("desk.guide_add_again")));
  }

  take() {
    const { line, entry, text } = this.led.step;
    if (!line) return this.table.put({ entry, text });
    this.table.type({ line, caret: line.length, by: "", fiction: text, telling: Boolean(text) });
    this.table.think.now();
    return this.acts.focus();
  }

  leave() {
    wish.set(place(this.table.campaign.id), "");
    this.show();
    this.acts.focus();
  }
}
