-- REPLACE removes a row without asking the trigger for that, so it is refused by one of its own.
CREATE TRIGGER act_is_never_replaced BEFORE INSERT ON act
WHEN EXISTS (SELECT 1 FROM act WHERE id = new.id) BEGIN
    SELECT raise(ABORT, 'the log of acts is never changed');
END;
