import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  code: string;
  /** Words of the button that copies it. */
  copy: { label: string; done: string };
};

/** Code, or a line to type, as it is: left to right in every language. */
export function CodeBlock({ code, copy }: CodeBlockProps) {
  return (
    <div dir="ltr" className="contain-inline-size flex min-w-0 items-start gap-1 rounded-md border border-line bg-sunken p-1">
      {/* A line that went on below would read as two. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keyboard (WCAG 2.1.1), and not every browser sees to it by itself. */}
      <pre tabIndex={0} className="min-w-0 grow overflow-x-auto rounded-sm p-2.5 font-mono text-xs print:whitespace-pre-wrap print:wrap-anywhere">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} {...copy} />
    </div>
  );
}
