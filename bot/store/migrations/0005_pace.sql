-- How long players have, what is left of it for whom, and when a lobby or a resting table ends.

ALTER TABLE session ADD COLUMN pace TEXT NOT NULL DEFAULT 'none'
    CHECK (pace IN ('none', 'live', 'relaxed', 'days'));
ALTER TABLE session ADD COLUMN clocks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE session ADD COLUMN expires_at REAL;

-- misses: in a row; away: a computer player plays for the person who sits there.
ALTER TABLE seat ADD COLUMN misses INTEGER NOT NULL DEFAULT 0 CHECK (misses >= 0);
ALTER TABLE seat ADD COLUMN away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1));

UPDATE session SET expires_at = touched_at + 1800 WHERE status = 'lobby';
