"""Pictures and texts of boards: pure functions of a view and words."""
