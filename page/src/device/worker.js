// Chronicle in a worker of the page: it takes the questions that `chronicle desk` takes over its socket, and
// the few that only a device has. What a question changed is on the disk of this device before its answer
// goes out; several tabs take turns.

import { fromSite } from "./early.js";
import { start } from "./python.js";
import { word } from "../words.js";
import { Store } from "./store.js";

const BASE = new URL("./", self.location.href);
const IDLE = 120;
const TURN = "chronicle-desk";

const channel = "BroadcastChannel" in self ? new BroadcastChannel(TURN) : null;
const counts = {};
const looked = new Set();
const remembered = {};
const published = new Map();
let store = null;
let device = null;
let python = null;
let parts = null;

class Refused extends Error {
  constructor(message, ...help) {
    super(message);
    this.help = help;
  }
}

/** What the page is told of an error of the program itself: a sentence, and what belongs into a report. */
const failure = (error) => ({
  message: `Chronicle stopped with an error (${error?.type ?? error?.name ?? typeof error}).`,
  details: String(error?.type ? error.message : (error?.stack ?? error)).trim(),
});

/** Tell the page of an error that belongs to no question. */
function tellFault(error) {
  console.error(error);
  postMessage({ tell: "fault", ...failure(error) });
}
// Left alone, the page would take this for a worker that could not be loaded.
self.addEventListener("error", (event) => (event.preventDefault(), tellFault(event.error ?? event.message)));
self.addEventListener("unhandledrejection", (event) => (event.preventDefault(), tellFault(event.reason)));

// -- one question after the other ----------------------------------------------------------------------

const queue = [];
let busy = false;
let idle = 0;

self.onmessage = ({ data }) => {
  queue.push(typeof data === "string" ? JSON.parse(data) : data);
  next();
};

async function next() {
  if (busy || !device) return;
  busy = true;
  clearTimeout(idle);
  for (let question; (question = queue.shift()); ) {
    let answer;
    try {
      answer = await (OWN[question.ask]?.(question) ?? asked(question));
      if (typeof answer !== "string") answer = { id: question.id, answer };
    } catch (error) {
      if (error instanceof Refused) answer = { id: question.id, refused: { message: error.message, help: error.help } };
      else {
        console.error(error);
        answer = { id: question.id, failed: failure(error) };
      }
    }
    postMessage(answer);
  }
  busy = false;
  rest();
}

/** Remember first answers once nobody has asked anything for a moment. */
function rest() {
  idle = setTimeout(() => queue.length || remember(), IDLE);
}

/** Keep what whoever opens a campaign next is shown first, of those that were asked about and written to. */
async function remember() {
  for (const id of looked) {
    const count = counts[id];
    looked.delete(id);
    if (!count || remembered[id] === count) continue;
    remembered[id] = count;
    const answers = JSON.parse(device.first(id));
    // Nobody misses it where it cannot be kept.
    await store.note(id, { first: { count, build: parts.build, answers } }, count).catch(() => {});
    if (looked.size) rest();
    return;
  }
}

/** Whoever writes is alone: no other tab writes before this one is done. */
const alone = (act) => (navigator.locks ? navigator.locks.request(TURN, act) : act());

// -- what Chronicle answers ----------------------------------------------------------------------------

async function asked(question) {
  if (question.campaign) {
    looked.add(question.campaign);
    await known(question.campaign);
  }
  if (!device.writes(question.ask)) {
    const answer = device.ask(JSON.stringify(question));
    if (question.ask === "campaigns") return withPublished(JSON.parse(answer).answer);
    return answer;
  }
  return alone(async () => {
    const before = question.once && (await store.answered(question.once));
    if (before) return JSON.stringify({ ...JSON.parse(before), id: question.id });
    if (question.campaign) await current(question.campaign);
    const answer = device.ask(JSON.stringify(question));
    const changed = changes();
    if (Object.keys(changed).length) await keep(changed, { once: question.once, answer });
    return answer;
  });
}

/** Use something of Python's, which frees it. */
function used(given, use) {
  try {
    return use(given);
  } finally {
    given.destroy();
  }
}

/** Something of Python's as plain data. */
const taken = (given, how) => used(given, (one) => one.toJs(how));

/** What Python makes of some data. */
const handed = (data, use) => used(python.toPy(data), use);

/** What the last question changed. */
const changes = () => taken(device.changes(), { dict_converter: Object.fromEntries });

/** Put changes on the disk. Where that fails, nothing has changed here either, and it is said. */
async function keep(changed, given) {
  try {
    for (const id of Object.keys(changed)) {
      const from = published.get(id);
      // A published campaign is a copy of one's own from the first writing on.
      if (from && !counts[id]) changed[id] = { ...Object.fromEntries(from.files), ...changed[id] };
    }
    const made = await store.put(changed, counts, given);
    Object.assign(counts, made);
    for (const [id, count] of Object.entries(made)) channel?.postMessage({ campaign: id, count });
  } catch (error) {
    for (const id of Object.keys(changed)) await again(id);
    const full = error.name === "QuotaExceededError";
    throw new Refused(
      word(full ? "desk.device_full" : "desk.not_saved_on_device"),
      full ? word("desk.device_full_help") : String(error.message || error.name),
    );
  }
}

// -- what lies on the disk -----------------------------------------------------------------------------

