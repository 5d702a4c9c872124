"""Reading what agents write: text, tables, trees, notes, single values."""
