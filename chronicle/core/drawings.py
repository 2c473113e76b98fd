"""Make SVG drawings safe: parse them, and write only known, harmless parts.

A browser treats an SVG opened by itself as a page of the site: it may run scripts, load files and link
elsewhere. So this module keeps an allow-list of elements and attributes and drops the rest: other
namespaces, links, animations, embedded pages, addresses. It refuses a document type and any encoding but
UTF-8, because programs may read such bytes differently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final, NamedTuple
from xml.parsers import expat

MAX_DRAWING_BYTES: Final = 4 * 1024 * 1024
"""The largest drawing, in bytes."""
MAX_ELEMENT_DEPTH: Final = 60
"""Maximum nesting depth of elements."""
MAX_ELEMENTS: Final = 200_000
"""Maximum number of elements in a drawing."""
MAX_DRAWING_COST: Final = 400_000
"""Highest cost of a drawing. Drawing a plain shape once costs 1."""
POINTS_PER_COST: Final = 20
"""Number of points of a path, or letters of a text, that add 1 to the cost."""
DASHES_PER_COST: Final = 20
"""Number of dashes of a line that add 1 to the cost."""
LETTER_OUTLINE_LENGTH: Final = 4_000
"""Longest outline of a letter, in units of the drawing."""
_LAYER_COSTS: Final = {"mask": 200, "mix-blend-mode": 100, "clip-path": 4}
"""Cost of the properties that make a browser draw a layer of its own."""
_INHERITED_PROPERTIES: Final = frozenset(
    ("fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end")
)
"""Properties with references that all shapes within an element inherit."""


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_XLINK_NAMESPACE: Final = "http://www.w3.org/1999/xlink"
_XML_SPACE_ATTRIBUTE: Final = "http://www.w3.org/XML/1998/namespace space"

_SHAPE_ELEMENT_NAMES: Final = "path circle ellipse rect line polyline polygon"
_SHAPE_ELEMENTS: Final = _word_set(_SHAPE_ELEMENT_NAMES)
_ALLOWED_ELEMENTS: Final = _word_set(
    f"svg g defs symbol use title desc style text tspan textPath {_SHAPE_ELEMENT_NAMES} linearGradient "
    "radialGradient stop clipPath mask pattern marker"
)
_UNWRAPPED_ELEMENTS: Final = frozenset(("a", "switch"))
"""Elements that are dropped while their children are kept."""
_ALLOWED_PROPERTIES: Final = _word_set(
    "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation direction display "
    "dominant-baseline fill fill-opacity fill-rule font-family font-size font-size-adjust font-stretch "
    "font-style font-variant font-weight letter-spacing line-height marker-end marker-mid marker-start "
    "mask mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke "
    "stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity "
    "stroke-width text-align text-anchor text-decoration text-rendering transform vector-effect "
    "visibility word-spacing writing-mode"
)
_ALLOWED_ATTRIBUTES: Final = _ALLOWED_PROPERTIES | _word_set(
    "aria-describedby aria-hidden aria-label aria-labelledby class clipPathUnits cx cy d dx dy fr fx fy "
    "gradientTransform gradientUnits height id lang lengthAdjust markerHeight markerUnits markerWidth "
    "maskContentUnits maskUnits method offset orient pathLength patternContentUnits patternTransform "
    "patternUnits points preserveAspectRatio r refX refY role rotate rx ry spacing spreadMethod "
    "startOffset textLength version viewBox width x x1 x2 y y1 y2"
)
_SIZE_ATTRIBUTES: Final = frozenset(("x1", "x2", "y1", "y2", "width", "height", "r", "rx", "ry"))
"""Attributes that give the size of shapes other than paths."""
_FREE_TEXT_ATTRIBUTES: Final = frozenset(
    ("aria-label", "aria-describedby", "aria-labelledby", "class", "id")
)
"""Attributes that hold free text."""
_SAFE_FUNCTIONS: Final = _word_set(
    "rgb rgba hsl hsla matrix translate scale rotate skewx skewy translatex translatey"
)

_ENCODING_DECLARATION: Final = re.compile(r"\s*<\?xml[^>]*?\bencoding\s*=\s*[\"']([^\"']*)[\"']")
_LOCAL_URL: Final = re.compile(r"url\(\s*([\"']?)#([\w.:-]+)\1\s*\)")
_FUNCTION_CALL: Final = re.compile(r"([\w-]*)\s*\(")
_UNSAFE_TEXT: Final = re.compile(r"[\\<>{};@\x00-\x08]|/\*|:\s*//|javascript:|data:", re.IGNORECASE)
_ID_REFERENCE: Final = re.compile(r"#([\w.:-]+)")
_PATH_COMMAND: Final = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_NUMBER_PATTERN: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")
_COMMENT_PATTERN: Final = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_SELECTOR_PATTERN: Final = re.compile(r"[\w\s.#,*>+~-]+")
_SELECTOR_NAME: Final = re.compile(r"[.#]?[\w-]+|\*")

_NAMING_ATTRIBUTES: Final = frozenset(("id", "class", "aria-labelledby", "aria-describedby"))
"""Attributes that hold names of parts of the drawing."""
_ID_OR_CLASS_ATTRIBUTE: Final = re.compile(r' (id|class)="([^"]*)"')
_TAG_OR_TEXT_PATTERN: Final = re.compile(r"<[^>]*>|[^<]+")
_ATTRIBUTE_PATTERN: Final = re.compile(r' ([\w:-]+)="([^"]*)"')
_WHOLE_ID_REFERENCE: Final = re.compile(r"^(#)(.*)$")
_URL_REFERENCE: Final = re.compile(r"(url\(\s*[\"']?#)([\w.:-]+)")
_SELECTOR_OF_STYLE: Final = re.compile(r"([.#])([A-Za-z_][\w-]*)(?=[^{}]*\{)")


class PictureRefused(Exception):
    """A picture that is not published; ``help`` says what to do."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


