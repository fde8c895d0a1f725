import type { APIRequestContext } from "@playwright/test";
import { newestLetterTo } from "../letters.ts";
import { signUpByApi, unique } from "../people.ts";
import type { TestSite } from "../site.ts";

/** Who looks at a page. */
export type Onlooker = "visitor" | "member" | "owner";

/** A page that a site has, and what people wrote that it shows. */
export type SitePage = { path: string; as: Onlooker; data: string[] };

type Makers = { site: TestSite; request: APIRequestContext; ownerPage: Parameters<typeof newestLetterTo>[0] };

/** Every page of a site with a board, a member and a letter, in an order in which each can be looked at. Leaves `ownerPage` on the letter. */
export async function everyPage({ site, request, ownerPage }: Makers): Promise<{ pages: SitePage[]; member: Awaited<ReturnType<typeof signUpByApi>> }> {
  const headers = { authorization: `Bearer ${site.owner.authToken}` };
  const name = unique("Board");
  const { board } = await (await request.post("/api/v1/boards", { data: { name, description: "What we should build next." }, headers })).json();
  const member = await signUpByApi(request);
  await newestLetterTo(ownerPage, member.email);
  const letter = new URL(ownerPage.url()).pathname;
  const { user } = await (await request.get("/api/v1/users/me", { headers: { authorization: `Bearer ${member.authToken}` } })).json();
  const data = [name, board.url, "What we should build next.", site.owner.name, site.owner.email, site.owner.siteTitle, member.email, user.name, user.username];
  const ofBoard = `/dashboard/boards/${board.boardId}`;
  const paths: Record<Onlooker, string[]> = {
    visitor: [
      "/",
      "/?page=99",
      `/boards/${board.url}`,
      "/search",
      `/search?q=${name}`,
      "/search?q=nothing-is-called-this",
      "/login",
      "/signup",
      "/reset-password",
      "/reset-password?token=x",
      "/confirm-address",
      "/confirm-address?token=x",
      "/api/v1/docs",
      "/nowhere",
    ],
    member: ["/me", "/dashboard"],
    owner: [
      "/",
      "/me",
      "/dashboard",
      "/dashboard?days=90",
      "/dashboard/boards",
      "/dashboard/boards/new",
      ofBoard,
      `${ofBoard}/delete`,
      "/dashboard/users",
      `/dashboard/users/${user.userId}`,
      "/dashboard/settings",
      "/dashboard/settings/branding",
      "/dashboard/settings/access",
      "/dashboard/settings/mail",
      "/dashboard/settings/data",
      "/dashboard/settings/about",
      "/dashboard/outbox",
      letter,
    ],
  };
  const pages = (Object.keys(paths) as Onlooker[]).flatMap((as) => paths[as].map((path) => ({ path, as, data })));
  return { pages, member };
}
