import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EmailAddress } from "./email-address.tsx";

/** The address as it is shown, with a bar wherever it may break. */
const breaksIn = (address: string) =>
  renderToStaticMarkup(<EmailAddress address={address} />)
    .replaceAll(/<wbr\/>|<\/span><span[^>]*>/g, "|")
    .replace(/<[^>]+>/g, "");

test.for([
  ["ada@example.org", "ada@|example.|org"],
  ["ada.king-lovelace@mail.example.org", "ada.|king-lovelace@|mail.|example.|org"],
  [".ada..lovelace.@example.org", ".|ada.|.|lovelace.|@|example.|org"],
  ['"a@b.c"@example.org', "&quot;a@b.|c&quot;@|example.|org"],
])("%s may break behind its @ and its full stops, and loses none of them: %s", ([address = "", shown]) => {
  expect(breaksIn(address)).toBe(shown);
});

test("it breaks behind the @ because two boxes stand there", () => {
  expect(renderToStaticMarkup(<EmailAddress address="ada@example.org" />).match(/<span class="inline-block max-w-full">/g)).toHaveLength(2);
});

test("an address runs from left to right, whatever the page does", () => {
  expect(renderToStaticMarkup(<EmailAddress address="ada@example.org" />)).toMatch(/^<bdi dir="ltr" class="[^"]*">.*<\/bdi>$/);
});