class Drawing(NamedTuple):
    """A drawing that is safe to publish, and the names of dropped parts (``script``, ``onload``)."""

    svg_bytes: bytes
    dropped_names: tuple[str, ...]


class _Reference(NamedTuple):
    """A reference from an element to another element: the property that makes it, and the id."""

    property_name: str
    target_id: str


class _Cost(NamedTuple):
    """The cost of drawing an element with its children, and the counts that references are multiplied by."""

    cost: int
    shape_count: int = 0
    point_count: int = 0
    line_length: int = 0
    """Upper bound for the length of all its lines."""

    def plus(self, other_cost: _Cost) -> _Cost:
        return _Cost(
            *(amount + other_amount for amount, other_amount in zip(self, other_cost, strict=True))
        )


@dataclass(slots=True, eq=False)
class _Element:
    tag_name: str
    attributes: dict[str, str]
    children: list[_Element | str] = field(default_factory=list)
    references: list[_Reference] = field(default_factory=list)
    dash_length: float = 0.0
    """Length of a dash and its gap; 0 without dashes."""


def sanitize_drawing(svg_bytes: bytes) -> Drawing:
    """Read an SVG and write it again without unsafe parts.

    Args:
        svg_bytes: the bytes of the file.

    Raises:
        Refused: if it is no SVG, can be read in more than one way, or would take too long to draw.
    """
    if len(svg_bytes) > MAX_DRAWING_BYTES:
        raise PictureRefused(
            f"this drawing is larger than {MAX_DRAWING_BYTES // 1024 // 1024} MB",
            "make it simpler, or save it as PNG",
        )
    try:
        svg_text = svg_bytes.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PictureRefused("this SVG is not UTF-8", "save it as UTF-8") from None
    encoding_declaration = _ENCODING_DECLARATION.match(svg_text)
    if encoding_declaration and encoding_declaration[1].casefold() not in ("utf-8", "utf8"):
        raise PictureRefused(
            f"this SVG says that it is {encoding_declaration[1]}", "save it as UTF-8"
        )
    drawing_reader = _DrawingReader()
    try:
        drawing_reader.read(svg_text)
    except expat.ExpatError as error:
        raise PictureRefused(
            f"this is no SVG: {expat.ErrorString(error.code)}, line {error.lineno}",
            "open it in a program for drawings and save it again",
        ) from None
    if drawing_reader.root is None:
        raise PictureRefused(
            'this is no SVG: its first element is not <svg xmlns="http://www.w3.org/2000/svg">',
            "open it in a program for drawings and save it again",
        )
    _CostCalculator(drawing_reader.elements).check_cost(drawing_reader.root)
    return Drawing(
        "".join(_serialize(drawing_reader.root, is_root=True)).encode(),
        tuple(drawing_reader.dropped_counts),
    )


