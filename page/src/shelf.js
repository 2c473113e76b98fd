// The first page: which campaigns there are, and a new one, begun within a minute.

import { button, counted, h, icon, put, uncoded } from "./dom.js";
import { cap, question } from "./evening.js";
import { beginGuide } from "./guide.js";
import { copyOf, keepsHere, keptHere } from "./keeping.js";
import { trouble } from "./trouble.js";

const LEAST = 2;

/** The shelf. Whoever has just come in (`first`) finds the only campaign there is open at once. */
export async function shelf(element, table, first = false) {
  const campaigns = await table.channel.ask("campaigns");
  if (first && campaigns.length === 1) {
    location.replace(`#/${encodeURIComponent(campaigns[0].id)}`);
    return;
  }
  const device = keepsHere(table);
  const failed = h("div.shelf-failed");
  const again = () => shelf(element, table);
  const listed = (some) =>
    h(
      "ul.campaigns",
      some.map((one) =>
        h(
          "li",
          h("a.campaign", { href: `#/${encodeURIComponent(one.id)}` }, h("b", one.title), h("span.aside", [one.game_title, counted(one.sessions, "session")].filter(Boolean).join(", "))),
          device && copyOf(table, one, again),
        ),
      ),
    );
  const add = table.mayWrite && h("p.shelf-new", button(".write", () => begin(element, table, failed), icon("plus"), h("span", "A new campaign")), button(".quiet", () => lead(table, failed), "Be led through a first evening"));
  const mine = campaigns.filter((one) => one.kept !== "site");
  const theirs = campaigns.filter((one) => one.kept === "site");
  put(
    element,
    h(
      "div.shelf",
      h("h1", mine.length ? "What is on the table?" : device ? "Your table" : "Nothing is on the table yet"),
      mine.length > 0 && listed(mine),
      add,
      failed,
      device && keptHere(table, again),
      theirs.length > 0 && [h("h2", "From this site"), h("p.aside", "Look into them, ask what if; what you write goes into a copy of your own."), listed(theirs)],
    ),
  );
  if (!campaigns.length && table.mayWrite && !device) await begin(element, table, failed);
}

/** Choose a game, and be led through its first evening. What goes wrong is shown in `failed`. */
async function lead(table, failed) {
  put(failed);
  try {
    const id = await beginGuide(table.channel);
    if (id) location.hash = `/${encodeURIComponent(id)}`;
  } catch (error) {
    put(failed, trouble("Could not start the first evening.", error, () => lead(table, failed)));
  }
}

