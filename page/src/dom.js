// Small helpers for building the page. Text only ever becomes text nodes: nothing a player typed is
// read as HTML.

/** Make an element: `h("button.chip", {onclick, "aria-label": "…"}, "text", child, [more])`. */
export function h(what, ...rest) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  fill(element, rest);
  return element;
}

/** Give an element attributes and children; a plain object is attributes, all else is a child. */
function fill(element, rest) {
  for (const one of rest) {
    if (one === null || one === undefined || one === false || one === "") continue;
    if (Array.isArray(one)) fill(element, one);
    else if (one instanceof Node) element.append(one);
    else if (typeof one === "object") attributes(element, one);
    else element.append(String(one));
  }
  return element;
}

function attributes(element, given) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) hear(element, name.slice(2), value);
    else if (name === "class") element.classList.add(...String(value).split(" ").filter(Boolean));
    else if (name === "style") for (const [key, to] of Object.entries(value)) element.style.setProperty(key, to);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Have an element do something when it is pressed, typed into, …: what, can be exchanged (`heard`). */
function hear(element, type, act) {
  element.heard = { ...element.heard, [type]: act };
  element.addEventListener(type, (event) => element.heard[type](event));
}

/** Replace what an element holds. Whoever was at a button or in a field of it is at the same one again, if it is there
 * still: of several that are called alike, at the one in the same place, with the same words selected. */
export const put = (element, ...children) =>
  redrawn(element, () => {
    element.replaceChildren();
    fill(element, children);
  });

/** The same where those children that would look as they do stay, and do what the new ones would: whoever presses one
 * while all is drawn anew has pressed it. */
export const renew = (element, ...children) =>
  redrawn(element, () => {
    const old = [...element.children];
    const now = [...h("div", children).children].map((one) => {
      const same = old.findIndex((each) => each.isEqualNode(one));
      return same < 0 ? one : heir(...old.splice(same, 1), one);
    });
    for (const one of old) one.remove();
    now.forEach((one, at) => element.children[at] === one || element.insertBefore(one, element.children[at] ?? null));
  });

/** An element that does what one that looks alike would. */
function heir(element, other) {
  element.heard = other.heard;
  [...element.children].forEach((one, at) => heir(one, other.children[at]));
  return element;
}

function redrawn(element, draw) {
  const { activeElement: focused } = document;
  const name = focused && focused !== element && element.contains(focused) && called(focused);
  const alike = () => [...element.querySelectorAll("button, summary, a, input, textarea, select, [tabindex]")].filter((one) => called(one) === name);
  const at = name && alike().indexOf(focused);
  draw();
  if (!name || document.activeElement === focused) return element;
  const found = alike();
  const again = found[at] ?? found.at(-1);
  again?.focus({ preventScroll: true });
  // A field for figures alone has no caret that could be told.
  if (again && (focused.selectionStart ?? null) !== null) again.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  return element;
}

/** By what a button or a field is told from the others beside it. */
const called = (one) => [one.tagName, one.dataset.verb, one.dataset.line, one.id, one.name, one.getAttribute("aria-label") ?? one.closest("label")?.textContent ?? one.textContent].join("\0");

