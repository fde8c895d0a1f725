import { setTimeout as sleep } from "node:timers/promises";
import { newPerson } from "#e2e/people";

/** How the asking of a crowd was answered: how many accounts there are more, how many were told to come again, and what nobody should be told. */
export type CrowdAnswers = { accounts: number; refused: number; failed: number };

/** Generated people who sign up at a site, each again and again, and wait as long as they are told to where they are refused. */
export class Crowd {
  readonly answers: CrowdAnswers = { accounts: 0, refused: 0, failed: 0 };
  readonly #url: string;
  readonly #people: Promise<void>[];
  readonly #leaving = new AbortController();
  #onRefused = () => {};

  /** Resolves once somebody was refused: from then on nobody more has room. */
  readonly isFull: Promise<void>;

  constructor(siteUrl: string, size: number) {
    this.#url = `${siteUrl}/api/v1/auth/signup`;
    this.isFull = new Promise((resolve) => {
      this.#onRefused = resolve;
    });
    this.#people = Array.from({ length: size }, () => this.#signUp());
  }

  /** Nobody asks again. Resolves when the last was answered. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.#people);
  }

  async #signUp(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const answer = await fetch(this.#url, { method: "POST", body: JSON.stringify(newPerson()), headers: { "content-type": "application/json" } }).catch(
        () => null,
      );
      await answer?.arrayBuffer();
      if (answer?.status === 201) this.answers.accounts++;
      else if (answer?.status === 503) {
        this.answers.refused++;
        this.#onRefused();
        await sleep(Number(answer.headers.get("retry-after")) * 1000, undefined, { signal }).catch(() => {});
      } else this.answers.failed++;
    }
  }
}
