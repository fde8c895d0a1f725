import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  code: string;
  /** Words of the button that copies it. */
  copy: { label: string; done: string };
};

/** Code, or a line to type, as it is: left to right in every language. A single line goes on below where it has no room, for what is cut can look whole. */
export function CodeBlock({ code, copy }: CodeBlockProps) {
  const isLine = !code.includes("\n");
  return (
    <div dir="ltr" className="contain-inline-size flex min-w-0 items-start rounded-md border border-line bg-sunken">
      {isLine ? (
        <pre className="min-w-0 grow whitespace-pre-wrap wrap-anywhere p-3.5 font-mono text-xs">
          <code>{code}</code>
        </pre>
      ) : (
        // Of several lines, one that went on below would read as two.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keyboard (WCAG 2.1.1), and not every browser sees to it by itself.
        <pre tabIndex={0} className="more-aside min-w-0 grow overflow-x-auto rounded-md p-3.5 font-mono text-xs print:whitespace-pre-wrap print:wrap-anywhere">
          <code>{code}</code>
        </pre>
      )}
      <div className="shrink-0 p-1">
        <CopyButton text={code} {...copy} />
      </div>
    </div>
  );
}
