-- expand
ALTER TABLE "sales" ADD COLUMN "closes_bill" boolean;
