"""The book: the story of a campaign, bound. Its leaves are XHTML, drawn once from the chapters that the site
shows; ``epub`` packs them as they are, ``pdf`` sets them on paper."""
