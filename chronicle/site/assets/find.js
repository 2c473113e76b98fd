/* Searching a story: entries, people, scenes, rules and pages, each group by itself, each hit at its place. Loaded when
   somebody looks for something. */
(function () {
  "use strict";
  var MOST = 6, MORE = 60, AROUND = 70;
  var open = document.querySelector(".ch-seek-open"), known = {}, wanted = ["index", "rules"];
  var rulesPage = open.dataset.rules;
  function make(tag, look, words) {
    var made = document.createElement(tag);
    if (look) made.className = look;
    if (words !== undefined) made.textContent = words;
    return made;
  }
  function plain(text) { return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLocaleLowerCase(); }

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
    var first = out.querySelector("a");
    if (first) first.click();
  });
  dialog.addEventListener("keydown", function (event) {
    var way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    var stops = [field].concat(Array.from(out.querySelectorAll("a"))), at = stops.indexOf(document.activeElement);
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + way))].focus();
  });

  /* How well words fit: each has to be there; where one begins with them counts for more, and a title most. */
  function fit(words, title, text) {
    var head = " " + plain(title), body = " " + plain(text || ""), sum = 0;
    var all = words.every(function (word) {
      var inTitle = head.includes(word), inText = body.includes(word);
      sum += (inTitle ? 4 : 0) + (head.includes(" " + word) ? 4 : 0) + (body.includes(" " + word) ? 1 : 0);
      return inTitle || inText;
    });
    return all ? sum + 1 : 0;
  }
  function best(rows, score) {
    return rows.map(function (row, at) { return [score(row), at, row]; })
      .filter(function (one) { return one[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; })
      .map(function (one) { return one[2]; });
  }
  /* Text around the first of the words, with all of them marked. */
  function excerpt(words, text) {
    var low = plain(text), made = make("span", "ch-seek__said");
    var same = low.length === text.length ? low : text.toLocaleLowerCase();
    var at = Math.max(0, Math.min.apply(null, words.map(function (word) { return same.indexOf(word); }).filter(function (n) { return n >= 0; }).concat(1e9)));
    var start = at > 1e8 || at < AROUND ? 0 : same.indexOf(" ", at - AROUND) + 1;
    var shown = text.slice(start, start + 3 * AROUND), rest = shown;
    if (start) made.append("… ");
    while (rest) {
      var low2 = rest.toLocaleLowerCase(), next = -1, hit = "";
      words.forEach(function (word) {
        var found = low2.indexOf(word);
        if (found >= 0 && (next < 0 || found < next)) { next = found; hit = word; }
      });
      if (next < 0) { made.append(rest); break; }
      made.append(rest.slice(0, next), make("mark", "", rest.slice(next, next + hit.length)));
      rest = rest.slice(next + hit.length);
    }
    if (start + shown.length < text.length) made.append(" …");
    return made;
  }
  function group(title, rows, draw) {
    if (!rows.length) return;
    var part = make("section"), list = make("ul"), head = make("h2", "", title + " ");
    head.append(make("small", "", String(rows.length)));
    function put(row) {
      var item = make("li");
      item.append(draw(row));
      list.append(item);
    }
    rows.slice(0, MOST).forEach(put);
    part.append(head, list);
    if (rows.length > MOST) {
      var more = make("button", "ch-seek__more", message("script.count_more", { count: rows.length - MOST }));
      more.type = "button";
      more.addEventListener("click", function () {
        rows.slice(MOST, MOST + MORE).forEach(put);
        more.remove();
        list.children[MOST].querySelector("a").focus();
      });
      part.append(more);
    }
    out.append(part);
  }
  function link(url, title, note, under) {
    var made = make("a"), line = make("b");
    made.href = url;
    if (title) {
      line.append(title);
      made.append(line);
    }
    if (note) made.append(make("small", "", note));
    if (under) made.append(under);
    return made;
  }

  function look() {
    var typed = field.value.trim(), words = plain(typed).split(/\s+/).filter(Boolean);
    var told = Number(document.documentElement.dataset.told) || Infinity;
    var story = known.index, folder = story && new URL(open.dataset.index, location.href).href.replace(/[^/]*$/, "");
    out.replaceChildren();
    said.textContent = "";
    if (!words.length || !story) return;
    function place(url) { return new URL(url, folder).href; }
    function early(session) { return session <= told; }
    var number = /^[a-z]{1,3}\d/i.test(typed);
    var people = best(story.people.filter(function (one) { return early(one[4]); }), function (one) { return fit(words, one[0], one[1] + " " + (told < Infinity ? "" : one[3])); });
    var scenes = best(story.scenes.filter(function (one) { return early(one[3]); }), function (one) { return fit(words, one[0], one[1]); });
    var entries = best(story.entries.filter(function (one) { return early(one[1]); }), function (one) {
      return /^\d+$/.test(typed) && String(one[0]) === typed ? 99 : fit(words, "", one[2]);
    });
    var every = Object.entries(known.rules || {});
    var terms = best(every.filter(function (one) { return one[1][2] && plain(one[1][0]) === plain(one[0]); }), function (one) {
      return words.length < 3 && fit(words, one[1][0], "");
    });
    var rules = best(every.filter(function (one) { return !one[1][2]; }), function (one) {
      if (number) return plain(one[0]) === words[0] ? 9 : plain(one[0]).startsWith(words[0]) ? 2 : 0;
      return fit(words, one[1][0], one[1][1]);
    });
    var pages = best(story.pages, function (one) { return fit(words, one[0], ""); });
    var groups = [
      [message("script.people_and_things"), people, function (one) { return link(place(one[2]), one[0], one[1], told < Infinity ? "" : excerpt(words, one[3])); }],
      [message("script.scenes"), scenes, function (one) { return link(place(one[2]), one[0], message("script.session", { number: one[3] })); }],
      [message("script.entries"), entries, function (one) {
        return link(place(story.evenings[one[1]]) + "#" + one[3], "", message("script.entry_in_session", { number: one[0], session: one[1] }), excerpt(words, one[2]));
      }],
      [message("script.rules"), rules, function (one) {
        return link(new URL(rulesPage, location.href).href + "#" + one[0].toLowerCase(), one[0] + " " + one[1][0], "", excerpt(words, one[1][1]));
      }],
      [message("script.words_of_game"), terms, function (one) {
        return link(place(story.words) + "#" + one[1][0].toLowerCase().replace(/[^a-z0-9]+/g, "-"), one[1][0], one[1][2], excerpt(words, one[1][1]));
      }],
      [message("script.pages"), pages, function (one) { return link(place(one[2]), one[0], one[1]); }],
    ];
    if (number) groups.unshift(groups.splice(3, 1)[0]);
    groups.forEach(function (one) { group(one[0], one[1], one[2]); });
    var count = groups.reduce(function (sum, one) { return sum + one[1].length; }, 0);
    said.textContent = count ? "" : message("script.nothing_found");
    var elsewhere = make("p", "ch-seek__all"), all = make("a", "", message("script.look_elsewhere", { words: typed }));
    all.href = new URL(open.dataset.site, location.href).href + "?q=" + encodeURIComponent(typed);
    elsewhere.append(all);
    out.append(elsewhere);
  }
  var timer;
  field.addEventListener("input", function () {
    clearTimeout(timer);
    timer = setTimeout(look, 60);
  });
  window.chronicleFind = function (data) { known.index = data; };
  var rulesBefore = window.chronicleRules;
  window.chronicleRules = function (data) {
    known.rules = data;
    if (rulesBefore) rulesBefore(data);
  };
  wanted.forEach(function (name) {
    var at = name === "index" ? open.dataset.index : document.querySelector(".ch-rooms").dataset.rules;
    if (!at) return;
    var script = make("script");
    script.src = at;
    script.onload = look;
    document.head.append(script);
  });
  window.chronicleSearch = function () {
    if (!dialog.open) dialog.showModal();
    field.select();
  };
  window.chronicleSearch();
})();