def reword_drawing(svg_bytes: bytes, reword: Callable[[str], str]) -> bytes:
    """Change the words of a drawing, and nothing of how it looks.

    Words are the texts in it, its labels, and the names of its parts (ids and classes), which change together with
    every reference to them. ``cx``, ``d`` and colours are no words, even if a player has such a name.

    Args:
        svg_bytes: a drawing as :func:`sanitize_drawing` writes it.
        reword: gives the new text for a text.
    """
    svg_text = svg_bytes.decode("utf-8")
    new_name_by_old = {
        old_name: new_name
        for _, attribute_value in _ID_OR_CLASS_ATTRIBUTE.findall(svg_text)
        for old_name in unescape(attribute_value).split()
        if (new_name := re.sub(r"[^\w.:-]+", "-", reword(old_name))) != old_name
    }

    def replace_name(match: re.Match[str]) -> str:
        return f"{match[1]}{new_name_by_old.get(match[2], match[2])}"

    def reword_attribute(match: re.Match[str]) -> str:
        attribute_name, attribute_value = match[1], unescape(match[2])
        if attribute_name == "aria-label":
            attribute_value = reword(attribute_value)
        elif attribute_name in _NAMING_ATTRIBUTES:
            attribute_value = " ".join(
                new_name_by_old.get(word, word) for word in attribute_value.split()
            )
        else:
            attribute_value = (
                _WHOLE_ID_REFERENCE if attribute_name.endswith("href") else _URL_REFERENCE
            ).sub(replace_name, attribute_value)
        return f' {attribute_name}="{escape(attribute_value)}"'

    reworded_parts: list[str] = []
    is_in_style = False
    for tag_or_text in _TAG_OR_TEXT_PATTERN.findall(svg_text):
        if tag_or_text.startswith("<"):
            is_in_style = tag_or_text.startswith("<style") and not tag_or_text.endswith("/>")
            reworded_parts.append(_ATTRIBUTE_PATTERN.sub(reword_attribute, tag_or_text))
        elif is_in_style:
            reworded_parts.append(
                _SELECTOR_OF_STYLE.sub(replace_name, _URL_REFERENCE.sub(replace_name, tag_or_text))
            )
        else:
            reworded_parts.append(escape(reword(unescape(tag_or_text)), quote=False))
    return "".join(reworded_parts).encode("utf-8")


