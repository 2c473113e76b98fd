// The desk: what stands where, and which view is open.

import { Failed, Refused, channel } from "./channel.js";
import { Composer } from "./composer.js";
import { Count, readIt } from "./count.js";
import { DicePad, throwsOf } from "./dicepad.js";
import { button, coded, h, put } from "./dom.js";
import { beginEvening, changeCampaign, changeEvening, showKeeper, tellSession } from "./evening.js";
import { keepForGood, keepsHere, takeCopy } from "./keeping.js";
import { fillIn } from "./form.js";
import { guestParts } from "./guest.js";
import { counts, showProblems } from "./problems.js";
import { Guide } from "./guide.js";
import { Log } from "./log.js";
import { choosePlayer, editEntry, entryMenu, showName, showRule } from "./menus.js";
import { Moment, Top } from "./moment.js";
import { Side } from "./side.js";
import { Pen } from "./spans.js";
import { showOthers } from "./others.js";
import { choose } from "./sheets.js";
import { shelf } from "./shelf.js";
import { Table } from "./table.js";
import { details, trouble } from "./trouble.js";
import { wish } from "./outbox.js";
import { word } from "./words.js";

const table = new Table(channel());
const pen = new Pen({
  rule: (id) => showRule(table, id),
  name: (name) => showName(table, pen, name),
  step: (step) => {
    const entry = table.entries.get(step);
    if (entry) table.look(entry);
  },
});

table.on("campaign", () => {
  pen.know(table.campaign?.players || []);
  document.title = table.campaign ? `${table.campaign.title} – Chronicle` : "Chronicle";
});

// -- how it looks --------------------------------------------------------------------------------------

const root = document.documentElement;
function dress() {
  const scheme = wish.get("scheme", "");
  if (scheme) root.dataset.scheme = scheme;
  else delete root.dataset.scheme;
  root.dataset.size = wish.get("size", "");
}
dress();

// A soft keyboard takes its room from the page, also where the browser does not say so by itself.
const LOW = 520;
function fitScreen() {
  const height = Math.round(visualViewport?.height ?? innerHeight);
  root.style.setProperty("--screen", `${height}px`);
  if (root.classList.contains("low") === height < LOW) return;
  root.classList.toggle("low");
  table.tell("moment");
}
visualViewport?.addEventListener("resize", fitScreen);
fitScreen();

// -- the table view ------------------------------------------------------------------------------------

const composer = new Composer(table, pen, {
  write: async (how) => (table.tried || (await guide.agrees())) && table.write(how),
  escape: () => (table.editing ? table.stopEditing() : table.draft.line ? composer.drop("", word("desk.the_line_is_empty")) : table.place && table.look(null)),
  hole: () => count.start("hole"),
  endEvening: () => count.start("evening"),
  newEvening: () => beginEvening(table, pen),
  choosePlayer: (now, chosen) => choosePlayer(table, pen, now, chosen),
  thrown: (one) => startDice(one.verb),
});
const pad = new DicePad(table, pen, {
  closed: () => {
    page.classList.remove("padding");
    composer.element.hidden = false;
    if (matchMedia("(pointer: fine)").matches) composer.focus();
    markDue("");
  },
  turned: (who) => markDue(who),
});
const log = new Log(table, pen, {
  menu: (entry) => entryMenu(table, entry, () => composer.focus(), changeEntry),
  mend: (one) => showProblems(table, pen, changeEntry, one),
  edit: (entry) => changeEntry(entry),
});
const count = new Count(table, pen, {
  opened: () => page.classList.add("counting"),
  closed: () => {
    page.classList.remove("counting");
    composer.focus();
  },
  ended: () => table.say(word("desk.session_added"), { action: [word("desk.read"), read], also: keepsHere(table) && [word("desk.download_a_backup"), copy] }),
});
const side = new Side(table, pen, { due: (one) => due(one) });
const top = new Top(table, {
  home: () => (location.hash = "/"),
  menu,
  evening: () => changeEvening(table, pen),
  findings: () => showProblems(table, pen, changeEntry),
  turn: (view) => (wish.set("view", view), turn(view)),
});
const moment = new Moment(table, pen);
table.on("moment campaign", () => moment.draw());
const guide = new Guide(table, pen, { focus: () => composer.focus() });

