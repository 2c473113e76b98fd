// The examples of a hand-written page, run in place: each is looked at after those above it, in a campaign that
// is kept nowhere. Loaded by the page's first "Try it".

import { InWorker } from "../channel.js";
import { button, h, put, quiet } from "../dom.js";
import { prose } from "../prose.js";
import { Pen } from "../spans.js";
import { details, trouble } from "../trouble.js";
import { word } from "../words.js";

const SETTINGS = "campaign.yaml";
const LOG = "01.yaml";
const WAIT = 250;

let channel = null;
const examples = [];

/** An example: where its text comes from, and how it goes with those above it. */
class Example {
  constructor(block) {
    this.block = block;
    this.printed = `${block.querySelector("code").textContent.trimEnd()}\n`;
    this.instead = block.classList.contains("ch-instead");
    this.said = h("div.ch-try__said", { role: "status" });
    this.later = quiet(WAIT, () => this.run());
  }

  get text() {
    return this.area ? `${this.area.value.trimEnd()}\n` : this.printed;
  }

  /** Let it be changed where it stands. */
  open() {
    this.area = h("textarea.ch-try__text", { spellcheck: "false", autocapitalize: "off", "aria-label": word("desk.example_label"), rows: String(this.printed.split("\n").length - 1), value: this.printed.trimEnd(), oninput: () => this.later() });
    this.block.after(this.area, this.said);
    this.block.hidden = true;
  }

  async run() {
    const asked = (this.asked = {});
    try {
      const answer = await channel.ask("look", { files: files(this) });
      if (asked === this.asked) this.tell(answer);
    } catch (error) {
      put(this.said, trouble(word("desk.example_not_run"), error, () => this.run()));
    }
  }

  tell({ open, findings, log }) {
    if (!findings) return put(this.said, h("p", open.message), [open.help].flat().map((line) => h("p", line)));
    const pen = new Pen();
    pen.know(open.players);
    const found = findings.findings.filter((one) => one.severity !== "note");
    // What the entries of this example did, and not what came above it.
    const before = this.before?.split("\n").length ?? 0;
    const done = log.entries.filter((one) => one.file === LOG && one.line >= before);
    return put(
      this.said,
      found.map((one) => finding(one)),
      found.length === 0 && h("p.ch-check.ch-check--clean", "✓ ", word("desk.entries_no_problems", { count: findings.entries })),
      done.length > 0 && h("ol.ch-try__done", done.map((one) => h("li", h("p", one.head.length ? pen.write(one.head) : one.fiction), one.follows.map((event) => h("p.ch-soft", pen.write(event.text)))))),
      button(".ch-try__on", () => this.goOn(), word("desk.continue_at_desk")),
    );
  }

  /** Keep it on this device, and open it. */
  async goOn() {
    try {
      const { campaigns } = await channel.ask("receive", { name: "our-table", files: files(this) });
      location.href = new URL(`index.html#/${encodeURIComponent(campaigns[0])}`, import.meta.url);
    } catch (error) {
      put(this.said, trouble(word("desk.example_not_opened"), error, () => this.goOn()));
    }
  }
}

function finding(one) {
  return h(
    `div.ch-diag.ch-diag--${one.severity}`,
    h("p", h("span.ch-diag__severity", one.severity), " ", one.rule && h("strong", one.rule.slice(one.rule.lastIndexOf(":") + 1)), " ", one.message),
    one.help.map((line) => h("div.ch-diag__help", prose(line))),
  );
}

/** The files of a campaign with this example in it: settings, and what stands above it. */
function files(example) {
  const all = examples.slice(0, examples.indexOf(example) + 1);
  let settings = "";
  let log = "";
  let above = "";
  for (const one of all) {
    if (/^game:/m.test(one.text)) settings = one.text;
    else if (/^log:/m.test(one.text)) [above, log] = ["", one.text];
    else if (!one.instead) [above, log] = [log, log + one.text];
    else if (one === example) [above, log] = [withoutLast(log), withoutLast(log) + one.text];
  }
  example.before = above;
  const bytes = (text) => new TextEncoder().encode(text);
  return new Map([[SETTINGS, bytes(settings)], [LOG, bytes(log || "session: 1\n\nlog:\n")]]);
}

/** A log without its last entry. */
const withoutLast = (log) => log.slice(0, log.lastIndexOf("\n- ") + 1);

/** Make an example of a page one that runs. `blocks` are all of the page's. */
export function run(blocks, block) {
  channel ??= new InWorker(new Worker(new URL("worker.js", import.meta.url), { type: "module" }), { kept: false });
  if (!examples.length) examples.push(...[...blocks].map((one) => new Example(one)));
  const example = examples.find((one) => one.block === block);
  put(example.said, h("p.ch-soft", word("desk.starting_in_browser")));
  example.open();
  channel.onstate = (state, why, more) => state === "shut" && put(example.said, h("p", why), details({ details: more }));
  return example.run();
}
