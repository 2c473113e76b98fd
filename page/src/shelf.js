// The first page: which campaigns there are, and a new one, begun within a minute.

import { button, h, icon, put } from "./dom.js";
import { question } from "./evening.js";
import { beginGuide, chooseGame } from "./guide.js";
import { copyOf, keepsHere, keptHere, openHere } from "./keeping.js";
import { wish } from "./outbox.js";
import { row } from "./log.js";
import { Pen } from "./spans.js";
import { trouble } from "./trouble.js";
import { dated, word } from "./words.js";

const LEAST = 2;
const LATEST = 3;
/** The role of who runs the game, as a sentence writes it: GM, Handler. */
const role = (name) => (name.length < 4 ? name.toUpperCase() : name[0].toUpperCase() + name.slice(1));

/** The shelf. Whoever has just come in (`entering`) finds the only campaign there is open at once, if it is theirs. */
export async function shelf(element, table, entering = false) {
  const here = location.hash;
  const campaigns = await table.channel.ask("campaigns");
  // Whoever has gone on in the meantime sees what they went to.
  if (location.hash !== here) return;
  if (entering && campaigns.length === 1 && campaigns[0].kept !== "site") {
    location.replace(`#/${encodeURIComponent(campaigns[0].id)}`);
    return;
  }
  const device = keepsHere(table);
  const again = () => shelf(element, table);
  const mine = campaigns.filter((one) => one.kept !== "site");
  const theirs = campaigns.filter((one) => one.kept === "site");
  const first = !mine.length;
  // What a button says of itself stands below it.
  const failed = h("div.shelf-failed");
  const ledFailed = first ? h("div.shelf-failed") : failed;
  if (!table.mayWrite && !campaigns.length) return put(element, h("div.sorry", h("h1", word("desk.no_campaign_yet")), h("p", { role: "status" }, word("desk.no_campaign_yet_help"))));
  // What was open last comes first.
  const last = mine.find((one) => one.id === wish.get("last", ""));
  const latest = h("ol.latest");
  const standing = h("span.aside");
  const listed = (some) =>
    h(
      "ul.campaigns",
      some.map((one) =>
        h(
          "li",
          { class: one === last ? "last" : "" },
          h("a.campaign", { href: `#/${encodeURIComponent(one.id)}` }, h("span.about", h("b", one.title), h("span.aside", [one.game_title, word("desk.sessions", { count: one.sessions })].filter(Boolean).join(" · ")), one === last && standing), one === last && [latest, h("span.write", word("desk.continue"))]),
          device && copyOf(table, one, again),
        ),
      ),
    );
  const add = table.mayWrite && button(".write", () => started(table, failed, word("desk.could_not_start_campaign"), () => begin(element, table, failed)), icon("plus"), h("span", word("desk.new_campaign")));
  const led = table.mayWrite && button(".quiet", () => started(table, ledFailed, word("desk.could_not_start_guide"), () => lead(table, ledFailed)), icon("right"), h("span", word(first ? "desk.start_the_guide" : "desk.guided_first_evening")));
  const open = device && openHere(table, again);
  const way = (title, words, ways, said) => ways && h("section.way", h("h2", title), h("p.aside", words), h("p.shelf-new", ways), said);
  put(
    element,
    h(
      "div.shelf",
      h("header.shelf-head", h("h1", first ? word("desk.keep_the_log_of") : word("desk.your_campaigns")), !first && h("p.shelf-new", led, open, add)),
      first && h("p.shelf-lead", word("desk.what_the_desk_does")),
      first && h("div.ways", way(word("desk.start_a_campaign"), word("desk.start_a_campaign_help"), add, failed), way(word("desk.guided_first_evening"), word("desk.guided_help"), led, ledFailed), way(word("desk.open_a_campaign"), word("desk.open_a_campaign_help"), open)),
      !first && [failed, listed([last, ...mine.filter((one) => one !== last)].filter(Boolean))],
      theirs.length > 0 && [h("h2", first ? word("desk.look_at_finished") : word("desk.examples_on_this_site")), h("p.aside", word("desk.examples_help")), listed(theirs)],
      device && keptHere(),
    ),
  );
  // Nothing waits for what was played last: it comes onto the card when it is known.
  if (last) await showLatest(table, last.id, latest, standing).catch(() => {});
}

/** The last entries of a campaign, and how things stand. */
async function showLatest(table, campaign, list, standing) {
  const { players, summary } = await table.channel.ask("open", { campaign });
  const { entries, sessions = [] } = await table.channel.ask("log", { campaign, first: Math.max(1, summary.entries - LATEST + 1) });
  const pen = new Pen();
  pen.know(players);
  put(standing, [summary.headline, dated(sessions.at(-1)?.date ?? "")].filter(Boolean).join(" · "));
  put(list, entries.map((one) => h(`li.entry.${pen.colour(one.player)}`, h("span.number", String(one.step)), h("div.told", row(one.row, pen)))));
}

