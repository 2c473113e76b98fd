// The labels and sentences of the page, from the catalogue that it shares with the site.

import { desk } from "../../chronicle/words/en.json";

const plurals = new Intl.PluralRules("en");
const PLACE = /\{(\w+)\}/;

/** A message as the catalogue has it, in the plural form that `count` chooses. */
function find(key, count) {
  const message = desk[key.slice("desk.".length)];
  if (message === undefined) throw new Error(`No message is called ${key}.`);
  return typeof message === "string" ? message : message[plurals.select(count)];
}

/** A message with its values filled in, as parts of an element: a value may be an element itself. */
export const worded = (key, values = {}) => find(key, values.count).split(PLACE).map((part, at) => (at % 2 ? values[part] : part));

/** A message with its values filled in, as text. */
export const word = (key, values) => worded(key, values).join("");

/** A word as a heading or a button begins. */
export const cap = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Names as a sentence has them. */
export function listed(names) {
  if (names.length < 2) return names.join("");
  return word("desk.list_last", { list: names.slice(0, -1).join(", "), item: names.at(-1) });
}

/** A day as people say it; what is no date stays as it was typed. */
export function dated(text) {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T12:00`) : NaN;
  return Number.isNaN(Number(day)) ? text : day.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}
