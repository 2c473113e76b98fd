"""The book: the story of a campaign as one file. Its pages are XHTML, drawn once from the chapters of the
site. ``epub`` packs these pages, ``pdf`` sets them on paper."""
