import { Fragment } from "react";

type EmailAddressProps = { address: string; className?: string };

/**
 * An email address that stays whole where it fits on a line. It breaks, where it has to, behind its @ and not within its name, or, where a part is
 * longer than a line, behind a full stop there; a full stop stays with it. It runs from left to right on every page.
 */
export function EmailAddress({ address, className = "" }: EmailAddressProps) {
  const at = address.lastIndexOf("@") + 1;
  return (
    <bdi dir="ltr" className={`inline-block max-w-full ${className}`}>
      {/* Between two boxes in a line it may break (css-text-3, 5.1). */}
      <span className="inline-block max-w-full">
        <Breakable text={address.slice(0, at)} />
      </span>
      <span className="inline-block max-w-full">
        <Breakable text={address.slice(at)} />
      </span>
    </bdi>
  );
}

function Breakable({ text }: { text: string }) {
  return [...text.matchAll(/[^.]+\.?|\./g)].map(({ index: place, 0: part }) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
