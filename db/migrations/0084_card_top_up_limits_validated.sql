-- expand, one statement at a time
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_new_customers";
