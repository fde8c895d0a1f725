import process from "node:process";

/** Ends the process with a sentence where Node is too old even to install what Heard runs on. */
export function atLeastNode20() {
  if (Number(process.versions.node.split(".")[0]) >= 20) return;
  process.stderr.write(`Heard needs Node 20 or newer to start; this is ${process.version}. Install Node 24 (https://nodejs.org), then try again.\n`);
  process.exit(1);
}
