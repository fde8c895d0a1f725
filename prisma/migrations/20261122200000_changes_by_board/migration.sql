-- Says whose change it was where a statement wrote to one board alone: what others show is still good then. The schema cannot say it.
CREATE FUNCTION "note_board_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    boards uuid[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(DISTINCT "boardId") INTO boards FROM after;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(DISTINCT "boardId") INTO boards FROM before;
    ELSE
        SELECT array_agg(DISTINCT "boardId") INTO boards FROM (SELECT "boardId" FROM before UNION ALL SELECT "boardId" FROM after) AS changed;
    END IF;
    IF cardinality(boards) = 1 THEN
        PERFORM pg_notify('heard_changes', boards[1]::text);
    ELSIF cardinality(boards) > 1 THEN
        PERFORM pg_notify('heard_changes', '');
    END IF;
    RETURN NULL;
END
$$;

DROP TRIGGER "Board_note_change" ON "Board";
CREATE TRIGGER "Board_note_insert" AFTER INSERT ON "Board" REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Board_note_update" AFTER UPDATE ON "Board" REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Board_note_delete" AFTER DELETE ON "Board" REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Board_note_truncate" AFTER TRUNCATE ON "Board" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();

DROP TRIGGER "BoardUrl_note_change" ON "BoardUrl";
CREATE TRIGGER "BoardUrl_note_insert" AFTER INSERT ON "BoardUrl" REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "BoardUrl_note_update" AFTER UPDATE ON "BoardUrl" REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "BoardUrl_note_delete" AFTER DELETE ON "BoardUrl" REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "BoardUrl_note_truncate" AFTER TRUNCATE ON "BoardUrl" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();

DROP TRIGGER "Post_note_change" ON "Post";
CREATE TRIGGER "Post_note_insert" AFTER INSERT ON "Post" REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Post_note_update" AFTER UPDATE ON "Post" REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Post_note_delete" AFTER DELETE ON "Post" REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "note_board_change"();
CREATE TRIGGER "Post_note_truncate" AFTER TRUNCATE ON "Post" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();
