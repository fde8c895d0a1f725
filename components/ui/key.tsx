/** A key, as it is drawn on a keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-flex min-w-6 items-center justify-center whitespace-nowrap rounded-sm border border-line-strong/60 bg-sunken px-1.5 py-0.5 font-sans text-xs">
      {children}
    </kbd>
  );
}
