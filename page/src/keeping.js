// Campaigns that are kept on this device, where the desk has no disk: a copy to take away, one to take in,
// and the browser's word that it will not clear them out.

import { button, h, icon } from "./dom.js";
import { choose, sheet } from "./sheets.js";
import { listed, word } from "./words.js";

/** Whether this desk keeps campaigns in the browser. */
export const keepsHere = (table) => Boolean(table.channel.device);

const mayOpenFolders = "showDirectoryPicker" in window;
const day = (at) => new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long" });

let lasting = null;

/** Ask the browser, once, not to clear away what is kept here. Resolves with whether it promised. */
export function keepForGood() {
  lasting ??= Promise.resolve(navigator.storage?.persist?.() ?? false).catch(() => false);
  return lasting;
}

// -- out -----------------------------------------------------------------------------------------------

/** What can be done with a campaign that lies in the browser. Resolves with whether something was. */
export async function takeCopy(table, one) {
  const done = await choose(word("desk.backup_of", { title: one.title }), [
    { label: word("desk.download_a_zip_file"), note: word("desk.zip_note"), value: "zip", icon: "take" },
    { label: word("desk.save_to_a_folder"), note: mayOpenFolders ? word("desk.folder_note") : word("desk.no_folders"), value: "folder", icon: "take", disabled: !mayOpenFolders },
    one.kept === "device" && { label: one.copy ? word("desk.back_to_the_site") : word("desk.delete_from_this_device"), value: "forget", icon: "close" },
  ].filter(Boolean));
  if (done === "zip") await asZip(table, one);
  if (done === "folder") await intoFolder(table, one);
  if (done === "forget") await forget(table, one);
  return Boolean(done);
}

