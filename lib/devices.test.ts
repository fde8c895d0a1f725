import { expect, test } from "vitest";
import { readDevice } from "./devices.ts";

test.for([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", { browser: "Firefox", system: "Linux", kind: "computer" }],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    { browser: "Safari", system: "iOS", kind: "phone" },
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    { browser: "Chrome", system: "Windows", kind: "computer" },
  ],
  ["curl/8.5.0", { browser: "curl", system: null, kind: "program" }],
  [
    "Mozilla/5.0 (Linux; U; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.9.1-gn",
    { browser: "Miui", system: "Android", kind: "phone" },
  ],
  ["Win at https://casino.example now/1 (Windows NT 10.0)", { browser: null, system: "Windows", kind: "computer" }],
  ["Win at https://casino.example now/1 (iPhone; CPU iPhone OS 18_5)", { browser: null, system: "iOS", kind: "phone" }],
  ["", { browser: null, system: null, kind: "program" }],
] as const)("%s", ([userAgent, device]) => {
  expect(readDevice(userAgent)).toMatchObject(device);
});