/** Said where somebody was quicker than Chronicle. */
const starting = ({ line }) => h("p.aside", { role: "status" }, word(line.state === "open" ? "desk.opening" : "desk.starting_in_browser"));

/** Begin something. What goes wrong is said with `words` where the button is, in `failed`. */
async function started(table, failed, words, act) {
  put(failed, starting(table));
  await act().catch((error) => put(failed, trouble(words, error, () => started(table, failed, words, act))));
}

/** Choose a game, and be led through its first evening. */
async function lead(table, failed) {
  const id = await beginGuide(table.channel, () => put(failed));
  if (id) location.hash = `/${encodeURIComponent(id)}`;
}

/** Choose a game, say who plays; everything else may stay as it is. `names` were typed before another game was chosen. */
async function begin(element, table, failed, names = []) {
  const game = await chooseGame(table.channel, word("desk.which_game"), () => put(failed));
  if (!game) return;
  const wanted = { title: "", names: [...names], runner: "", settings: {} };
  while (wanted.names.length < (game.players || LEAST)) wanted.names.push("");
  const sorry = h("div.sorry-line");
  const form = h("form.begin", { onsubmit: (event) => (event.preventDefault(), made()) });
  const draw = () => {
    put(
      form,
      h("header.begin-head", h("h1", word("desk.new_campaign")), button(".quiet", () => shelf(element, table), word("desk.cancel"))),
      h("h2", game.title),
      h("p.aside", `${game.people}. ${game.intro}`),
      button(".quiet", () => begin(element, table, sorry, wanted.names), word("desk.another_game")),
      h("h2", game.runner ? word("desk.who_plays_without", { role: role(game.runner) }) : word("desk.who_plays")),
      h("p.aside", word("desk.who_plays_help")),
      h("ol.names", wanted.names.map((name, at) => nameRow(name, at))),
      button(".quiet", () => (wanted.names.push(""), draw(), form.querySelectorAll(".names input")[wanted.names.length - 1].focus()), icon("plus"), h("span", word("desk.one_more"))),
      game.runner && h("label.field", h("h2", word("desk.who_runs_the_game", { role: role(game.runner) })), h("input", { type: "text", value: wanted.runner, autocomplete: "off", autocapitalize: "words", oninput: (event) => (wanted.runner = event.target.value) })),
      h("label.field", h("h2", word("desk.what_is_it_called")), h("input", { type: "text", value: wanted.title, placeholder: word("desk.title_help"), autocomplete: "off", oninput: (event) => (wanted.title = event.target.value) })),
      h("details.more", h("summary", word("desk.how_strict_which_rules"), icon("down")), strictness(game), game.settings.map((one) => question(one, wanted.settings)), addOns(game)),
      sorry,
      h("button.write.begin-now", { type: "submit" }, word("desk.start")),
    );
  };
  const nameRow = (name, at) =>
    h(
      "li",
      h("input", {
        type: "text",
        value: name,
        "aria-label": word("desk.player_number", { number: at + 1 }),
        placeholder: word("desk.player_number", { number: at + 1 }),
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
  const strictness = ({ strictness: all }) =>
    question({ key: "strictness", label: word("desk.how_strict"), choices: all.map(({ value }) => value), told: Object.fromEntries(all.map(({ value, doc }) => [value, doc])), default: "standard" }, wanted.settings);
  const addOns = ({ add_ons: all }) => {
    const named = new Map(all.map((one) => [one.key, one]));
    const told = Object.fromEntries(all.map(({ key, doc }) => [key, doc]));
    return all.length > 0 && question({ key: "add_ons", label: word("desk.optional_rules"), doc: word("desk.optional_rules_help"), kind: "several", choices: [...named.keys()], told, default: [], shown: (key) => named.get(key).label || key }, wanted.settings);
  };
  const made = async (few) => {
    const players = wanted.names.map((name) => name.trim()).filter(Boolean);
    const say = (told) => (put(sorry, told), sorry.scrollIntoView({ block: "nearest" }));
    if (!players.length || (game.runner && !wanted.runner.trim())) return say(h("p.bad", { role: "alert" }, word(players.length ? "desk.no_runner" : "desk.no_player")));
    if (players.length < game.least_players && few !== true) {
      return say(h("p.bad", { role: "alert" }, game.too_few, " ", button(".quiet", () => made(true), word("desk.start_anyway"))));
    }
    say(null);
    const { strictness, add_ons, ...settings } = wanted.settings;
    try {
      const { id } = await table.channel.ask("new", {
        game: game.game,
        title: wanted.title.trim() || `${game.title}, ${new Date().toLocaleDateString(undefined, { month: "long", year: "numeric" })}`,
        players,
        ...(game.runner ? { runner: wanted.runner.trim() } : {}),
        strictness,
        settings,
        add_ons,
      });
      location.hash = `/${encodeURIComponent(id)}`;
    } catch (error) {
      say(trouble(word("desk.could_not_start_campaign"), error, error.details && made));
    }
    return null;
  };
  draw();
  put(element, form);
  form.querySelector(".names input").focus();
}
