type EmailAddressProps = { address: string; className?: string };

/** An email address that breaks, where it has to, behind its @ and not within its name; a full stop stays with it. It runs from left to right on every page. */
export function EmailAddress({ address, className }: EmailAddressProps) {
  const at = address.lastIndexOf("@") + 1;
  return (
    <bdi dir="ltr" className={className}>
      <span className="inline-block max-w-full rtl:text-end">{address.slice(0, at)}</span>
      {address.slice(at)}
    </bdi>
  );
}
