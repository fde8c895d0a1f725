import { createElement, Fragment, type ReactNode } from "react";
import { type MarkdownNode, parseMarkdown } from "#lib/markdown";

type MarkdownProps = {
  text: string;
  /** It is one line, to stand in an element of its own. */
  isLine?: boolean;
};

/** Helps nobody to climb in search engines, and tells no other site where its readers came from. */
const LINK = { rel: "nofollow ugc noopener noreferrer", className: "text-accent-ink underline underline-offset-4 hover:decoration-2" };

/** The one way in which what people typed becomes elements. */
export function Markdown({ text, isLine }: MarkdownProps) {
  return createElement(Fragment, null, ...draw(parseMarkdown(text, { isLine })));
}

function draw(nodes: MarkdownNode[]): ReactNode[] {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    const { element, href, children } = node;
    return createElement(element, element === "a" ? { href, ...LINK } : null, ...draw(children));
  });
}
