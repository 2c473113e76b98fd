// Whoever only watches: as whom, whether it is their turn, what they have, and what just happened.

import { block } from "./blocks.js";
import { button, coin, h, icon, put } from "./dom.js";
import { choosePlayer } from "./menus.js";
import { wish } from "./outbox.js";
import { word, worded } from "./words.js";

const LATEST = 5;
const TABS = [["now", "wait", "desk.tab_now"], ["log", "fiction", "desk.log"], ["everyone", "people", "desk.everyone"]];

/** A block with only what belongs to a player, or null. */
function belonging(one, name) {
  const of = (row) => row.player === name || (Array.isArray(row) ? row.slice(0, 2).flat() : [row.who].flat()).some((span) => span?.player === name);
  const list = ["items", "rows", "series"].find((key) => one[key]);
  if (one.block === "section") {
    const inside = one.blocks.map((each) => belonging(each, name)).filter(Boolean);
    return inside.length ? { ...one, folded: false, blocks: inside } : null;
  }
  if (!list) return null;
  const mine = one[list].filter((row) => of(row) && row.state !== "removed");
  return mine.length && mine.length < one[list].length ? { ...one, [list]: mine, note: null } : null;
}

/** What is above the log for guests, what they see of it first on a phone, and below it what they can ask for. */
export function guestParts(table, pen, latest) {
  const root = document.documentElement;
  const element = h("section.watching", { "aria-label": word("desk.you_are_watching"), hidden: "" });
  const mine = h("section.mine", { tabindex: "0", "aria-label": word("desk.tab_now") });
  const requests = h("section.requests", { "aria-label": word("desk.speak_up") });
  const tabs = h("nav.guest-tabs", { "aria-label": word("desk.view") });
  const key = () => `watching:${table.campaign.id}`;
  const turn = (tab) => {
    root.dataset.tab = tab;
    put(tabs, TABS.map(([name, sign, words]) => button(".guest-tab", () => turn(name), { "aria-current": name === tab ? "page" : undefined }, icon(sign), h("span", word(words)))));
  };
  turn("now");
  const change = () => choosePlayer(table, pen, wish.get(key(), ""), (name) => (wish.set(key(), name), draw()), { title: word("desk.who_are_you"), nobody: word("desk.just_watching") });
  const draw = () => {
    const watches = !table.mayWrite && Boolean(table.campaign);
    root.classList.toggle("guest", !table.mayWrite);
    element.hidden = mine.hidden = tabs.hidden = !watches;
    const name = watches ? wish.get(key(), "") : "";
    requests.hidden = !name;
    if (!watches) return;
    const { panel = [], requests: asked = [], due = [], after } = table.moment ?? {};
    const owed = due.filter(({ player }) => name && player === name);
    put(
      element,
      h("p", name ? worded("desk.you_are_watching_as", { name: pen.player(name) }) : word("desk.you_are_watching")),
      name && table.turn === name && h("p", h("b", word("desk.your_turn"))),
      name && after === name && h("p", word("desk.you_are_next")),
      owed.map(({ amount, what }) => h("p", worded("desk.due_of_you", { what: h("b", amount ? `${amount} ${what}` : what) }))),
      h("span.space"),
      button(".linking", change, word(name ? "desk.change" : "desk.who_are_you")),
    );
    const held = name ? panel.map((one) => belonging(one, name)).filter(Boolean) : [];
    const purses = held.filter((one) => one.block === "stats");
    const rest = held.filter((one) => one.block !== "stats");
    put(
      mine,
      purses.map((one) => one.items.map((item) => h("p.purse", h("b", word("desk.yours", { held: one.title.toLowerCase() })), h("b.money", item.value, item.unit !== "" && coin(item.unit))))),
      rest.map((one) => block({ ...one, title: word("desk.of_you", { title: one.title }) }, pen)),
      h("section.block", h("header.block-head", h("h2", word("desk.just_now")), button(".linking", () => turn("log"), word("desk.full_log"))), h("ol.entries", latest(LATEST))),
    );
    const { hand } = table;
    const up = hand?.up && hand.campaign === table.campaign.id && hand.name === name;
    const raise = (verb) => table.query("raise", { name, verb }).catch(table.refused);
    const state = !up ? "desk.keeper_sees_it" : hand.seen ? "desk.hand_is_seen" : "desk.hand_waits";
    put(
      requests,
      h(
        "div.requests-row",
        button(".write", () => (up ? table.lower(name) : raise("")), icon("hand"), h("span", word(up ? "desk.lower_hand" : "desk.raise_hand"))),
        asked.map((one) => button(`.quiet${up && hand.verb === one.verb ? ".on" : ""}`, () => raise(one.verb), one.label)),
      ),
      h("p.aside", { role: "status" }, word(state)),
    );
  };
  table.on("campaign moment log raised", draw);
  return { bar: element, mine, asks: [requests, tabs] };
}
