import { expect, test } from "vitest";
import { readUpload } from "./images.ts";

test.for([
  ["more than 10 MB", new Uint8Array(10_000_001), "PAYLOAD_TOO_LARGE"],
  ["10 MB of nothing", new Uint8Array(10_000_000), "UNSUPPORTED_MEDIA_TYPE"],
  ["an empty file", new Uint8Array(), "UNSUPPORTED_MEDIA_TYPE"],
  ["half a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), "IMAGE_UNREADABLE"],
] as const)("%s is refused at the field that it came in", async ([, file, code]) => {
  await expect(readUpload(file, { maxSide: 10 }, "cover")).rejects.toMatchObject({ code, field: "cover" });
});