class _DrawingReader:
    def __init__(self) -> None:
        self.root: _Element | None = None
        self.dropped_counts: Counter[str] = Counter()
        self._open_elements: list[_Element | None] = []
        """The elements around the current position; None for a dropped one."""
        self._skipped_depth = 0
        """Nesting depth below an element that is dropped with its children."""
        self._element_count = 0
        self.elements: list[_Element] = []
        self._style_rules: dict[str, _Element] = {}
        """The references and dashes of style rules, by each word of their selectors."""

    def read(self, svg_text: str) -> None:
        parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._add_text
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.Parse(svg_text.encode(), True)
        added_reference_count = 0
        for element in self.elements if self._style_rules else ():
            selectors = {"*", element.tag_name, f"#{element.attributes.get('id', '')}"}
            selectors.update(
                f".{class_name}" for class_name in element.attributes.get("class", "").split()
            )
            for selector in selectors & self._style_rules.keys():
                style_rule = self._style_rules[selector]
                element.references += style_rule.references
                element.dash_length = _shorter_dash(element.dash_length, style_rule.dash_length)
                added_reference_count += len(style_rule.references)
            if added_reference_count > MAX_ELEMENTS:
                raise _too_costly_error()

    def _start_element(self, qualified_name: str, attributes: dict[str, str]) -> None:
        self._element_count += 1
        if (
            len(self._open_elements) + self._skipped_depth >= MAX_ELEMENT_DEPTH
            or self._element_count > MAX_ELEMENTS
        ):
            raise PictureRefused(
                "this drawing has too many parts", "make it simpler, or save it as PNG"
            )
        if self._skipped_depth:
            self._skipped_depth += 1
            return
        namespace, _, element_name = qualified_name.rpartition(" ")
        if not self._open_elements and (namespace, element_name) != (_SVG_NAMESPACE, "svg"):
            self._skipped_depth = 1
            return
        if namespace == _SVG_NAMESPACE and element_name in _UNWRAPPED_ELEMENTS:
            self.dropped_counts[element_name] += 1
            self._open_elements.append(None)
            return
        if namespace != _SVG_NAMESPACE or element_name not in _ALLOWED_ELEMENTS:
            # Editors store their own data in these. They draw nothing, so their loss needs no report.
            if element_name != "metadata" and namespace in (
                _SVG_NAMESPACE,
                "",
                "http://www.w3.org/1999/xhtml",
            ):
                self.dropped_counts[element_name] += 1
            self._skipped_depth = 1
            return
        element = _Element(element_name, {})
        for attribute_name, attribute_value in attributes.items():
            self._add_attribute(element, attribute_name, attribute_value)
        parent_element = next(
            (ancestor for ancestor in reversed(self._open_elements) if ancestor is not None), None
        )
        if parent_element is None:
            self.root = element
        else:
            parent_element.children.append(element)
        self._open_elements.append(element)
        self.elements.append(element)

    def _end_element(self, qualified_name: str) -> None:
        if self._skipped_depth:
            self._skipped_depth -= 1
            return
        element = self._open_elements.pop()
        if element is not None and element.tag_name == "style":
            style_text = "".join(child for child in element.children if isinstance(child, str))
            element.children = [self._safe_style_sheet(style_text)]

    def _add_text(self, character_data: str) -> None:
        if not self._skipped_depth and self._open_elements and self._open_elements[-1] is not None:
            self._open_elements[-1].children.append(character_data)

    def _add_attribute(self, element: _Element, qualified_name: str, attribute_value: str) -> None:
        namespace, _, attribute_name = qualified_name.rpartition(" ")
        if attribute_name == "href" and namespace in ("", _XLINK_NAMESPACE):
            local_reference_match = _ID_REFERENCE.fullmatch(attribute_value.strip())
            if local_reference_match is not None and element.tag_name not in ("svg", "style"):
                element.attributes["href"] = local_reference_match[0]
                element.references.append(_Reference("href", local_reference_match[1]))
            else:
                self.dropped_counts["href"] += 1
        elif qualified_name == _XML_SPACE_ATTRIBUTE:
            element.attributes["xml:space"] = (
                "preserve" if attribute_value == "preserve" else "default"
            )
        elif namespace:
            return
        elif attribute_name == "style":
            declarations = self._safe_declarations(attribute_value, element)
            if declarations:
                element.attributes["style"] = declarations
        elif attribute_name in _FREE_TEXT_ATTRIBUTES or (
            attribute_name in _ALLOWED_ATTRIBUTES
            and self._accept_value(attribute_name, attribute_value, element)
        ):
            element.attributes[attribute_name] = attribute_value
        elif (
            attribute_name.startswith("on")
            or attribute_name in _ALLOWED_ATTRIBUTES
            or ":" in attribute_value
        ):
            self.dropped_counts[attribute_name] += 1

    def _accept_value(self, property_name: str, property_value: str, element: _Element) -> bool:
        """Whether a value refers to nothing outside of the drawing. References inside it are noted in the
        element."""
        value_without_urls = _LOCAL_URL.sub("", property_value)
        if _UNSAFE_TEXT.search(value_without_urls) or any(
            function_name.casefold() not in _SAFE_FUNCTIONS
            for function_name in _FUNCTION_CALL.findall(value_without_urls)
        ):
            return False
        element.references += [
            _Reference(property_name, target_id)
            for _, target_id in _LOCAL_URL.findall(property_value)
        ]
        if property_name == "mix-blend-mode" and property_value.strip() != "normal":
            element.references.append(_Reference(property_name, ""))
        if property_name == "stroke-dasharray":
            element.dash_length = _shorter_dash(
                element.dash_length, sum(map(abs, _parse_numbers(property_value)))
            )
        return True

    def _safe_declarations(self, declarations_text: str, element: _Element) -> str:
        declarations: list[str] = []
        for declaration in declarations_text.split(";"):
            property_name, _, property_value = declaration.partition(":")
            property_name = property_name.strip().casefold()
            if property_name in _ALLOWED_PROPERTIES and self._accept_value(
                property_name, property_value, element
            ):
                declarations.append(f"{property_name}:{property_value.strip()}")
            elif "(" in property_value or "\\" in declaration:
                self.dropped_counts[
                    property_name if re.fullmatch("[a-z-]+", property_name) else "style"
                ] += 1
        return ";".join(declarations)

    def _safe_style_sheet(self, style_text: str) -> str:
        safe_rules: list[str] = []
        for rule_text in _COMMENT_PATTERN.sub("", style_text).split("}"):
            selector, brace, declarations_text = rule_text.partition("{")
            if not selector.strip():
                continue
            if brace and _SELECTOR_PATTERN.fullmatch(selector):
                style_rule = _Element("style", {})
                safe_rules.append(
                    f"{' '.join(selector.split())}{{{self._safe_declarations(declarations_text, style_rule)}}}"
                )
                if style_rule.references or style_rule.dash_length:
                    for selector_name in {*_SELECTOR_NAME.findall(selector)}:
                        rule_of_selector = self._style_rules.setdefault(
                            selector_name, _Element("style", {})
                        )
                        rule_of_selector.references += style_rule.references
                        rule_of_selector.dash_length = _shorter_dash(
                            rule_of_selector.dash_length, style_rule.dash_length
                        )
            else:
                self.dropped_counts["style"] += 1
        return "\n".join(safe_rules)


