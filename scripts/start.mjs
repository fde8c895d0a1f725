import { withoutArguments } from "./bootstrap/no-arguments.mjs";
import { atLeastNode20 } from "./bootstrap/node-version.mjs";

atLeastNode20();
withoutArguments("npm start");
const { prepareAndRun } = await import("./bootstrap/prepare.mjs");
await prepareAndRun(["front/main.ts"], { build: true, serves: true, env: { NODE_ENV: "production" } });
