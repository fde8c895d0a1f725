import { redirect } from "next/navigation";

/** The boards are listed on the first page; who shortens a board's address arrives there. */
export default function BoardsPage() {
  redirect("/");
}
