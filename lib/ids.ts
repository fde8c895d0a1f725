import { z } from "zod";

const uuid = z.uuid();

/** Whether `value` can be an id at all: PostgreSQL refuses to compare anything else with one. */
export function isUuid(value: string): boolean {
  return uuid.safeParse(value).success;
}
