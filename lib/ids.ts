import { z } from "zod";

/** Whether `value` can be an id at all: PostgreSQL refuses to compare anything else with one. */
export function isUuid(value: string): boolean {
  return z.uuid().safeParse(value).success;
}
