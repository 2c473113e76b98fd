// Others at the same table: guests look on from their own devices, one more keeper writes as well.

import { button, coded, drawn, h, put } from "./dom.js";
import { sheet } from "./sheets.js";
import { word, worded } from "./words.js";

const GROUP = /\B(?=(\d{4})+$)/g;

/** Let others in: by a code as often as they like, or by a link that works once. */
export async function showOthers(table) {
  const guests = await table.channel.ask("invite");
  const keeper = h("div.invited");
  const invite = async () => {
    const { link, dots } = await table.channel.ask("invite", { keeper: true });
    const shown = h("input", { type: "text", readonly: "", value: link, "aria-label": word("desk.keeper_link"), onfocus: () => shown.select() });
    put(keeper, qr(dots, word("desk.keeper_link")), shown);
    shown.focus();
  };
  keeper.append(button(".quiet", invite, word("desk.keeper_link")));
  await sheet(word("desk.others_at_the_table"), () => [
    h("h3", word("desk.watching")),
    guests.address
      ? h("div.invited", qr(guests.dots, word("desk.the_link_for_guests")), h("p", worded("desk.how_guests_join", { address: h("b", guests.address), code: h("b.code", guests.word.replace(GROUP, " ")) })))
      : h("p", coded(word("desk.only_this_computer"))),
    h("h3", word("desk.can_edit")),
    h("p.aside", guests.address ? word("desk.keeper_link_network") : word("desk.keeper_link_computer")),
    keeper,
  ]);
}

/** A QR code: dark on light on any paper, with the room around it that cameras need. */
function qr(dots, name) {
  if (!dots.length) return null;
  const path = dots.flatMap((row, y) => [...row].map((dot, x) => (dot === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  const side = dots.length + 8;
  return drawn(path, { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": word("desk.as_a_qr_code", { name }) });
}
