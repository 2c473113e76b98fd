// The one way from the page to Chronicle: questions out, answers in. Behind it is a WebSocket to this
// computer, or a worker in which Chronicle runs. The page does not know which.

import { Early } from "./device/early.js";
import { pressed } from "./dom.js";
import { deviceStorage, keepWithRoom, tabStorage } from "./storage.js";
import { word } from "./words.js";

/** An error as Chronicle tells of it. */
class Told extends Error {
  constructor(answer) {
    super(answer.message);
    Object.assign(this, answer);
  }
}

/** What Chronicle would not do, in its words. */
export class Refused extends Told {}

/** An error of Chronicle itself; `details` is its traceback. */
export class Failed extends Told {}

/**
 * A channel has `ask(name, given) -> Promise`, `ontell(tell)` for what was not asked for, `onfault(error)` for every
 * failure of Chronicle that nobody has shown (see trouble.js), and `onstate("joining" | "open" | "lost" | "shut", why,
 * details)`. Questions that wait when the line breaks are asked again.
 */
class Channel {
  waiting = new Map();
  last = 0;
  state = "joining";

  ask(name, given = {}) {
    const id = ++this.last;
    const question = { id, ask: name, ...given };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { question, resolve, reject });
      if (this.state === "open") this.send(question);
    });
  }

  /** What is heard may draw the page anew. */
  async take(message) {
    await pressed;
    if (message.tell === "fault") this.fault(new Failed(message));
    else if (message.tell) this.ontell?.(message);
    if (message.tell) return;
    const one = this.waiting.get(message.id);
    if (!one) return;
    this.waiting.delete(message.id);
    if (message.failed) one.reject(this.fault(new Failed(message.failed)));
    else if (message.refused) one.reject(new Refused(message.refused));
    else one.resolve(message.answer);
  }

  /** Have a failure shown, unless whoever asked shows it first. */
  fault(error) {
    setTimeout(() => error.shown || this.onfault?.(error));
    return error;
  }

  become(state, why = "", details = "") {
    Object.assign(this, { state, why });
    if (state === "open") for (const { question } of this.waiting.values()) this.send(question);
    this.onstate(state, why, details);
  }
}

const PATIENCE = [300, 600, 1200, 2500, 5000];
const KEY = "chronicle-desk:key";
const NO_KEY = word("desk.no_key");

/** The word with which a link lets this page in; it works once, and does not stay in the address. */
function token() {
  const word = location.hash.slice(1);
  if (!word || word.startsWith("/")) return "";
  history.replaceState(null, "", location.pathname + location.search);
  return decodeURIComponent(word);
}

/** Chronicle on this computer, over a WebSocket beside the page. */
export class Socket extends Channel {
  constructor(url) {
    super();
    this.url = url;
    this.tries = 0;
    this.words = [...new Set([token(), tabStorage.getItem(KEY), deviceStorage.getItem(KEY)])].filter(Boolean);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    addEventListener("hashchange", () => {
      const word = token();
      if (word) this.enter(word);
    });
    // Another tab was let in by a new link: its key is good here, too.
    addEventListener("storage", (event) => {
      if (event.key === KEY && event.newValue && this.state !== "open") this.enter(event.newValue);
    });
    if (this.words.length) this.join();
    else queueMicrotask(() => this.become("shut", NO_KEY));
  }

  /** Come in with another word: a token, a key, the code for guests. */
  enter(word) {
    this.words = [word];
    this.said = true;
    this.become("joining");
    this.join();
  }

  join() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.socket?.close();
    const socket = (this.socket = new WebSocket(this.url));
    let refused = false;
    socket.onopen = () => socket.send(JSON.stringify({ id: 0, ask: "enter", key: this.words[0] }));
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.id !== 0) this.take(message);
      else if (message.refused) refused = true;
      else {
        this.tries = 0;
        this.words = [message.answer.key];
        for (const storage of [tabStorage, deviceStorage]) keepWithRoom(storage, KEY, message.answer.key);
        this.ontell({ tell: "role", write: !message.answer.guest });
        this.become("open");
      }
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      if (refused) {
        this.words.shift();
        if (this.words.length) this.join();
        else this.become("shut", this.said ? word("desk.wrong_key") : NO_KEY);
        return;
      }
      if (this.state !== "lost") this.become("lost");
      this.timer = setTimeout(() => this.join(), PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]);
    };
  }

  hurry() {
    if (this.timer) this.join();
  }

  send(question) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(question));
  }
}

/** Chronicle in a worker of this page. */
export class InWorker extends Channel {
  constructor(worker, { kept = true } = {}) {
    super();
    this.device = true;
    this.kept = kept;
    this.early = kept ? new Early() : null;
    document.querySelector(".late")?.remove();
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      const message = typeof data === "string" ? JSON.parse(data) : data;
      if (message.tell === "ready") this.ready();
      else if (message.tell === "failed") this.become("shut", message.message, message.details);
      else this.take(message);
    };
    worker.onerror = (event) => this.become("shut", event.message || word("desk.could_not_start"));
  }

  /** What can be shown before Chronicle has started is; `early` says then that it has to be asked again. */
  ask(name, given = {}) {
    const answer = super.ask(name, given);
    const id = this.last;
    if (this.state === "joining") this.early?.answer({ ask: name, ...given }).then((known) => known !== undefined && this.state === "joining" && this.take({ id, answer: known }), () => {});
    return answer;
  }

  ready() {
    this.early?.close();
    this.become("open");
    // From the next visit on the desk opens without a network. Fetching for that waits until this one is open.
    if (this.kept && isSecureContext) navigator.serviceWorker?.register("sw.js").catch(() => {});
  }

  send(question) {
    this.worker.postMessage(question);
  }
}

/** The door this page was opened through: a worker where the page says so, or else the socket beside it. */
export function channel() {
  const worker = document.documentElement.dataset.worker;
  if (worker) return new InWorker(new Worker(new URL(worker, location.href), { type: "module" }));
  const url = new URL("desk", location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  url.search = "";
  url.hash = "";
  return new Socket(url.href);
}
