/** Why Heard cannot start: one sentence for whoever runs it, saying what to change. `front/site.ts` prints it and exits 1. */
export class StartupError extends Error {
  override name = "StartupError";
  readonly code = "STARTUP_ERROR";
  /** Whether it is only that another Heard runs on this data directory. */
  readonly isInUse: boolean;

  constructor(message: string, { isInUse = false, ...options }: ErrorOptions & { isInUse?: boolean } = {}) {
    super(message, options);
    this.isInUse = isInUse;
  }
}

/** Whether `error` is a `StartupError`, also one made by the other module graph of this process. */
export function isStartupError(error: unknown): error is StartupError {
  return (error as StartupError | undefined)?.code === "STARTUP_ERROR";
}
