type SiteMarkProps = { logo: string | null; className?: string };

/** The owner's logo, or Heard's own mark: words that reach an ear. Says nothing, for the site's title stands beside it. */
export function SiteMark({ logo, className = "size-8" }: SiteMarkProps) {
  if (logo) return <img src={logo} alt="" width={64} height={64} className={`${className} shrink-0 rounded-sm object-contain`} />;
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`${className} shrink-0 text-accent`}>
      <path d="M9 3h14a7 7 0 0 1 7 7v9a7 7 0 0 1-7 7h-7.6l-6 4.7A1.5 1.5 0 0 1 7 29.5V25.7A7 7 0 0 1 2 19v-9a7 7 0 0 1 7-7z" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round">
        <path d="M9.5 14.5h.01" strokeWidth="4" />
        <path d="M14.3 10.2a6.2 6.2 0 0 1 0 8.6" />
        <path d="M19 7.4a10.2 10.2 0 0 1 0 14.2" />
      </g>
    </svg>
  );
}
