import { redirect } from "next/navigation";
import { page } from "../../pages.tsx";

/** The boards are listed on the first page; who shortens a board's address arrives there. */
export default page(async () => redirect("/"));
