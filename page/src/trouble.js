// What went wrong, shown where it went wrong: a sentence, another try, and the details for a report.

import { button, h } from "./dom.js";
import { word } from "./words.js";

/** The details of a failure, folded away; nothing where there are none. */
export const details = (error) => Boolean(error.details) && h("details.trouble-details", h("summary", word("desk.show_details")), h("pre", { tabindex: "0" }, error.details));

/**
 * A failure to be put where it happened. `words` say what could not be done, `again` tries it once more.
 * Marks the error as shown, so that it is not shown a second time over the page.
 */
export function trouble(words, error, again) {
  error.shown = true;
  return h("div.trouble", { role: "alert" }, h("p", h("b", words), " ", [error.message, error.help].flat().filter(Boolean).join(" ")), h("div.trouble-ways", again && button(".small", again, word("desk.try_again")), details(error)));
}
