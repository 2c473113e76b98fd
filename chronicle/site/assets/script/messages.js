  /* A message of the catalogue, as parts: its values, which may be elements, between pieces of text. */
  function worded(key, values) {
    var found = MESSAGES[key];
    if (typeof found !== "string") found = found[new Intl.PluralRules("en").select(values.count)];
    return found.split(/\{(\w+)\}/).map(function (part, at) { return at % 2 ? values[part] : part; });
  }
  function message(key, values) { return worded(key, values).join(""); }
