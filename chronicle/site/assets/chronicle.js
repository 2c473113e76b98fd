/* Chronicle's conveniences. The page is whole without them: tables can be sorted and filtered,
   links to an entry copied. */
(function () {
  "use strict";
  function each(selector, action, scope) {
    Array.from((scope || document).querySelectorAll(selector)).forEach(action);
  }

  /* Tables: a button in each header cell; numbers by value, words by the reader's language. */
  function key(row, column) {
    var cell = row.cells[column];
    return cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
  }
  function compare(a, b) {
    var x = parseFloat(a), y = parseFloat(b);
    if (!isNaN(x) && !isNaN(y) && x !== y) return x - y;
    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
    return a.localeCompare(b, undefined, { numeric: true });
  }
  each("table[data-sortable]", function (table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      if (!head.textContent.trim()) return;
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var body = table.tBodies[0];
        var rows = Array.from(body.rows);
        rows.sort(function (a, b) { return compare(key(a, column), key(b, column)) * (down ? -1 : 1); });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  });
  each(".ch-filter input", function (input) {
    var table = document.getElementById(input.dataset.table);
    var count = input.parentElement.parentElement.querySelector("output");
    if (!table) return;
    input.addEventListener("input", function () {
      var words = input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      Array.from(table.tBodies[0].rows).forEach(function (row) {
        var text = row.textContent.toLocaleLowerCase();
        row.hidden = !words.every(function (word) { return text.includes(word); });
        if (!row.hidden) shown += 1;
      });
      count.textContent = words.length ? message("script.part_of", { part: shown, total: table.tBodies[0].rows.length }) : "";
    });
  });

  /* At the desk, where the site has one: the whole log, and what was legal at the action that is linked to. */
  var main = document.querySelector(".ch-guest-page") || document.getElementById("main");
  var desk = main && main.dataset.folder ? main.dataset.desk + "#/@" + encodeURIComponent(main.dataset.folder) : "";
  function atDesk(address, words, place) {
    var link = document.createElement("a");
    link.className = "ch-atdesk";
    link.href = address;
    link.textContent = words;
    place.appendChild(link);
    return link;
  }
  if (desk && document.querySelector(".ch-head__aside .ch-check")) {
    atDesk(desk, message("script.open_at_desk"), document.querySelector(".ch-head__aside"));
  }
  var shown = null;
  function offer() {
    var row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (shown) shown.remove();
    shown = row && row.matches(".ch-beat, .ch-note, .ch-throw")
      ? atDesk(desk + "/at/" + encodeURIComponent(row.id), message("script.at_desk_here"), row)
      : null;
  }
  if (desk) {
    addEventListener("hashchange", offer);
    offer();
  }

  /* Examples that run in place, where the site has a desk. */
  var tried = document.querySelectorAll(".ch-try");
  if (main && main.dataset.desk) each(".ch-try", function (block) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "ch-try__go";
    button.textContent = message("script.try_it");
    button.addEventListener("click", function () {
      button.remove();
      import(new URL("try.js", new URL(main.dataset.desk, location.href)).href).then(function (made) {
        return made.run(tried, block);
      }).catch(function () {
        block.insertAdjacentText("afterend", message("script.try_needs_server"));
      });
    });
    block.appendChild(button);
  });

  /* Material's own two inline helpers: a linked tab opens, linked tab sets keep the reader's choice. */
  var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.name && target.name.startsWith("__tabbed_")) target.checked = true;
  var tabs = window.__md_get ? window.__md_get("__tabs") : null;
  if (Array.isArray(tabs)) {
    each(".tabbed-set", function (set) {
      each(".tabbed-labels > label", function (label) {
        if (tabs.includes(label.innerText.trim())) document.getElementById(label.htmlFor).checked = true;
      }, set);
    });
  }

  /* The shelf of stories: those of one game, or all. */
  each(".ch-shelf__filter button", function (button) {
    button.addEventListener("click", function () {
      each(".ch-shelf__filter button", function (other) {
        other.setAttribute("aria-pressed", String(other === button));
      });
      each(".ch-shelf li[data-shelf]", function (story) {
        story.hidden = Boolean(button.dataset.shelf) && story.dataset.shelf !== button.dataset.shelf;
      });
    });
  });

  /* Moments: folded sections in a row can be gone through one by one, in the same place, as frames. */
  each("details.ch-fold", function (first) {
    var before = first.previousElementSibling, frames = [], next = first;
    if (before && before.matches("details.ch-fold")) return;
    while (next && next.matches("details.ch-fold, .ch-section")) {
      frames.push(next);
      next = next.matches(".ch-section") ? null : next.nextElementSibling;
    }
    /* Drawings change from one to the next; lists do not. */
    if (frames.length < 3 || !first.querySelector("svg")) return;
    var bar = document.createElement("div"), at = -1, timer = 0;
    bar.className = "ch-frames";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", message("script.moments_label"));
    function button(words, action) {
      var made = document.createElement("button");
      made.type = "button";
      made.textContent = words;
      made.addEventListener("click", action);
      bar.appendChild(made);
      return made;
    }
    function show(index) {
      at = index;
      frames.forEach(function (frame, number) {
        frame.hidden = at >= 0 && number !== at;
        if (frame.tagName === "DETAILS") frame.open = number === at;
      });
      where.textContent = at < 0 ? message("script.moments", { count: frames.length }) : message("script.part_of", { part: at + 1, total: frames.length });
    }
    function stop() {
      clearInterval(timer);
      timer = 0;
      play.textContent = message("script.play");
    }
    button(message("script.earlier"), function () { stop(); show(at < 0 ? 0 : Math.max(0, at - 1)); });
    var play = button(message("script.play"), function () {
      if (timer) return stop();
      play.textContent = message("script.stop");
      show(at < 0 || at === frames.length - 1 ? 0 : at);
      timer = setInterval(function () {
        if (at === frames.length - 1) return stop();
        show(at + 1);
      }, 1600);
    });
    button(message("script.later"), function () { stop(); show(Math.min(frames.length - 1, at + 1)); });
    button(message("script.all"), function () { stop(); show(-1); });
    var where = document.createElement("output");
    bar.appendChild(where);
    show(-1);
    first.parentNode.insertBefore(bar, first);
    addEventListener("beforeprint", function () { stop(); show(-1); });
  });

  /* What is known of people and things of the story, and what rules say: loaded when it is first asked for. */
  var rooms = document.querySelector(".ch-rooms, .ch-through__main");
  var files = rooms ? { cards: rooms.dataset.cards, rules: rooms.dataset.rules } : {};
  var story = files.cards ? new URL(files.cards, location.href).href.replace(/[^/]*$/, "") : "";
  var base = story && new URL(story).pathname;
  var known = {}, asked = {}, cardOf;
  window.chronicleCards = function (data) { known.cards = data; };
  window.chronicleRules = function (data) { known.rules = data; };
  function load(kind, then) {
    if (known[kind]) return then();
    if (!files[kind]) return;
    if (!asked[kind]) {
      asked[kind] = document.createElement("script");
      asked[kind].src = files[kind];
      document.head.appendChild(asked[kind]);
    }
    asked[kind].addEventListener("load", then);
  }
  function make(tag, look, words) {
    var made = document.createElement(tag);
    if (look) made.className = look;
    if (words) made.textContent = words;
    return made;
  }
  /* Where within the story an address leads to, and which evening that is about; 0: none. */
  function placeOf(link) {
    /* In a drawing, an address is an object with its words in it. */
    var address = typeof link.href === "string" ? link.href : new URL(link.getAttribute("href"), location.href).href;
    return address.startsWith(story) ? address.slice(story.length).split("#")[0] : "";
  }
  function eveningOf(link) {
    var found = /^(?:sessions|story)\/(\d+)/.exec(placeOf(link));
    return found ? Number(found[1]) : /^story(?:\.html|\/?$)/.test(placeOf(link)) ? 1 : 0;
  }

  /* Cards beside names and rules: what is known of them where one reads. What they are made of is loaded
     when somebody first rests on a name, or touches it; a name is a link all the same. */
  (function () {
    cardOf = ofSheet;
    if (!rooms || !HTMLElement.prototype.showPopover) return;
    function kindOf(link) {
      return link.matches("a.ch-rule, a.ch-term") ? "rules" : link.matches("a.ch-name") ? "cards" : "";
    }
    var anchors;
    /* The entry that a place on the page belongs to: that of the last anchor above it. */
    function entryAt(link) {
      if (!anchors) {
        var numbers = new Map();
        known.cards.steps.forEach(function (id, at) { if (id) numbers.set(id, at + 1); });
        anchors = Array.from(document.querySelectorAll("main [id]"))
          .filter(function (one) { return numbers.has(one.id); })
          .map(function (one) { return [one, numbers.get(one.id)]; });
      }
      var found = 0;
      anchors.some(function (one) {
        var after = one[0] !== link && !one[0].contains(link) &&
          one[0].compareDocumentPosition(link) & Node.DOCUMENT_POSITION_PRECEDING;
        if (!after) found = one[1];
        return after;
      });
      return found;
    }
    function sessionOf(step) {
      return known.cards.sessions.find(function (one) { return step <= one[2]; }) || known.cards.sessions.at(-1);
    }
    function ofSheet(link, at) {
      var sheet = known.cards.sheets[placeOf(link)];
      if (!sheet) return null;
      var last = known.cards.sessions.at(-1)[2], here = at === undefined ? entryAt(link) : at, step = here || last;
      var furthest = Math.max(window.__ch_limit(base), eveningOf(location), 1);
      var end = known.cards.sessions.filter(function (one) { return one[0] <= furthest; }).at(-1);
      if (end) step = Math.min(step, end[2]);
      var number = sessionOf(step)[0], then = sheet.s[number], before = sheet.s[number - 1] || then;
      var over = step >= sessionOf(step)[2];
      var card = make("div", "ch-pop__in"), head = make("div", "ch-pop__head"), title = make("div");
      head.innerHTML = sheet.e;
      title.append(make("b", "ch-pop__name", sheet.n));
      var under = make("span", "ch-pop__role");
      if (then) {
        var role = (over ? then : before)[0], hands = (over ? then : before)[1];
        if (role) under.append(role);
        var held = sheet.h.filter(function (one) { return one[0] <= step; }).at(-1);
        if (held || hands) {
          var seat = held ? held[2] : then[2];
          var player = make("b", "ch-player p" + (seat ? (seat - 1) % 8 + 1 : 0), held ? held[1] : hands);
          if (role) under.append(" · ");
          under.append.apply(under, worded(held && here ? "script.with_player_here" : "script.with_player", { player: player }));
        }
      }
      title.append(under);
      head.append(title);
      card.append(head);
      var quote = sheet.q.filter(function (one) { return one[0] <= step; }).at(-1);
      if (quote) {
        var said = make("p", "ch-pop__quote");
        said.innerHTML = quote[1];
        card.append(said);
      }
      if (then && then[4].length) {
        var slips = make("p", "ch-slips"), was = {};
        before[4].forEach(function (one) { was[one[0]] = one[1]; });
        then[4].forEach(function (one) {
          if (one[2] > step) return;
          /* What it became later is not said yet. */
          var state = over ? one[1] : one[0] in was && before !== then ? was[one[0]] : one[1] === "inherited" ? one[1] : "";
          slips.append(make("span", "ch-slip" + (state ? " ch-slip--" + state : ""), one[0]), " ");
        });
        if (slips.firstChild) card.append(slips);
      }
      var foot = make("p", "ch-pop__foot");
      foot.append(make("span", "", !sheet.f ? "" : sheet.f > step ? message("script.not_met_yet") :
        message(sheet.f === step && here ? "script.first_seen_here" : "script.first_seen", { number: sheet.f })));
      card.append(foot);
      return [card, message("script.whole_sheet")];
    }
    /* What a rule says, or a word of the game means. */
    function ofRule(link) {
      var words = link.textContent.trim(), term = link.matches(".ch-term") && words.toLowerCase();
      var rule = known.rules[term ? (known.rules[term] ? term : term.replace(/s$/, "")) : words];
      if (!rule) return null;
      var card = make("div", "ch-pop__in");
      var title = make("p", "ch-pop__rule");
      title.append(make("b", "", rule[0]), " ", make("span", "ch-rule", rule[2] || words));
      card.append(title, make("p", "", rule[1]), make("p", "ch-pop__foot"));
      return [card, message(rule[2] ? "script.all_words" : "script.all_rules")];
    }
    var pop, shownFor, timer;
    function hide() {
      clearTimeout(timer);
      if (pop && pop.matches(":popover-open")) pop.hidePopover();
      if (shownFor) shownFor.removeAttribute("aria-describedby");
      shownFor = null;
    }
    function show(link, sheet) {
      var made = kindOf(link) === "rules" ? ofRule(link) : ofSheet(link);
      if (!made) return false;
      hide();
      if (!pop) {
        pop = make("div", "ch-pop " + (document.querySelector(".ch-guest") ? "ch-guest" : "md-typeset"));
        pop.id = "ch-pop";
        pop.addEventListener("pointerleave", function () { timer = setTimeout(hide, 200); });
        pop.addEventListener("pointerenter", function () { clearTimeout(timer); });
      }
      /* After the link, so that it is read and reached next. */
      document.body.append(pop);
      pop.popover = sheet ? "auto" : "manual";
      pop.classList.toggle("ch-pop--sheet", sheet);
      pop.setAttribute("role", sheet ? "dialog" : "tooltip");
      pop.replaceChildren(made[0]);
      var go = make("a", sheet ? "ch-button ch-button--first" : "", made[1] + (sheet ? "" : " →"));
      go.href = link.href;
      var foot = pop.querySelector(".ch-pop__foot");
      foot.append(go);
      if (sheet) {
        pop.setAttribute("aria-label", link.textContent);
        var close = make("button", "ch-button", message("script.close"));
        close.type = "button";
        close.addEventListener("click", hide);
        foot.append(close);
      }
      pop.style.left = pop.style.top = "";
      pop.showPopover();
      if (!sheet) {
        var at = link.getClientRects()[0], box = pop.getBoundingClientRect();
        var left = Math.min(Math.max(8, at.left - 24), innerWidth - box.width - 8);
        var below = at.bottom + 8 + box.height < innerHeight || at.top < box.height + 8;
        pop.style.left = left + "px";
        pop.style.top = (below ? at.bottom + 8 : at.top - box.height - 8) + "px";
        link.setAttribute("aria-describedby", "ch-pop");
      }
      shownFor = link;
      return true;
    }
    function linkAt(event) {
      var link = event.target.closest && event.target.closest("main :is(a.ch-name, a.ch-rule, a.ch-term)");
      return link && !link.closest(".ch-pop") ? link : null;
    }
    var byTouch = false;
    document.addEventListener("pointerdown", function (event) { byTouch = event.pointerType === "touch"; }, true);
    document.addEventListener("pointerover", function (event) {
      var link = linkAt(event);
      if (event.pointerType === "touch") return;
      if (!link) return;
      clearTimeout(timer);
      if (link === shownFor) return;
      timer = setTimeout(function () { load(kindOf(link), function () { show(link, false); }); }, 260);
    });
    document.addEventListener("pointerout", function (event) {
      if (!linkAt(event) || event.pointerType === "touch") return;
      clearTimeout(timer);
      timer = setTimeout(hide, 260);
    });
    document.addEventListener("focusin", function (event) {
      var link = linkAt(event);
      if (link && !byTouch && link.matches(":focus-visible")) load(kindOf(link), function () { show(link, false); });
      else if (shownFor && !event.target.closest(".ch-pop")) hide();
    });
    document.addEventListener("click", function (event) {
      var link = linkAt(event);
      if (!link || !byTouch) return;
      event.preventDefault();
      load(kindOf(link), function () { if (!show(link, true)) location.href = link.href; });
    });
    document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
    addEventListener("scroll", function () { if (shownFor && pop.popover === "manual") hide(); }, { passive: true });
  })();

  /* The search of the site: what it needs is loaded when somebody opens it, or follows a link with words to find. */
  (function () {
    var open = document.querySelector(".ch-seek-open"), own = document.currentScript.src, asked = false;
    if (!open || !window.HTMLDialogElement) return;
    function search() {
      if (window.chronicleSearch) return window.chronicleSearch();
      if (asked) return;
      asked = true;
      var script = make("script");
      script.src = new URL("find.js", own).href;
      document.head.appendChild(script);
    }
    open.addEventListener("click", search);
    if (new URLSearchParams(location.search).get("find")) search();
    document.addEventListener("keydown", function (event) {
      var typing = event.target.closest && event.target.closest("input, select, textarea, [contenteditable]");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || !["/", "s", "f"].includes(event.key)) return;
      event.preventDefault();
      search();
    });
  })();

  /* How far a story is told, by the reader's choice, kept on the device: what tells of later evenings is
     left out or covered, and cards say no more than was so by then. */
  (function begin() {
    /* Where the theme loads pages by itself, scripts begin in any order. */
    if (!window.__ch_cover) { setTimeout(begin, 20); return; }
    var root = document.documentElement, body = document.querySelector(".ch-body");
    if (!base || !body) return;
    var key = "chronicle:told:" + base, limit = window.__ch_limit(base), cover = null;
    var choice = document.querySelector("[data-told-to]"), own = eveningOf(location);
    /* The last session that this page tells of: to begin to read goes past nothing, and to read on neither, for
       who asked for it. */
    function goesTo() {
      if (own === 1 || (own && window.__ch_asked(base) === own) || window.__ch_shown()) return 0;
      return Number(body.dataset.through) || (body.dataset.tells === "whole" || (body.dataset.tells === "rows" && !limit) ? Infinity : 0);
    }
    /* The session to read next: the one after this page's, for who reads it. */
    function following() { return Math.max(limit, body.hidden ? 0 : own) + 1; }
    function uncover() {
      if (cover) cover.remove();
      cover = null;
      body.dataset.open = "";
      body.hidden = false;
      window.__ch_uncover();
    }
    /* What the menu calls a page tells nothing of the story. */
    function inMenu() {
      var entry = Array.from(document.querySelectorAll(".ch-entries a")).find(function (link) { return link.href === location.href.replace(/#.*/, ""); });
      return entry && entry.textContent;
    }
    function lay(title, words) {
      if (cover) cover.remove();
      cover = window.__ch_cover(title, words, document.querySelector(".ch-brand").href, uncover, own);
      body.before(cover);
      body.hidden = true;
      /* Who has not begun has three ways on, and nothing that comes after them. */
      if (limit) load("cards", function () {
        var ways = cover && cover.querySelector(".ch-actions");
        if (!ways || cover.querySelector("select")) return;
        var numbers = known.cards.sessions.map(function (one) { return one[0]; });
        var next = known.cards.sessions.find(function (one) { return one[0] > limit; }), way = ways.querySelector("a");
        if (!next || own === next[0]) way.remove();
        else {
          way.textContent = message("script.read_session", { number: next[0] });
          way.href = new URL(next[3], story).href;
          way.addEventListener("click", function () { window.__ch_asked(base, next[0]); });
        }
        ways.before(chooser(numbers.map(String)));
      });
    }
    /* How far the reader has read. */
    function chooser(numbers) {
      var label = document.createElement("label"), select = document.createElement("select");
      label.className = "ch-how-far";
      label.append(message("script.how_far"), " ", select);
      [["", message("script.not_yet")]].concat(
        numbers.slice(0, -1).map(function (n) { return [n, message("script.session", { number: n })]; }), [["end", message("script.to_the_end")]]
      ).forEach(function (one) { select.add(new Option(one[1], one[0], false, Number(one[0]) === limit)); });
      select.addEventListener("change", function () { choose(select.value); });
      return label;
    }
    /* A session, "end", or nothing: not yet. */
    function choose(value) {
      limit = value === "end" ? Infinity : Number(value) || 0;
      try { localStorage.setItem(key, value || "0"); } catch (error) { /* For this page only, then. */ }
      tell();
    }
    /* Rows that lead to later evenings; on a sheet, also what does not say when. */
    function sift() {
      each("tbody > tr, li:not([data-session])", function (row) {
        var evening = Math.max.apply(null, [0].concat(Array.from(row.querySelectorAll("a[href]"), eveningOf)));
        row.dataset.at = evening;
        row.hidden = (row.dataset.from && row.hidden) || evening > limit || (!evening && Boolean(row.closest("#read-on")));
      }, body);
      each(".ch-columns :is(.ch-card, .ch-section, .ch-fiction, .ch-facts tr), .ch-who .ch-lede, .ch-who .ch-status, .ch-who > .ch-emblem", function (part) {
        var dated = [part].concat(Array.from(part.querySelectorAll("[data-at]")));
        part.toggleAttribute("hidden", limit < Infinity && !dated.some(function (row) { return Number(row.dataset.at) && !row.hidden; }));
      }, body);
      if (limit < Infinity) load("cards", function () {
        var end = known.cards.sessions.filter(function (one) { return one[0] <= limit; }).at(-1);
        function sheetAt(path) { return known.cards.sheets[path]; }
        function met(path) {
          var sheet = sheetAt(path);
          return !sheet || (sheet.f ? sheet.f <= (end ? end[2] : 0) : limit in sheet.s);
        }
        /* Of a registry the names are left, and what each was by then. */
        if (!body.querySelector(".ch-columns")) each("tbody > tr", function (row) {
          var link = row.cells[0].querySelector("a[href]"), sheet = link && known.cards.sheets[placeOf(link)];
          if (!sheet) return;
          row.closest("table").classList.add("ch-table--names");
          row.hidden = !met(placeOf(link));
          var role = sheet.s[limit] && sheet.s[limit][0];
          if (role && role !== link.textContent && row.cells[0].children.length === 1) row.cells[0].append(make("small", "", " " + role));
        }, body);
        /* Each kind has the number of those that are left. */
        each(".ch-kinds > .ch-section", function (part, index) {
          var count = part.querySelectorAll("tbody > tr:not([hidden])").length;
          part.hidden = !count;
          [part.querySelector("h2")].concat(Array.from(body.querySelectorAll(".ch-kinds label")).slice(index + 1, index + 2)).forEach(function (label) {
            label.hidden = !count;
            label.lastChild.data = label.lastChild.data.replace(/\d+$/, count);
          });
        }, body);
        each(".ch-turn a", function (way) { way.hidden = way.hidden || !met(placeOf(way)); }, body);
        var here = { href: location.href };
        if (!sheetAt(placeOf(here))) return;
        /* Whom the front names before anything is read has a name here too. */
        var named = !limit && known.cards.sessions[0][0] in sheetAt(placeOf(here)).s && body.querySelector("h1");
        if (!met(placeOf(here)) && !window.__ch_shown()) return lay(named ? named.textContent : message("script.not_met"), limit ? message("script.nobody_met", { number: limit }) : message("script.tells_story"));
        var made = cardOf(here, 0), place = body.querySelector(".ch-columns > div");
        if (!made || !place || place.querySelector(".ch-pop__in")) return;
        /* The head has the name, and this emblem, which tells nothing of later. */
        var emblem = made[0].querySelector(".ch-emblem"), who = body.querySelector(".ch-who");
        if (emblem && who) who.prepend(emblem);
        each(".ch-pop__name, .ch-pop__foot", function (part) { part.remove(); }, made[0]);
        made[0].prepend(make("p", "ch-kicker", message("script.as_it_stood", { number: limit })));
        place.prepend(made[0]);
      });
    }
    function tell() {
      if (limit < Infinity) root.dataset.told = limit; else delete root.dataset.told;
      var later = false, past = goesTo() > limit, next = following();
      var as = past && Array.from(document.querySelectorAll(".ch-evenings a")).filter(isAsOf);
      var way = as && (as.find(function (link) { return !link.dataset.since; }) || as[0]);
      if (way) return location.replace(way.href);
      /* Of the next session the title is left, and of the first its blurb. */
      each("[data-session]", function (one) {
        var number = Number(one.dataset.session);
        one.hidden = number > next;
        one.classList.toggle("ch-next-session", number === next);
        later = later || number > limit;
        each("[data-blurb]", function (blurb) { blurb.hidden = number > Math.max(limit, 1); }, one);
      });
      /* What stands under a name, as it was by then. */
      each("[data-from]", function (one) {
        var until = Number(one.dataset.until) || Infinity, by = Math.max(limit, 1);
        one.hidden = by < Number(one.dataset.from) || (by === Infinity ? until !== Infinity : by >= until);
      });
      each("[data-spoils]", function (one) { one.hidden = later || past; });
      each("[data-folded]", function (one) { one.hidden = !later; });
      /* Before the first session people are introduced, and their pages are closed. */
      each(".ch-meet a", function (link) {
        if (link.hasAttribute("href")) link.dataset.href = link.getAttribute("href");
        if (limit) link.setAttribute("href", link.dataset.href); else link.removeAttribute("href");
      });
      each(".ch-meet > p", function (more) { more.hidden = !limit; });
      if (!past) uncover();
      else if (!("open" in body.dataset)) {
        var heading = body.querySelector("h1");
        lay(inMenu() || (heading && goesTo() === Infinity ? heading.textContent : message("script.not_told")),
          own && own === limit + 1 ? message("script.reads_on", { number: own }) :
          limit ? message("script.goes_past", { number: limit }) : message("script.tells_story"));
      }
      each(".ch-turn a", function (way) { way.hidden = eveningOf(way) > next; }, body);
      if (body.dataset.tells === "rows" && limit < Infinity) sift();
    }
    /* Who has read this session says so at its end, and goes on. */
    function offerRead() {
      var place = body.querySelector(".ch-chapter__more") || body.querySelector("main .ch-turn");
      if (!own || own <= limit || !place) return;
      var row = make("p", "ch-have-read"), button = make("button", "ch-button", message("script.have_read", { number: own }));
      button.type = "button";
      button.addEventListener("click", function () {
        load("cards", function () {
          var last = known.cards.sessions.at(-1)[0];
          choose(own >= last ? "end" : String(own));
          row.textContent = own >= last ? message("script.opened_all") : message("script.opened", { number: own });
          row.tabIndex = -1;
          row.focus();
        });
      });
      row.append(button);
      place.before(row);
    }
    /* Much of what is known stands as of each evening on pages of their own. */
    function isAsOf(link) {
      return Number(link.dataset.until || link.dataset.since || link.textContent) === limit && !link.hasAttribute("aria-current");
    }
    tell();
    offerRead();
    document.addEventListener("click", function (event) {
      var way = event.target.closest && event.target.closest("a[href]"), next = way && eveningOf(way);
      if (next === following() && way.closest(".ch-turn, .ch-next-session")) window.__ch_asked(base, next);
    });
    if (!choice) return;
    function press() {
      var value = limit === Infinity ? "end" : limit ? String(limit) : "";
      each("button", function (one) { one.setAttribute("aria-pressed", String(one.value === value)); }, choice);
      each("select", function (one) { one.value = value; }, choice);
    }
    choice.addEventListener("click", function (event) {
      var button = event.target.closest("button");
      if (!button) return;
      choose(button.value);
      press();
    });
    choice.addEventListener("change", function (event) { choose(event.target.value); });
    press();
  })();

  /* Which evening somebody saw last is kept on the device, and nowhere else. */
  (function () {
    if (!base) return;
    var key = "chronicle:seen:" + base, here = location.pathname.slice(base.length);
    var read = /^(?:sessions|story)\/(\d+)/.exec(here) || (/^story(?:\.html|\/|$)/.test(here) && [0, 1]);
    var seen = 0;
    try {
      seen = Number(localStorage.getItem(key)) || 0;
      if (read && Number(read[1]) > seen) localStorage.setItem(key, read[1]);
    } catch (error) { return; }
    var said = document.querySelector(".ch-last-read");
    if (!said || !seen) return;
    var next = document.querySelector('[data-since="' + (seen + 1) + '"]');
    if (!next) return said.append(message("script.last_seen", { number: seen }));
    var link = make("a", "", message("script.what_came_after"));
    link.href = next.href;
    said.append.apply(said, worded("script.last_seen_next", { number: seen, link: link }));
  })();

  /* The scenes of a life in the order of the story or of telling. */
  each(".ch-lived__orders", function (bar) {
    bar.addEventListener("click", function (event) {
      var button = event.target.closest("button");
      if (!button) return;
      each("button", function (one) { one.setAttribute("aria-pressed", String(one === button)); }, bar);
      each(".ch-life", function (list) {
        Array.from(list.children).map(function (scene, place) {
          scene.dataset.place = scene.dataset.place || place;
          return scene;
        }).sort(function (a, b) {
          var by = "told" in button.dataset ? "told" : "place";
          return a.dataset[by] - b.dataset[by];
        }).forEach(function (scene) { list.append(scene); });
      }, bar.closest(".ch-lived"));
    });
  });

  /* Print shows everything: what is folded opens, and folds again afterwards. */
  var opened = [];
  addEventListener("beforeprint", function () {
    each(":is(.md-content, .ch-guest) details:not([open])", function (details) {
      details.open = true;
      opened.push(details);
    });
  });
  addEventListener("afterprint", function () {
    opened.splice(0).forEach(function (details) { details.open = false; });
  });
})();
