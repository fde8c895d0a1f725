/**
 * What the tests run Node with. The embedded database is WebAssembly, and to compile it for speed takes most of the work of a start: that pays off
 * in a server that lives for days, not in a test's. What is measured at full scale runs as `npm start` runs it.
 */
export const NODE_FLAGS: string[] = process.env.PROVE === "1" ? [] : ["--liftoff-only"];
