-- expand
ALTER TABLE "bills" ADD COLUMN "sales_from" timestamp (3) with time zone;
