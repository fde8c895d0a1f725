import { readdirSync } from "node:fs";
import { db } from "#lib/db";

// Imports the database and asks nothing of it; says what is in the folder above its data directory, which does not exist.
console.log(typeof db.user.findMany);
console.log(`found ${readdirSync(process.argv[2] ?? "").join()}`);
