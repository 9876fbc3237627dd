-- expand, one statement at a time
-- Mexico's +52 1 … and Argentina's +54 … without the 9, stored before `toE164` read them as the numbers that enrolment stores.
DO $$
DECLARE
  old record;
BEGIN
  FOR old IN
    SELECT merchant_id, phone,
      regexp_replace(regexp_replace(phone, '^\+521', '+52'), '^\+54', '+549') AS kept
    FROM (
      SELECT merchant_id, phone FROM customers
      UNION SELECT merchant_id, phone FROM diner_sessions
      UNION SELECT merchant_id, phone FROM messages WHERE phone IS NOT NULL
    ) stored
    WHERE phone ~ '^\+(521[2-9]\d{9}|54(11[0-8]\d{7}|[23]\d{9}))$'
  LOOP
    -- One number in each transaction, which holds nothing when it waits: so no FOR UPDATE SKIP LOCKED, which leaves rows.
    BEGIN
      UPDATE customers SET phone = old.kept WHERE merchant_id = old.merchant_id AND phone = old.phone;
      UPDATE diner_sessions SET phone = old.kept WHERE merchant_id = old.merchant_id AND phone = old.phone;
      UPDATE messages SET phone = old.kept WHERE merchant_id = old.merchant_id AND phone = old.phone;
    EXCEPTION WHEN unique_violation THEN
      NULL; -- Another customer has the number. Both stay as they are.
    END;
    COMMIT;
  END LOOP;
END $$;
