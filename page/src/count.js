// Counting what lies on the table: at a hole in the record, in between, or when the evening ends.
// What Chronicle believes stands there; a tap says what differs.

import { button, h, icon, put, quiet } from "./dom.js";
import { row } from "./log.js";
import { prose } from "./prose.js";
import { word } from "./words.js";

const MODES = {
  hole: {
    title: (step) => word("desk.gap_after", { number: step }),
    sub: word("desk.gap_sub"),
    ask: word("desk.what_is_missing"),
    write: word("desk.mark_a_gap"),
    foot: word("desk.gap_foot"),
  },
  count: {
    title: () => word("desk.count_coins_and_dice"),
    sub: word("desk.count_sub"),
    write: word("desk.save_count"),
    foot: word("desk.count_foot"),
  },
  evening: {
    title: () => word("desk.end_session_title"),
    sub: word("desk.count_sub"),
    ask: word("desk.how_did_it_end"),
    write: word("desk.end_session_save"),
    foot: word("desk.count_foot"),
  },
};
const MANY = 12;

export class Count {
  constructor(table, pen, acts) {
    Object.assign(this, { table, pen, acts });
    this.element = h("section.count", { "aria-label": word("desk.count"), hidden: "" });
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.previewing = quiet(120, () => this.preview());
    // What was counted of one campaign is nothing of another.
    table.on("campaign", () => this.element.hidden || this.close());
  }

  async start(mode) {
    this.mode = mode;
    this.words = "";
    const { groups } = await this.table.query("count", this.table.spot);
    this.groups = groups.filter((group) => group.rows.length);
    for (const row of groups.flatMap(({ rows }) => rows)) Object.assign(row, { now: row.value, counted: false });
    this.element.hidden = false;
    this.draw();
    this.acts.opened();
    (this.element.querySelector("input") || this.element.querySelector("h1")).focus();
    this.preview();
  }

  close() {
    this.element.hidden = true;
    put(this.element);
    this.acts.closed();
  }

  /** What was counted: `{measure: {name: figure}}`. */
  get figures() {
    const counted = ({ rows }) => rows.filter((row) => row.counted).map((row) => [row.name, row.now]);
    const some = this.groups.filter((group) => counted(group).length);
    return Object.fromEntries(some.map((group) => [group.measure, Object.fromEntries(counted(group))]));
  }

  draw() {
    const say = MODES[this.mode];
    this.says = h("div.pad-says", { role: "group", "aria-label": word("desk.preview_label"), tabindex: "0" });
    this.differs = h("div.sheet-findings", { role: "status" });
    this.done = button(".write", () => this.write(), { disabled: !this.table.mayWrite }, say.write);
    put(
      this.element,
      h(
        "div.count-body",
        h("header.count-head", h("h1", { tabindex: "-1" }, say.title(this.table.place?.step ?? this.table.total)), h("p.aside", say.sub)),
        say.ask && h("label.field", h("b", say.ask), h("input", { type: "text", autocomplete: "off", value: this.words, oninput: (event) => ((this.words = event.target.value), this.previewing()) })),
        this.mode === "evening" && this.own.length > 0 && button(".small.all", () => this.all(), word("desk.all_counted")),
        this.groups.map((group) => this.group(group)),
        h("p.aside", say.foot),
        this.differs,
        this.says,
      ),
      h("footer.count-foot", button(".quiet", () => this.close(), word("desk.cancel")), this.done),
    );
  }

  /** What everybody holds: the figures that people count together. */
  get own() {
    const held = this.groups.filter((group) => group.of === "player" && group.rows.some((row) => typeof row.value === "number" && row.value));
    return held.flatMap((group) => group.rows.filter((row) => typeof row.value === "number"));
  }

  all() {
    for (const row of this.own) row.counted = true;
    this.draw();
    this.previewing();
  }

  group(group) {
    const rows = h("div.count-rows", group.rows.map((row) => this.row(group, row)));
    const head = [h("b", group.title), h("span.aside", group.of === "player" ? (this.mode === "hole" ? word("desk.or_leave_it_open") : "") : group.doc)];
    const idle = group.rows.every((row) => !row.value && !row.counted) && group.of !== "game";
    return group.rows.length > MANY || group.of === "thing" || idle
      ? h("details.count-group", h("summary.count-title", head, icon("down")), rows)
      : h("div.count-group", h("p.count-title", head), rows);
  }