const guest = guestParts(table, pen, (count) => log.latest(count));
const page = h("main.table-view", h("div.middle", guest.bar, moment.element, guest.mine, log.element, h("div.bottom", guest.asks, guide.element, composer.element, pad.element), count.element), side.element);
const reading = h("main.reading-view", { hidden: "" });
const start = h("main.shelf-view");
const said = h("div.said", { role: "status", "aria-live": "polite" });
const gate = h("form.gate", { hidden: "", onsubmit: (event) => (event.preventDefault(), table.channel.enter?.(gate.word.value)) });
document.body.append(top.element, gate, page, reading, start, said);

// What is typed while nothing that takes it has the focus goes into the line; with nothing in the line, what was written
// last is undone.
document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  const taken = target.closest("input, textarea, select, dialog, .pad, .count, .editor-view, [contenteditable]");
  if (page.hidden || !composer.element.offsetParent || altKey) return;
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() !== "z" || table.draft.line || (taken && target.id !== "line")) return;
    event.preventDefault();
    if (shiftKey ? table.canRedo : table.canUndo) table.change(shiftKey ? "redo" : "undo");
  } else if (!taken && (key === "Backspace" || (key.length === 1 && key !== " "))) composer.focus();
});

// -- the editor view, where there is room ---------------------------------------------------------------

const roomy = matchMedia("(min-width: 1200px)");
let editor = null;

/** Which view is wanted: the editor only where it was open last. */
function wanted() {
  if (!roomy.matches || !table.campaign || !table.mayWrite) return "table";
  return wish.get("view", "table");
}

/** Show one of the views alone. */
function show(view) {
  for (const one of [page, reading, start, editor?.element]) if (one) one.hidden = one !== view;
}

async function turn(view = wanted()) {
  const edits = view === "editor" && Boolean(table.campaign);
  if (edits && !editor) {
    const { Editor } = await import("./editor/editor.js");
    editor ??= new Editor(table, pen, {
      moment: (now) => new Moment(table, pen).drawn(now),
      entries: (entries, step, around) => log.around(entries, step, around),
    });
    page.after(editor.element);
  }
  show(edits ? editor.element : table.campaign ? page : start);
  if (edits) await editor.open(table.place);
  else if (table.campaign) log.draw();
  top.view = edits ? "editor" : "table";
  top.draw();
}
roomy.addEventListener("change", () => turn());

// -- who is let in -------------------------------------------------------------------------------------

gate.word = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", "aria-label": word("desk.code_for_guests"), placeholder: word("desk.code") });
gate.append(h("p"), gate.word, h("button.quiet", { type: "submit" }, word("desk.watch")));
table.on("line", () => {
  const shut = table.line.state === "shut";
  gate.hidden = !shut;
  gate.word.hidden = gate.lastChild.hidden = !table.channel.enter;
  if (shut) put(gate.firstChild, coded(table.line.why), details(table.line));
  gate.classList.toggle("bad", Boolean(!table.channel.enter || table.channel.said));
});

function startDice(verb, who = "") {
  const thrown = throwsOf(table.moment).find((one) => one.verb === verb);
  if (!thrown) return false;
  composer.element.hidden = true;
  page.classList.add("padding");
  page.classList.remove("siding");
  pad.start(thrown, who);
  return true;
}

function due(one) {
  if (one.faces?.length) {
    if (pad.open) pad.turnTo(one.who);
    else startDice(one.verb, one.who);
    return;
  }
  page.classList.remove("siding");
  composer.begin(`${one.verb} `);
}

/** Change an entry in the line; one inside of another together with that. */
async function changeEntry(entry) {
  if (!table.mayWrite || table.supposing) return;
  const whole = entry.parent ? (table.entries.get(entry.parent) ?? entry) : entry;
  page.classList.remove("siding");
  const changes = await table.edit(whole).catch(table.refused);
  if (changes === false) await editEntry(table, whole);
}

