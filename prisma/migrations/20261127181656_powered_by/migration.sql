-- AlterTable
ALTER TABLE "SiteSettings" ADD COLUMN     "showPoweredBy" BOOLEAN NOT NULL DEFAULT true;
