import { setTimeout as sleep } from "node:timers/promises";
import { newPerson } from "#e2e/people";

/** How the asking of a crowd was answered: how many accounts there are more, how many were told to come again, and what nobody should be told. */
export type CrowdAnswers = { accounts: number; refused: number; failed: number };

const AFTER_FAILURE_MS = 1000;

/** Generated people who sign up at a site, each again and again, and wait as long as they are told to where they are refused. */
export class Crowd {
  readonly answers: CrowdAnswers = { accounts: 0, refused: 0, failed: 0 };
  readonly #url: string;
  readonly #people: Promise<void>[];
  readonly #leaving = new AbortController();
  readonly #full = Promise.withResolvers<void>();

  constructor(siteUrl: string, size: number) {
    this.#url = `${siteUrl}/api/v1/auth/signup`;
    this.#people = Array.from({ length: size }, () => this.#signUp());
  }

  /** Resolves once somebody was refused: from then on nobody more has room. Rejects if somebody was answered otherwise, or not at all. */
  get isFull(): Promise<void> {
    return this.#full.promise;
  }

  /** Nobody asks again. Resolves when the last was answered. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.#people);
  }

  async #signUp(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const { status, waitMs } = await this.#ask();
      if (status === 201) this.answers.accounts++;
      else if (status === 503) {
        this.answers.refused++;
        this.#full.resolve();
      } else {
        this.answers.failed++;
        this.#full.reject(new Error(`Somebody who signed up was answered ${status}.`));
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Status 0 is no answer. */
  async #ask(): Promise<{ status: number; waitMs: number }> {
    try {
      const answer = await fetch(this.#url, { method: "POST", body: JSON.stringify(newPerson()), headers: { "content-type": "application/json" } });
      await answer.arrayBuffer();
      return { status: answer.status, waitMs: Number(answer.headers.get("retry-after") ?? 0) * 1000 };
    } catch {
      return { status: 0, waitMs: AFTER_FAILURE_MS };
    }
  }
}
