// What can be shown of a campaign before Python has begun: the answers that were worked out when the site was
// built, or that this device kept when it was last at rest. Only what is known to hold still is answered here;
// everything else waits for Chronicle itself, and so does whoever writes.

import { Store } from "./store.js";

const BASE = new URL("./", location.href);

/** What lies beside the desk; null where it does not, or nobody is there to hand it over. */
async function told(name) {
  const response = await fetch(new URL(name, BASE)).catch(() => null);
  return response?.ok ? response.json() : null;
}

export class Early {
  found = {};

  /** The answer to a question, or undefined where it has to wait. */
  async answer({ ask, campaign, id, ...rest }) {
    if (ask === "campaigns") return this.campaigns();
    if (ask === "text") return this.text(campaign, rest.file);
    if (!["open", "table", "log", "findings"].includes(ask)) return undefined;
    const { first, ...more } = rest;
    if (Object.keys(more).length) return undefined;
    const all = await this.about(campaign);
    if (!all?.open || (ask === "log" && !(first >= all.since))) return undefined;
    return all[ask];
  }

  /** A file as it is kept here, or lies beside the desk: the editor shows it at once. */
  async text(campaign, file) {
    const [parts, store] = await this.begin();
    const kept = await store.read(campaign);
    const one = parts?.campaigns.find(({ id }) => id === campaign);
    const bytes = kept ? kept.files.get(file) : one && new TextEncoder().encode((await told(one.file))?.files[file] ?? "");
    const text = bytes?.length ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : "";
    // What Chronicle reads otherwise, it shows itself.
    if (!text || /\r|\ufeff|\ufffd/.test(text) || !crypto.subtle) return undefined;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return { text, version: Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("") };
  }

  about(campaign) {
    return (this.found[campaign] ??= this.look(campaign));
  }

  /** The parts of this build, and what is kept on this device. */
  begin() {
    return (this.begun ??= Promise.all([told("parts.json"), Store.open()]));
  }

  async look(campaign) {
    const [parts, store] = await this.begin();
    // Once somebody has written into it, it is theirs, and no more the one of the site.
    const kept = await store.about(campaign);
    if (kept) return kept.first?.count === kept.count && kept.first.build === parts?.build ? kept.first.answers : null;
    const one = parts?.campaigns.find(({ id }) => id === campaign);
    return one ? told(one.first) : null;
  }

  /** The campaigns of the site, where none is kept here: what a kept one is called, Chronicle reads in it. */
  async campaigns() {
    const [parts, store] = await this.begin();
    if ((await store.campaigns()).length) return undefined;
    return parts?.campaigns.map(fromSite);
  }

  /** Chronicle itself answers from now on. */
  async close() {
    const [, store] = (await this.begun?.catch(() => null)) ?? [];
    store?.base.close();
  }
}

/** A campaign of the site, as the shelf shows it. */
export const fromSite = ({ id, title, game, game_title, sessions, entries }) => ({ id, title, game, game_title, sessions, entries, kept: "site" });
