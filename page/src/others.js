// Others at the same table: guests look on from their own devices, one more keeper writes as well.

import { button, coded, drawn, h, put } from "./dom.js";
import { sheet } from "./sheets.js";

const GROUP = /\B(?=(\d{4})+$)/g;

/** Let others in: by a code as often as they like, or by a link that works once. */
export async function showOthers(table) {
  const guests = await table.channel.ask("invite");
  const keeper = h("div.invited");
  const invite = async () => {
    const { link, dots } = await table.channel.ask("invite", { keeper: true });
    const shown = h("input", { type: "text", readonly: "", value: link, "aria-label": "Link for one more keeper", onfocus: () => shown.select() });
    put(keeper, qr(dots, "The link for one more keeper"), shown);
    shown.focus();
  };
  keeper.append(button(".quiet", invite, "A link for one more keeper"));
  await sheet("Others at the table", () => [
    h("h3", "Who looks on"),
    guests.address
      ? h("div.invited", qr(guests.dots, "The link for guests"), h("p", "Hold a camera to this, or open ", h("b", guests.address), " and type ", h("b.code", guests.word.replace(GROUP, " ")), "."))
      : h("p", coded("This desk is for this computer alone. Started with `chronicle desk --lan` it lets others look on from their own devices.")),
    h("h3", "Who writes as well"),
    h("p.aside", guests.address ? "Whoever has the link writes into the same log, from any device here. It works once." : "Whoever has the link writes into the same log, in another browser on this computer. It works once."),
    keeper,
  ]);
}

/** A QR code: dark on light on any paper, with the room around it that cameras need. */
function qr(dots, name) {
  if (!dots.length) return null;
  const path = dots.flatMap((row, y) => [...row].map((dot, x) => (dot === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  const side = dots.length + 8;
  return drawn(path, { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": `${name}, as a QR code` });
}
