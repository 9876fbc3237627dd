-- What the application's role may do: no more than it needs. History can be written once and never changed.
GRANT USAGE ON SCHEMA public TO loyalty_app;
--> statement-breakpoint
GRANT SELECT ON merchants, stores, api_keys, users, memberships, stored_value_packages, stored_value_package_stores,
  menu_categories, menu_items TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON ledger_entries, audit_log, voids TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON transactions TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (status, void_id, voided_at, points_shortfall) ON transactions TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON lots TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (remaining) ON lots TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON balances TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (principal, bonus, points) ON balances TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON customers, customer_pins TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON throttles TO loyalty_app;
--> statement-breakpoint
-- Names the tenant of the running database transaction, and answers it: a statement that starts from this function
-- is at once inside row-level security, in one round trip.
CREATE FUNCTION set_tenant(merchant uuid) RETURNS TABLE (id uuid) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
  PERFORM pg_catalog.set_config('app.merchant_id', merchant::text, true);
  id := merchant;
  RETURN NEXT;
END $$;
--> statement-breakpoint
-- A key is looked up before its merchant is known, so this reads past row-level security, and only by the key's hash.
CREATE FUNCTION authenticate_api_key(key_hash bytea) RETURNS TABLE (
  api_key_id uuid, environment api_environment, expires_at timestamptz, revoked_at timestamptz,
  store_id uuid, store_code text, store_name text,
  merchant_id uuid, merchant_name text, currency text, country text, time_zone text, locale text,
  pin_required boolean, balance_limit bigint, earn_points integer, earn_per_amount bigint, point_value bigint,
  min_redeem_points integer, points_expiry_months integer, enrol_on_sale boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public AS $$
BEGIN
  RETURN QUERY
    SELECT k.id, k.environment, k.expires_at, k.revoked_at, s.id, s.store_code, s.name,
      m.id, m.name, m.currency, m.country, m.time_zone, m.locale, m.pin_required, m.balance_limit, m.earn_points,
      m.earn_per_amount, m.point_value, m.min_redeem_points, m.points_expiry_months, m.enrol_on_sale
    FROM api_keys k
    JOIN merchants m ON m.id = k.merchant_id
    LEFT JOIN stores s ON s.merchant_id = k.merchant_id AND s.id = k.store_id
    WHERE k.hash = key_hash;
END $$;
--> statement-breakpoint
-- A person signs in before a merchant is chosen: only that person's own memberships.
CREATE FUNCTION staff_memberships(staff_user uuid) RETURNS TABLE (
  merchant_id uuid, merchant_name text, role staff_role
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT m.id, m.name, s.role FROM memberships s JOIN merchants m ON m.id = s.merchant_id
  WHERE s.user_id = staff_user ORDER BY m.name, m.id
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION set_tenant(uuid), authenticate_api_key(bytea), staff_memberships(uuid) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION set_tenant(uuid), authenticate_api_key(bytea), staff_memberships(uuid) TO loyalty_app;
