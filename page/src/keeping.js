// Campaigns that are kept on this device, where the desk has no disk: a copy to take away, one to take in,
// and the browser's word that it will not clear them out.

import { button, h, icon } from "./dom.js";
import { choose, formSheet } from "./sheets.js";
import { listed, word } from "./words.js";

/** Whether this desk keeps campaigns in the browser. */
export const keepsHere = (table) => Boolean(table.channel.device);

const mayOpenFolders = "showDirectoryPicker" in window;
const day = (at) => new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long" });

let lasting = null;

/** Ask the browser, once, not to clear away what is kept here. Resolves with whether it promised. */
export function keepForGood() {
  return (lasting ??= Promise.resolve(navigator.storage?.persist?.() ?? false).catch(() => false));
}

// -- out -----------------------------------------------------------------------------------------------

/** What can be done with a campaign that lies in the browser. Resolves with whether something was. */
export async function takeCopy(table, one) {
  const act = await choose(word("desk.backup_of", { title: one.title }), [
    { label: word("desk.download_a_zip_file"), note: word("desk.zip_note"), value: () => asZip(table, one), icon: "take" },
    { label: word("desk.save_to_a_folder"), note: mayOpenFolders ? word("desk.folder_note") : word("desk.no_folders"), value: () => intoFolder(table, one), icon: "take", disabled: !mayOpenFolders },
    one.kept === "device" && { label: one.copy ? word("desk.back_to_the_site") : word("desk.delete_from_this_device"), value: () => forget(table, one), icon: "close" },
  ].filter(Boolean));
  await act?.();
  return Boolean(act);
}

async function asZip(table, one) {
  const { bytes, name } = await table.channel.ask("export", { campaigns: [one.id] });
  const at = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  h("a", { href: at, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(at), 60_000);
  table.say(word("desk.downloaded", { name }));
}

/** The folder that was chosen, or null where nobody chose. */
async function chosen(table, mode) {
  try {
    return await window.showDirectoryPicker({ mode, id: "chronicle" });
  } catch (error) {
    if (error.name !== "AbortError") table.say(word("desk.folder_not_opened"), { help: error.message, bad: true });
    return null;
  }
}

const SETTINGS = "campaign.yaml";
const DEPTH = 3;
const MOST_FILES = 4000;

async function intoFolder(table, one) {
  const picked = await chosen(table, "readwrite");
  if (!picked) return;
  try {
    const { files } = await table.channel.ask("files", { campaign: one.id });
    const home = (await held(picked, SETTINGS)) ? picked : await picked.getDirectoryHandle(one.id.replace(/^@/, ""), { create: true });
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
      const stream = await (await fileIn(home, name, true)).createWritable();
      await stream.write(data);
      await stream.close();
    }
    await table.channel.ask("copied", { campaign: one.id });
    table.say(wanted.length ? word("desk.files_saved", { count: wanted.length, folder: home.name }) : word("desk.folder_up_to_date", { folder: home.name }));
  } catch (error) {
    table.say(word("desk.folder_not_saved"), { help: error.help ?? error.message, bad: true });
  }
}

/** A file below a folder. */
async function fileIn(folder, name, create = false) {
  const folders = name.split("/");
  const last = folders.pop();
  for (const one of folders) folder = await folder.getDirectoryHandle(one, { create });
  return folder.getFileHandle(last, { create });
}

/** What a file in a folder holds; null where there is none. */
async function held(home, name) {
  try {
    const file = await (await fileIn(home, name)).getFile();
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
}

const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

const replaces = (folder, names) =>
  formSheet(word("desk.folder_differs", { folder }), word("desk.replace"), [
    h("p", names.length > 1 ? word("desk.files_differ") : word("desk.file_differs")),
    h("ul.differing", names.map((name) => h("li", h("code", name)))),
  ]);

async function forget(table, one) {
  const help = h("p", one.copy ? word("desk.delete_copy_help") : word("desk.delete_last_help"));
  if (!(await formSheet(word("desk.delete_campaign", { title: one.title }), word("desk.delete"), help))) return;
  await table.channel.ask("forget", { campaign: one.id });
  if (table.campaign) location.hash = "/";
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
    const picked = await chosen(table, "read");
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
