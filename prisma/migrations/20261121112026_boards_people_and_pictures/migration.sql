-- Search by similarity: part of every PostgreSQL, and one that a database's owner may switch on.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- AlterTable
ALTER TABLE "Board" ADD COLUMN     "description" VARCHAR(500) NOT NULL DEFAULT '',
ADD COLUMN     "lastPostAt" TIMESTAMPTZ(3),
ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "searchText" VARCHAR(1200) NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "SiteSettings" ADD COLUMN     "firstStepsHiddenAt" TIMESTAMPTZ(3),
ADD COLUMN     "imprintUrl" VARCHAR(500) NOT NULL DEFAULT '',
ADD COLUMN     "locale" VARCHAR(20) NOT NULL DEFAULT 'en',
ADD COLUMN     "logoId" UUID,
ADD COLUMN     "privacyUrl" VARCHAR(500) NOT NULL DEFAULT '',
ADD COLUMN     "timeZone" VARCHAR(60) NOT NULL DEFAULT 'UTC',
ALTER COLUMN "accentColor" SET DEFAULT '0f6b7c';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "avatarId" UUID,
ADD COLUMN     "hasShortcuts" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "locale" VARCHAR(20),
ADD COLUMN     "searchText" VARCHAR(800) NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "Image" (
    "imageId" UUID NOT NULL,
    "bytes" BYTEA NOT NULL,
    "type" VARCHAR(40) NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Image_pkey" PRIMARY KEY ("imageId")
);

-- CreateIndex
CREATE INDEX "Board_position_boardId_idx" ON "Board"("position", "boardId");

-- CreateIndex
CREATE INDEX "Board_searchText_idx" ON "Board" USING GIN ("searchText" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "Post_createdAt_idx" ON "Post"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "SiteSettings_logoId_key" ON "SiteSettings"("logoId");

-- CreateIndex
CREATE UNIQUE INDEX "User_avatarId_key" ON "User"("avatarId");

-- CreateIndex
CREATE INDEX "User_createdAt_userId_idx" ON "User"("createdAt", "userId");

-- CreateIndex
CREATE INDEX "User_searchText_idx" ON "User" USING GIN ("searchText" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "SiteSettings" ADD CONSTRAINT "SiteSettings_logoId_fkey" FOREIGN KEY ("logoId") REFERENCES "Image"("imageId") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_avatarId_fkey" FOREIGN KEY ("avatarId") REFERENCES "Image"("imageId") ON DELETE SET NULL ON UPDATE CASCADE;

-- What exists already gets its place in the order it was made, its newest post, and its searchable text.
UPDATE "Board" SET "position" = placed."position"
FROM (SELECT "boardId", row_number() OVER (ORDER BY "createdAt", "boardId") AS "position" FROM "Board") AS placed
WHERE placed."boardId" = "Board"."boardId";
UPDATE "Board" SET "lastPostAt" = (SELECT max("createdAt") FROM "Post" WHERE "Post"."boardId" = "Board"."boardId");
-- As near to lib/search.ts as SQL comes: without accents and, as far as this database knows letters, without case.
UPDATE "Board" SET "searchText" = left(lower(regexp_replace(normalize("name", NFKD), E'[\u0300-\u036f]', '', 'g')), 1200);
UPDATE "User" SET "searchText" = left(lower(regexp_replace(normalize("name" || ' ' || "username" || ' ' || "email", NFKD), E'[\u0300-\u036f]', '', 'g')), 800);
