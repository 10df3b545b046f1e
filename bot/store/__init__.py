"""Everything that outlives the process: sessions, journals, intentions, preferences."""
