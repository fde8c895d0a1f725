import { expect, test } from "vitest";
import { MAX_UPLOAD_BYTES, readUpload } from "./images.ts";

test.for([
  ["what is too large", new Uint8Array(MAX_UPLOAD_BYTES + 1), "PAYLOAD_TOO_LARGE"],
  ["an empty file", new Uint8Array(), "UNSUPPORTED_MEDIA_TYPE"],
  ["half a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), "IMAGE_UNREADABLE"],
] as const)("%s is refused at the field that it came in", async ([, file, code]) => {
  await expect(readUpload(file, { maxSide: 10 }, "cover")).rejects.toMatchObject({ code, field: "cover" });
});
