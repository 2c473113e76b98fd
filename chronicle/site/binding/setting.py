"""Set a document on paper, in a process of its own: HTML comes in, a PDF goes out.

Nothing of Chronicle is imported here, and nothing is fetched: all that a document shows is in it.
"""

import sys

NO_PANGO = 3
"""What this ends with where a library of the system is missing."""


def main(identifier: str) -> None:
    """Read HTML, write a tagged PDF."""
    try:
        import weasyprint
    except OSError:
        sys.exit(NO_PANGO)
    if not identifier:
        return
    html = weasyprint.HTML(
        string=sys.stdin.buffer.read().decode(),
        base_url="book:/",
        url_fetcher=weasyprint.urls.URLFetcher(allowed_protocols=("data",)),
    )
    made = html.write_pdf(pdf_variant="pdf/ua-1", pdf_identifier=bytes.fromhex(identifier))
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main(*sys.argv[1:])
