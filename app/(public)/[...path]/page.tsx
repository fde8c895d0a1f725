import { AppError } from "#lib/errors";
import { page, titled } from "../../pages.tsx";

export const generateMetadata = titled("problems.notFound");

/** Every address that nothing else answers: it, too, leads to the set-up before the site has an owner. */
export default page(async () => {
  throw new AppError("NOT_FOUND", "There is no such page.");
});
