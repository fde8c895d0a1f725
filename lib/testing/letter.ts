import type { Letter } from "#lib/mail";

/** A letter as it is handed to a transport. */
export const LETTER: Letter = {
  id: "0190a8a0-0000-7000-8000-000000000001",
  messageId: "<0190a8a0-0000-7000-8000-000000000001@example.com>",
  from: { name: "Nimbus", address: "noreply@example.com" },
  to: "ada@example.org",
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  writtenAt: new Date("2026-02-03T04:05:06Z"),
};
