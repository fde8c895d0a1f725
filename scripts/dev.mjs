import { withoutArguments } from "./bootstrap/no-arguments.mjs";
import { atLeastNode20 } from "./bootstrap/node-version.mjs";

atLeastNode20();
withoutArguments("npm run dev");
const { prepareAndRun } = await import("./bootstrap/prepare.mjs");
await prepareAndRun(["front/main.ts", "--dev"], { serves: true, env: { NODE_ENV: "development" } });
