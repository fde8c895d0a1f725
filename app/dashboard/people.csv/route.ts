import { csvDownload } from "#lib/csv";
import { endpoint, readQuery } from "#lib/http";
import { type Person, readPeople } from "#server/people";

const COLUMNS = [
  "userId",
  "name",
  "username",
  "email",
  "role",
  "createdAt",
  "verifiedAt",
  "blockedAt",
  "lastSeenAt",
  "sessionCount",
] as const satisfies readonly (keyof Person)[];

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint({
  /** The people that the dashboard lists for the same `?q=` and `?show=`, all of them, as a table for a spreadsheet. 200 as CSV (RFC 4180), or the errors of `readPeople`. */
  GET: (request, { viewer }) => {
    const fileName = `people-${new Date().toISOString().slice(0, 10)}.csv`;
    return csvDownload(fileName, COLUMNS, rowsOf(readPeople(viewer, readQuery(request))));
  },
});

async function* rowsOf(batches: AsyncGenerator<Person[]>) {
  for await (const people of batches) yield people.map((person) => COLUMNS.map((column) => person[column]));
}
