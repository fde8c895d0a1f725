import { defineConfig } from "prisma/config";

/** Read by the Prisma CLI, which Heard needs only to generate its client; migrations run through `lib/migrate.ts`. */
export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
