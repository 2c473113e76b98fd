// What stays on this device: the files of every campaign, in IndexedDB. Each writing is one transaction that
// is on the disk, or never was, and every campaign counts its writings: whoever knows an older count reads
// again before they write.

const NAME = "chronicle-desk";
const MOST_ANSWERS = 64;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function over(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException("It was taken back.", "AbortError"));
  });
}

/** All of one campaign's files. */
const filesOf = (id) => IDBKeyRange.bound([id], [id, []]);

export class Store {
  /** Opens it. `onclosed` is called when another tab brings a newer version of it. */
  static async open(onclosed = () => {}) {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      const made = request.result;
      made.createObjectStore("campaigns", { keyPath: "id" });
      made.createObjectStore("files", { keyPath: ["campaign", "name"] });
      made.createObjectStore("answers", { keyPath: "once" }).createIndex("at", "at");
    };
    const store = new Store();
    store.base = await done(request);
    store.base.onversionchange = () => {
      store.base.close();
      onclosed();
    };
    return store;
  }

  /** The campaigns that are kept here: id, count of writings, and what else is known of them. */
  async campaigns() {
    return done(this.base.transaction("campaigns").objectStore("campaigns").getAll());
  }

  /** One campaign with its files: `{about, files: Map}`; null if it is not kept here. */
  async read(id) {
    const look = this.base.transaction(["campaigns", "files"]);
    const [about, rows] = await Promise.all([
      done(look.objectStore("campaigns").get(id)),
      done(look.objectStore("files").getAll(filesOf(id))),
    ]);
    return about ? { about, files: new Map(rows.map((row) => [row.name, row.data])) } : null;
  }

  /** What is known of a campaign that is kept here; undefined if it is not. */
  async about(id) {
    return done(this.base.transaction("campaigns").objectStore("campaigns").get(id));
  }

  /** How often a campaign was written to; 0 if it is not kept here. */
  async count(id) {
    return (await this.about(id))?.count ?? 0;
  }

  /**
   * Keep what changed: `{id: {name: Uint8Array or null}}`, and the answer that was given for a question that
   * may be asked again (`once`). `counts` are the writings known of each campaign. Resolves when it is on the
   * disk, with the new counts; rejects, and nothing is written, where another tab was quicker.
   */
  async put(changes, counts, { once = "", answer = "" } = {}) {
    const write = this.base.transaction(["campaigns", "files", "answers"], "readwrite", { durability: "strict" });
    const ended = over(write);
    const made = {};
    try {
      for (const [id, files] of Object.entries(changes)) {
        const about = (await done(write.objectStore("campaigns").get(id))) ?? { id, count: 0 };
        if (about.count !== (counts[id] ?? 0)) throw new DOMException("Another tab was quicker.", "ConstraintError");
        made[id] = about.count + 1;
        write.objectStore("campaigns").put({ ...about, count: made[id], at: Date.now() });
        for (const [name, data] of Object.entries(files)) {
          if (data === null) write.objectStore("files").delete([id, name]);
          else write.objectStore("files").put({ campaign: id, name, data });
        }
      }
      if (once) await this.remember(write.objectStore("answers"), once, answer);
    } catch (error) {
      try {
        write.abort();
      } catch {
        // It is over already; why, is told below.
      }
      await ended.catch(() => {});
      throw error;
    }
    await ended;
    return made;
  }

  async remember(answers, once, answer) {
    answers.put({ once, answer, at: Date.now() });
    const surplus = (await done(answers.count())) - MOST_ANSWERS;
    if (surplus <= 0) return;
    for (const one of await done(answers.index("at").getAllKeys(null, surplus))) answers.delete(one);
  }

  /** The answer that a question got when it was asked before; undefined if it never was. */
  async answered(once) {
    return (await done(this.base.transaction("answers").objectStore("answers").get(once)))?.answer;
  }

  /** Note something about a campaign: when it was exported last, say; only if it was written to `count` times. */
  async note(id, more, count = null) {
    const write = this.base.transaction("campaigns", "readwrite");
    const ended = over(write);
    const about = await done(write.objectStore("campaigns").get(id));
    if (about && (count === null || about.count === count)) write.objectStore("campaigns").put({ ...about, ...more });
    await ended;
  }

  /** Keep a campaign no longer. */
  async drop(id) {
    const write = this.base.transaction(["campaigns", "files"], "readwrite", { durability: "strict" });
    const ended = over(write);
    write.objectStore("campaigns").delete(id);
    write.objectStore("files").delete(filesOf(id));
    await ended;
  }
}
