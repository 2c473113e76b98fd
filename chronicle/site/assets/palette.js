/* Sets the colour scheme while the header is read: the reader's choice, else the system's. */
(function () {
  "use strict";
  var dark = matchMedia("(prefers-color-scheme: dark)").matches;
  var stored = window.__md_get("__palette");
  var media = stored && stored.color ? stored.color.media : "(prefers-color-scheme)";
  if (media === "(prefers-color-scheme)") {
    media = "(prefers-color-scheme: " + (dark ? "dark" : "light") + ")";
  }
  var option = Array.from(document.querySelectorAll("[data-md-color-media]")).find(function (input) {
    return input.dataset.mdColorMedia === media;
  });
  if (!option) return;
  ["scheme", "primary", "accent"].forEach(function (key) {
    document.body.setAttribute("data-md-color-" + key, option.getAttribute("data-md-color-" + key));
  });
  document.body.setAttribute("data-md-color-media", media);
})();
