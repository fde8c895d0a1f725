type EmailAddressProps = { address: string; className?: string };

/** An email address that breaks, where it has to, behind its @ and not within a word. */
export function EmailAddress({ address, className }: EmailAddressProps) {
  const at = address.lastIndexOf("@") + 1;
  return (
    <bdi className={className}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  );
}
