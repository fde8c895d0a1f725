import { expect, test } from "vitest";
import { databaseKind, openDatabase } from "#lib/db";
import { useDatabase } from "#lib/testing/database";
import { moveToPostgres, withoutPassword } from "./move.ts";

// That a site is moved whole is shown in e2e/process/backup.test.ts: it needs a process for which the database is embedded, and a PostgreSQL.
useDatabase();

const silent = () => {};

test("a password is not shown, and nothing else is hidden", () => {
  expect(withoutPassword("postgresql://heard:pass%40word@db.example.com:5433/heard?sslmode=require")).toBe(
    "postgresql://heard:***@db.example.com:5433/heard?sslmode=require",
  );
  expect(withoutPassword("postgresql://heard@localhost/heard?password=secret&sslmode=require")).toBe(
    "postgresql://heard@localhost/heard?password=***&sslmode=require",
  );
  expect(withoutPassword("postgresql://heard@localhost/heard")).toBe("postgresql://heard@localhost/heard");
});

test("what is no PostgreSQL is refused in words", async () => {
  await expect(moveToPostgres("mysql://localhost/heard", silent)).rejects.toThrow("must be a PostgreSQL address such as postgresql://");
});

test.runIf(databaseKind() === "postgresql")("a site that is in PostgreSQL already is refused", async () => {
  await expect(moveToPostgres("postgresql://localhost/heard", silent)).rejects.toThrow("in PostgreSQL already, for DATABASE_URL is set");
});

test.runIf(databaseKind() === "embedded")("a server that does not answer is named", async () => {
  await openDatabase();

  await expect(moveToPostgres("postgresql://heard:secret@127.0.0.1:1/heard", silent)).rejects.toThrow(
    /^The PostgreSQL server at 127\.0\.0\.1:1 cannot be reached \(.+\): check DATABASE_URL/,
  );
});
