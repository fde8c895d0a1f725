-- CreateEnum
CREATE TYPE "Role" AS ENUM ('OWNER', 'MEMBER');

-- CreateEnum
CREATE TYPE "MailTokenPurpose" AS ENUM ('CONFIRM_EMAIL', 'RESET_PASSWORD');

-- CreateEnum
CREATE TYPE "MailStatus" AS ENUM ('QUEUED', 'SENT', 'FAILED');

-- CreateTable
CREATE TABLE "SiteSettings" (
    "settingsId" INTEGER NOT NULL DEFAULT 1,
    "title" VARCHAR(100) NOT NULL,
    "description" VARCHAR(500) NOT NULL DEFAULT '',
    "siteUrl" VARCHAR(300) NOT NULL,
    "accentColor" VARCHAR(6) NOT NULL DEFAULT '4f46e5',
    "allowSignup" BOOLEAN NOT NULL DEFAULT true,
    "requireConfirmedEmail" BOOLEAN NOT NULL DEFAULT false,
    "blockCommonPasswords" BOOLEAN NOT NULL DEFAULT false,
    "publicBoardCount" INTEGER NOT NULL DEFAULT 0,
    "privateBoardCount" INTEGER NOT NULL DEFAULT 0,
    "setUpAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SiteSettings_pkey" PRIMARY KEY ("settingsId")
);

-- CreateTable
CREATE TABLE "Secret" (
    "name" VARCHAR(60) NOT NULL,
    "value" VARCHAR(200) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "User" (
    "userId" UUID NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "name" VARCHAR(60) NOT NULL,
    "username" VARCHAR(60) NOT NULL,
    "passwordHash" VARCHAR(100) NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'MEMBER',
    "verifiedAt" TIMESTAMPTZ(3),
    "blockedAt" TIMESTAMPTZ(3),
    "isDemo" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Session" (
    "sessionId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "device" VARCHAR(300) NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("sessionId")
);

-- CreateTable
CREATE TABLE "MailToken" (
    "mailTokenId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "purpose" "MailTokenPurpose" NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MailToken_pkey" PRIMARY KEY ("mailTokenId")
);

-- CreateTable
CREATE TABLE "Board" (
    "boardId" UUID NOT NULL,
    "name" VARCHAR(60) NOT NULL,
    "color" VARCHAR(6) NOT NULL,
    "url" VARCHAR(80) NOT NULL,
    "isPrivate" BOOLEAN NOT NULL DEFAULT false,
    "postCount" INTEGER NOT NULL DEFAULT 0,
    "isDemo" BOOLEAN NOT NULL DEFAULT false,
    "createdById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Board_pkey" PRIMARY KEY ("boardId")
);

-- CreateTable
CREATE TABLE "BoardUrl" (
    "url" VARCHAR(80) NOT NULL,
    "boardId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "BoardUrl_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "Post" (
    "postId" UUID NOT NULL,
    "boardId" UUID NOT NULL,
    "authorId" UUID,
    "title" VARCHAR(300) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Post_pkey" PRIMARY KEY ("postId")
);

-- CreateTable
CREATE TABLE "Mail" (
    "mailId" UUID NOT NULL,
    "to" VARCHAR(254) NOT NULL,
    "letter" VARCHAR(60) NOT NULL,
    "props" JSONB NOT NULL,
    "status" "MailStatus" NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" VARCHAR(1000),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "userId" UUID,

    CONSTRAINT "Mail_pkey" PRIMARY KEY ("mailId")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMPTZ(3),

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "User_username_key" ON "User"("username");

-- CreateIndex
CREATE UNIQUE INDEX "Session_tokenHash_key" ON "Session"("tokenHash");

-- CreateIndex
CREATE INDEX "Session_userId_lastSeenAt_idx" ON "Session"("userId", "lastSeenAt");

-- CreateIndex
CREATE INDEX "Session_lastSeenAt_idx" ON "Session"("lastSeenAt");

-- CreateIndex
CREATE UNIQUE INDEX "MailToken_tokenHash_key" ON "MailToken"("tokenHash");

-- CreateIndex
CREATE INDEX "MailToken_userId_purpose_idx" ON "MailToken"("userId", "purpose");

-- CreateIndex
CREATE INDEX "MailToken_expiresAt_idx" ON "MailToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Board_url_key" ON "Board"("url");

-- CreateIndex
CREATE INDEX "Board_isPrivate_createdAt_boardId_idx" ON "Board"("isPrivate", "createdAt", "boardId");

-- CreateIndex
CREATE INDEX "Board_createdAt_boardId_idx" ON "Board"("createdAt", "boardId");

-- CreateIndex
CREATE INDEX "Board_deletedAt_idx" ON "Board"("deletedAt");

-- CreateIndex
CREATE INDEX "BoardUrl_boardId_idx" ON "BoardUrl"("boardId");

-- CreateIndex
CREATE INDEX "Post_boardId_createdAt_postId_idx" ON "Post"("boardId", "createdAt", "postId");

-- CreateIndex
CREATE INDEX "Post_authorId_idx" ON "Post"("authorId");

-- CreateIndex
CREATE INDEX "Mail_createdAt_mailId_idx" ON "Mail"("createdAt", "mailId");

-- CreateIndex
CREATE INDEX "Mail_userId_idx" ON "Mail"("userId");

-- CreateIndex
CREATE INDEX "RateLimit_expire_idx" ON "RateLimit"("expire");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MailToken" ADD CONSTRAINT "MailToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Board" ADD CONSTRAINT "Board_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("userId") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BoardUrl" ADD CONSTRAINT "BoardUrl_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "Board"("boardId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Post" ADD CONSTRAINT "Post_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "Board"("boardId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Post" ADD CONSTRAINT "Post_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("userId") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Mail" ADD CONSTRAINT "Mail_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("userId") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: one row of settings, and counters that never lie below zero.
ALTER TABLE "SiteSettings" ADD CONSTRAINT "SiteSettings_only_row" CHECK ("settingsId" = 1);
ALTER TABLE "SiteSettings" ADD CONSTRAINT "SiteSettings_publicBoardCount_check" CHECK ("publicBoardCount" >= 0);
ALTER TABLE "SiteSettings" ADD CONSTRAINT "SiteSettings_privateBoardCount_check" CHECK ("privateBoardCount" >= 0);
ALTER TABLE "Board" ADD CONSTRAINT "Board_postCount_check" CHECK ("postCount" >= 0);
ALTER TABLE "Mail" ADD CONSTRAINT "Mail_attempts_check" CHECK ("attempts" >= 0);
