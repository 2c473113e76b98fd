"""libyaml where it is not: the same events, places and refusals, read with nothing compiled.

PyYAML's own reader of this kind knows an older YAML: it refuses what libyaml reads (a tab before a
bracket, a question mark in braces) and says of mistakes other words at other places. A log has to
mean the same wherever it is read, so this follows libyaml 0.2.5 step by step; it is several times as
fast besides. The text is expected as :mod:`chronicle.transcript.reader` cleans it: no control
characters, and lines that end with LF, CR or both.
"""

from chronicle.transcript.pure.events import Events as Events
