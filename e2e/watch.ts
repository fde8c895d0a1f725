import type { BrowserContext } from "@playwright/test";

// An answer such as 404 is part of some stories, to what a person or a script asks for; a picture, font or script that is missing never is.
const IN_STORIES = ["document", "fetch", "xhr"];
// The browser reports both alike.
const EXPECTED = /^Failed to load resource: the server responded with a status of 4\d\d/;

const ASKED_ANOTHER_HOST = "asked another host";

/** Those of `problems` that are requests to another host than this machine. */
export function requestsElsewhere(problems: string[]): string[] {
  return problems.filter((problem) => problem.startsWith(ASKED_ANOTHER_HOST));
}

/**
 * Notes into `problems` whatever goes wrong unseen in a browser: errors on its console, which is also where it reports violations of
 * the security policy; exceptions; answers from 500 up, and files that are missing; and requests that leave this machine.
 */
export function watch(context: BrowserContext, problems: string[]): void {
  context.on("console", (message) => {
    const isProblem = message.type() === "error" || /security policy/i.test(message.text());
    if (isProblem && !EXPECTED.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => problems.push(`exception at ${error.page()?.url()}: ${error.error()}`));
  context.on("response", (response) => {
    const least = IN_STORIES.includes(response.request().resourceType()) ? 500 : 400;
    if (response.status() >= least) problems.push(`${response.status()} for ${response.url()}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1") problems.push(`${ASKED_ANOTHER_HOST}: ${request.url()}`);
  });
}
