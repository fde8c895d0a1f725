import pino from "pino";
import { env } from "./env.ts";

/** JSON lines on standard error; standard output belongs to the one screen that `npm start` prints. */
export const log = pino({ level: level(), base: null, messageKey: "msg", timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));

function level(): string {
  try {
    return env().LOG_LEVEL;
  } catch {
    return "info";
  }
}
