"""The Discord side of a table: faces become messages, decisions buttons, events words.

Nothing in here knows a rule. What a player may choose comes from the sessions as decisions, what
has happened as events; every word comes from content.
"""
