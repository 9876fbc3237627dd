-- expand, one statement at a time
ALTER TABLE merchants VALIDATE CONSTRAINT merchants_confirm_above;
--> statement-breakpoint
-- A thousandth of what a key may give: about 100 dollars for a merchant that kept the default. Who wants no limit has none.
DO $$
DECLARE
  merchant uuid;
BEGIN
  LOOP
    SELECT id INTO merchant FROM merchants WHERE key_daily_value IS NOT NULL AND confirm_above IS NULL
      LIMIT 1 FOR UPDATE SKIP LOCKED;
    EXIT WHEN merchant IS NULL;
    UPDATE merchants SET confirm_above = key_daily_value / 1000 WHERE id = merchant;
    COMMIT;
  END LOOP;
END $$;
