import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  code: string;
  /** Words of the button that copies it. */
  copy: { label: string; done: string };
};

/** Code, or a line to type, as it is: left to right in every language. A single line goes on below where it has no room, for what is cut can look whole; of several, one that went on below would read as two. */
export function CodeBlock({ code, copy }: CodeBlockProps) {
  const isLine = !code.includes("\n");
  return (
    <div dir="ltr" className="contain-inline-size relative min-w-0 rounded-md border border-line bg-sunken">
      {isLine ? (
        <pre className="whitespace-pre-wrap wrap-anywhere py-3.5 ps-3.5 pe-12 font-mono text-xs">
          <code>{code}</code>
        </pre>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keyboard (WCAG 2.1.1), and not every browser sees to it by itself. */}
          <pre tabIndex={0} className="overflow-x-auto rounded-md p-3.5 font-mono text-xs print:whitespace-pre-wrap print:wrap-anywhere">
            <code className="inline-block min-w-full pe-14">{code}</code>
          </pre>
          {/* What goes on aside fades before it is cut. */}
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 end-0 w-20 rounded-e-md bg-linear-to-l from-55% from-sunken to-transparent print:hidden"
          />
        </>
      )}
      <div className="absolute end-1 top-1">
        <CopyButton text={code} {...copy} />
      </div>
    </div>
  );
}