/** The keys of the verb in the line, to be filled in. */
async function form() {
  const { line, by } = table.draft;
  const filled = await fillIn(table, line, by);
  if (filled !== undefined) composer.go(filled);
  composer.focus();
}

/** Mark who rolls, and show what the others rolled. */
function markDue(who) {
  for (const row of side.element.querySelectorAll(".due > li")) {
    const name = row.querySelector("b")?.textContent;
    row.classList.toggle("current", Boolean(who) && name === who);
    row.dataset.rolled = who ? pad.rolled(name) : "";
  }
}

function toggleSide() {
  page.classList.toggle("siding");
  if (page.classList.contains("siding")) {
    side.element.settle();
    side.element.focus();
  }
}

/** The whole record as a page to read. */
async function read() {
  await readIt(table, pen, reading, () => turn());
  show(reading);
  reading.scrollTop = 0;
  reading.querySelector("button").focus();
}

/** A copy of the open campaign, to have elsewhere. */
async function copy() {
  const all = await table.channel.ask("campaigns");
  await takeCopy(table, all.find(({ id }) => id === table.campaign.id));
}

/** Try moves that are written nowhere, from the end on. */
async function suppose() {
  await table.look(table.entries.get(table.total), { supposing: true });
  composer.focus();
}

async function menu() {
  const scheme = wish.get("scheme", "");
  const size = wish.get("size", "");
  const wear = (name, value) => () => (wish.set(name, value), dress());
  const act = await choose(word("desk.menu"), [
    ...(table.draft.line ? [{ label: word("desk.all_fields"), note: word("desk.all_fields_note"), value: form, icon: "form", disabled: !table.mayWrite }] : []),
    { label: word("desk.read_as_a_page"), value: read, icon: "fiction" },
    ...(side.element.offsetParent ? [] : [{ label: word("desk.overview"), value: toggleSide, icon: "right" }]),
    { label: word("desk.mark_a_gap"), note: word("desk.gap_note"), value: () => count.start("hole"), icon: "hole", disabled: !table.mayWrite },
    { label: word("desk.count_coins_and_dice"), value: () => count.start("count"), icon: "count", disabled: !table.mayWrite },
    { label: word("desk.end_session"), note: word("desk.count_together"), value: () => count.start("evening"), icon: "check", disabled: !table.mayWrite },
    { label: word("desk.try_something"), note: word("desk.nothing_is_saved"), value: suppose, icon: "right" },
    { label: word("desk.this_session"), note: word("desk.session_note"), value: () => changeEvening(table, pen), icon: "edit", disabled: !table.mayWrite || !table.sessions.length },
    { label: word("desk.tell_this_session"), note: word("desk.tell_session_note"), value: () => tellSession(table), icon: "fiction", disabled: !table.mayWrite || !table.sessions.length },
    { label: word("desk.this_campaign"), note: word("desk.title_how_strict_settings"), value: () => changeCampaign(table), icon: "edit", disabled: !table.mayWrite },
    { label: word("desk.start_next_session"), value: () => beginEvening(table, pen), icon: "plus", disabled: !table.mayWrite },
    { label: word("desk.problems_title"), note: table.findings.some(counts) ? word("desk.problems", { count: table.findings.filter(counts).length }) : table.findings.length ? word("desk.no_errors_but_notes", { count: table.findings.length }) : word("desk.no_problems"), value: () => showProblems(table, pen, changeEntry), icon: "warn" },
    { label: word("desk.keepers_to_do_list"), value: () => showKeeper(table, pen), icon: "form", disabled: !table.mayWrite },
    ...(table.channel.enter && table.mayWrite ? [{ label: word("desk.others_at_the_table"), note: word("desk.others_note"), value: () => showOthers(table), icon: "plus" }] : []),
    ...(keepsHere(table) ? [{ label: word("desk.download_a_backup"), note: word("desk.only_this_browser"), value: copy, icon: "take" }] : []),
    { label: word("desk.all_campaigns"), value: () => (location.hash = "/"), icon: "left" },
    { label: scheme === "dark" ? word("desk.light_colours") : word("desk.dark_colours"), value: wear("scheme", scheme === "dark" ? "light" : "dark") },
    { label: size === "large" ? word("desk.normal_text") : word("desk.large_text"), value: wear("size", size === "large" ? "" : "large") },
  ].filter((one) => table.mayWrite || !one.disabled));
  await act?.();
}

