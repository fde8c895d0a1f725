import { MARK } from "#lib/mark";

type SiteMarkProps = {
  logo: string | null;
  /** How high it is, as a square, and how wide a wide logo may be. */
  className?: string;
};

/** The owner's logo, or Heard's own mark: words that reach an ear. Says nothing, for the site's title stands beside it. */
export function SiteMark({ logo, className = "size-8 max-w-[20vw] sm:max-w-40" }: SiteMarkProps) {
  if (logo)
    return (
      <img
        src={logo}
        alt=""
        width={64}
        height={64}
        className={`${className} w-auto shrink-0 rounded-sm bg-logo-ground object-contain forced-color-adjust-none`}
      />
    );
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`${className} shrink-0 text-accent`}>
      <path d={MARK.bubble} fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round">
        <path d={MARK.source} strokeWidth="4" />
        <path d={MARK.waves} />
      </g>
    </svg>
  );
}
