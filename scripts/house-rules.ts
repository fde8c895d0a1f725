import { readFileSync } from "node:fs";
import { missingOptionalPackages } from "./complete-lockfile.ts";
import { checkDocuments } from "./house-rules/documents.ts";
import { checkEnvironment } from "./house-rules/environment.ts";
import { checkGallery } from "./house-rules/gallery.ts";
import { checkImports } from "./house-rules/imports.ts";
import { checkMessages } from "./house-rules/messages.ts";
import { checkOrphans } from "./house-rules/orphans.ts";
import { checkOutbound } from "./house-rules/outbound.ts";
import { checkSecrets } from "./house-rules/secrets.ts";
import { checkSettings } from "./house-rules/settings.ts";
import { type Finding, readSources } from "./house-rules/source.ts";
import { checkTexts } from "./house-rules/texts.ts";
import { checkWords } from "./house-rules/words.ts";

// What no linter knows of this house; `npm run check` runs it. Ends with 1 if there is a finding.
const sources = readSources();
const rules = [
  checkImports,
  checkOutbound,
  checkTexts,
  checkMessages,
  checkEnvironment,
  checkSettings,
  checkWords,
  checkDocuments,
  checkSecrets,
  checkGallery,
  checkOrphans,
];
const findings = rules.flatMap((rule) => rule(sources));
const all: Finding[] = [...findings, ...lockfileFindings()].sort((one, other) => one.path.localeCompare(other.path, "en") || one.line - other.line);
for (const { path, line, message } of all) console.log(`${path}:${line} ${message}`);
console.log(`${sources.length} files, ${all.length} findings`);
process.exitCode = all.length > 0 ? 1 : 0;

function lockfileFindings(): Finding[] {
  const missing = Object.keys(missingOptionalPackages(JSON.parse(readFileSync("package-lock.json", "utf8"))));
  if (missing.length === 0) return [];
  return [
    {
      path: "package-lock.json",
      line: 1,
      message: `lacks ${missing.length} packages of other platforms, and npm ci refuses that: run node scripts/run.mjs scripts/complete-lockfile.ts`,
    },
  ];
}