  row(group, row) {
    const element = h("div.count-row", { class: this.pen.colour(row.player) });
    const name = row.name || group.title;
    const set = (value, counted = true) => {
      row.now = value;
      row.counted = counted;
      show();
      this.previewing();
    };
    const step = (by) => {
      const next = Number(row.now) + by;
      if ((row.least === null || next >= row.least) && (row.most === null || next <= row.most)) set(next);
    };
    const show = () => {
      const differs = row.counted && row.now !== row.value;
      const words = row.counted ? (differs ? word("desk.log_says", { number: row.computed }) : word("desk.matches")) : row.computed === String(row.value) ? word("desk.not_counted") : row.computed;
      put(
        element,
        h("span.player", name),
        typeof row.value === "number"
          ? h(
              "span.stepper",
              button(".step", () => step(-1), { "aria-label": word("desk.one_less", { name }) }, icon("minus")),
              button(".figure", () => set(row.counted && !differs ? row.value : row.now, !(row.counted && !differs)), { "aria-pressed": String(row.counted), "aria-label": word("desk.counted_as", { name, number: row.now, note: words }) }, String(row.now)),
              button(".step", () => step(1), { "aria-label": word("desk.one_more_of", { name }) }, icon("plus")),
            )
          : h("span.words", (row.words.length ? row.words : [row.value]).map((word) => button(".word", () => set(word, !(row.counted && row.now === word)), { "aria-pressed": String(row.counted && row.now === word) }, word))),
        h(`span.count-note${differs ? ".careful" : ""}`, words),
      );
      element.classList.toggle("counted", row.counted);
    };
    show();
    return element;
  }

  async preview() {
    const { mode, figures } = this;
    if (this.element.hidden) return;
    const none = !Object.keys(figures).length;
    if (mode === "evening") put(this.done, none ? word("desk.end_session") : MODES.evening.write);
    if (mode === "count" && none) {
      put(this.says);
      put(this.differs);
      return;
    }
    const answer = await this.ask().catch((error) => ({ entry: "", findings: [{ message: error.message }] }));
    if (this.element.hidden) return;
    put(this.says, (answer.rows || []).map((one) => row(one, this.pen)));
    this.says.dataset.entry = answer.yaml || answer.entry;
    put(this.differs, mode !== "hole" && answer.findings.map((one) => h("p.finding-line.careful", one.message)));
  }

  /** The entries for what was counted, and what they would do. */
  ask() {
    const { mode, figures, words, table } = this;
    return table.query("counted", { ...table.spot, figures, words, where: mode });
  }

  async write() {
    const { mode, figures, words, table } = this;
    this.close();
    if (mode === "hole") await table.change("hole", { ...table.against, words, figures });
    else if (mode === "evening" || Object.keys(figures).length) {
      const { entry } = await this.ask();
      const written = await table.put({ entry });
      if (written && mode === "evening") this.acts.ended();
    }
  }
}

/** Read a campaign as a page: the story in the column, what was done in small above it. */
export async function readIt(table, pen, element, back) {
  const { sessions } = await table.query("read");
  const words = (texts) => texts.length > 0 && h("div.fiction", texts.flatMap((text) => prose(text)));
  const entry = ({ player, head, story, result, effects, more }) =>
    h(
      `div.read-beat.${pen.colour(player)}`,
      head.length > 0 && h("p.read-head", pen.write(head)),
      story && h("div.fiction", prose(story)),
      result.map((line) => h("p.read-result", pen.write(line))),
      effects.length > 0 && h("p.read-effects", effects.flatMap((line) => [pen.write(line), " "]), more > 0 && word("desk.and_more", { count: more })),
    );
  const parts = sessions.flatMap(({ number, title, date, recap, parts, closing }) => [
    h("h2.read-session", title ? `${number}. ${title}` : word("desk.session_number", { number }), date && h("span.aside", ` ${date}`)),
    words(recap),
    ...parts.map((part) => ("title" in part ? h("h3.read-scene", part.title, part.where && h("span.aside", ` ${part.where}`)) : entry(part))),
    words(closing),
  ]);
  put(element, h("article.read", h("header", button(".quiet", back, icon("left"), h("span", word("desk.back_to_the_log"))), h("h1", table.campaign.title)), h("div", parts)));
}
