// The first page: which campaigns there are, and a new one.

import { counted, h, put } from "./dom.js";

export async function shelf(element, table) {
  const campaigns = await table.channel.ask("campaigns");
  put(
    element,
    h(
      "div.shelf",
      h("h1", "What is on the table?"),
      h(
        "ul.campaigns",
        campaigns.map((one) =>
          h("li", h("a.campaign", { href: `#/${encodeURIComponent(one.id)}` }, h("b", one.title), h("span.aside", [one.game_title, counted(one.sessions, "session")].filter(Boolean).join(", ")))),
        ),
      ),
    ),
  );
}
