import createNextIntlPlugin from "next-intl/plugin";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // The same sources make the same build on every host: else the router would load each page anew that another host answers.
  generateBuildId: () => process.env.HEARD_BUILD_ID ?? null,
  // What a page says of itself stands in its head for everybody, not only for who is known as a bot: a page that is kept is given to both.
  htmlLimitedBots: /./,
  // A picture has at most 10 MB (server/images.ts), with what a form sends around it. The front server's limit is the same.
  experimental: { serverActions: { bodySizeLimit: "11mb" } },
  // Nothing uses the image optimiser, and its address is open to everybody.
  images: { unoptimized: true },
  // The front server answers for addresses; a redirect from /api/v1/boards/ would lose a POST's body in many clients.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    "@electric-sql/pglite",
    "pglite-prisma-adapter",
    "@prisma/client",
    "pg",
    "pg-boss",
    "pino",
    "piscina",
    "nodemailer",
    "bcryptjs",
    "@takumi-rs/core",
  ],
  // `npm run check` does both, with this project's own settings.
  typescript: { ignoreBuildErrors: true },
};

export default createNextIntlPlugin("./app/i18n/request.ts")(config);
