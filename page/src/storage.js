// What the browser keeps for this page. Where its settings forbid that, what is kept lasts as long as the page.

const TRY = "chronicle-desk:try";

class Passing {
  getItem(name) {
    return this[name] ?? null;
  }

  setItem(name, value) {
    this[name] = value;
  }

  removeItem(name) {
    delete this[name];
  }
}

function usable(name) {
  try {
    const storage = self[name];
    storage.setItem(TRY, "");
    storage.removeItem(TRY);
    return storage;
  } catch {
    return new Passing();
  }
}

/** What lasts on this device. */
export const deviceStorage = usable("localStorage");
/** What lasts as long as the tab. */
export const tabStorage = usable("sessionStorage");

/** Keep what can be done without where there is no room for it. */
export function keepWithRoom(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch {
    // The page goes on without.
  }
}
