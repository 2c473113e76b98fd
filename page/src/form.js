// All that can be said with a verb, to be filled in: each key with what it means and what fits it. What comes of it is
// a line like any other.

import { button, coded, h, put, quiet } from "./dom.js";
import { formSheet } from "./sheets.js";
import { plain } from "./spans.js";
import { word } from "./words.js";

const MOST_OFFERED = 12;
const THINKING = 120;

/** Fill in the verb of a line. Resolves with the line that comes of it, if it was taken. */
export async function fillIn(table, said, by) {
  const form = await table.query("form", { said }).catch(table.refused);
  if (!form) return undefined;
  const values = new Map(form.keys.map((key) => [key.name, key.value]));
  const told = (key) => (key.main ? "" : `${key.name}: `) + values.get(key.name);
  const lineOf = (keys) => {
    const parts = keys.filter((key) => values.get(key.name)).map(told);
    const main = form.keys[0]?.main && values.get(form.keys[0].name) ? " " : parts.length ? ", " : "";
    return `${form.verb}${main}${parts.join(", ")}`;
  };
  const field = (key) => {
    const offered = h("div.chips.wraps.offered", { role: "group", "aria-label": word("desk.what_fits", { field: key.name }) });
    const input = h("input", { type: "text", id: `key-${key.name}`, value: key.value, autocomplete: "off", autocapitalize: "off", "aria-label": key.main ? word("desk.main_field", { action: form.verb }) : key.name, "aria-required": String(key.required) });
    const look = quiet(THINKING, async () => {
      const before = lineOf(form.keys.filter((one) => one !== key));
      const start = key.main ? `${form.verb} ` : `${before}, ${key.name}: `;
      const asked = `${start}${input.value}`;
      const fit = await table.query("fit", { ...table.here, said: asked, by }).catch(() => null);
      if (asked !== `${start}${input.value}`) return;
      const fits = (fit?.choices || []).filter((one) => one.eligible !== false && one.kind !== "key" && one.line.startsWith(start)).slice(0, MOST_OFFERED);
      put(offered, fits.map((one) => button(".chip", () => set(one.line.slice(start.length).replace(/,\s*$/, "")), plain(one.label))));
    });
    const set = (value) => {
      input.value = value;
      values.set(key.name, value.trim());
      look.now();
      input.focus();
    };
    input.addEventListener("input", () => (values.set(key.name, input.value.trim()), look()));
    input.addEventListener("focus", () => look.now());
    return h("div.field", h("h3", h("label", { for: `key-${key.name}` }, key.main ? form.verb : key.name), key.required && h("span.aside", ` ${word("desk.needed")}`)), h("p.aside", coded(key.doc)), input, offered);
  };
  const [own, every] = [true, false].map((mine) => form.keys.filter((key) => key.own === mine));
  // What the line says already is not folded away.
  const more = every.length > 0 && h("details.more-keys", { open: every.some((key) => key.value) }, h("summary", own.length ? word("desk.more_fields") : word("desk.fields_of_every_entry")), every.map((key) => field(key)));
  const wanted = await formSheet(word("desk.all_fields_of", { action: form.verb }), word("desk.use"), [h("p", coded(form.doc)), own.map((key) => field(key)), more], { wide: true });
  return wanted && lineOf(form.keys);
}
