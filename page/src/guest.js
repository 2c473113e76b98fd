// Whoever only watches: as whom, whether it is their turn, and what they have.

import { button, coin, h, icon, put } from "./dom.js";
import { choose } from "./sheets.js";
import { wish } from "./outbox.js";
import { word, worded } from "./words.js";

/** What a guest asks for, where a keeper writes. */
export function guestRequests(table) {
  const element = h("section.requests", { "aria-label": word("desk.speak_up"), hidden: "" });
  const raise = async (verb) => {
    await table.query("raise", { name: wish.get(`watching:${table.campaign.id}`, ""), verb }).then(() => table.say(word("desk.hand_is_up")), table.refused);
  };
  const draw = () => {
    element.hidden = table.mayWrite || !table.campaign || !wish.get(`watching:${table.campaign.id}`, "");
    if (element.hidden) return;
    put(
      element,
      h("div.requests-row", button(".write", () => raise(""), icon("hand"), h("span", word("desk.raise_hand"))), (table.moment?.requests || []).map((one) => button(".quiet", () => raise(one.verb), one.label))),
      h("p.aside", word("desk.keeper_sees_it")),
    );
  };
  table.on("campaign moment raised", draw);
  return element;
}

/** The bar of a guest, in place of all that writes. */
export function guestBar(table, pen) {
  const element = h("section.watching", { "aria-label": word("desk.you_are_watching"), hidden: "" });
  const key = () => `watching:${table.campaign.id}`;
  const change = async () => {
    const now = wish.get(key(), "");
    const names = table.campaign.players.map(({ name }) => ({ label: h(`span.player.${pen.colour(name)}`, pen.shown(name)), value: name, on: now === name }));
    const name = await choose(word("desk.who_are_you"), [...names, { label: word("desk.just_watching"), value: "", on: !now }]);
    if (name === undefined) return;
    wish.set(key(), name);
    table.tell("raised");
  };
  const draw = () => {
    document.documentElement.classList.toggle("guest", !table.mayWrite);
    element.hidden = table.mayWrite || !table.campaign;
    if (element.hidden) return;
    const name = wish.get(key(), "");
    const held = (table.moment?.panel || []).flatMap((block) => (block.block === "stats" ? block.items : [])).filter((item) => name && item.player === name);
    put(
      element,
      h("p", name ? worded("desk.you_are_watching_as", { name: pen.player(name) }) : word("desk.you_are_watching")),
      held.map((item) => h("p.money", item.value, item.unit !== "" && coin(item.unit))),
      name && table.turn === name && h("p", h("b", word("desk.your_turn"))),
      h("span.space"),
      button(".linking", change, word("desk.change")),
    );
  };
  table.on("campaign moment raised", draw);
  return element;
}