// -- what is said in passing ---------------------------------------------------------------------------

let quietly = 0;
table.on("said", () => {
  clearTimeout(quietly);
  const hide = () => put(said);
  if (!table.said) return hide();
  const { words, help, bad, action, also } = table.said;
  const more = details(table.said);
  // What is said in passing lies over older entries, never over the headline or the way back.
  const head = [...document.querySelectorAll(".moment, .read > header")].find((one) => one.offsetParent);
  said.style.insetBlockStart = head ? `${Math.round(head.getBoundingClientRect().bottom) + 6}px` : "";
  put(said, h(`div.toast${bad ? ".bad" : ""}`, h("div.toast-words", h("p", words, help && h("span.aside", ` ${[help].flat().join(" ")}`)), more), [action, also].map((one) => one && button(".small", () => (hide(), one[1]()), one[0])), button(".small", hide, word("desk.close"))));
  // Who is at a table looks up from it: a way back waits, and longer where somebody is about to take it.
  const passing = () => (said.matches(":hover, :focus-within") ? (quietly = setTimeout(passing, 2_000)) : hide());
  quietly = setTimeout(passing, action ? 20_000 : bad ? 12_000 : 6_000);
});

// A way back from one change is out of the way of the next.
let wrote = null;
table.on("log", () => {
  if (table.wrote !== wrote && said.querySelector(".toast:not(.bad)")) put(said);
  wrote = table.wrote;
});

// Nothing fails in silence: an error that no part of the page has shown is said here.
const unexpected = (error) => {
  if (!error || error.shown || error instanceof Failed) return;
  if (error instanceof Refused) table.refused(error);
  else table.say(word("desk.page_error", { error: error.name ?? typeof error }), { details: String(error.stack ?? error), bad: true });
};
addEventListener("error", (event) => unexpected(event.error));
addEventListener("unhandledrejection", (event) => unexpected(event.reason));

// What is written in a browser is worth its promise to keep it.
if (keepsHere(table)) table.on("log", () => table.wrote && keepForGood());

// -- which campaign ------------------------------------------------------------------------------------

async function route() {
  if (location.hash && !location.hash.startsWith("#/")) return;
  // "#/campaign", or "#/campaign/at/anchor": from a page of the site, at one of its entries.
  const [id = "", , anchor = ""] = location.hash.slice(2).split("/").map(decodeURIComponent);
  show(start);
  put(start, h("p.opening-line", { role: "status" }, word("desk.opening")));
  root.classList.toggle("at-table", Boolean(id));
  delete root.dataset.campaign;
  try {
    if (id) {
      await table.open(id);
      const place = anchor && (await table.query("place", { anchor }).catch((error) => table.say(error.message, { bad: true })));
      if (place) await table.look(place);
      wish.set("last", id);
      await turn(anchor ? "table" : undefined);
      root.dataset.campaign = id;
      if (!page.hidden) composer.focus();
    } else {
      table.close();
      await turn("table");
      await shelf(start, table, !location.hash);
    }
  } catch (error) {
    show(start);
    root.classList.remove("at-table");
    const told = error instanceof Refused ? [h("h1", error.message), h("p", [error.help].flat().filter(Boolean).join(" "))] : trouble(id ? word("desk.could_not_open") : word("desk.could_not_list"), error, route);
    put(start, h("div.sorry", told, h("p", h("a", { href: "#/" }, word("desk.all_campaigns")))));
  }
}
addEventListener("hashchange", route);
table.on("shelf", () => !table.mayWrite && route());
top.draw();
route();
