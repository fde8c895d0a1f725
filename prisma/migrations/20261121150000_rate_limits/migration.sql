-- Windows end at a number of milliseconds, as the limiter counts them. Nothing was ever written here.
ALTER TABLE "RateLimit" DROP COLUMN "expire",
ADD COLUMN     "expire" BIGINT;

CREATE INDEX "RateLimit_expire_idx" ON "RateLimit"("expire");

-- Counts are cheap to lose in a crash, and must not cost every request a write that waits for the disk.
ALTER TABLE "RateLimit" SET UNLOGGED;
