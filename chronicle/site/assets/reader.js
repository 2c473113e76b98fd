/* Step by step with keys and fingers. The steps are addresses and links of the page: this follows the
   links, and adds the reader's choice of light or dark, which is kept with the site's other pages. */
(function () {
  "use strict";
  var root = document.documentElement;
  var chosen = window.__md_get && window.__md_get("__palette");
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function colour() {
    var scheme = chosen && chosen.color && chosen.color.scheme;
    var system = !scheme || chosen.color.media === "(prefers-color-scheme)";
    root.dataset.mdColorScheme = system ? (dark.matches ? "slate" : "default") : scheme;
  }
  colour();
  dark.addEventListener("change", colour);

  var KEYS = { j: "next", ArrowRight: "next", k: "previous", ArrowLeft: "previous", d: "dice", n: "scene", Home: "first" };
  function here() {
    return document.querySelector(".ch-step:target, .ch-former:target + .ch-step") || document.querySelector(".ch-step");
  }
  function show(hash) {
    /* A step taken is no page visited: the way back leads out of the evening. */
    location.replace(hash);
    var told = here().querySelector(".ch-step__told");
    told.tabIndex = -1;
    told.focus({ preventScroll: true });
    if (getComputedStyle(told).position !== "absolute") document.querySelector("main").scrollTop = 0;
  }
  function go(where) {
    var link = here().querySelector("[data-go='" + where + "']");
    if (link) show(link.hash);
  }
  addEventListener("keydown", function (event) {
    var where = KEYS[event.key];
    if (!where || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(where);
  });
  addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.hash);
  });
  addEventListener("DOMContentLoaded", function () {
    var main = document.querySelector("main"), start = null, limit = window.__ch_limit(location.pathname), through = Number(main.dataset.through), cover;
    function open() {
      if (cover) cover.remove();
      document.body.dataset.open = "";
      window.__ch_uncover();
    }
    var asked = window.__ch_asked(location.pathname.replace(/sessions\/[^/]*$/, "")) === through;
    if (through <= limit || through === 1 || asked || window.__ch_shown()) open();
    else {
      cover = window.__ch_cover(message("script.not_told"), through === limit + 1 ? message("script.reads_on", { number: through }) : limit ? message("script.goes_past", { number: limit }) : message("script.tells_story"),
        document.querySelector(".ch-through__home").href, open, through);
      main.before(cover);
    }
    main.addEventListener("touchstart", function (event) {
      start = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    main.addEventListener("touchend", function (event) {
      if (!start) return;
      var end = event.changedTouches[0], x = end.clientX - start.clientX, y = end.clientY - start.clientY;
      if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? "next" : "previous");
      start = null;
    }, { passive: true });
    var picture = document.querySelector(".ch-through__foot svg"), steps = document.querySelectorAll(".ch-step");
    picture.addEventListener("click", function (event) {
      var box = picture.getBoundingClientRect();
      var at = Math.floor(((event.clientX - box.left) / box.width) * steps.length);
      show("#" + steps[Math.max(0, Math.min(at, steps.length - 1))].id);
    });
  });
})();