/** A button; `press` is what it does. */
export const button = (what, press, ...rest) => h(`button${what}`, { type: "button", onclick: press }, ...rest);

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  check: "M4 12.5l5 5L20 6.5",
  undo: "M9 5L4 10l5 5M4.5 10H15a5 5 0 0 1 0 10h-4",
  redo: "M15 5l5 5-5 5M19.5 10H9a5 5 0 0 0 0 10h4",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  close: "M5.5 5.5l13 13M18.5 5.5l-13 13",
  fiction: "M4 6h16M4 10h16M4 14h16M4 18h9",
  hole: "M3 12h6M10.5 12h3M15 12h6",
  down: "M5 9l7 7 7-7",
  take: "M12 4v11M7 10.5l5 5 5-5M4.5 19.5h15",
  bring: "M12 15.5v-11M7 9.5l5-5 5 5M4.5 19.5h15",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  back: "M8 5h12v14H8l-5-7zM11.5 9.5l5 5M16.5 9.5l-5 5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  wait: "M12 4a8 8 0 1 1-8 8M12 8v4l3 2",
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11M11 10.5V4a1.5 1.5 0 0 1 3 0v6.5M14 11V5.5a1.5 1.5 0 0 1 3 0V13M8 12.5l-1.8-2a1.5 1.5 0 0 0-2.4 1.8L7 18a5 5 0 0 0 4.5 2.5h1A4.5 4.5 0 0 0 17 16v-3",
  people: "M9 11a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM2.5 20v-1.5a5 5 0 0 1 5-5h3a5 5 0 0 1 5 5V20M16 4.5a3.2 3.2 0 0 1 0 6M18 14a4.5 4.5 0 0 1 3.5 4.5V20",
  warn: "M12 4l9 16H3zM12 10v5M12 17.5v.5",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  dice: "M5.5 3.5h13a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2zM7.5 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M15.5 16a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M15.5 8a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M7.5 16a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0",
  count: "M4 7h16M4 17h16M9 4v6M15 14v6",
  form: "M4 5h16v14H4zM4 10h16M9 10v9",
};

/** A drawing of one path. */
export function drawn(path, attributes) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A small drawing. It says nothing to a screen reader: what it stands in is named. */
export const icon = (name) => drawn(PATHS[name], { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" });

/** The coin sign, with its unit for whoever cannot see it. */
export const coin = (unit = "Coins") => h("span.coin", { role: "img", "aria-label": unit });

/** Words in which what is typed stands between backticks, set as such. A word in quotation marks at the start keeps its small
 * letter, which a block of text else shows as a capital. */
export const coded = (text, words = (one) => one) => {
  const [, quoted = "", rest] = /^('[^'\n]+')?([^]*)$/.exec(String(text ?? ""));
  const parts = rest.split(/`([^`\n]+)`/).map((part, at) => (at % 2 ? h("code", part) : words(part)));
  return quoted ? [h("span.as-typed", words(quoted)), ...parts] : parts;
};

/** The same where only text can stand. */
export const uncoded = (text) => String(text ?? "").replaceAll("`", "");

/** A random key, also where the page has no secure context. */
export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Call once after things have been quiet for a while. */
export function quiet(wait, call) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), wait);
  };
  later.now = (...given) => {
    clearTimeout(timer);
    return call(...given);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

// A finger's click comes a little after it has left; and not of every press is an end told: a bar is dragged, a menu
// opens.
const LEAVING = 30;
const LONGEST = 1000;
/** Until what is being pressed was let go: a button that is drawn anew before that hears of no click. */
export let pressed;
const presses = (...ends) => {
  pressed = new Promise((go) => {
    setTimeout(go, LONGEST);
    for (const end of ends) addEventListener(end, () => setTimeout(go, LEAVING), { once: true });
  });
};
addEventListener("pointerdown", () => presses("pointerup", "pointercancel"));
addEventListener("keydown", ({ key: sign, repeat, target }) => sign === " " && !repeat && target.tagName === "BUTTON" && presses("keyup"));

/** Let the arrow keys walk along the buttons of a group, of which one alone is in the Tab order; in a list of entries,
 * from the one at `selector` to the next. */
export function roving(group, selector = "button:not([disabled])", heads = selector) {
  const members = (which = selector) => [...group.querySelectorAll(which)].filter((one) => one.offsetParent !== null);
  const settle = (chosen) => {
    for (const one of members()) one.tabIndex = one === chosen ? 0 : -1;
  };
  group.addEventListener("keydown", (event) => {
    const all = members(heads);
    const here = document.activeElement;
    const at = all.findIndex((one) => one === here || (heads !== selector && one.closest("li").contains(here)));
    if (at < 0) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    let to = null;
    if (event.key in steps) to = all[(at + steps[event.key] + all.length) % all.length];
    else if (event.key === "Home") to = all[0];
    else if (event.key === "End") to = all.at(-1);
    if (!to) return;
    event.preventDefault();
    settle(to);
    to.focus();
    to.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  });
  group.addEventListener("focusin", ({ target }) => members().includes(target) && settle(target));
  group.settle = (wanted) => settle(wanted || members().find((one) => one.tabIndex === 0) || members()[0]);
  return group;
}
