"""Set a document on paper, in a process of its own: HTML comes in, a PDF goes out.

Nothing of Chronicle is imported here, and nothing is fetched: all that a document shows is in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

NO_PANGO_EXIT_CODE = 3
"""What this ends with where a library of the system is missing."""
PRINT_FLAG = 4
"""The flag of annotations that are on paper as well."""


def main(identifier: str) -> None:
    """Read HTML, write a tagged PDF."""
    try:
        import weasyprint
    except OSError:
        sys.exit(NO_PANGO_EXIT_CODE)
    if not identifier:
        return
    html_document = weasyprint.HTML(
        string=sys.stdin.buffer.read().decode(),
        base_url="book:/",
        url_fetcher=weasyprint.urls.URLFetcher(allowed_protocols=("data",)),
    )
    pdf = html_document.write_pdf(
        finisher=complete_tags, pdf_variant="pdf/ua-1", pdf_identifier=bytes.fromhex(identifier)
    )
    sys.stdout.buffer.write(pdf)


def complete_tags(document: Any, pdf: Any) -> None:
    """Complete WeasyPrint's tags. Each link gets a description and an element of its own. Page headers, page
    numbers and drawings without text leave the tag tree."""
    for page in document.pages:
        for *_, link_box in page.links:
            if not (annotation := link_box.link_annotation):
                continue
            link_text = link_box.element.get("aria-label") or " ".join(
                "".join(link_box.element.itertext()).split()
            )
            annotation["Contents"], annotation["F"] = (
                type(annotation["Contents"])(link_text),
                PRINT_FLAG,
            )
    _TagTree(pdf).complete_tree()


class _TagTree:
    """The tree of the tags of a PDF, and what of its pages each is for."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._structure_root = self._resolve(pdf.catalog["StructTreeRoot"])
        self._parent_tree_nums = self._resolve(self._structure_root["ParentTree"])[
            "Nums"
        ]  # number, owner, number, owner

    def complete_tree(self) -> None:
        """Give links their annotations, and take out what is no part of the text."""
        document = self._resolve(self._structure_root["K"][0])
        self._move_annotations(document, None)
        announced_numbers = {element.number for element in self._announced_elements(document)}
        pages = [
            pdf_object for pdf_object in self._pdf.objects if _type_name(pdf_object) == "/Page"
        ]
        for page in pages:
            parent_elements = self._parent_tree_nums[2 * page["StructParents"] + 1]
            unannounced_ids = {
                mcid
                for mcid, parent_element in enumerate(parent_elements)
                if _object_number(parent_element) not in announced_numbers
            }
            operators = self._resolve(page["Contents"]).stream
            for operator_index in range(1, len(operators) - 1):
                if (
                    operators[operator_index + 1] == b"BDC"
                    and operators[operator_index].get("MCID") in unannounced_ids
                ):
                    operators[operator_index - 1 : operator_index + 2] = b"/Artifact", b"", b"BMC"
            for mcid in unannounced_ids:
                parent_elements[mcid] = "null"

    def _announced_elements(self, element: Any) -> Iterator[Any]:
        """An element and those inside it that screen readers announce; drawings without text are left out."""
        if element["S"] == "/Figure":
            # WeasyPrint gives pixels from above; a PDF counts points from below.
            left, top, right, bottom = (0.75 * side for side in element["A"]["BBox"])
            height = self._resolve(element["Pg"])["MediaBox"][3]
            element["A"]["BBox"][:] = left, height - bottom, right, height - top
        yield element
        shown_kids = [
            child_reference
            for child_reference in element["K"]
            if not self._is_without_text(child_reference)
        ]
        element["K"][:] = shown_kids
        for child_reference in shown_kids:
            if _type_name(child := self._resolve(child_reference)) == "/StructElem":
                yield from self._announced_elements(child)

    def _is_without_text(self, child_reference: Any) -> bool:
        child = self._resolve(child_reference)
        return _type_name(child) == "/StructElem" and child["S"] == "/Figure" and "Alt" not in child

    def _move_annotations(self, element: Any, enclosing_link: Any) -> None:
        """Hang the annotations of the parts of a link in the link itself."""
        enclosing_link = element if element["S"] == "/Link" else enclosing_link
        for child_reference in list(element["K"]):
            child = self._resolve(child_reference)
            if _type_name(child) == "/StructElem":
                self._move_annotations(child, enclosing_link)
            elif (
                _type_name(child) == "/OBJR"
                and enclosing_link is not None
                and enclosing_link is not element
            ):
                element["K"].remove(child_reference)
                enclosing_link["K"].append(child_reference)
                self._parent_tree_nums[2 * self._resolve(child["Obj"])["StructParent"] + 1] = (
                    enclosing_link.reference
                )

    def _resolve(self, reference: Any) -> Any:
        return (
            self._pdf.objects[_object_number(reference)]
            if isinstance(reference, bytes)
            else reference
        )


def _type_name(pdf_object: Any) -> str:
    return pdf_object.get("Type", "") if isinstance(pdf_object, dict) else ""


def _object_number(reference: bytes) -> int:
    return int(reference.split()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
