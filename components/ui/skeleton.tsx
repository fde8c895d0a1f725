/** The place of what is still being read; `className` gives it the size of that. Shows itself only where waiting is felt. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`animate-skeleton rounded-lg bg-sunken ${className}`} />;
}
