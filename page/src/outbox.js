// What was written and is not yet acknowledged. It lies in the browser's storage before it is sent, and
// goes only when Chronicle has said that it stands in the file: a tab that is killed, a server that is
// gone and a flat battery lose nothing. Sending twice does no harm, since each has a key of its own.

import { key } from "./dom.js";
import { deviceStorage, keepWithRoom, tabStorage } from "./storage.js";

const PLACE = "chronicle-desk:outbox:";
const DRAFT = "chronicle-desk:draft:";
const TAB = "chronicle-desk:tab";
const OLD = 15_000;
/** Milliseconds after which what is not saved yet is shown as such. */
export const SLOW = 1500;

function stored(start) {
  const found = [];
  for (const name of Object.keys(deviceStorage)) {
    if (!name.startsWith(start)) continue;
    try {
      found.push([name, JSON.parse(deviceStorage.getItem(name))]);
    } catch {
      deviceStorage.removeItem(name);
    }
  }
  return found;
}

export class Outbox {
  /**
   * `onchange()` is called when something else waits; `onrefused(item, error)` with what Chronicle would not take;
   * `onfound()` when something went out which no one on this page waits for: an earlier one had written it.
   */
  constructor(channel) {
    this.channel = channel;
    this.listeners = new Map();
  }

  waiting(campaign) {
    return stored(PLACE)
      .map(([, item]) => item)
      .filter((item) => !campaign || item.given.campaign === campaign)
      .sort((one, other) => one.at - other.at || one.number - other.number);
  }

  /** Hand something over to be written. Resolves with Chronicle's answer. `also` is asked only while this page is there
   * to hear the answer: a later one has it written in any case. */
  give(ask, given, also = {}) {
    const item = { key: key(), ask, given, at: Date.now(), number: (this.number = (this.number || 0) + 1) };
    deviceStorage.setItem(PLACE + item.key, JSON.stringify(item));
    const answer = new Promise((resolve, reject) => this.listeners.set(item.key, { resolve, reject, also }));
    this.onchange();
    setTimeout(() => this.onchange(), SLOW);
    this.go();
    return answer;
  }

  /** Send what waits, one after the other. */
  go() {
    return (this.sending ??= this.all().finally(() => (this.sending = null)));
  }

  async all() {
    let found = false;
    for (let item; (item = this.waiting()[0]); ) {
      const listener = this.listeners.get(item.key);
      found ||= !listener;
      try {
        const answer = await this.channel.ask(item.ask, { ...item.given, ...listener?.also, once: item.key });
        deviceStorage.removeItem(PLACE + item.key);
        listener?.resolve(answer);
      } catch (error) {
        deviceStorage.removeItem(PLACE + item.key);
        this.onrefused(item, error);
        listener?.reject(error);
      }
      this.listeners.delete(item.key);
      this.onchange();
    }
    if (found) this.onfound();
  }
}

/** What is half typed, kept for when the tab is gone. */
export class Drafts {
  keys = new Map();
  tab = tabStorage.getItem(TAB) ?? key();

  constructor() {
    keepWithRoom(tabStorage, TAB, this.tab);
  }

  /** Campaigns of the same name in several folders are several. */
  opened({ id, key }) {
    this.keys.set(id, `${id}~${key}`);
  }

  name(campaign, tab = this.tab) {
    return `${DRAFT}${this.keys.get(campaign) ?? campaign}:${tab}`;
  }

  /** What is half typed, and the lines that were `laid` aside for it. */
  keep(campaign, draft) {
    const empty = !draft.line && !draft.fiction && !draft.laid?.length;
    clearInterval(this.timer);
    if (empty) {
      deviceStorage.removeItem(this.name(campaign));
      return;
    }
    const save = () => deviceStorage.setItem(this.name(campaign), JSON.stringify({ ...draft, at: Date.now() }));
    save();
    this.timer = setInterval(save, OLD / 3);
  }

  /** Keep a line that was not taken, for whoever opens the campaign next. */
  leave(campaign, draft) {
    deviceStorage.setItem(this.name(campaign, key()), JSON.stringify({ ...draft, at: 0 }));
  }

  /** What this tab had typed, or a tab that is no longer there. */
  found(campaign) {
    const own = JSON.parse(deviceStorage.getItem(this.name(campaign)));
    if (own?.line || own?.fiction) return own;
    const prefixes = [this.name(campaign, ""), `${DRAFT}${campaign}:`];
    const left = prefixes.flatMap(stored).filter(([, draft]) => draft.at < Date.now() - OLD);
    left.sort(([, one], [, other]) => other.at - one.at);
    if (!left.length) return own;
    const [[name, draft]] = left;
    deviceStorage.removeItem(name);
    return { ...draft, laid: [...(own?.laid ?? []), ...(draft.laid ?? [])] };
  }
}

/** A wish of the reader's, kept on this device (`view`, `size`, …). */
export const wish = {
  get: (name, otherwise) => deviceStorage.getItem(`chronicle-desk:wish:${name}`) ?? otherwise,
  set: (name, value) => deviceStorage.setItem(`chronicle-desk:wish:${name}`, value),
};

const FILE = "chronicle-desk:file:";

/** Files that are changed in the editor and not saved, by their names. */
export const unsaved = {
  get: (name) => {
    try {
      return JSON.parse(deviceStorage.getItem(FILE + name));
    } catch {
      return deviceStorage.removeItem(FILE + name), null;
    }
  },
  drop: (name) => deviceStorage.removeItem(FILE + name),
  // The file is saved soon in any case.
  set: (name, value) => keepWithRoom(deviceStorage, FILE + name, JSON.stringify(value)),
};
