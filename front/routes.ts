import { existsSync, readFileSync } from "node:fs";

/** Where Next's build says which addresses there are; `npm run dev` has none. */
const MANIFEST = ".next/routes-manifest.json";
/** What belongs to no route of ours: the build's files, and what is answered before any route is asked. */
const ELSEWHERE = "other";

type Manifest = { staticRoutes: { page: string }[]; dynamicRoutes: { page: string; regex: string }[] };
type Routes = { exact: Set<string>; patterns: { page: string; pattern: RegExp }[] };

let routes: Routes | undefined;

/** The route that answers for `path`, as its folder in `app/` is called: `/boards/[slug]` for every board. */
export function routeOf(path: string): string {
  routes ??= readRoutes();
  if (routes.exact.has(path)) return path;
  if (path.startsWith("/_next/")) return "/_next";
  return routes.patterns.find(({ pattern }) => pattern.test(path))?.page ?? ELSEWHERE;
}

function readRoutes(): Routes {
  if (!existsSync(MANIFEST)) return { exact: new Set(), patterns: [] };
  const { staticRoutes, dynamicRoutes } = JSON.parse(readFileSync(MANIFEST, "utf8")) as Manifest;
  return {
    exact: new Set(staticRoutes.map(({ page }) => page)),
    patterns: dynamicRoutes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) })),
  };
}
