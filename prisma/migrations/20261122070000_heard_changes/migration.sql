-- Whoever keeps answers in memory hears of every write to what visitors see, whoever wrote it: this process, another one, or somebody with psql.
-- Told within the transaction, and delivered with its commit. The schema cannot say it.
CREATE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('heard_changes', TG_TABLE_NAME);
    RETURN NULL;
END
$$;

CREATE TRIGGER "Board_note_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Board" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "BoardUrl_note_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "BoardUrl" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "Post_note_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Post" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();
CREATE TRIGGER "SiteSettings_note_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "SiteSettings" FOR EACH STATEMENT EXECUTE FUNCTION "note_change"();
