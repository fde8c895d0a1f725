import { isatty } from "node:tty";

// It runs before anything is installed, too, on the oldest Node there is support for.

/** Whether this process was started at a terminal: then SIGHUP says that it was closed. Asked at the start, for afterwards there is none. */
export const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
