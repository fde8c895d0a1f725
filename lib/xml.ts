/** `text` as it stands in XML, between tags or in an attribute. What XML 1.0 has no place for is left out (https://www.w3.org/TR/xml/#charsets). */
export function escapeXml(text: string): string {
  return xmlText(text).replace(/[<>&'"]/g, (character) => `&#${character.codePointAt(0)};`);
}

/** `text` without the few characters that XML 1.0 has no place for, however they are escaped. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
