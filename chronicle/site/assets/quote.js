/* Words and addresses to take along, and where one is in a long page. */
(function () {
  "use strict";
  var main = document.querySelector(".ch-guest-page") || document.getElementById("main");
  if (!main) return;

  /* Whatever is copied is said, to those who hear the page as well. */
  var said = document.createElement("output"), quiet = 0;
  said.className = "ch-copied";
  said.setAttribute("role", "status");
  document.body.append(said);
  function say(words) {
    clearTimeout(quiet);
    said.textContent = words;
    quiet = setTimeout(function () { said.textContent = ""; }, 4000);
  }
  /* A page from a disk, or without encryption, has no clipboard of the newer kind. */
  function byHand(text) {
    var field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position:fixed;opacity:0";
    document.body.append(field);
    field.select();
    var done = document.execCommand("copy");
    field.remove();
    return done ? Promise.resolve() : Promise.reject();
  }
  function copy(text, words) {
    (navigator.clipboard ? navigator.clipboard.writeText(text).catch(function () { return byHand(text); }) : byHand(text))
      .then(function () { say(words); }, function () { say(message("script.cannot_copy")); });
  }

  /* The number of an entry is its link: following it also copies the address. */
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a.ch-beat__no, .ch-note__no[href], .ch-turnline__no, .headerlink");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    var number = link.textContent.replace(/\D/g, "");
    copy(link.href, message(number ? "script.entry_copied" : "script.heading_copied", { number: number }));
  });

  /* Words that are marked can be copied with the address at which they stand. */
  var button = document.createElement("button"), chosen = null;
  button.type = "button";
  button.className = "ch-quote";
  button.textContent = message("script.copy");
  button.hidden = true;
  main.append(button);
  function anchorOf(range) {
    var found = "";
    Array.from(main.querySelectorAll("[id]")).some(function (one) {
      var place = one.compareDocumentPosition(range.startContainer);
      if (place & Node.DOCUMENT_POSITION_PRECEDING) return true;
      if (!/^(main$|__|contents-shown)/.test(one.id)) found = one.id;
      return false;
    });
    return found;
  }
  function offer() {
    var marked = getSelection(), range = marked.rangeCount ? marked.getRangeAt(0) : null;
    var text = marked.toString().trim();
    var within = range && main.contains(range.commonAncestorContainer) && !range.startContainer.parentElement.closest("input, textarea, button, .ch-try");
    button.hidden = !within || text.length < 12;
    if (button.hidden) return;
    chosen = { text: text.replace(/[ \t]*\n\s*/g, "\n"), anchor: anchorOf(range) };
    var box = range.getBoundingClientRect(), size = button.getBoundingClientRect();
    button.style.left = Math.max(8, Math.min(box.left, innerWidth - size.width - 8)) + "px";
    button.style.top = Math.max(8, Math.min(box.bottom + 8, innerHeight - size.height - 8)) + "px";
  }
  var waiting = 0;
  document.addEventListener("selectionchange", function () {
    clearTimeout(waiting);
    waiting = setTimeout(offer, 250);
  });
  addEventListener("scroll", function () { button.hidden = true; }, { passive: true });
  button.addEventListener("pointerdown", function (event) { event.preventDefault(); });
  button.addEventListener("click", function () {
    var url = location.href.split("#")[0] + (chosen.anchor ? "#" + chosen.anchor : "");
    copy("“" + chosen.text + "”\n" + document.title + "\n" + url, message("script.copied"));
    button.hidden = true;
  });

  /* Which part of a long page is being read, in its header and in its contents. */
  var heads = Array.from(main.querySelectorAll(".ch-part__head h3, .ch-evening h2"));
  var rooms = document.querySelector(".ch-rooms");
  if (heads.length < 2 || !rooms || document.documentElement.scrollHeight < 3 * innerHeight) return;
  var where = document.createElement("span"), now = -1, due = false;
  where.className = "ch-spot";
  where.setAttribute("aria-hidden", "true");
  rooms.append(where);
  function look() {
    due = false;
    var at = -1;
    heads.forEach(function (head, number) { if (head.getBoundingClientRect().top < innerHeight / 3) at = number; });
    if (at === now) return;
    now = at;
    where.textContent = at < 0 ? "" : message("script.place_in_page", { part: at + 1, total: heads.length, title: heads[at].textContent.trim() });
    var part = at < 0 ? null : heads[at].closest("[id]");
    document.querySelectorAll(".ch-contents__list ol ol a").forEach(function (link) {
      if (part && link.hash === "#" + part.id) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    });
  }
  addEventListener("scroll", function () {
    if (!due) requestAnimationFrame(look);
    due = true;
  }, { passive: true });
  look();
})();
