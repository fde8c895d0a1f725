/** Why Heard cannot go on: one sentence for whoever runs it. `details` is what a tool said, shown above the sentence. */
export class BootstrapError extends Error {
  /**
   * @param {string} sentence
   * @param {{ details?: string }} [options]
   */
  constructor(sentence, { details = "" } = {}) {
    super(sentence);
    this.name = "BootstrapError";
    this.details = details;
  }
}

const DENIED = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Turns a failed write into a sentence that names the folder; anything else passes unchanged.
 * @param {unknown} error
 * @param {string} folder
 * @returns {unknown}
 */
export function asWriteError(error, folder) {
  const code = /** @type {NodeJS.ErrnoException | undefined} */ (error)?.code ?? "";
  if (DENIED.has(code)) return new BootstrapError(`Heard cannot write to ${folder} (${code}). Give this user the right to write there, then try again.`);
  if (code === "ENOSPC") return new BootstrapError(`The disk that holds ${folder} is full. Make room, then try again.`);
  return error;
}
