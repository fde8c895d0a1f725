import { expect, test } from "vitest";
import { escapeXml, xmlText } from "./xml.ts";

test("what would be markup is escaped, between tags and in an attribute", () => {
  expect(escapeXml(`<a b='c' d="e"> & f`)).toBe("&#60;a b=&#39;c&#39; d=&#34;e&#34;&#62; &#38; f");
});

test("what XML has no place for is left out, and every script and line break stays", () => {
  expect(xmlText("a\0b\u0008c\u001bd\ufffee\uffff")).toBe("abcde");
  expect(xmlText("Идеи\t🎉\r\n")).toBe("Идеи\t🎉\r\n");
  // Half a character becomes the sign for one that is lost.
  expect(escapeXml("a\ud83c")).toBe("a\ufffd");
});
