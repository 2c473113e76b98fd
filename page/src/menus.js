// What a tap on an entry, a finding, a rule or the menu offers.

import { coded, h, put, quiet } from "./dom.js";
import { blocks } from "./blocks.js";
import { prose } from "./prose.js";
import { choose, formSheet, sheet } from "./sheets.js";
import { plain } from "./spans.js";
import { word } from "./words.js";

const LOOKING = 250;

/** A rule in a few words. */
export async function showRule(table, id) {
  const rule = await table.query("rule", { rule: id }).catch((error) => ({ id, title: error.message, text: error.help }));
  await sheet(`${rule.id} ${rule.title || ""}`, () => [h("p.aside", rule.chapter), h("div.fiction", prose(rule.text || ""))]);
}

/** Somebody or something, on a card. */
export async function showName(table, pen, name) {
  const card = await table.query("card", { name }).catch((error) => ({ name, kind: error.message, blocks: [] }));
  await sheet(card.name, () => [h("p.aside", [card.kind, card.status].filter(Boolean).join(", ")), card.tagline && h("p", card.tagline), blocks(card.blocks, pen)]);
}

/** What can be done with an entry: look at the moment, edit it, take it out, add what was told. */
export async function entryMenu(table, entry, go, change) {
  if (!entry.step) return unreadMenu(table, entry, change);
  const last = entry.step === table.total;
  const part = Boolean(entry.parent);
  const whole = part && table.entries.get(entry.parent);
  const remove = () => table.rewrite("remove", { step: entry.step, ...table.standing(entry) }, "desk.entry_deleted");
  const act = await choose(word("desk.entry_number", { number: entry.step }), [
    { label: word("desk.view_this_point"), value: () => table.look(entry), icon: "left", disabled: last },
    { label: word("desk.try_something_from_here"), note: word("desk.nothing_is_saved"), value: () => table.look(entry, { supposing: true }).then(go), icon: "right", disabled: !table.mayWrite },
    { label: part ? word("desk.edit_this_part") : word("desk.edit_entry"), value: () => (part ? editEntry(table, entry) : change(entry)), icon: "edit", disabled: !table.mayWrite },
    ...(whole ? [{ label: word("desk.edit_whole_entry", { number: whole.step }), value: () => change(whole), icon: "edit", disabled: !table.mayWrite }] : []),
    { label: entry.fiction ? word("desk.change_story") : word("desk.add_story"), value: () => tellEntry(table, entry), icon: "fiction", disabled: !table.mayWrite },
    ...(part ? [] : [{ label: word("desk.insert_entry_below"), value: () => table.look(entry).then(go), icon: "plus", disabled: !table.mayWrite || last }]),
    { label: part ? word("desk.delete_this_part") : word("desk.delete"), value: remove, icon: "close", disabled: !table.mayWrite },
  ]);
  return act?.();
}

/** What can be done with what could not be read as an entry. */
async function unreadMenu(table, { file, line }, change) {
  const remove = async () => (await table.change("remove", table.standing({ file, line }))) && table.written(word("desk.deleted"));
  const act = await choose(word("desk.line_of_file", { line, file }), [
    { label: word("desk.edit"), value: () => change({ file, line }), icon: "edit", disabled: !table.mayWrite },
    { label: word("desk.delete"), value: remove, icon: "close", disabled: !table.mayWrite },
  ]);
  await act?.();
}

/** Change an entry as it stands in the file. */
export async function editEntry(table, entry) {
  const { entry: text, line, version } = await table.query("entry", table.standing(entry));
  const area = h("textarea.entry-text", { rows: String(Math.min(18, text.split("\n").length + 2)), spellcheck: "false", autocapitalize: "off", "aria-label": word("desk.the_entry_in_yaml"), value: text, oninput: () => look() });
  const findings = h("div.sheet-findings", { role: "status" });
  const look = quiet(LOOKING, async () => {
    const { value } = area;
    const tried = await table.query("amend", { file: entry.file, line, version, entry: value }).catch((error) => ({ findings: [{ severity: "error", message: error.message }] }));
    if (value !== area.value) return;
    const told = (tried.findings || []).filter((one) => one.severity !== "note").map((one) => h(`p.finding-line.${one.severity === "error" ? "bad" : "careful"}`, coded(one.message)));
    // What stood at this place may be what others rest on.
    if (tried.elsewhere) told.push(h("p.finding-line.careful", word("desk.problems_elsewhere", { count: tried.elsewhere })));
    put(findings, told);
  });
  look.now();
  const wanted = await formSheet(entry.step ? word("desk.edit_entry_number", { number: entry.step }) : word("desk.edit"), word("desk.save_change"), [area, findings]);
  if (wanted && area.value !== text) await table.change("edit", { file: entry.file, line, entry: area.value, version });
}

/** Add or change what was told with an entry. */
async function tellEntry(table, entry) {
  const standing = table.standing(entry);
  const before = (entry.fiction || "").trim();
  const area = h("textarea.fiction-line", { rows: "6", "aria-label": word("desk.story"), value: before });
  const wanted = await formSheet(word("desk.story_of_entry", { number: entry.step }), word("desk.save_change"), [h("p.aside", plain(entry.head)), area]);
  if (wanted && area.value.trim() !== before) await table.change("tell", { ...standing, text: area.value });
}

/** Whose act it was. */
export async function choosePlayer(table, pen, now, chosen, { title = word("desk.who_acts"), nobody = word("desk.whose_turn_it_is") } = {}) {
  const players = table.campaign.players.map(({ name }) => ({ label: pen.player(name), value: name, on: now === name }));
  const by = await choose(title, [{ label: nobody, value: "", on: !now }, ...players]);
  if (by !== undefined) chosen(by);
}
