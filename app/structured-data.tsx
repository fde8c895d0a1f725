import { currentNonce } from "./visit.ts";

/** What a public page is, for search engines that read JSON-LD (https://schema.org). */
export async function StructuredData({ facts }: { facts: { "@type": string } & Record<string, unknown> }) {
  // Nothing that the team typed may end the element.
  const json = JSON.stringify({ "@context": "https://schema.org", ...facts }).replaceAll("<", "\\u003c");
  return (
    <script type="application/ld+json" nonce={await currentNonce()}>
      {json}
    </script>
  );
}