/** Choose a game, say who plays; everything else may stay as it is. What goes wrong is shown in `failed`. */
async function begin(element, table, failed) {
  put(failed);
  let games;
  try {
    games = await table.channel.ask("games");
  } catch (error) {
    put(failed, trouble("Could not start a campaign.", error, () => begin(element, table, failed)));
    return;
  }
  const wanted = { game: null, title: "", names: ["", ""], runner: "", strictness: "standard", settings: {}, add_ons: new Set() };
  const sorry = h("div.sorry-line");
  const form = h("form.begin", { onsubmit: (event) => (event.preventDefault(), made()) });
  const draw = () => {
    put(
      form,
      h("header.begin-head", h("h1", "A new campaign"), button(".quiet", () => shelf(element, table), "Not now")),
      h("h2", wanted.game ? "The game" : "Which game?"),
      h("div.games", { role: "radiogroup", "aria-label": "Game" }, games.filter((one) => !wanted.game || wanted.game === one).map((one) => game(one)), wanted.game && button(".quiet", () => ((wanted.game = null), draw(), form.querySelector(".game").focus()), "Another game")),
      wanted.game ? rest() : [button(".quiet", () => lead(table, sorry), "Or be led through a first evening"), sorry],
    );
  };
  const game = (one) =>
    button(".game", () => choose(one), { role: "radio", "aria-checked": String(wanted.game?.game === one.game), class: wanted.game?.game === one.game ? "on" : "" }, h("b", one.title), h("span.aside", one.intro));
  const choose = (one) => {
    wanted.game = one;
    wanted.settings = {};
    wanted.add_ons.clear();
    while (wanted.names.length < (one.players || LEAST)) wanted.names.push("");
    draw();
    form.querySelector(".names input")?.focus();
  };
  const rest = () => [
    h("h2", "Who plays?"),
    h("p.aside", "In the order they sit, clockwise. Names as you call each other."),
    h("ol.names", wanted.names.map((name, at) => nameRow(name, at))),
    button(".quiet", () => (wanted.names.push(""), draw(), form.querySelectorAll(".names input")[wanted.names.length - 1].focus()), icon("plus"), h("span", "One more")),
    wanted.game.runner && h("label.field", h("h2", `Who runs the game (${wanted.game.runner.length < 4 ? wanted.game.runner.toUpperCase() : wanted.game.runner})?`), h("input", { type: "text", value: wanted.runner, autocomplete: "off", autocapitalize: "words", oninput: (event) => (wanted.runner = event.target.value) })),
    h("label.field", h("h2", "What is it called?"), h("input", { type: "text", value: wanted.title, placeholder: "may stay empty, and be changed later in the menu", autocomplete: "off", oninput: (event) => (wanted.title = event.target.value) })),
    h("details.more", h("summary", "How strict, and which rules", icon("down")), strictness(), wanted.game.settings.map((one) => question(one, wanted.settings)), addOns()),
    sorry,
    h("button.write.begin-now", { type: "submit" }, "Begin"),
  ];
  const nameRow = (name, at) =>
    h(
      "li",
      h("input", {
        type: "text",
        value: name,
        "aria-label": `Player ${at + 1}`,
        placeholder: `Player ${at + 1}`,
        autocomplete: "off",
        autocapitalize: "words",
        oninput: (event) => (wanted.names[at] = event.target.value),
        onkeydown: (event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          const last = at + 1 >= wanted.names.length;
          if (last && wanted.names[at].trim()) wanted.names.push(""), draw();
          // Behind the last name, left empty, stands what is asked next.
          const fields = [...form.querySelectorAll("input[type=text]")];
          fields[fields.indexOf(form.querySelectorAll(".names input")[at]) + 1]?.focus();
        },
      }),
    );
  const strictness = () =>
    h(
      "div.field",
      h("h3", "How strict"),
      h(
        "div.strictness",
        { role: "radiogroup", "aria-label": "How strict" },
        wanted.game.strictness.map(({ value, doc }) =>
          button(".menu-row", () => ((wanted.strictness = value), again()), { role: "radio", "aria-checked": String(wanted.strictness === value), class: wanted.strictness === value ? "on" : "" }, h("b", cap(value)), h("span.aside", doc)),
        ),
      ),
    );
  const addOns = () =>
    wanted.game.add_ons.length > 0 &&
    h(
      "div.field",
      h("h3", "Optional rules"),
      h("p.aside", "None is needed to begin; any can be adopted later."),
      h(
        "div.chips.wraps.add-ons",
        wanted.game.add_ons.map((one) =>
          button(".chip", () => (wanted.add_ons.delete(one.key) || wanted.add_ons.add(one.key), again()), { "aria-pressed": String(wanted.add_ons.has(one.key)), class: wanted.add_ons.has(one.key) ? "on" : "", title: uncoded(one.doc) }, one.label || one.key),
        ),
      ),
    );
  const again = () => {
    const open = form.querySelector("details.more")?.open;
    draw();
    form.querySelector("details.more").open = open;
  };
  const made = async () => {
    const players = wanted.names.map((name) => name.trim()).filter(Boolean);
    const say = (told) => (put(sorry, told), sorry.scrollIntoView({ block: "nearest" }));
    if (!players.length) return say(h("p.bad", { role: "alert" }, "Say who plays."));
    say(null);
    try {
      const { id } = await table.channel.ask("new", {
        game: wanted.game.game,
        title: wanted.title.trim() || `${wanted.game.title}, ${new Date().toLocaleDateString(undefined, { month: "long", year: "numeric" })}`,
        players,
        ...(wanted.game.runner ? { runner: wanted.runner.trim() } : {}),
        strictness: wanted.strictness,
        settings: wanted.settings,
        add_ons: [...wanted.add_ons],
      });
      location.hash = `/${encodeURIComponent(id)}`;
    } catch (error) {
      say(trouble("Could not start the campaign.", error, error.details && made));
    }
    return null;
  };
  draw();
  put(element, form);
  form.querySelector(".game")?.focus();
}
