-- expand
ALTER TABLE "order_lines" ADD COLUMN "on_bill_before" integer;
