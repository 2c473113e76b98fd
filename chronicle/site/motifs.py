"""The drawings of the motifs of emblems, each a few strokes in a box of 48 by 48. Filled shapes have the
class ``f``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# fmt: off
DRAWINGS: Final[Mapping[str, str]] = MappingProxyType({
    "lighthouse": (
        '<path class="f" d="M20 19h8l3 21H17zM18 15l6-6 6 6z"/>'
        '<path d="M21 15v4h6v-4M17 14 8 11M17 17l-9 1M31 14l9-3M31 17l9 1"/>'
        '<path d="M10 41q4-3 7 0t7 0 7 0 7 0"/>'
    ),
    "stairs": (
        '<path d="M8 39h9v-8h8v-8h8v-8h7"/><circle class="f" cx="11" cy="34" r="3.2"/>'
    ),
    "hat": (
        '<path class="f" d="M6 32q18 8 36 0-1 7-9 7H15q-8 0-9-7z"/><path d="M14 33q-2-21 10-21t10 21"/>'
    ),
    "cap": (
        '<path d="M8 30q2-16 17-16 13 0 14 15"/><path class="f" d="M7 31q17-5 33-1 3 5-3 6-9-4-30-2z"/>'
    ),
    "lantern": (
        '<path d="M16 38h16M18 38l-2-18h16l-2 18M18 20q0-8 6-8t6 8M24 12V7"/>'
        '<path class="f" d="M24 34q-5-3 0-9 5 6 0 9z"/>'
    ),
    "door": (
        '<path d="M16 38V9h16v29M10 38h28"/><circle class="f" cx="28" cy="24" r="1.8"/>'
        '<path d="M8 43q4-3 8 0t8 0 8 0 8 0"/>'
    ),
    "boat": (
        '<path class="f" d="M8 31h32q-3 8-9 8H17q-6 0-9-8z"/><path d="M24 31V8l12 17H24M20 13v12h-8z"/>'
    ),
    "anchor": (
        '<circle cx="24" cy="11" r="4"/>'
        '<path d="M24 15v25M15 21h18M9 29q2 11 15 11t15-11M9 29l-2 5M9 29l5 2M39 29l2 5M39 29l-5 2"/>'
    ),
    "bell": (
        '<path d="M12 34q5-4 5-13 0-9 7-9t7 9q0 9 5 13zM24 12V8"/><circle class="f" cx="24" cy="38" r="3"/>'
    ),
    "book": (
        '<path d="M24 14q-7-5-16-3v25q9-2 16 3 7-5 16-3V11q-9-2-16 3zM24 14v25"/>'
    ),
    "notebook": (
        '<path d="m14 12 20-3 3 27-20 3zM17 11l3 28"/><circle class="f" cx="30" cy="23" r="2.4"/>'
    ),
    "quill": (
        '<path d="M9 41Q16 18 39 8q1 16-14 22l-10 2M9 41l9-11"/>'
    ),
    "key": (
        '<circle cx="16" cy="17" r="8"/><path d="m22 23 17 17M33 34l5-5M28 29l4-4"/>'
    ),
    "letter": (
        '<path d="M8 14h32v21H8zM8 14l16 13 16-13"/>'
    ),
    "eye": (
        '<path d="M6 24q8-11 18-11t18 11q-8 11-18 11T6 24z"/><circle class="f" cx="24" cy="24" r="5"/>'
    ),
    "knife": (
        '<path d="M10 40 25 25"/><path d="m23 22 12-14q5 6-1 13l-7 6z"/>'
    ),
    "hook": (
        '<path d="m12 40 18-24M36 40 18 16M30 16q-1-7 5-7 5 1 3 6M18 16q1-7-5-7-5 1-3 6"/>'
    ),
    "coat": (
        '<path d="M18 9h12l9 8-4 7-3-3v19H16V21l-3 3-4-7zM18 9l6 7 6-7M24 16v24"/>'
    ),
    "wave": (
        '<path d="M7 17q6-6 11 0t11 0 11 0M7 26q6-6 11 0t11 0 11 0M7 35q6-6 11 0t11 0 11 0"/>'
    ),
    "lights": (
        '<circle class="f" cx="12" cy="15" r="3.4"/><circle class="f" cx="24" cy="15" r="3.4"/>'
        '<circle cx="36" cy="15" r="3.2"/><path d="M8 27q6-5 11 0t11 0 10 0M8 36q6-5 11 0t11 0 10 0"/>'
    ),
    "fish": (
        '<path d="M7 24q12-14 26 0-14 14-26 0zM33 24l8-7v14z"/><circle class="f" cx="15" cy="22" r="1.8"/>'
    ),
    "tree": (
        '<path d="M24 41V25M24 33l7-6M24 30l-6-5"/>'
        '<path d="M24 26q-14 1-14-8 0-4 4-6 2-6 10-6t10 6q4 2 4 6 0 9-14 8z"/>'
    ),
    "pear": (
        '<path d="M24 14q-5 0-6 8-8 4-7 12 2 8 13 8t13-8q1-8-7-12-1-8-6-8zM24 14q0-5 5-7"/>'
    ),
    "flower": (
        '<circle class="f" cx="24" cy="17" r="3"/>'
        '<path d="M24 14q-5-7 0-9 5 2 0 9M27 17q7-5 9 0-2 5-9 0M24 20q5 7 0 9-5-2 0-9M21 17q-7 5-9 0 2-5 9 0M24'
        ' 29v13M24 39q7 0 9-5"/>'
    ),
    "house": (
        '<path d="M9 24 24 10l15 14M13 21v18h22V21M21 39V29h6v10"/>'
    ),
    "tower": (
        '<path d="M15 40V18l-3-3V9h5v3h4V9h6v3h4V9h5v6l-3 3v22zM22 40v-7h4v7M24 20v6"/>'
    ),
    "clock": (
        '<circle cx="24" cy="24" r="15"/><path d="M24 14v10l7 5M24 9v2M24 37v2M9 24h2M37 24h2"/>'
    ),
    "dial": (
        '<path d="M8 33a16 16 0 0 1 32 0zM24 33l9-11M12 27l-2-1M24 18v-2M36 27l2-1"/>'
        '<circle class="f" cx="24" cy="33" r="2.4"/>'
    ),
    "coin": (
        '<circle cx="24" cy="24" r="15"/><circle cx="24" cy="24" r="11"/>'
        '<path d="M24 18v12M21 20q3-3 6 0M21 28q3 3 6 0"/>'
    ),
    "crown": (
        '<path d="m9 15 7 8 8-12 8 12 7-8-3 22H12zM13 33h22"/>'
    ),
    "sword": (
        '<path d="M36 8 19 28M40 8 23 31M36 8h4M15 24l9 9M18 31l-9 9"/>'
    ),
    "shield": (
        '<path d="M11 11q13 0 13-3 0 3 13 3 1 21-13 30Q10 32 11 11zM24 8v33M11 22h26"/>'
    ),
    "mask": (
        '<path d="M9 15q15-6 30 0 1 16-8 16-5 0-7-5-2 5-7 5-9 0-8-16z"/>'
        '<path d="M15 21q3-3 6 0M27 21q3-3 6 0"/>'
    ),
    "bottle": (
        '<path d="M20 7h8M21 7v8q-6 3-6 9v14q0 3 3 3h12q3 0 3-3V24q0-6-6-9V7M15 28q4-3 9 0t9 0"/>'
    ),
    "hammer": (
        '<path d="M12 15h17l7 5-7 3H12zM21 23 19 41h5l1-18"/>'
    ),
    "wheel": (
        '<circle cx="24" cy="24" r="15"/><circle class="f" cx="24" cy="24" r="3.4"/>'
        '<path d="M24 9v12M24 27v12M9 24h12M27 24h12M13.4 13.4l8.5 8.5M26 26l8.6 8.6M34.6 13.4 26 22M22 26l-8.6'
        ' 8.6"/>'
    ),
    "ring": (
        '<circle cx="24" cy="29" r="11"/><path d="m18 12 6-5 6 5-6 6z"/>'
    ),
    "bird": (
        '<path d="M8 20q10-2 14 6 8-12 18-12-4 4-5 9-3 10-14 10-5 0-8 5 1-7 0-10-1-5-5-8z"/>'
        '<circle class="f" cx="33" cy="19" r="1.6"/>'
    ),
    "goat": (
        '<path d="M17 19q-8-3-8-11 5 6 10 7M31 19q8-3 8-11-5 6-10 7M17 18q7-5 14 0l-2 14q-5 9-10 0zM24 38v4"/>'
        '<circle class="f" cx="20.5" cy="23" r="1.6"/><circle class="f" cx="27.5" cy="23" r="1.6"/>'
    ),
    "wasp": (
        '<path d="M24 17q6 0 6 10 0 9-6 14-6-5-6-14 0-10 6-10zM18 25h12M18 31h12M20 19Q9 8 7 17q2 8 12 5M28'
        ' 19Q39 8 41 17q-2 8-12 5"/><circle class="f" cx="24" cy="13" r="3.4"/>'
    ),
    "candle": (
        '<path d="M19 22h10v18H19zM14 40h20M24 22v-3"/><path class="f" d="M24 18q-5-4 0-11 5 7 0 11z"/>'
    ),
    "hand": (
        '<path d="M15 27V15q0-3 2.5-3t2.5 3v8V10q0-3 2.5-3t2.5 3v12V11q0-3 2.5-3t2.5 3v12-8q0-3 2.5-3t2.5 3v15q0'
        ' 11-10 11-6 0-9-5l-6-10q-1-4 3-3z"/>'
    ),
    "heart": (
        '<path d="M24 39Q8 28 8 18q0-8 8-8 6 0 8 6 2-6 8-6 8 0 8 8 0 10-16 21z"/>'
    ),
    "star": (
        '<path d="m24 8 4.5 11 11.5 1-9 7.5 3 11.5-10-6.5L14 39l3-11.5L8 20l11.5-1z"/>'
    ),
    "moon": (
        '<path d="M30 8a17 17 0 1 0 9 25A15 15 0 0 1 30 8z"/>'
    ),
    "sun": (
        '<circle cx="24" cy="24" r="8"/>'
        '<path d="M24 7v5M24 36v5M7 24h5M36 24h5M12 12l3.5 3.5M32.5 32.5 36 36M36 12l-3.5 3.5M15.5 32.5 12 36"/>'
    ),
    "cloud": (
        '<path d="M14 30q-7 0-7-6t7-6q2-8 10-8 9 0 10 9 7 0 7 5.5T34 30zM16 35l-2 5M24 35l-2 5M32 35l-2 5"/>'
    ),
    "storm": (
        '<path d="M14 26q-7 0-7-6t7-6q2-7 10-7 9 0 10 8 7 0 7 5.5T34 26z"/>'
        '<path class="f" d="m25 26-8 10h6l-3 7 10-11h-6l4-6z"/>'
    ),
    "mountain": (
        '<path d="m6 38 13-24 7 12 4-6 12 18zM15 22l4 4 4-4"/>'
    ),
    "rope": (
        '<path d="M24 6v12M12 24q0-6 12-6t12 6-12 6-12-6zM12 24v6q0 6 12 6t12-6v-6M12 30v6q0 6 12 6t12-6v-6"/>'
    ),
    "paper": (
        '<path d="M14 8h20v32l-3.3-3-3.3 3-3.4-3-3.3 3-3.4-3-3.3 3zM19 16h10M19 22h10M19 28h6"/>'
    ),
    "scroll": (
        '<path d="M14 10h22v24q0 5-4 5H12q4 0 4-5V13q0-3-2-3-4 0-4 5h6M32 39q-4 0-4-5H10M21 17h10M21 23h10"/>'
    ),
    "whistle": (
        '<circle cx="18" cy="29" r="9"/><circle class="f" cx="18" cy="29" r="2.4"/>'
        '<path d="M18 20h23v7H27M10 22 6 15M41 16v-2"/>'
    ),
    "people": (
        '<circle class="f" cx="13" cy="18" r="4"/><circle class="f" cx="24" cy="14" r="4"/>'
        '<circle class="f" cx="35" cy="18" r="4"/>'
        '<path d="M6 37q0-10 7-10 5 0 7 6M28 33q2-6 7-6 7 0 7 10M17 39q0-14 7-14t7 14"/>'
    ),
    "person": (
        '<circle class="f" cx="24" cy="16" r="5.5"/>'
        '<path d="M12 39q0-13 12-13t12 13M8 42q5-3 8 0t8 0 8 0 8 0"/>'
    ),
    "telegraph": (
        '<path d="M8 37h32M12 37v-6h24v6M16 31v-6l16-7"/><circle class="f" cx="33" cy="17" r="3.4"/>'
        '<path d="M20 11q4-4 8 0M16 7q8-6 16 0"/>'
    ),
    "scales": (
        '<path d="M24 8v31M15 40h18M10 14h28M10 14 5 27h10zM38 14l-5 13h10z"/>'
        '<path class="f" d="M5 27h10q-1 5-5 5t-5-5zM33 27h10q-1 5-5 5t-5-5z"/>'
    ),
    "gavel": (
        '<path d="m14 18 10-10 8 8-10 10zM24 22l16 16M8 40h16"/>'
    ),
    "map": (
        '<path d="M8 13l10-4 12 4 10-4v26l-10 4-12-4-10 4zM18 9v26M30 13v26"/>'
        '<path d="m23 20 4 4M27 20l-4 4"/>'
    ),
    "glass": (
        '<circle cx="21" cy="20" r="12"/><circle cx="21" cy="20" r="7"/><path d="m30 29 11 11"/>'
    ),
    "cards": (
        '<path d="m11 15 14-5 8 23-14 5zM28 12l9 2-5 19"/><path class="f" d="M21 19q4 3 2 9-5-3-2-9z"/>'
    ),
    "chair": (
        '<path d="M15 8v32M15 25h18v15M33 25l-2-3H15M15 12h14v8H15"/>'
    ),
    "ladder": (
        '<path d="M16 7v34M32 7v34M16 13h16M16 20h16M16 27h16M16 34h16"/>'
    ),
    "pole": (
        '<path d="M33 6 16 42M30 15l-5-2M27 22l-5-2M23 29l-5-2M20 36l-5-2"/>'
    ),
    "wagon": (
        '<path d="M7 13h34v18H7zM14 13v18M24 13v18M34 13v18"/><circle cx="14" cy="36" r="4"/>'
        '<circle cx="34" cy="36" r="4"/>'
    ),
    "barrel": (
        '<path d="M15 9h18q5 15 0 31H15q-5-16 0-31zM12 19h24M12 30h24M24 9v31"/>'
    ),
    "basket": (
        '<path d="M8 22h32l-4 18H12zM14 22q0-13 10-13t10 13M10 28h28M11 34h26M19 22l2 18M29 22l-2 18"/>'
    ),
    "flame": (
        '<path d="M24 41q-12-1-12-12 0-7 7-12 0 5 3 6 1-9 6-15 1 8 5 12 3 4 3 9 0 11-12 12z"/>'
    ),
    "abacus": (
        '<path d="M10 9h28v31H10zM10 17h28M10 25h28M10 33h28"/><circle class="f" cx="17" cy="17" r="2.8"/>'
        '<circle class="f" cx="24" cy="17" r="2.8"/><circle class="f" cx="32" cy="25" r="2.8"/>'
        '<circle class="f" cx="17" cy="33" r="2.8"/><circle class="f" cx="30" cy="33" r="2.8"/>'
    ),
    "press": (
        '<path d="M12 41V9h24v32M9 41h30M24 9v10M16 19h16v5H16zM16 31h16M20 13h8"/>'
    ),
    "cross": (
        '<path d="M13 15h22v24H13zM19 15v-4h10v4M24 21v12M18 27h12"/>'
    ),
    "ear": (
        '<path d="M15 23q0-14 11-14 10 0 10 10 0 6-6 10-2 2-2 6 0 6-6 6-5 0-6-5M21 22q0-7 5-7t5 5q0 4-5 6"/>'
    ),
    "thread": (
        '<path d="M15 9h18v5H15zM15 34h18v5H15zM17 14v20M31 14v20M17 19l14 3M17 25l14 3M33 36q8-1 7 5"/>'
    ),
    "train": (
        '<path d="M13 9h22v24H13zM13 22h22M18 9v13M30 9v13M16 40l4-7M32 40l-4-7"/>'
        '<circle class="f" cx="18" cy="28" r="2"/><circle class="f" cx="30" cy="28" r="2"/>'
    ),
    "ticket": (
        '<path d="M7 15h34v6q-4 3 0 6v6H7v-6q4-3 0-6zM30 15v3M30 22v4M30 30v3"/>'
    ),
    "abyss": (
        '<circle cx="24" cy="24" r="16"/><circle cx="24" cy="24" r="10"/>'
        '<circle class="f" cx="24" cy="24" r="4.5"/>'
    ),
})
# fmt: on
