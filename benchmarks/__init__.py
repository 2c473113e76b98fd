"""Measurements against the bars we hold ourselves to; ``make bench`` runs them."""
