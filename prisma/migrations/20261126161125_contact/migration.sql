-- AlterTable
ALTER TABLE "SiteSettings" ADD COLUMN     "contact" VARCHAR(500) NOT NULL DEFAULT '';
