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
      count.textContent = words.length ? shown + " of " + table.tBodies[0].rows.length : "";
    });
  });

  /* An action's number is its link: following it also copies the address, where that is allowed. */
  each("a.ch-beat__no, .ch-note__no[href], .ch-turnline > a[href^='#']", function (link) {
    link.addEventListener("click", function () {
      if (navigator.clipboard) navigator.clipboard.writeText(link.href).catch(function () {});
    });
  });

  /* At the desk, where the site has one: the whole log, and what was legal at the action that is linked to. */
  var main = document.getElementById("main");
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
    atDesk(desk, "Open at the desk", document.querySelector(".ch-head__aside"));
  }
  var shown = null;
  function offer() {
    var row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (shown) shown.remove();
    shown = row && row.matches(".ch-beat, .ch-note, .ch-throw")
      ? atDesk(desk + "/at/" + encodeURIComponent(row.id), "At the desk: what was legal here, what if", row)
      : null;
  }
  if (desk) {
    addEventListener("hashchange", offer);
    offer();
  }

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
    if (frames.length < 3) return;
    var bar = document.createElement("div"), at = -1, timer = 0;
    bar.className = "ch-frames";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "One moment after the other");
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
      where.textContent = at < 0 ? frames.length + " moments" : at + 1 + " of " + frames.length;
    }
    function stop() {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
    }
    button("Earlier", function () { stop(); show(at < 0 ? 0 : Math.max(0, at - 1)); });
    var play = button("Play", function () {
      if (timer) return stop();
      play.textContent = "Stop";
      show(at < 0 || at === frames.length - 1 ? 0 : at);
      timer = setInterval(function () {
        if (at === frames.length - 1) return stop();
        show(at + 1);
      }, 1600);
    });
    button("Later", function () { stop(); show(Math.min(frames.length - 1, at + 1)); });
    button("All", function () { stop(); show(-1); });
    var where = document.createElement("output");
    bar.appendChild(where);
    show(-1);
    first.parentNode.insertBefore(bar, first);
    addEventListener("beforeprint", function () { stop(); show(-1); });
  });

  /* Print shows everything: what is folded opens, and folds again afterwards. */
  var opened = [];
  addEventListener("beforeprint", function () {
    each(".md-content details:not([open])", function (details) {
      details.open = true;
      opened.push(details);
    });
  });
  addEventListener("afterprint", function () {
    opened.splice(0).forEach(function (details) { details.open = false; });
  });
})();
