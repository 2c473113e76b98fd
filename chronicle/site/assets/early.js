/* Runs in the head, before anything is drawn: Material's storage helpers (the bundle calls them by
   these names). */
(function () {
  "use strict";
  /* In somebody else's site the theme has its own helpers and typefaces. */
  var script = document.currentScript;
  if (script.dataset.scope !== undefined) help();
  function help() {
    /* A typeface that comes after the first line is drawn would set every line anew: then this page keeps the one
       it has, and the next has both. From a disk they are there in time, and may not be asked for ahead. */
    if (/^http/.test(location.protocol)) {
      /* Those that a first screen shows. */
      ["literata-latin-normal", "literata-latin-italic", "source-sans-3-latin-normal"].forEach(function (name) {
        var ahead = document.createElement("link");
        ahead.rel = "preload";
        ahead.as = "font";
        ahead.type = "font/woff2";
        ahead.crossOrigin = "anonymous";
        ahead.href = new URL("fonts/" + name + ".woff2", script.src);
        document.head.append(ahead);
      });
      document.fonts.forEach(function (face) { face.display = "optional"; });
    }
    var scope = new URL(script.dataset.scope, location.href);
    window.__md_scope = scope;
    window.__md_hash = function (text) {
      return Array.from(text).reduce(function (sum, c) { return (sum << 5) - sum + c.charCodeAt(0); }, 0);
    };
    window.__md_get = function (key, storage, base) {
      try { return JSON.parse((storage || localStorage).getItem((base || scope).pathname + "." + key)); }
      catch (_) { return null; }
    };
    window.__md_set = function (key, value, storage, base) {
      try { (storage || localStorage).setItem((base || scope).pathname + "." + key, JSON.stringify(value)); }
      catch (_) { /* Storage may be forbidden: the choice then lasts for this page. */ }
    };
  }
  var root = document.documentElement;
  /* The last session that a reader of a folder has read: 0 before the first, Infinity at the end, and where a
     device keeps nothing. The answer for the nearest folder above counts. */
  window.__ch_limit = function (path) {
    var answer = "0", longest = 0;
    try {
      Object.keys(localStorage).forEach(function (key) {
        var folder = key.replace(/^chronicle:told:/, "");
        if (folder === key || folder.length <= longest || !path.startsWith(folder)) return;
        longest = folder.length;
        answer = localStorage.getItem(key);
      });
    } catch (_) { return Infinity; }
    return answer === "end" ? Infinity : Number(answer) || 0;
  };
  /* The session that a reader last asked to read on to, in this tab; with a `number`, keep it. */
  window.__ch_asked = function (folder, number) {
    try {
      if (number) sessionStorage.setItem("chronicle:asked:" + folder, number);
      return Number(sessionStorage.getItem("chronicle:asked:" + folder));
    } catch (_) { return 0; }
  };
  /* Whether a reader has had this page shown, in this tab, though it goes past what they have read; or keep that. */
  window.__ch_shown = function (now) {
    var key = "chronicle:shown:" + location.pathname;
    try {
      if (now) sessionStorage.setItem(key, "1");
      return Boolean(sessionStorage.getItem(key));
    } catch (_) { return false; }
  };
  /* Whoever does not want to know the end of a story does not see it either while a page is loaded, nor
     what a page of it is called, on its tab. */
  var limit = window.__ch_limit(location.pathname);
  if (limit < Infinity) root.dataset.told = limit;
  try {
    Object.keys(localStorage).forEach(function (key) {
      var seen = key.replace(/^chronicle:seen:/, "");
      if (seen !== key && location.pathname.startsWith(seen)) root.dataset.seen = "";
    });
  } catch (_) { /* Nothing was seen here. */ }
  var named = document.title, story = named.split(" · ").pop();
  if (limit && limit < Infinity) document.title = story;
  window.__ch_uncover = function () { document.title = named; };
  window.__ch_cover = function (title, words, home, lift, own) {
    function make(tag, look, words) {
      var made = document.createElement(tag);
      made.className = look;
      made.textContent = words;
      return made;
    }
    document.title = title + " · " + story;
    var cover = make("section", "ch-cover-up " + (document.querySelector(".ch-guest") ? "ch-guest" : "md-typeset"), ""), ways = make("p", "ch-actions", "");
    /* Who has not begun is shown where to; whoever has, how far they have read, and the next session first. */
    var read = window.__ch_limit(location.pathname), begun = read > 0, is_next = begun && own === read + 1;
    var choose = make("a", "ch-button" + (is_next ? "" : " ch-button--first"), message(begun ? "script.choose_how_far" : "script.read_story"));
    var all = make("button", "ch-button", message("script.read_all"));
    var this_one = make("button", "ch-button" + (is_next ? " ch-button--first" : ""), is_next ? message("script.read_session", { number: own }) : message("script.show_it"));
    var length = !begun && document.querySelector("[data-length]");
    if (length) choose.textContent += ", " + length.dataset.length;
    choose.href = begun ? home + "#sessions" : new URL("story.html", home).href;
    all.type = this_one.type = "button";
    all.addEventListener("click", function () {
      try { localStorage.setItem("chronicle:told:" + new URL("./", choose.href).pathname, "end"); } catch (_) { return lift(); }
      location.reload();
    });
    this_one.addEventListener("click", function () { window.__ch_shown(true); lift(); });
    ways.append(is_next ? this_one : choose, " ", all, " ", is_next ? choose : this_one);
    cover.append(make("p", "ch-kicker", story), make("h1", "", title), make("p", "ch-cover-up__why", words), ways);
    if (!begun) cover.append(make("p", "ch-soft", message("script.ways_on", { all: all.textContent, this_one: this_one.textContent })));
    return cover;
  };
  root.classList.remove("no-js");
  root.classList.add("js");
})();
