// Sessions: a new one with who is here; the record keeper's own panel.

import { blocks } from "./blocks.js";
import { button, coded, h, icon, put, uncoded } from "./dom.js";
import { formSheet, sheet } from "./sheets.js";
import { cap, word } from "./words.js";

/** Begin a new evening. */
export async function beginEvening(table, pen) {
  const number = (table.sessions.at(-1)?.number ?? 0) + 1;
  const everybody = table.campaign.players.map((one) => one.name);
  const wanted = await askEvening(table, pen, { number, title: "", date: today(), present: everybody }, word("desk.start"));
  if (wanted && (await table.change("session", wanted))) await table.open(table.campaign.id);
}

/** What the evening that is played is called, when it is, and who is here. */
export async function changeEvening(table, pen) {
  const session = table.sessions.at(-1);
  if (!session) return;
  const fresh = !session.date && session.last_step < session.first_step;
  const wanted = await askEvening(table, pen, { ...session, date: fresh ? today() : session.date }, word("desk.save_change"));
  if (!wanted) return;
  const same = wanted.present.length === session.present.length && wanted.present.every((name) => session.present.includes(name));
  await table.change("evening", { file: session.file, ...wanted, present: same ? null : wanted.present, version: session.version });
}

/** Tell the session in the keepers' own words: what happened, who somebody is, how things stand with them. */
export async function tellSession(table) {
  const session = table.sessions.at(-1);
  if (!session) return;
  const { recap, about, end } = session.told;
  const here = table.scenes.filter((scene) => scene.session === session.number).flatMap((scene) => scene.cast);
  const people = [...new Set([...here, ...Object.keys(about), ...Object.keys(end)])];
  const words = h("textarea", { rows: 6, value: recap });
  const lines = people.map((name) => ({ name, about: h("input", { type: "text", autocomplete: "off", value: about[name] ?? "" }), end: h("input", { type: "text", autocomplete: "off", value: end[name] ?? "" }) }));
  const wanted = await formSheet(word("desk.tell_session", { number: session.number }), word("desk.save_change"), [
    h("p.aside", word("desk.recap_help")),
    h("label.field", h("b", word("desk.recap_field")), words),
    lines.map((one) => h("fieldset.field", h("legend", one.name), h("label.field", h("b", word("desk.who_it_is")), one.about), h("label.field", h("b", word("desk.how_things_stand_now")), one.end))),
  ]);
  if (!wanted) return;
  const said = (key) => Object.fromEntries(lines.map((one) => [one.name, one[key].value.trim()]));
  await table.change("evening", { file: session.file, title: session.title, date: session.date, told: { recap: words.value, about: said("about"), end: said("end") } });
}

/** The head of an evening, to be filled in. */
async function askEvening(table, pen, session, done) {
  const names = table.campaign.players.map(({ name }) => name);
  const changed = {};
  const title = h("input", { type: "text", autocomplete: "off", placeholder: word("desk.optional"), value: session.title });
  // A calendar of the browser's reads what is typed in its own order. A day may be told in other words, too.
  const told = /^(\d{4}-\d\d-\d\d)?$/.test(session.date);
  const day = h("input", { type: "text", autocomplete: "off", pattern: told && "\\d{4}-\\d\\d-\\d\\d", placeholder: "2026-05-16", title: told && word("desk.date_format"), value: session.date });
  const wanted = await formSheet(word("desk.session_number", { number: session.number }), done, [
    h("label.field", h("b", word("desk.title")), title),
    h("label.field", h("b", word("desk.date")), day),
    question({ key: "present", label: word("desk.who_is_here"), kind: "several", choices: names, default: session.present, shown: (name) => pen.player(name) }, changed),
  ]);
  const here = changed.present ?? session.present;
  return wanted && { title: title.value.trim(), date: day.value.trim(), present: names.filter((name) => here.includes(name)) };
}

/** Today as logs write a day, which is how Swedish does. */
const today = () => new Date().toLocaleDateString("sv");

/** What the campaign is called, and how it is played. */
export async function changeCampaign(table) {
  const now = await table.query("settled");
  const title = h("input", { type: "text", autocomplete: "off", value: now.title, required: true });
  const changed = {};
  const wanted = await formSheet(word("desk.campaign"), word("desk.save_change"), [
    h("label.field", h("b", word("desk.title")), title),
    now.settings.filter((one) => !one.label).map((one) => question(one, changed)),
    h("details.more", h("summary", word("desk.rulings_title"), icon("down")), now.settings.filter((one) => one.label).map((one) => question(one, changed))),
    h("p.aside", word("desk.settings_help")),
  ]);
  if (!wanted || (title.value.trim() === now.title && !Object.keys(changed).length)) return;
  const answer = await table.change("settle", { title: title.value, settings: changed, version: now.version });
  if (!answer) return;
  await table.open(table.campaign.id);
  table.written(word("desk.settings_saved"), () => table.open(table.campaign.id));
}

/** A setting between whose words people choose; what is chosen otherwise stands in `changed`. `shown` draws a word. */
export function question(one, changed) {
  const chips = h("div.chips.wraps", { role: "group", "aria-label": one.label ?? one.key });
  const title = cap(one.label ?? one.key);
  if (one.kind === "text") return h("label.field", h("b", title), h("span.aside", coded(one.doc)), h("input", { type: "text", autocomplete: "off", value: one.default, oninput: ({ target }) => (changed[one.key] = target.value) }));
  const means = h("p.aside");
  const show = () => {
    const now = changed[one.key] ?? one.default;
    const on = (value) => (Array.isArray(now) ? now.includes(value) : now === value);
    const set = (value) => {
      changed[one.key] = one.kind !== "several" ? value : on(value) ? now.filter((each) => each !== value) : [...now, value];
      show();
    };
    put(chips, one.choices.map((value) => button(".chip", () => set(value), { "aria-pressed": String(on(value)), class: on(value) ? "on" : "", title: uncoded(one.told?.[value]) }, one.shown?.(value) ?? value)));
    // What the words mean that are chosen, for whoever has no pointer to rest on them.
    put(means, coded([now].flat().map((value) => one.told?.[value]).filter(Boolean).join("; ")));
  };
  show();
  return h("fieldset.field", h("legend", title), one.doc && h("p.aside", coded(one.doc)), chips, means);
}

/** What the record keeper has to see to. */
export async function showKeeper(table, pen) {
  const answer = await table.query("keeper", table.spot).catch((error) => ({ blocks: [{ block: "note", text: [error.message] }] }));
  await sheet(word("desk.keepers_to_do_list"), () => (answer.blocks.length ? blocks(answer.blocks, pen) : h("p", word("desk.nothing_to_do"))));
}
