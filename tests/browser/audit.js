/* What a reader cannot read on a page at this width: letters under `least` pixels, drawings scaled down
   included; words that stand outside of the page or are cut; a page that scrolls sideways. */
(least) => {
  const found = new Map();
  const note = (kind, element, what) => {
    const parent = element.parentElement?.classList[0];
    const name = [element.tagName.toLowerCase(), ...[...element.classList].slice(0, 2)].join(".");
    const key = `${kind}: ${parent ? parent + " > " : ""}${name}`;
    if (!found.has(key)) found.set(key, String(what).slice(0, 60));
  };
  const shown = (element) =>
    element.checkVisibility({ checkVisibilityCSS: true }) &&
    !element.closest(".ch-sr, .md-search, .md-dialog, .md-sidebar, .ch-skip, [popover]:not(:popover-open), title, desc, svg[aria-hidden], .ch-die__size");
  /* Code keeps its lines, and chips in a row are moved by hand; a blurb ends where there is room. */
  const free = (element) => element.closest("pre, .ch-shelf__filter, .ch-site, .ch-cover__blurb");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest("script, style, template, noscript") || !shown(element)) continue;
    let size = parseFloat(getComputedStyle(element).fontSize);
    if (element instanceof SVGElement) {
      const scale = element.getScreenCTM();
      if (scale) size *= Math.hypot(scale.a, scale.b);
    }
    if (size < least - 0.05) note(`${size.toFixed(1)} px`, element, text.data.trim());
    if (free(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 1 || box.left < -1)) {
      note("outside", element, `${text.data.trim()} ${Math.round(box.left)}..${Math.round(box.right)}`);
    }
  }
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const clips = ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX);
    if (clips && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && shown(element) && !free(element)) {
      note("cut", element, `${element.scrollWidth} in ${element.clientWidth}`);
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.set("scrolls sideways", `${wide} px`);
  return [...found].map(([key, what]) => `${key}: ${what}`);
}
