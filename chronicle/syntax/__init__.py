"""YAML in and out: source text, places, typed actions, and careful editing."""
