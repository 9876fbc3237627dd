-- expand, one statement at a time
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_accent_colour";
