GRANT INSERT ON menu_categories, menu_items TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, translations, position, archived_at) ON menu_categories TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (category_id, plu, name, description, translations, price, allergens, photo_id, all_stores, position,
  archived_at) ON menu_items TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON menu_item_stores, menu_item_option_groups, menu_option_groups, menu_options TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, translations, minimum, maximum) ON menu_option_groups TO loyalty_app;
--> statement-breakpoint
GRANT UPDATE (name, translations, price, plu, position) ON menu_options TO loyalty_app;
--> statement-breakpoint
GRANT SELECT, INSERT ON menu_photos TO loyalty_app;
--> statement-breakpoint
-- A photo's address names no merchant: a menu is public, and only the photo itself is read, by its id.
CREATE FUNCTION menu_photo(photo uuid, wants_large boolean) RETURNS TABLE (content bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT CASE WHEN wants_large THEN p.large ELSE p.small END FROM menu_photos p WHERE p.id = photo
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION menu_photo(uuid, boolean) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION menu_photo(uuid, boolean) TO loyalty_app;
