import { CopyButton } from "./copy-button.tsx";

type CodeBlockProps = {
  code: string;
  /** Words of the button that copies it; none without them. */
  copy?: { label: string; done: string };
};

/** Code, or a line to type, as it is: left to right in every language. */
export function CodeBlock({ code, copy }: CodeBlockProps) {
  return (
    <div dir="ltr" className="flex min-w-0 items-start gap-1 rounded-md border border-line bg-sunken p-1">
      {/* Long lines go on below: nothing has to be scrolled sideways. */}
      <pre className="min-w-0 grow wrap-anywhere whitespace-pre-wrap p-2.5 font-mono text-xs">
        <code>{code}</code>
      </pre>
      {copy && <CopyButton text={code} {...copy} />}
    </div>
  );
}
