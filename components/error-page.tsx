import { errorPage as words } from "#messages/en.json";
import { buttonStyle } from "./ui/button-style.ts";

/** What to read and do when a page failed, most likely because the database is away. Needs nothing that could have failed, too. */
export function ErrorPage({ digest }: { digest?: string }) {
  return (
    <div className="grid gap-6">
      <title>{words.title}</title>
      <h1 className="font-semibold text-3xl leading-tight tracking-tight">{words.title}</h1>
      <p className="max-w-prose text-muted">{words.text}</p>
      {digest && (
        <p className="text-muted text-sm">
          {words.code} <code>{digest}</code>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={() => window.location.reload()} className={buttonStyle("primary")}>
          {words.retry}
        </button>
        <a href="/" className={buttonStyle("secondary")}>
          {words.home}
        </a>
      </div>
    </div>
  );
}
