import { readArguments } from "./arguments.ts";
import { runCommand } from "./commands.ts";

/** `npm run demo`: fills the site with generated boards, people and posts; `-- --remove` takes them out again. */
const { values } = readArguments({
  options: {
    remove: { type: "boolean", default: false },
    boards: { type: "string" },
    people: { type: "string" },
    posts: { type: "string" },
    seed: { type: "string" },
  },
});
await runCommand("demo", values);
