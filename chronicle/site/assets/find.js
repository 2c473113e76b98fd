/* The search of a site. A reader who opens it loads rows of text as scripts, which also load from a disk: those of one
   campaign (`find.js` in its folder), those of all other pages (`find.js` at the root), and the rules. MiniSearch
   finds rows in them. Texts of sessions that the reader has not read yet are left out. */
(function () {
  "use strict";
  var MOST = 6, MORE = 60, AROUND = 70;
  var open = document.querySelector(".ch-seek-open"), rooms = document.querySelector(".ch-rooms");
  var own = document.currentScript.src;
  var root = new URL(open.dataset.site, location.href).href.replace(/[^/]*$/, "");
  var storyFile = open.dataset.story ? new URL(open.dataset.story, location.href).href : "";
  var here = storyFile ? storyFile.slice(root.length).replace(/[^/]*$/, "") : "";
  /* Whether sessions that the reader has not read are searched too. */
  var unread = false;
  var rows = [], stories = {}, site = null, index = null, loads = {}, everywhere = !here, waiting = 0;
  /* How much a row counts that has some of the words, beside one that has all. */
  var NEAR = 0.2;
  var WEIGHTS = { people: 2.6, things: 1.7, outcomes: 1.7, sessions: 1.7, stories: 1.6, scenes: 1.3, pages: 1.3, words: 0.8, rules: 0.7, reference: 0.5 };

  function make(tag, look, words) {
    var made = document.createElement(tag);
    if (look) made.className = look;
    if (words !== undefined) made.textContent = words;
    return made;
  }

  /* Words. Letters without accents, and of a word the part that its forms have in common. */
  var SILENT = new Set(message("script.search_ignores").split(" "));
  /* Words that are asked for one another, each with the first of its group: "won" is found by "win". */
  var SAME = new Map();
  message("script.search_same").split("; ").forEach(function (group) {
    var words = group.split(" ");
    words.forEach(function (word) { SAME.set(word, words[0]); });
  });
  function stem(word) {
    word = SAME.get(word) || word;
    if (word.length < 4 || /\d/.test(word)) return word;
    word = word.replace(/(ss|sh|ch|x)es$/, "$1").replace(/([^aeiou])ies$/, "$1y").replace(/([^su])s$/, "$1");
    var short = word.replace(/(?:ing|ed)$/, "");
    if (short !== word && short.length > 2 && /[aeiouy]/.test(short)) word = short.replace(/([^aeiousl])\1$/, "$1");
    word = word.replace(/(.{4})er$/, "$1");
    return word.length > 3 ? word.replace(/e$/, "") : word;
  }
  var terms = new Map();
  function term(word) {
    if (!terms.has(word)) terms.set(word, termOf(word));
    return terms.get(word);
  }
  function termOf(word) {
    word = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    if (/[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/.test(word)) return Array.from(word);
    return SILENT.has(word) || (word.length < 2 && /[a-z]/.test(word)) ? null : stem(word);
  }

  /* Rows. Each is [title, text, address, session that tells it, session that ends it, note]. */
  function add(kind, list, where, more) {
    var from = rows.length;
    list.forEach(function (row) {
      rows.push(Object.assign({
        id: rows.length, kind: kind, where: where, title: row[0] || "", text: row[1] || "", url: new URL(row[2] || "", root + where).href,
        session: row[3] || 0, until: row[4] || 0, note: row[5] || "", also: row[6] || "", about: "",
      }, more));
    });
    index.addAll(rows.slice(from));
    if (dialog.open) later();
  }
  var findBefore = window.chronicleFind, rulesBefore = window.chronicleRules;
  window.chronicleFind = function (where, data) {
    if (findBefore) findBefore(where, data);
    if (!loads[where] || (where ? stories[where] : site)) return;
    if (where) stories[where] = data;
    else site = data;
    Object.keys(data.rows).forEach(function (kind) {
      add(kind, data.rows[kind], where, where ? { about: data.title + " " + data.about } : {});
    });
    if (everywhere) loadAll();
    else loadRules();
  };
  window.chronicleRules = function (data, pages) {
    var game = document.currentScript && document.currentScript.dataset.game;
    if (game && !loads[game].added) {
      loads[game].added = true;
      var title = site.rules[game][0], home = site.rules[game][2], words = [], rules = [], places = {};
      Object.keys(pages).forEach(function (page) { pages[page].forEach(function (id) { places[id] = page; }); });
      function at(id) { return (places[id] || home) + "#" + id.toLowerCase(); }
      Object.keys(data).forEach(function (id) {
        var one = data[id];
        if (one.length < 3) rules.push([id + " " + one[0], one[1], at(id), 0, 0, title]);
        else if (one[0].toLowerCase() === id.toLowerCase()) words.push([one[0], one[1], at(one[2]), 0, 0, title]);
      });
      add("rules", rules, "", { game: game });
      add("words", words, "", { game: game });
    }
    if (rulesBefore) rulesBefore(data, pages);
  };
  function load(key, address, game) {
    if (loads[key]) return;
    var script = loads[key] = make("script");
    waiting += 1;
    if (game) script.dataset.game = game;
    script.src = address;
    script.onload = script.onerror = function () {
      waiting -= 1;
      later();
    };
    document.head.append(script);
  }
  function loadRules() {
    var story = stories[here], game = story && story.game;
    if (site && game && site.rules[game]) load(game, root + site.rules[game][1], game);
  }
  function loadAll() {
    if (!site) return;
    site.campaigns.forEach(function (folder) { load(folder, root + folder + "find.js"); });
    Object.keys(site.rules).forEach(function (game) { load(game, root + site.rules[game][1], game); });
  }
  var library = make("script");
  library.src = new URL("vendor/minisearch.js", own).href;
  library.onload = function () {
    index = new window.MiniSearch({ fields: ["title", "text", "note", "also", "about"], processTerm: term });
    load("", root + "find.js");
    if (here) load(here, storyFile);
  };
  document.head.append(library);

  /* The last session that a reader has read of a campaign; Infinity: to the end. */
  function readTo(where) { return unread ? Infinity : window.__ch_limit(new URL(root + where).pathname); }

  var dialog = make("dialog", "ch-seek " + (document.querySelector(".ch-guest") ? "ch-guest" : "md-typeset")), form = make("form", "ch-seek__form"), field = make("input");
  var close = make("button", "ch-seek__close", message("script.close")), out = make("div", "ch-seek__out"), said = make("p", "ch-soft");
  dialog.setAttribute("aria-label", message("script.search"));
  field.type = "search";
  field.placeholder = message("script.search_placeholder");
  field.setAttribute("aria-label", message("script.search_for"));
  field.autocomplete = "off";
  close.type = "button";
  said.setAttribute("role", "status");
  form.append(field, close);
  dialog.append(form, said, out);
  document.body.append(dialog);
  close.addEventListener("click", function () { dialog.close(); });
  dialog.addEventListener("click", function (event) {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    var first = out.querySelector("li a");
    if (first) first.click();
  });
  dialog.addEventListener("keydown", function (event) {
    var way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    var stops = [field].concat(Array.from(out.querySelectorAll("a"))), at = stops.indexOf(document.activeElement);
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + way))].focus();
  });

  /* The text around the first word that was found, all of them marked. */
  function excerpt(text, found) {
    var made = make("span", "ch-seek__said"), hits = [], word = /[\p{L}\p{M}\p{N}]+/gu, next;
    while ((next = word.exec(text))) if ([].concat(term(next[0]) || []).some(function (one) { return found.has(one); })) hits.push(next);
    var first = hits.length ? hits[0].index : 0;
    var start = first < AROUND ? 0 : text.indexOf(" ", first - AROUND) + 1, end = start + 3 * AROUND, at = start;
    if (start) made.append("… ");
    hits.forEach(function (hit) {
      if (hit.index >= end) return;
      made.append(text.slice(at, hit.index), make("mark", "", hit[0]));
      at = hit.index + hit[0].length;
    });
    made.append(text.slice(at, Math.max(at, end)), end < text.length ? " …" : "");
    return made;
  }
  function group(title, hits) {
    var part = make("section"), list = make("ul"), head = make("h2", "", title + " ");
    head.append(make("small", "", String(hits.length)));
    function put(hit) {
      var row = rows[hit.id], item = make("li"), link = make("a"), notes = [];
      link.href = row.url;
      if (row.title) link.append(make("b", "", row.title));
      if (row.kind === "entries") notes.push(message("script.entry_in_session", { number: row.note, session: row.session }));
      else if (row.kind === "scenes" || row.kind === "outcomes") notes.push(message("script.session", { number: row.session }));
      else if (row.note) notes.push(row.note);
      if (row.until) notes.push(message("script.until_session", { number: row.until }));
      if (row.where && row.where !== here && row.kind !== "stories") notes.push(stories[row.where].title);
      if (notes.length) link.append(make("small", "", notes.join(" · ")));
      if (row.text) link.append(excerpt(row.text, new Set(hit.terms)));
      item.append(link);
      list.append(item);
    }
    hits.slice(0, MOST).forEach(put);
    part.append(head, list);
    if (hits.length > MOST) {
      var more = make("button", "ch-seek__more", message("script.count_more", { count: hits.length - MOST }));
      more.type = "button";
      more.addEventListener("click", function () {
        hits.slice(MOST, MOST + MORE).forEach(put);
        more.remove();
        list.children[MOST].querySelector("a").focus();
      });
      part.append(more);
    }
    out.append(part);
  }

  /* The rows that have all words; if there is none, those with the most of them. */
  function find(typed) {
    var limits = {}, game = stories[here] && stories[here].game;
    function shown(row) {
      if (!everywhere && row.where !== here && !(row.game && row.game === game)) return false;
      if (!row.where) return true;
      if (!(row.where in limits)) limits[row.where] = readTo(row.where);
      var limit = limits[row.where];
      return limit === Infinity || (row.session <= limit && (!row.until || row.until > limit));
    }
    var number = /^\d+$/.test(typed) || (/^[a-z]{1,3}\d/i.test(typed) && typed.toLowerCase());
    if (number) {
      var exact = rows.filter(function (row) {
        return shown(row) && (number === true ? row.kind === "entries" && row.note === typed
          : row.kind === "rules" && row.title.toLowerCase().startsWith(number));
      });
      if (exact.length) return { all: true, hits: exact.map(function (row) { return { id: row.id, terms: [], score: row.title.toLowerCase().startsWith(number + " ") ? 2 : 1 }; }) };
    }
    /* What a story is about counts only beside words of the row itself. */
    function isOwn(hit) {
      return Object.values(hit.match).some(function (fields) { return fields.some(function (name) { return name !== "about"; }); });
    }
    var who = /^who(m|se)?\b/i.test(typed);
    function weight(id) {
      var row = rows[id], recent = 1 + 0.1 * Math.min(row.session, 9);
      return (WEIGHTS[row.kind] || 1) * (who && /^(people|outcomes)$/.test(row.kind) ? 2 : 1) * (row.until ? 0.5 : recent);
    }
    function search(how) {
      return index.search(typed, Object.assign({
        boost: { title: 3, note: 0.8, also: 2.5, about: 0.05 },
        prefix: function (word) { return word.length > 3; },
        filter: function (hit) { return shown(rows[hit.id]) && isOwn(hit); },
        boostDocument: weight,
      }, how));
    }
    function fuzzy(word) { return word.length > 4 ? 0.2 : false; }
    var hits = search({ combineWith: "AND" });
    if (!hits.length) hits = search({ combineWith: "AND", fuzzy: fuzzy });
    if (hits.length >= MOST) return { all: true, hits: hits };
    var near = search({ combineWith: "OR", fuzzy: hits.length ? false : fuzzy });
    var seen = new Set(hits.map(function (hit) { return hit.id; }));
    near = near.filter(function (hit) { return !seen.has(hit.id); });
    function count(hit) { return new Set(hit.queryTerms).size; }
    var most = Math.max.apply(null, [0].concat(near.map(count)));
    near = near.filter(function (hit) { return count(hit) === most; });
    near.forEach(function (hit) { hit.score *= NEAR; });
    return { all: hits.length > 0, hits: hits.concat(near) };
  }
  /* Of a person or a section the best row alone; of an entry its outcome; of pages that say the same, such as a verb
     of all games, the first. */
  function once(hits) {
    var seen = new Set();
    return hits.filter(function (hit) {
      var row = rows[hit.id], keys = /^(pages|reference)$/.test(row.kind) && row.text ? [row.url, row.title + "\n" + row.text] : [row.url];
      var new_ = !keys.some(function (key) { return seen.has(key); });
      keys.forEach(function (key) { seen.add(key); });
      return new_;
    });
  }
  /* How many words of a question can be found at all. */
  function wordCount(typed) {
    return (typed.match(/[\p{L}\p{M}\p{N}]+/gu) || []).filter(function (word) { return term(word); }).length;
  }
  function limited() { return everywhere ? Object.keys(stories) : [here]; }
  function isLimited(where) { return readTo(where) < Infinity; }
  function unsearched() {
    var notes = [];
    if (limited().some(isLimited)) notes.push(message(!everywhere && !readTo(here) ? "script.unread_not_searched" : "script.later_not_searched"));
    if (everywhere && site && !site.campaigns.length && site.count) notes.push(message("script.titles_only", { count: site.count }));
    if (everywhere && site && !site.whole) notes.push(message("script.other_pages_not_searched"));
    if (!everywhere) notes.push(message("script.only_this_story"));
    return notes.join(" ");
  }
  function look() {
    var typed = field.value.trim();
    out.replaceChildren();
    said.textContent = "";
    if (!typed || !index) return;
    var found = find(typed), groups = {};
    once(found.hits).forEach(function (hit) { (groups[rows[hit.id].kind] = groups[rows[hit.id].kind] || []).push(hit); });
    var count = found.hits.length;
    said.textContent = (count && found.all) || waiting ? "" : message(wordCount(typed) === 1 ? "script.word_not_found" : "script.nothing_found") + (count ? " " + message("script.nearest") : "");
    Object.keys(groups).sort(function (a, b) { return groups[b][0].score - groups[a][0].score; })
      .forEach(function (kind) { group(message(TITLES[kind]), groups[kind]); });
    var foot = make("p", "ch-seek__all", unsearched() + " ");
    if (limited().some(isLimited)) {
      var closed = make("button", "", message("script.search_later"));
      closed.type = "button";
      closed.addEventListener("click", function () {
        unread = true;
        look();
        field.focus();
      });
      foot.append(closed, " ");
    }
    if (!everywhere) {
      var all = make("button", "", message("script.search_site"));
      all.type = "button";
      all.addEventListener("click", function () {
        everywhere = true;
        loadAll();
        look();
        field.focus();
      });
      foot.append(all);
    } else if (site && site.archive) {
      var archive = make("a", "", message("script.search_archive"));
      archive.href = root + site.archive;
      foot.append(archive);
    }
    if (foot.textContent.trim()) out.append(foot);
  }
  var TITLES = {
    people: "script.people", things: "script.things", outcomes: "script.outcomes", sessions: "script.sessions_found", scenes: "script.scenes", entries: "script.entries",
    journal: "script.journal", rules: "script.rules", words: "script.words_of_game", pages: "script.pages", reference: "script.reference", stories: "script.stories",
  };
  var timer;
  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, 60);
  }
  field.addEventListener("input", later);
  window.chronicleSearch = function (words) {
    if (!dialog.open) dialog.showModal();
    if (words) field.value = words;
    field.select();
    later();
  };
  window.chronicleSearch(new URLSearchParams(location.search).get("find"));
})();
