"""Tables in progress: one asynchronous session each, between Discord's clicks and the engines.

No Discord and no English in here: sessions speak to a ``Channel`` (ports.py) in ``Face`` values
(faces.py), refuse with a ``Refusal`` whose problem is a word id, and keep everything in the store.
"""
