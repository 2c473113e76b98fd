/* The front door of an archive: its list is filtered, and the words of all campaigns are searched. Both come in
   pieces that are loaded when they are asked for, as scripts, so that they come from a disk as well. */
(function () {
  "use strict";
  var form = document.querySelector(".ch-find");
  if (!form) return;
  var found = document.querySelector(".ch-find__found"), all = document.querySelector(".ch-find__all");
  var said = document.querySelector(".ch-find__said");
  var root = form.dataset.root, site = form.dataset.site;
  var cards = [], pieces = {}, starts = null, pages = {}, loads = {};
  var SHOWN = 100, WHERE = 8, PIECES = 24;

  window.chronicleCards = function (number, rows) { cards[number] = rows; };
  window.chronicleShards = function (list) { starts = list; };
  window.chronicleWords = function (start, words) { pieces[start] = words; };
  var findBefore = window.chronicleFind;
  window.chronicleFind = function (folder, data) {
    pages[folder] = Object.values(data.rows).flat();
    if (findBefore) findBefore(folder, data);
  };

  function load(address) {
    return loads[address] = loads[address] || new Promise(function (done) {
      var script = document.createElement("script");
      script.src = address;
      script.onload = script.onerror = done;
      document.head.appendChild(script);
    });
  }
  function every(list) { return Promise.all(list.map(function (address) { return load(root + address); })); }
  function make(tag, name, text) {
    var made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }
  function plain(text) {
    return text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  }
  function wordsOf(text) {
    var one = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])[\p{L}\p{N}]){2,}/gu;
    return (plain(text).match(one) || []).map(function (word) { return word.slice(0, 40); });
  }
  function nameOf(start) {
    return Array.from(start, function (letter) { return letter.codePointAt(0).toString(16); }).join("-");
  }

  /* Which campaigns have words that begin like each of these, and how much they speak of them. */
  function look(words) {
    return every(["words/index.js"]).then(function () {
      var wanted = new Set();
      words.forEach(function (word) {
        (starts || []).filter(function (start) { return word.startsWith(start) || start.startsWith(word); })
          .slice(0, PIECES).forEach(function (start) { wanted.add(start); });
      });
      return every(Array.from(wanted, function (start) { return "words/" + nameOf(start) + ".js"; }));
    }).then(function () {
      var scores = null;
      words.forEach(function (word) {
        var mine = new Map();
        Object.keys(pieces).forEach(function (start) {
          if (!word.startsWith(start) && !start.startsWith(word)) return;
          Object.keys(pieces[start]).forEach(function (other) {
            if (!other.startsWith(word)) return;
            var at = 0;
            pieces[start][other].split(" ").forEach(function (one) {
              var parts = one.split(".");
              at += parseInt(parts[0], 36);
              var times = parts[1] ? parseInt(parts[1], 36) : 1;
              mine.set(at, (mine.get(at) || 0) + Math.log2(1 + times) * (other === word ? 3 : 1));
            });
          });
        });
        if (scores === null) scores = mine;
        else scores = new Map(Array.from(scores).filter(function (one) { return mine.has(one[0]); })
          .map(function (one) { return [one[0], one[1] + mine.get(one[0])]; }));
      });
      return scores || new Map();
    });
  }

  function fits(row, asked) {
    if (asked.game && row[2] !== asked.game) return false;
    if (asked.player && !row[3].some(function (name) { return plain(name).includes(plain(asked.player.trim())); })) return false;
    if (asked.length) {
      var ends = asked.length.split("-");
      if (row[4] < Number(ends[0]) || (ends[1] && row[4] > Number(ends[1]))) return false;
    }
    if (asked.year && !row[11].includes(asked.year)) return false;
    if (asked.status && String(row[7]) !== asked.status) return false;
    if (asked.rule) {
      var rule = asked.rule.trim().toLowerCase();
      if (!row[8].toLowerCase().split(" ").includes(rule)) return false;
    }
    if (asked.addon && !row[9].some(function (key) { return row[2] + ":" + key === asked.addon; })) return false;
    return true;
  }

  function page(folder) { return site + folder + "/index.html"; }
  function cover(row) {
    var link = make("a", "ch-finds__cover"), picture = make("img");
    link.href = page(row[0]);
    link.tabIndex = -1;
    link.setAttribute("aria-hidden", "true");
    picture.alt = "";
    picture.loading = "lazy";
    picture.src = site + row[0] + "/" + row[12];
    link.appendChild(picture);
    return link;
  }
  function item(row, words) {
    var line = make("li"), facts = make("p", "ch-finds__facts");
    var link = make("a", "ch-finds__title", row[1]);
    link.href = page(row[0]);
    line.appendChild(cover(row));
    line.appendChild(link);
    if (row[10]) line.appendChild(make("p", "ch-finds__blurb", row[10]));
    facts.appendChild(make("span", "ch-ending" + (row[7] ? " ch-ending--over" : ""), message(row[7] ? "script.finished" : "script.going_on")));
    var game = form.elements.game.querySelector("option[value='" + row[2] + "']");
    facts.appendChild(make("span", "", game ? game.textContent : row[2]));
    facts.appendChild(make("span", "", message("script.sessions", { count: row[5] }) + (row[4] ? ", " + message("script.minutes", { count: row[4] }) : "")));
    if (row[6].length) facts.appendChild(make("span", "", row[6].length > 1 ? message("script.days", { first: row[6][0], last: row[6][1] }) : row[6][0]));
    facts.appendChild(make("span", "", row[3].join(", ")));
    line.appendChild(facts);
    if (words.length) line.appendChild(where(row[0], words));
    return line;
  }

  /* Where in a campaign it is: its pages are loaded when somebody wants to know. */
  function where(folder, words) {
    var fold = make("details", "ch-finds__where"), list = make("ul", "ch-list");
    fold.appendChild(make("summary", "", message("script.where_in_it")));
    fold.appendChild(list);
    fold.addEventListener("toggle", function () {
      if (!fold.open || list.firstChild) return;
      load(site + folder + "/find.js").then(function () {
        var hits = (pages[folder + "/"] || []).map(function (row) {
          var here = wordsOf(row[0] + " " + row[1]);
          var count = words.filter(function (word) { return here.some(function (other) { return other.startsWith(word); }); }).length;
          return { title: row[0], text: row[1] || "", url: row[2], count: count };
        }).filter(function (hit) { return hit.count; });
        hits.sort(function (a, b) { return b.count - a.count; });
        hits.slice(0, WHERE).forEach(function (hit) {
          var line = make("li"), link = make("a", "", hit.title || piece(hit.text, words));
          link.href = site + folder + "/" + hit.url;
          line.appendChild(link);
          if (hit.title) line.appendChild(make("span", "ch-soft", " " + piece(hit.text, words)));
          list.appendChild(line);
        });
        if (!list.firstChild) list.appendChild(make("li", "ch-soft", message("script.only_in_title")));
      });
    });
    return fold;
  }
  function piece(text, words) {
    var small = plain(text), at = -1;
    words.forEach(function (word) { if (at < 0) at = small.indexOf(word); });
    var from = Math.max(0, at - 60);
    return (from ? "… " : "") + text.slice(from, from + 160) + (from + 160 < text.length ? " …" : "");
  }

  var turn = 0;
  function act() {
    var asked = {}, mine = ++turn;
    Array.from(form.elements).forEach(function (one) { if (one.name && one.value.trim()) asked[one.name] = one.value; });
    var words = wordsOf(asked.words || "");
    if (!Object.keys(asked).length || (asked.words && !words.length && Object.keys(asked).length === 1)) {
      found.hidden = true;
      all.hidden = false;
      said.textContent = "";
      return;
    }
    var list = [];
    for (var n = 0; n < Number(form.dataset.shards); n++) list.push("cards/" + n + ".js");
    Promise.all([every(list), words.length ? look(words) : null]).then(function (answers) {
      if (mine !== turn) return;
      var scores = answers[1], hits = [];
      cards.flat().forEach(function (row, number) {
        if (scores && !scores.has(number)) return;
        if (fits(row, asked)) hits.push([scores ? scores.get(number) : 0, number, row]);
      });
      if (scores) hits.sort(function (a, b) { return b[0] - a[0] || a[1] - b[1]; });
      var which = !hits.length ? "script.no_campaign" : hits.length > SHOWN ? "script.campaigns_first" : "script.campaigns";
      said.textContent = message(which, { count: hits.length, number: hits.length.toLocaleString("en"), shown: SHOWN });
      var rows = make("ul", "ch-finds");
      hits.slice(0, SHOWN).forEach(function (hit) { rows.appendChild(item(hit[2], words)); });
      found.replaceChildren(rows);
      found.hidden = false;
      all.hidden = true;
    });
  }
  var wait = 0;
  form.addEventListener("input", function () { clearTimeout(wait); wait = setTimeout(act, 150); });
  form.addEventListener("reset", function () { setTimeout(act, 0); });
  form.addEventListener("submit", function (event) { event.preventDefault(); act(); });
  form.hidden = false;
  act();
})();
