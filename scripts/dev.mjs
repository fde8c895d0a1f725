import { atLeastNode20 } from "./bootstrap/node-version.mjs";

atLeastNode20();
const { prepareAndRun } = await import("./bootstrap/prepare.mjs");
await prepareAndRun(["scripts/serve.ts", "--dev"], { env: { NODE_ENV: "development" } });