def _refuse_doctype(*_: object) -> None:
    raise PictureRefused(
        "this SVG has a document type (<!DOCTYPE ...>)",
        "take the line out, or save it as plain or optimized SVG",
    )


def _too_costly_error() -> PictureRefused:
    return PictureRefused(
        "this drawing would take a browser too long to draw",
        "use fewer markers, patterns, masks and dashes, or save it as PNG",
    )


def _shorter_dash(dash_length: float, other_dash_length: float) -> float:
    """Return the shorter of two dashes, where 0 means none."""
    return (
        min(dash_length, other_dash_length)
        if dash_length and other_dash_length
        else dash_length or other_dash_length
    )


def _parse_numbers(numbers_text: str) -> Iterator[float]:
    """Yield the numbers in a value, each between -1e9 and 1e9."""
    return (max(min(float(number), 1e9), -1e9) for number in _NUMBER_PATTERN.findall(numbers_text))


class _CostCalculator:
    """Computes an upper bound for the cost of drawing elements. A browser draws a pattern for every shape
    that it fills and a marker for every point of a line, also if a group around the shapes has the property.

    Args:
        elements: all elements.
    """

    def __init__(self, elements: list[_Element]) -> None:
        self._element_by_id = {
            element.attributes["id"]: element
            for element in reversed(elements)
            if "id" in element.attributes
        }
        self._costs: dict[int, _Cost] = {}
        self._entered_ids: set[int] = set()

    def check_cost(self, root_element: _Element) -> None:
        """Check the cost of the whole drawing.

        Raises:
            Refused: when an element refers to itself, or the drawing costs too much.
        """
        if self._cost_of(root_element, 0).cost > MAX_DRAWING_COST:
            raise _too_costly_error()

    def _cost_of(self, element: _Element, depth: int) -> _Cost:
        if id(element) in self._costs:
            return self._costs[id(element)]
        if id(element) in self._entered_ids or depth > 4 * MAX_ELEMENT_DEPTH:
            raise PictureRefused(
                "this drawing refers to itself", "make it simpler, or save it as PNG"
            )
        self._entered_ids.add(id(element))
        cost = _own_cost(element)
        for child in element.children:
            if isinstance(child, _Element):
                cost = cost.plus(self._cost_of(child, depth + 1))
        referenced_costs = [
            (property_name, self._cost_of(self._element_by_id[target_id], depth + 1))
            for property_name, target_id in element.references
            if target_id in self._element_by_id
        ]
        for property_name, referenced_cost in referenced_costs:
            if property_name not in _INHERITED_PROPERTIES:
                cost = cost.plus(
                    referenced_cost if property_name == "href" else _Cost(referenced_cost.cost)
                )
        extra_cost = sum(
            _LAYER_COSTS.get(property_name, 0) for property_name, _ in element.references
        )
        for property_name, referenced_cost in referenced_costs:
            if property_name in _INHERITED_PROPERTIES:
                repetition_count = (
                    cost.point_count if property_name.startswith("marker") else cost.shape_count
                )
                extra_cost += repetition_count * referenced_cost.cost
        if element.dash_length:
            extra_cost += int(cost.line_length / element.dash_length / DASHES_PER_COST)
        self._entered_ids.discard(id(element))
        cost_with_references = self._costs[id(element)] = cost.plus(_Cost(extra_cost))
        return cost_with_references


