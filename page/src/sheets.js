// Sheets that slide over the page: menus, choices, what has to be looked at for itself.

import { button, h, icon } from "./dom.js";
import { word } from "./words.js";

/** Open a sheet. `content(close)` gives what stands in it; the promise resolves with what `close` was given. */
export function sheet(title, content, { wide = false } = {}) {
  return new Promise((resolve) => {
    const close = (value) => {
      dialog.close();
      resolve(value);
    };
    const head = h("header.sheet-head", h("h2", { id: "sheet-title", tabindex: "-1" }, title), button(".plain.icon-only", () => close(), { "aria-label": word("desk.close") }, icon("close")));
    const body = h("div.sheet-body", content(close));
    const dialog = h(`dialog.sheet${wide ? ".wide-sheet" : ""}`, { "aria-labelledby": "sheet-title" }, head, body);
    dialog.addEventListener("click", ({ target }) => target === dialog && close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      // Whatever was tapped to come here may have been drawn anew: then what is typed goes into the line.
      if (document.activeElement === document.body && matchMedia("(pointer: fine)").matches) document.getElementById("line")?.focus();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
    // Whatever can be typed goes where it is read, not to the button that closes.
    // A search opens no keyboard over what it would search.
    const unless = matchMedia("(pointer: fine)").matches ? "" : ":not([role=searchbox])";
    body.querySelector(`textarea, input:not([type=checkbox]):not([type=radio])${unless}, select`)?.focus();
  });
}

/** A form in a sheet; true once it is handed over. */
export const formSheet = (title, done, fields, form) =>
  sheet(title, (close) => h("form.fill-in", { onsubmit: (event) => (event.preventDefault(), close(true)) }, fields, h("div.sheet-actions", button(".quiet", () => close(), word("desk.cancel")), h("button.write", { type: "submit" }, done))), form);

/** A list of things to choose from: `[{label, note, value, icon, disabled}]`. */
export function choose(title, options) {
  return sheet(title, (close) =>
    h(
      "ul.menu",
      options.map((one) => {
        const state = { disabled: one.disabled, class: one.class || "", "aria-pressed": one.on === undefined ? undefined : String(one.on) };
        return h("li", button(".menu-row", () => close(one.value), state, one.icon && icon(one.icon), h("span.menu-label", one.label), one.note && h("span.aside", one.note)));
      }),
    ),
  );
}
