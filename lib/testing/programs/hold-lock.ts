import { lockDirectory } from "#lib/embedded/lock";

// Locks the directory that it is given, says so, and keeps it until it is killed.
const [directory = ""] = process.argv.slice(2);
await lockDirectory(directory);
console.log("locked");
setInterval(() => {}, 60_000);
