/* Light or dark, as the system has it: for pages that no theme stands around. */
(function () {
  "use strict";
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function colour() { document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default"; }
  colour();
  dark.addEventListener("change", colour);
})();
