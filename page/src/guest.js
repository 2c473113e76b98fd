// Whoever only watches: as whom, whether it is their turn, and what they have.

import { button, coin, h, icon, put } from "./dom.js";
import { choose } from "./sheets.js";
import { wish } from "./outbox.js";
import { word, worded } from "./words.js";

/** The bar of a guest, and what they can ask for where a keeper writes. */
export function guestParts(table, pen) {
  const requests = h("section.requests", { "aria-label": word("desk.speak_up"), hidden: "" });
  const raise = (name, verb) => table.query("raise", { name, verb }).then(() => table.say(word("desk.hand_is_up")), table.refused);
  const element = h("section.watching", { "aria-label": word("desk.you_are_watching"), hidden: "" });
  const key = () => `watching:${table.campaign.id}`;
  const change = async () => {
    const now = wish.get(key(), "");
    const names = table.campaign.players.map(({ name }) => ({ label: h(`span.player.${pen.colour(name)}`, pen.shown(name)), value: name, on: now === name }));
    const name = await choose(word("desk.who_are_you"), [...names, { label: word("desk.just_watching"), value: "", on: !now }]);
    if (name === undefined) return;
    wish.set(key(), name);
    draw();
  };
  const draw = () => {
    document.documentElement.classList.toggle("guest", !table.mayWrite);
    element.hidden = table.mayWrite || !table.campaign;
    const name = element.hidden ? "" : wish.get(key(), "");
    requests.hidden = !name;
    if (element.hidden) return;
    const held = (table.moment?.panel || []).flatMap((block) => (block.block === "stats" ? block.items : [])).filter((item) => name && item.player === name);
    put(
      element,
      h("p", name ? worded("desk.you_are_watching_as", { name: pen.player(name) }) : word("desk.you_are_watching")),
      held.map((item) => h("p.money", item.value, item.unit !== "" && coin(item.unit))),
      name && table.turn === name && h("p", h("b", word("desk.your_turn"))),
      h("span.space"),
      button(".linking", change, word(name ? "desk.change" : "desk.who_are_you")),
    );
    put(
      requests,
      h("div.requests-row", button(".write", () => raise(name, ""), icon("hand"), h("span", word("desk.raise_hand"))), (table.moment?.requests || []).map((one) => button(".quiet", () => raise(name, one.verb), one.label))),
      h("p.aside", word("desk.keeper_sees_it")),
    );
  };
  table.on("campaign moment", draw);
  return [element, requests];
}
