import { notFound } from "next/navigation";
import { requireSetUp } from "../../visit.ts";

/** Every address that nothing else answers: it, too, leads to the set-up before the site has an owner. */
export default async function UnknownPage() {
  await requireSetUp();
  notFound();
}
