import { z } from "zod";
import { MAX_QUERY_LENGTH, typedQuery } from "./search.ts";

/** The `q` of a list. What is longer than anybody searches for is cut, not refused; without it nothing is looked for. */
export function searchQuery(max = MAX_QUERY_LENGTH) {
  return z
    .string("must be text")
    .default("")
    .transform((text) => typedQuery(text, max));
}
