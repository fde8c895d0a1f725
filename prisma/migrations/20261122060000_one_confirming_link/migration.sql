-- Of a person's confirming links only the last one works: what the code does, the table now says, too. Should any have several, the last stays.
DELETE FROM "MailToken" AS former USING "MailToken" AS last
WHERE former."purpose" = 'CONFIRM_EMAIL' AND last."purpose" = 'CONFIRM_EMAIL'
    AND former."userId" = last."userId" AND former."mailTokenId" < last."mailTokenId";

CREATE UNIQUE INDEX "MailToken_userId_confirming_key" ON "MailToken"("userId") WHERE "purpose" = 'CONFIRM_EMAIL';
