/** Makes the blank database that the first start copies. The build runs it. */
import { makeBlankDatabase } from "#lib/embedded/blank";

await makeBlankDatabase();