async function asZip(table, one) {
  const { bytes, name } = await table.channel.ask("export", { campaigns: [one.id] });
  const at = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  h("a", { href: at, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(at), 60_000);
  table.say(word("desk.downloaded", { name }));
}

/** The folder that was chosen, or null where nobody chose. */
async function chosen(mode) {
  try {
    return await window.showDirectoryPicker({ mode, id: "chronicle" });
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  }
}

const SETTINGS = "campaign.yaml";
const DEPTH = 3;
const MOST_FILES = 4000;

async function has(folder, name) {
  try {
    return await folder.getFileHandle(name);
  } catch {
    return null;
  }
}

async function intoFolder(table, one) {
  const picked = await chosen("readwrite").catch((error) => table.say(word("desk.folder_not_opened"), { help: error.message, bad: true }));
  if (!picked) return;
  try {
    const { files } = await table.channel.ask("files", { campaign: one.id });
    const home = (await has(picked, SETTINGS)) ? picked : await picked.getDirectoryHandle(one.id.replace(/^@/, ""), { create: true });
    const wanted = [];
    const other = [];
    for (const [name, data] of files) {
      const there = await held(home, name);
      if (there && same(there, data)) continue;
      wanted.push([name, data]);
      if (there) other.push(name);
    }
    if (other.length && !(await replaces(home.name, other))) return;
    for (const [name, data] of wanted) {
      const handle = await (await parent(home, name, true)).getFileHandle(name.split("/").at(-1), { create: true });
      const stream = await handle.createWritable();
      await stream.write(data);
      await stream.close();
    }
    await table.channel.ask("copied", { campaign: one.id });
    table.say(wanted.length ? word("desk.files_saved", { count: wanted.length, folder: home.name }) : word("desk.folder_up_to_date", { folder: home.name }));
  } catch (error) {
    table.say(word("desk.folder_not_saved"), { help: error.help ?? error.message, bad: true });
  }
}

/** The folder that a file lies in; null where there is none. */
async function parent(home, name, create = false) {
  const folders = name.split("/").slice(0, -1);
  for (const one of folders) home = await home.getDirectoryHandle(one, { create });
  return home;
}

/** What a file in a folder holds; null where there is none. */
async function held(home, name) {
  try {
    const handle = await has(await parent(home, name), name.split("/").at(-1));
    return handle && new Uint8Array(await (await handle.getFile()).arrayBuffer());
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
}

const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

const replaces = (folder, names) =>
  sheet(word("desk.folder_differs", { folder }), (close) => [
    h("p", names.length > 1 ? word("desk.files_differ") : word("desk.file_differs")),
    h("ul.differing", names.map((name) => h("li", h("code", name)))),
    h("div.sheet-actions", button(".quiet", () => close(), word("desk.cancel")), button(".write", () => close(true), word("desk.replace"))),
  ]);

async function forget(table, one) {
  const sure = await sheet(word("desk.delete_campaign", { title: one.title }), (close) => [
    h("p", one.copy ? word("desk.delete_copy_help") : word("desk.delete_last_help")),
    h("div.sheet-actions", button(".quiet", () => close(), word("desk.cancel")), button(".write", () => close(true), word("desk.delete"))),
  ]);
  if (!sure) return;
  await table.channel.ask("forget", { campaign: one.id });
  table.say(word("desk.deleted_campaign", { title: one.title }));
}

// -- in ------------------------------------------------------------------------------------------------

async function received(table, given) {
  try {
    const { campaigns, left } = await table.channel.ask("receive", given);
    keepForGood();
    table.say(word("desk.campaigns_imported", { count: campaigns.length }), { help: left.length ? left.length > 5 ? word("desk.files_left_out_and_more", { files: left.slice(0, 5).join(", ") }) : word("desk.files_left_out", { files: listed(left) }) : "" });
    return campaigns;
  } catch (error) {
    table.refused(error);
    return null;
  }
}

/** What a folder holds, by the paths below it. */
async function walked(folder, files = new Map(), at = "") {
  for await (const [name, one] of folder.entries()) {
    if (name.startsWith(".") || files.size >= MOST_FILES) continue;
    if (one.kind === "file") files.set(at + name, await one.getFile());
    else if (at.split("/").length <= DEPTH) await walked(one, files, `${at}${name}/`);
  }
  return files;
}

const READ = /\.(ya?ml|md|png|jpe?g|webp|gif|avif|svg)$/i;

async function bytesOf(files) {
  const read = [...files].filter(([name]) => READ.test(name)).map(async ([name, file]) => [name, new Uint8Array(await file.arrayBuffer())]);
  return new Map(await Promise.all(read));
}

/** Let somebody choose files of this device. */
function files(attributes) {
  return new Promise((resolve) => {
    const input = h("input", { type: "file", ...attributes });
    input.onchange = () => resolve([...input.files]);
    input.oncancel = () => resolve([]);
    input.click();
  });
}

async function zip(table) {
  const [file] = await files({ accept: ".zip,application/zip" });
  return file ? received(table, { name: file.name.replace(/\.zip$/i, ""), bytes: new Uint8Array(await file.arrayBuffer()) }) : null;
}

async function folder(table) {
  if (mayOpenFolders) {
    const picked = await chosen("read").catch((error) => table.say(word("desk.folder_not_opened"), { help: error.message, bad: true }));
    return picked ? received(table, { name: picked.name, files: await bytesOf(await walked(picked)) }) : null;
  }
  const found = await files({ webkitdirectory: true });
  if (!found.length) return null;
  const paths = found.map((file) => [file.webkitRelativePath.split("/").slice(1).join("/"), file]);
  return received(table, { name: found[0].webkitRelativePath.split("/")[0], files: await bytesOf(paths) });
}

// -- on the shelf --------------------------------------------------------------------------------------

/** Beside a campaign on the shelf: whether there is a copy elsewhere, and the way to take one. */
export function copyOf(table, one, done) {
  const { at = 0, exported = 0 } = one;
  const told = exported >= at ? word("desk.backup_from", { day: day(exported) }) : exported ? word("desk.changed_since_backup", { day: day(exported) }) : word("desk.no_backup_yet");
  return [
    one.kept === "device" && h(`span.aside.copied${exported >= at ? "" : ".careful"}`, told),
    button(".plain.icon-only", async () => (await takeCopy(table, one)) && done(), { "aria-label": word("desk.backup_of", { title: one.title }), title: word("desk.download_a_backup"), "aria-haspopup": "dialog" }, icon("take")),
  ];
}

/** The buttons that take a campaign in from this device. */
export function openHere(table, done) {
  const take = (from) => async () => (await from(table)) && done();
  return [button(".quiet", take(folder), icon("bring"), h("span", word("desk.open_folder"))), button(".quiet", take(zip), icon("bring"), h("span", word("desk.open_zip_file")))];
}

/** Below the shelf: what becomes of the campaigns that are here. */
export function keptHere() {
  const words = h("p.aside.kept", { role: "status" }, word("desk.stays_on_this_device"));
  (navigator.storage?.persisted?.() ?? Promise.resolve(true)).then((promised) => {
    if (promised) return;
    words.append(" ", button(".small", async () => {
      lasting = null;
      const now = await keepForGood();
      words.replaceChildren(now ? word("desk.kept_for_good") : word("desk.not_kept_for_good"));
    }, word("desk.keep_on_this_device")));
  });
  return words;
}
