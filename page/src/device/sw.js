// Keeps the desk on this device, so that it opens without a network. One build at a time: a new one is fetched
// as a whole beside the old, and takes its place once no page of the old one is open.

const BUILD = "{build}";
const PREFIX = `chronicle-desk ${new URL(self.registration.scope).pathname} `;
const HERE = `${PREFIX}${BUILD}`;
const TOLD = `${PREFIX}campaigns`;
const SCOPE = new URL(self.registration.scope);

const at = (name) => new URL(name, SCOPE).href;

/** What this build is made of. */
async function parts() {
  const kept = await (await caches.open(HERE)).match(at("parts.json"));
  return (kept ?? (await fetch(at("parts.json"), { cache: "no-cache" }))).json();
}

async function install() {
  const cache = await caches.open(HERE);
  const { build, page, engine } = await (await fetch(at("parts.json"), { cache: "no-cache" })).json();
  if (build !== BUILD) throw new Error("another build is being published");
  await cache.addAll(page.map((name) => new Request(at(name), { cache: "no-cache" })));
  // What is called by its content or its version is the same in every build that has it.
  for (const name of engine) {
    const url = at(name);
    if (await cache.match(url)) continue;
    const held = await caches.match(url);
    if (held) await cache.put(url, held);
    else await cache.add(url);
  }
}
self.addEventListener("install", (event) => event.waitUntil(install()));

async function activate() {
  const { campaigns } = await parts();
  const wanted = new Set(campaigns.flatMap((one) => [at(one.file), at(one.first)]));
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== HERE && name !== TOLD) await caches.delete(name);
  const told = await caches.open(TOLD);
  for (const request of await told.keys()) if (!wanted.has(request.url) && request.url.includes("/campaigns/")) await told.delete(request);
  await self.clients.claim();
}
self.addEventListener("activate", (event) => event.waitUntil(activate()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== SCOPE.origin) return;
  if (request.mode === "navigate") {
    if (url.pathname === SCOPE.pathname || url.pathname === `${SCOPE.pathname}index.html`) event.respondWith(kept(at("./"), request));
  } else event.respondWith(kept(request.url.split(/[?#]/)[0], request));
});

/** From this build, or else from the network; what a campaign of the site consists of is kept on the way. */
async function kept(url, request) {
  const here = await (await caches.open(HERE)).match(url);
  if (here) return here;
  const told = await caches.open(TOLD);
  const before = await told.match(url);
  if (before && url.includes("/campaigns/")) return before;
  try {
    const response = await fetch(request);
    const campaign = url.includes("/campaigns/") || /\/art\/[^/]+$/.test(url);
    if (response.ok && campaign) await told.put(url, response.clone());
    return response;
  } catch (error) {
    if (before) return before;
    throw error;
  }
}
