"""Game-neutral: what every table, every log and every rule book has in common."""
