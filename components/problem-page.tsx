import { buttonStyle } from "./ui/button-style.ts";
import { ButtonLink } from "./ui/link.tsx";
import { PageHeader } from "./ui/page-header.tsx";

type ProblemPageProps = {
  title: string;
  text: string;
  /** A way on that always works. */
  home: string;
  /** Where trying again makes sense. */
  retry?: string;
  /** What the site's owner finds in the log. */
  clue?: string;
};

// An empty reference is the address shown, with its query (RFC 3986, 5.2.2).
const HERE = "";

/** A page instead of the one that was asked for: what is the matter, and what to do next. */
export function ProblemPage({ title, text, home, retry, clue }: ProblemPageProps) {
  return (
    <>
      <PageHeader title={title} intro={text} />
      <div className="flex flex-wrap gap-3">
        {retry && (
          // Not the router's link: everything is asked for anew.
          <a href={HERE} className={buttonStyle("primary")}>
            {retry}
          </a>
        )}
        <ButtonLink href="/" kind={retry ? "secondary" : "primary"}>
          {home}
        </ButtonLink>
      </div>
      {clue && <p className="text-muted text-sm">{clue}</p>}
    </>
  );
}
