/** What stands in the elements called `name`, as a reader of XML takes it. */
export function texts(xml: string, name: string): string[] {
  const decode = (text: string) =>
    text
      .replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&");
  return [...xml.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, "gs"))].map((match) => decode(match[1] ?? ""));
}
