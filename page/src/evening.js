// Sessions: a new one with who is here; the record keeper's own panel.

import { blocks } from "./blocks.js";
import { button, h } from "./dom.js";
import { sheet } from "./sheets.js";

/** Begin a new evening. */
export async function beginEvening(table, pen) {
  const here = new Set(table.campaign.players.map((one) => one.name));
  const today = new Date();
  const date = [today.getFullYear(), String(today.getMonth() + 1).padStart(2, "0"), String(today.getDate()).padStart(2, "0")].join("-");
  const title = h("input", { type: "text", autocomplete: "off", placeholder: "may stay empty" });
  const day = h("input", { type: "date", value: date });
  const number = (table.sessions.at(-1)?.number ?? 0) + 1;
  const wanted = await sheet(`Session ${number}`, (close) => [
    h("label.field", h("b", "Its title"), title),
    h("label.field", h("b", "The day"), day),
    h("fieldset.field", h("legend", "Who is here?"), h("div.chips.wraps", table.campaign.players.map((one) => present(one, here, pen)))),
    h("div.sheet-actions", button(".quiet", () => close(), "Not now"), button(".write", () => close(true), "Begin")),
  ]);
  if (!wanted) return;
  const seats = table.campaign.players.map((one) => one.name).filter((name) => here.has(name));
  const answer = await table.change("session", { title: title.value.trim(), date: day.value, present: seats });
  if (answer) await table.open(table.campaign.id);
}

function present(player, here, pen) {
  const chip = button(
    `.chip.${pen.colour(player.name)}`,
    () => {
      if (!here.delete(player.name)) here.add(player.name);
      show();
    },
    pen.player(player.name),
  );
  const show = () => {
    chip.setAttribute("aria-pressed", String(here.has(player.name)));
    chip.classList.toggle("on", here.has(player.name));
  };
  show();
  return chip;
}

/** What the record keeper has to see to. */
export async function showKeeper(table, pen) {
  const answer = await table.query("keeper", table.spot).catch((error) => ({ blocks: [{ block: "note", text: [error.message] }] }));
  await sheet("The record keeper's own", () => (answer.blocks.length ? blocks(answer.blocks, pen) : h("p", "Nothing is left undone.")), { side: true });
}