/** Hand files to Chronicle as they are kept. */
const given = (id, files) => handed(files, (data) => device.hold(id, data));

/** Have a campaign as it is kept, whatever became of it here. */
async function again(id) {
  const kept = await store.read(id);
  if (kept) counts[id] = kept.about.count;
  else delete counts[id];
  given(id, kept?.files ?? published.get(id)?.files ?? new Map());
}

/** Read again what another tab has written. */
async function current(id) {
  if ((await store.count(id)) === (counts[id] ?? 0)) return;
  await again(id);
  postMessage({ tell: "changed", campaign: id });
}

channel?.addEventListener("message", ({ data }) => {
  queue.push({ ask: "news", campaign: data.campaign });
  next();
});

// -- campaigns of the site -----------------------------------------------------------------------------

async function withPublished(mine) {
  const about = new Map((await store.campaigns()).map(({ id, at, exported = 0 }) => [id, { at, exported }]));
  const kept = new Set(mine.map((one) => one.id));
  const theirs = [...published.values()].filter((one) => !kept.has(one.id) || !counts[one.id]);
  return [
    ...mine.filter((one) => counts[one.id]).map((one) => ({ ...one, ...about.get(one.id), kept: "device", copy: published.has(one.id) })),
    ...theirs.map(fromSite),
  ];
}

/** Something of a campaign of the site, kept as the service worker keeps it: on the first visit there is none yet
 * that would. */
async function fetched(name) {
  const url = new URL(name, BASE);
  const response = await fetch(url);
  if (response.ok) {
    const copy = response.clone();
    // Nobody misses it where it cannot be kept.
    await self.caches?.open(`chronicle-desk ${BASE.pathname} campaigns`).then((told) => told.put(url, copy)).catch(() => {});
  }
  return response;
}

/** Have a campaign of the site at hand, once it is asked for. */
async function known(id) {
  const one = published.get(id);
  if (!one || counts[id] || one.files) return;
  const response = await fetched(one.file);
  if (!response.ok) throw new Refused(word("desk.not_fetched", { title: one.title }), word("desk.are_you_online"));
  const { files, pictures } = await response.json();
  const held = Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]);
  const shown = Object.entries(pictures).map(async ([name, at]) => [name, new Uint8Array(await (await fetched(at)).arrayBuffer())]);
  one.files = new Map([...held, ...(await Promise.all(shown))]);
  given(id, one.files);
}

// -- what only a device is asked -----------------------------------------------------------------------

const OWN = {
  /** Another tab has written. */
  async news({ campaign }) {
    await current(campaign);
    return null;
  },

  /** A zip of campaigns, to download. */
  async export({ campaigns }) {
    for (const id of campaigns) await known(id);
    const bytes = taken(device.parcel(...campaigns));
    for (const campaign of campaigns) await OWN.copied({ campaign });
    return { bytes, name: `${campaigns.length === 1 ? campaigns[0].replace(/^@/, "") : "campaigns"}.zip` };
  },

  /** The files of a campaign, to put into a folder. */
  async files({ campaign }) {
    await known(campaign);
    return { files: counts[campaign] ? (await store.read(campaign)).files : published.get(campaign)?.files ?? new Map() };
  },

  /** What is found in files that are kept nowhere, and what their entries do. */
  async look({ files }) {
    return JSON.parse(handed(files, (data) => device.look(data)));
  },

  /** All of a campaign lies elsewhere as well. */
  async copied({ campaign }) {
    if (counts[campaign]) await store.note(campaign, { exported: Date.now() });
    return {};
  },

  /** Take in a zip, or a folder's files: `{name, bytes}` or `{name, files: Map of bytes}`. */
  async receive({ name, bytes, files }) {
    return alone(async () => {
      const { answer, refused } = JSON.parse(handed(bytes ?? files, (data) => device.receive(data, name)));
      if (refused) throw new Refused(refused.message, ...refused.help);
      await keep(changes());
      return answer;
    });
  },

  /** Keep a campaign here no longer. */
  async forget({ campaign }) {
    return alone(async () => {
      await store.drop(campaign);
      await again(campaign);
      channel?.postMessage({ campaign, count: 0 });
      return {};
    });
  },

  /** How many bytes this desk holds. */
  async device() {
    return { memory: python._module.HEAP8.length };
  },
};

// -- the beginning -------------------------------------------------------------------------------------

async function begin() {
  const [made, opened] = await Promise.all([
    fetch(new URL("parts.json", BASE)).then((response) => response.json()),
    Store.open(() => postMessage({ tell: "failed", message: word("desk.newer_version_open") })),
  ]);
  parts = made;
  store = opened;
  for (const one of parts.campaigns ?? []) published.set(one.id, one);
  const kept = store.campaigns().then((all) => Promise.all(all.map((one) => store.read(one.id))));
  ({ python, device } = await start(BASE, parts, { remembered: new URL(self.location.href).searchParams.get("memory") !== "no" }));
  for (const one of await kept) {
    if (!one) continue;
    counts[one.about.id] = one.about.count;
    given(one.about.id, one.files);
  }
  postMessage({ tell: "ready" });
  next();
}

begin().catch((error) => {
  console.error(error);
  postMessage({ tell: "failed", message: word("desk.could_not_start"), details: failure(error).details });
});
