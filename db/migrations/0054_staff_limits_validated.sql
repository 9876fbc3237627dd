-- expand, one statement at a time
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_staff_limits";--> statement-breakpoint
-- A hundredth of what a key may give: about 1,000 dollars for a merchant that kept the default. Who wants no limit has none.
DO $$
DECLARE
  merchant uuid;
BEGIN
  LOOP
    SELECT id INTO merchant FROM merchants WHERE key_daily_value >= 100 AND cashier_daily_value IS NULL
      LIMIT 1 FOR UPDATE SKIP LOCKED;
    EXIT WHEN merchant IS NULL;
    UPDATE merchants SET cashier_daily_value = key_daily_value / 100, cashier_daily_enrolments = 100 WHERE id = merchant;
    COMMIT;
  END LOOP;
END $$;
