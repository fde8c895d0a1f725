# syntax=docker/dockerfile:1
# What goes into an image is decided by .dockerignore. docs/operations.md shows how to run it; compose.yaml is it with PostgreSQL.

FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional
COPY . .
# Generates the database client, builds, and takes out what only building needs.
RUN node scripts/run.mjs scripts/check-env.ts \
  && node -e "import('./scripts/bootstrap/prepare.mjs').then((prepare) => prepare.prepareBuild())" \
  && npm prune --omit=dev \
  && rm -rf .next/cache .heard/compiled .heard/*.lock \
  && chmod -R a+rX .heard

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Everything here belongs to root: the server may read it and write to /data alone.
COPY --from=build /app ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "front/main.ts"]
