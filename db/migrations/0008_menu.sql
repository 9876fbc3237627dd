CREATE TABLE "menu_item_option_groups" (
	"merchant_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "menu_item_option_groups_merchant_id_item_id_group_id_pk" PRIMARY KEY("merchant_id","item_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "menu_item_option_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "menu_item_stores" (
	"merchant_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "menu_item_stores_merchant_id_item_id_store_id_pk" PRIMARY KEY("merchant_id","item_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "menu_item_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "menu_option_groups" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"minimum" smallint NOT NULL,
	"maximum" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menu_option_groups_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "menu_option_groups_name" UNIQUE("merchant_id","name"),
	CONSTRAINT "menu_option_groups_bounds" CHECK ("menu_option_groups"."minimum" >= 0 and "menu_option_groups"."maximum" >= 1 and "menu_option_groups"."maximum" >= "menu_option_groups"."minimum")
);
--> statement-breakpoint
ALTER TABLE "menu_option_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "menu_options" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"price" bigint NOT NULL,
	"plu" text,
	"position" integer NOT NULL,
	CONSTRAINT "menu_options_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
ALTER TABLE "menu_options" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "menu_photos" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"small" "bytea" NOT NULL,
	"large" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menu_photos_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "menu_photos_hash" UNIQUE("merchant_id","hash")
);
--> statement-breakpoint
ALTER TABLE "menu_photos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "menu_categories" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "menu_categories" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "menu_items" ADD COLUMN "translations" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "menu_items" ADD COLUMN "allergens" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "menu_items" ADD COLUMN "photo_id" uuid;--> statement-breakpoint
ALTER TABLE "menu_items" ADD COLUMN "all_stores" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "menu_item_option_groups" ADD CONSTRAINT "menu_item_option_groups_merchant_id_item_id_menu_items_merchant_id_id_fk" FOREIGN KEY ("merchant_id","item_id") REFERENCES "public"."menu_items"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_option_groups" ADD CONSTRAINT "menu_item_option_groups_merchant_id_group_id_menu_option_groups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","group_id") REFERENCES "public"."menu_option_groups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_stores" ADD CONSTRAINT "menu_item_stores_merchant_id_item_id_menu_items_merchant_id_id_fk" FOREIGN KEY ("merchant_id","item_id") REFERENCES "public"."menu_items"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_stores" ADD CONSTRAINT "menu_item_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_option_groups" ADD CONSTRAINT "menu_option_groups_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_options" ADD CONSTRAINT "menu_options_merchant_id_group_id_menu_option_groups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","group_id") REFERENCES "public"."menu_option_groups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_photos" ADD CONSTRAINT "menu_photos_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "menu_item_option_groups_group" ON "menu_item_option_groups" USING btree ("merchant_id","group_id");--> statement-breakpoint
CREATE INDEX "menu_options_group" ON "menu_options" USING btree ("merchant_id","group_id","position");--> statement-breakpoint
CREATE INDEX "menu_photos_id" ON "menu_photos" USING btree ("id");--> statement-breakpoint
ALTER TABLE "menu_items" ADD CONSTRAINT "menu_items_merchant_id_photo_id_menu_photos_merchant_id_id_fk" FOREIGN KEY ("merchant_id","photo_id") REFERENCES "public"."menu_photos"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "menu_categories_name" ON "menu_categories" USING btree ("merchant_id","name") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "menu_items_category" ON "menu_items" USING btree ("merchant_id","category_id","position");--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_item_option_groups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_item_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_option_groups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_options" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_photos" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);