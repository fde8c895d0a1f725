import type { ReactNode } from "react";
import { DARK_PAPER, LIGHT_PAPER, WHITE } from "#lib/accent";
import { greetableName, type LetterContext } from "./letter.ts";

type FrameProps = {
  context: LetterContext;
  /** What an inbox shows beside the subject. */
  preview: string;
  heading: string;
  children: ReactNode;
};

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const WIDTH_PX = 560;

/** The site's own neutrals, as in `app/globals.css`. */
const LIGHT = { surface: "#ffffff", line: "#e7e3dc", ink: "#1d1a16", muted: "#625c53" };
const DARK = { surface: "#1c1a18", line: "#322f2b", ink: "#eeebe6", muted: "#aaa49a" };

/** Programs that know dark mode read these rules; the others show the light letter, whose colors are inline. */
const darkRules = ({ darkButton, darkInk }: LetterContext["accent"]) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #${DARK_PAPER} !important; }
  .card { background-color: ${DARK.surface} !important; border-color: ${DARK.line} !important; }
  .ink { color: ${DARK.ink} !important; }
  .quiet { color: ${DARK.muted} !important; }
  .button { background-color: #${darkButton} !important; }
  .link { color: #${darkInk} !important; }
}
@media (max-width: 600px) { .card { padding: 28px 22px !important; } }
`;

/** The sheet that every letter is written on: one card, the site's title above it, why it came below it. Tables, because Outlook lays out nothing else. */
export function Frame({ context, preview, heading, children }: FrameProps) {
  const { t, locale, direction, siteTitle, siteUrl, accent } = context;
  return (
    <html lang={locale} dir={direction}>
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{heading}</title>
        <style>{darkRules(accent)}</style>
      </head>
      <body className="page" style={{ margin: 0, padding: 0, backgroundColor: `#${LIGHT_PAPER}`, fontFamily: FONT }}>
        <div data-skip-in-text="true" style={{ display: "none", maxHeight: 0, overflow: "hidden", opacity: 0 }}>
          {preview}
        </div>
        {/* A title may be one long word, and would make the letter as wide as itself. */}
        <Sheet className="page" style={{ padding: "32px 16px", wordBreak: "break-word", backgroundColor: `#${LIGHT_PAPER}` }}>
          <table role="presentation" align="center" width="100%" cellPadding={0} cellSpacing={0} style={{ maxWidth: WIDTH_PX, margin: "0 auto" }}>
            <tbody>
              <tr>
                <td className="quiet" style={{ padding: "0 4px 16px", fontSize: 15, lineHeight: "22px", fontWeight: 600, color: LIGHT.muted }}>
                  <bdi>{siteTitle}</bdi>
                </td>
              </tr>
              <tr>
                <td className="card" style={{ padding: "36px 40px", backgroundColor: LIGHT.surface, border: `1px solid ${LIGHT.line}`, borderRadius: 12 }}>
                  <h1 className="ink" style={{ margin: "0 0 16px", fontSize: 22, lineHeight: "30px", fontWeight: 650, color: LIGHT.ink }}>
                    {heading}
                  </h1>
                  {children}
                </td>
              </tr>
              <tr>
                <td className="quiet" style={{ padding: "16px 4px 0", fontSize: 13, lineHeight: "20px", color: LIGHT.muted }}>
                  {t("footer", { siteTitle, siteUrl })}
                </td>
              </tr>
            </tbody>
          </table>
        </Sheet>
      </body>
    </html>
  );
}

/** The first line: by name where there is one fit to be repeated. */
export function Greeting({ context: { t }, name }: { context: LetterContext; name: string | undefined }) {
  const greetable = greetableName(name);
  return <Paragraph>{greetable ? t("hello", { name: greetable }) : t("helloAnybody")}</Paragraph>;
}

type ParagraphProps = {
  /** Read only if needed. */
  quiet?: boolean;
  /** Of no use without the button that it speaks of. */
  onlyBesideButton?: boolean;
  children: ReactNode;
};

/** A paragraph of the letter. */
export function Paragraph({ quiet = false, onlyBesideButton, children }: ParagraphProps) {
  const size = quiet ? { fontSize: 14, lineHeight: "22px", color: LIGHT.muted } : { fontSize: 16, lineHeight: "26px", color: LIGHT.ink };
  return (
    <p className={quiet ? "quiet" : "ink"} data-skip-in-text={onlyBesideButton} style={{ margin: "0 0 16px", ...size }}>
      {children}
    </p>
  );
}

/** The one thing to do. Left out of the plain text, where the bare link below it says it. */
export function ActionButton({ context: { accent }, href, children }: { context: LetterContext; href: string; children: ReactNode }) {
  return (
    <table data-skip-in-text="true" role="presentation" cellPadding={0} cellSpacing={0} style={{ margin: "8px 0 24px" }}>
      <tbody>
        <tr>
          <td className="button" style={{ borderRadius: 8, backgroundColor: `#${accent.button}` }}>
            <a
              href={href}
              style={{
                display: "inline-block",
                padding: "13px 24px",
                fontSize: 16,
                lineHeight: "22px",
                fontWeight: 600,
                color: `#${WHITE}`,
                textDecoration: "none",
              }}
            >
              {children}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** A link that shows where it leads, for those who would rather copy it. */
export function BareLink({ context: { accent }, href }: { context: LetterContext; href: string }) {
  return (
    <p style={{ margin: "0 0 24px", fontSize: 14, lineHeight: "22px" }}>
      <a className="link" dir="ltr" href={href} style={{ color: `#${accent.lightInk}`, wordBreak: "break-all" }}>
        {href}
      </a>
    </p>
  );
}

function Sheet({ className, style, children }: { className: string; style: React.CSSProperties; children: ReactNode }) {
  return (
    <table className={className} role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={{ backgroundColor: style.backgroundColor }}>
      <tbody>
        <tr>
          <td className={className} style={style}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
