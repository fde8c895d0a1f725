import { test } from "vitest";
import { reportBar } from "./testing/bars.ts";
import { scale } from "./testing/scale.ts";
test("c", () => { reportBar({ bar: "C10", measure: "m", figure: scale(1, 100), database: "embedded", ok: true }); reportBar({ bar: "C2", measure: "other", figure: "9 ms", database: "embedded", ok: true }); });