def _own_cost(element: _Element) -> _Cost:
    """Return the cost of an element without its children and references."""
    if element.tag_name not in _SHAPE_ELEMENTS:
        letter_count = sum(len(child) for child in element.children if isinstance(child, str))
        return _Cost(
            1 + letter_count // POINTS_PER_COST,
            int(letter_count > 0),
            0,
            letter_count * LETTER_OUTLINE_LENGTH,
        )
    attributes = element.attributes
    point_count, line_length = _measure_path(
        attributes.get("d", "") or f"M{attributes.get('points', '')}Z"
    )
    for attribute_name in attributes.keys() & _SIZE_ATTRIBUTES:
        line_length += 10 * sum(map(abs, _parse_numbers(attributes[attribute_name])))
    line_length = max([line_length, *_parse_numbers(attributes.get("pathLength", ""))])
    return _Cost(1 + point_count // POINTS_PER_COST, 1, max(point_count, 4), int(line_length))


def _measure_path(path_data: str) -> tuple[int, float]:
    """Return upper bounds for the number of points of a path and for its length."""
    point_count, path_length = 0, 0.0
    pen_position = [0.0, 0.0]
    for path_command, arguments in _PATH_COMMAND.findall(path_data):
        coordinates_or_sizes = [*_parse_numbers(arguments)]
        point_count += max(len(coordinates_or_sizes), 1)
        if path_command in "MLCSQT":
            coordinates = [*pen_position, *coordinates_or_sizes]
            path_length += sum(
                abs(end_coordinate - start_coordinate)
                for start_coordinate, end_coordinate in zip(
                    coordinates, coordinates_or_sizes, strict=False
                )
            )
            pen_position = coordinates[-2:] if len(coordinates_or_sizes) % 2 == 0 else [0.0, 0.0]
        else:
            path_length += 2 * sum(map(abs, coordinates_or_sizes))
    # Closing the path is a line at most as long as the path itself.
    return point_count, 2 * path_length


def _serialize(element: _Element, *, is_root: bool = False) -> Iterator[str]:
    attributes = {"xmlns": _SVG_NAMESPACE, **element.attributes} if is_root else element.attributes
    attributes_text = "".join(
        f' {attribute_name}="{escape(attribute_value)}"'
        for attribute_name, attribute_value in attributes.items()
    )
    if not element.children:
        yield f"<{element.tag_name}{attributes_text}/>"
        return
    yield f"<{element.tag_name}{attributes_text}>"
    for child in element.children:
        if isinstance(child, str):
            yield escape(child, quote=False)
        else:
            yield from _serialize(child)
    yield f"</{element.tag_name}>"
