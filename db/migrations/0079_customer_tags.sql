-- expand
CREATE TYPE "public"."api_environment" AS ENUM('sandbox', 'live');--> statement-breakpoint
CREATE TYPE "public"."customer_import_state" AS ENUM('uploading', 'ready', 'running', 'finished');--> statement-breakpoint
CREATE TYPE "public"."balance_part" AS ENUM('principal', 'bonus', 'points');--> statement-breakpoint
CREATE TYPE "public"."entry_kind" AS ENUM('grant', 'spend', 'void', 'expiry', 'expiryReversal', 'adjustment');--> statement-breakpoint
CREATE TYPE "public"."transaction_status" AS ENUM('completed', 'refused', 'voided');--> statement-breakpoint
CREATE TYPE "public"."transaction_type" AS ENUM('topUp', 'redeemStoredValue', 'redeemVoucher', 'redeemPoints', 'sale', 'expiry', 'adjustment', 'cashOut');--> statement-breakpoint
CREATE TYPE "public"."mail_state" AS ENUM('queued', 'sent', 'failed', 'inbox');--> statement-breakpoint
CREATE TYPE "public"."message_state" AS ENUM('queued', 'sent', 'delivered', 'read', 'failed', 'inbox');--> statement-breakpoint
CREATE TYPE "public"."order_status" AS ENUM('placed', 'accepted', 'ready', 'served', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."qr_code_status" AS ENUM('active', 'invalidated', 'expired');--> statement-breakpoint
CREATE TYPE "public"."staff_role" AS ENUM('owner', 'manager', 'cashier');--> statement-breakpoint
CREATE TYPE "public"."package_kind" AS ENUM('fixed', 'open');--> statement-breakpoint
CREATE TYPE "public"."top_up_method" AS ENUM('card', 'counter');--> statement-breakpoint
CREATE TYPE "public"."top_up_request_state" AS ENUM('open', 'credited', 'cancelled', 'expired', 'failed', 'refunding', 'refunded');--> statement-breakpoint
CREATE TYPE "public"."issue_audience" AS ENUM('customers', 'segment', 'birthday', 'anniversary');--> statement-breakpoint
CREATE TYPE "public"."voucher_trigger" AS ENUM('join', 'birthday', 'anniversary', 'seasonal', 'manual');--> statement-breakpoint
CREATE TYPE "public"."voucher_unit" AS ENUM('BillDollarValue', 'BillDollarPercentage', 'ItemDollarValue', 'ItemDollarPercentage');--> statement-breakpoint
CREATE TABLE "api_key_days" (
	"merchant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"points" bigint NOT NULL,
	"value" bigint NOT NULL,
	"points_limit" bigint,
	"value_limit" bigint,
	CONSTRAINT "api_key_days_merchant_id_api_key_id_day_pk" PRIMARY KEY("merchant_id","api_key_id","day"),
	CONSTRAINT "api_key_days_points" CHECK ("api_key_days"."points" <= "api_key_days"."points_limit"),
	CONSTRAINT "api_key_days_value" CHECK ("api_key_days"."value" <= "api_key_days"."value_limit")
);
--> statement-breakpoint
ALTER TABLE "api_key_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_keys" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid,
	"name" text NOT NULL,
	"environment" "api_environment" NOT NULL,
	"hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"scope" text DEFAULT 'all' NOT NULL,
	"scopes" text[],
	"networks" "cidr"[] DEFAULT '{}' NOT NULL,
	"rate_per_second" integer DEFAULT 50 NOT NULL,
	"rate_burst" integer DEFAULT 100 NOT NULL,
	"sign_ups" integer DEFAULT 0 NOT NULL,
	"sign_ups_on" date,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "api_keys_hash" UNIQUE("hash"),
	CONSTRAINT "api_keys_rate" CHECK ("api_keys"."rate_per_second" between 1 and 50000 and "api_keys"."rate_burst" between 1 and 50000),
	CONSTRAINT "api_keys_scope" CHECK ("api_keys"."scope" in ('read', 'loyalty', 'ordering', 'all')),
	CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" <@ array['ordering', 'bills', 'loyalty']),
	CONSTRAINT "api_keys_networks" CHECK (cardinality("api_keys"."networks") <= 20)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "api_requests" (
	"merchant_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"operation" text,
	"status" smallint NOT NULL,
	"error_code" text,
	"duration_ms" real NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_requests_merchant_id_api_key_id_id_pk" PRIMARY KEY("merchant_id","api_key_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bill_payments" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bill_uid" uuid NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"amount" bigint NOT NULL,
	"tip" bigint DEFAULT 0 NOT NULL,
	"kept_amount" bigint DEFAULT 0 NOT NULL,
	"kept_tip" bigint DEFAULT 0 NOT NULL,
	"returned_amount" bigint DEFAULT 0 NOT NULL,
	"points_due_for" bigint DEFAULT 0 NOT NULL,
	"points_kept_for" bigint DEFAULT 0 NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"guest_id" uuid,
	"guest_name" text DEFAULT '' NOT NULL,
	"checkout_id" text,
	"checkout_url" text,
	"payment_id" text,
	"checkout_ended" boolean DEFAULT false NOT NULL,
	"returned_at" timestamp (3) with time zone,
	"refund_refused_at" timestamp (3) with time zone,
	CONSTRAINT "bill_payments_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bill_payments_state" CHECK ("bill_payments"."state" in ('held', 'released', 'taken')),
	CONSTRAINT "bill_payments_amounts" CHECK ("bill_payments"."amount" > 0 and "bill_payments"."tip" >= 0),
	CONSTRAINT "bill_payments_kept" CHECK ("bill_payments"."kept_amount" between 0 and "bill_payments"."amount" and "bill_payments"."kept_tip" between 0 and "bill_payments"."tip"
        and ("bill_payments"."state" = 'taken' or "bill_payments"."kept_amount" + "bill_payments"."kept_tip" + "bill_payments"."returned_amount" = 0)),
	CONSTRAINT "bill_payments_returned" CHECK ("bill_payments"."returned_amount" between 0 and "bill_payments"."amount" + "bill_payments"."tip" - "bill_payments"."kept_amount" - "bill_payments"."kept_tip"),
	CONSTRAINT "bill_payments_points_due" CHECK (least("bill_payments"."points_due_for", "bill_payments"."points_kept_for") >= 0 and "bill_payments"."points_due_for" + "bill_payments"."points_kept_for" <= "bill_payments"."amount" - "bill_payments"."kept_amount"),
	CONSTRAINT "bill_payments_taken" CHECK (("bill_payments"."state" = 'taken') = ("bill_payments"."taken_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "bill_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bills" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"bill_id" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"revision" integer NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"table_name" text,
	"lines" jsonb NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"service_charge" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rounding" bigint NOT NULL,
	"total" bigint NOT NULL,
	"tax_included" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"paid_at_till" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"listed_at_till" jsonb,
	"discount_transaction_ids" text[] DEFAULT '{}' NOT NULL,
	"held_amount" bigint DEFAULT 0 NOT NULL,
	"paid_amount" bigint DEFAULT 0 NOT NULL,
	"limit_amount" bigint DEFAULT 0 NOT NULL,
	"counts_from" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" uuid,
	"reopened_at" timestamp (3) with time zone,
	"settling_until" timestamp (3) with time zone,
	CONSTRAINT "bills_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bills_state" CHECK ("bills"."state" in ('open', 'closed', 'void')),
	CONSTRAINT "bills_revision" CHECK ("bills"."revision" > 0),
	CONSTRAINT "bills_total" CHECK ("bills"."total" = "bills"."subtotal" - "bills"."discount" + "bills"."service_charge" + "bills"."tax" + "bills"."rounding" and "bills"."total" >= 0),
	CONSTRAINT "bills_taken" CHECK ("bills"."held_amount" >= 0 and "bills"."paid_amount" >= 0 and "bills"."held_amount" + "bills"."paid_amount" <= "bills"."limit_amount"),
	CONSTRAINT "bills_closed" CHECK (("bills"."state" = 'open') = ("bills"."closed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "bills" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cash_up_counts" (
	"merchant_id" uuid NOT NULL,
	"cash_up_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	"expected" bigint NOT NULL,
	"counted" bigint NOT NULL,
	CONSTRAINT "cash_up_counts_merchant_id_cash_up_id_payment_method_pk" PRIMARY KEY("merchant_id","cash_up_id","payment_method")
);
--> statement-breakpoint
ALTER TABLE "cash_up_counts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cash_up_entries" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"is_void" boolean NOT NULL,
	"cash_up_id" uuid NOT NULL,
	CONSTRAINT "cash_up_entries_merchant_id_transaction_uid_is_void_pk" PRIMARY KEY("merchant_id","transaction_uid","is_void")
);
--> statement-breakpoint
ALTER TABLE "cash_up_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "cash_ups" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"replaces_id" uuid,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cash_ups_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "cash_ups_replaced" UNIQUE("merchant_id","replaces_id"),
	CONSTRAINT "cash_ups_reason" CHECK (("cash_ups"."replaces_id" is null) = ("cash_ups"."reason" is null)),
	CONSTRAINT "cash_ups_shift" CHECK ("cash_ups"."since" < "cash_ups"."until")
);
--> statement-breakpoint
ALTER TABLE "cash_ups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "balances" (
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"principal" bigint DEFAULT 0 NOT NULL,
	"bonus" bigint DEFAULT 0 NOT NULL,
	"points" bigint DEFAULT 0 NOT NULL,
	"holds_value" boolean GENERATED ALWAYS AS (principal + bonus > 0) STORED,
	"blocked_at" timestamp (3) with time zone,
	"merged_at" timestamp (3) with time zone,
	"unmerged_at" timestamp (3) with time zone,
	"gained_on" date,
	"gained_points" bigint DEFAULT 0 NOT NULL,
	"gained_value" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "balances_merchant_id_customer_id_pk" PRIMARY KEY("merchant_id","customer_id"),
	CONSTRAINT "balances_principal" CHECK (principal between 0 and 1000000000000000),
	CONSTRAINT "balances_bonus" CHECK (bonus between 0 and 1000000000000000),
	CONSTRAINT "balances_points" CHECK (points between 0 and 900000000000)
);
--> statement-breakpoint
ALTER TABLE "balances" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_import_rows" (
	"merchant_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"row_number" integer NOT NULL,
	"cells" text[] NOT NULL,
	"problems" text[],
	CONSTRAINT "customer_import_rows_merchant_id_import_id_row_number_pk" PRIMARY KEY("merchant_id","import_id","row_number")
);
--> statement-breakpoint
ALTER TABLE "customer_import_rows" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_imports" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"state" "customer_import_state" NOT NULL,
	"headings" text[] NOT NULL,
	"mapping" jsonb,
	"row_count" integer DEFAULT 0 NOT NULL,
	"done_through" integer DEFAULT 1 NOT NULL,
	"enrolled_count" integer DEFAULT 0 NOT NULL,
	"added_count" integer DEFAULT 0 NOT NULL,
	"problem_count" integer DEFAULT 0 NOT NULL,
	"warning_count" integer DEFAULT 0 NOT NULL,
	"openings" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"undo_user_id" uuid,
	"undo_started_at" timestamp (3) with time zone,
	"undone_through" uuid,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "customer_imports_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "customer_imports_started" CHECK (("customer_imports"."state" in ('running', 'finished')) = ("customer_imports"."started_at" is not null)),
	CONSTRAINT "customer_imports_undone" CHECK (("customer_imports"."undo_user_id" is null) = ("customer_imports"."undo_started_at" is null)
        and ("customer_imports"."undo_started_at" is null or "customer_imports"."finished_at" is not null)
        and ("customer_imports"."undone_at" is null or "customer_imports"."undo_started_at" is not null)),
	CONSTRAINT "customer_imports_finished" CHECK (("customer_imports"."state" = 'finished') = ("customer_imports"."finished_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "customer_imports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	CONSTRAINT "customer_notes_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
ALTER TABLE "customer_notes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_pins" (
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"lockouts" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_pins_merchant_id_customer_id_pk" PRIMARY KEY("merchant_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "customer_pins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customer_terms" (
	"merchant_id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"customer_id" uuid NOT NULL,
	CONSTRAINT "customer_terms_merchant_id_term_customer_id_pk" PRIMARY KEY("merchant_id","term","customer_id")
);
--> statement-breakpoint
ALTER TABLE "customer_terms" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customers" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"given_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone" text,
	"email" text,
	"birthday" date,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"email_key" text GENERATED ALWAYS AS (lower(email)) STORED,
	"name_key" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(given_name || ' ' || last_name, NFKD), '[\u0300-\u036f]', '', 'g')), 80)) STORED NOT NULL,
	"birth_day" smallint GENERATED ALWAYS AS (extract(month from birthday) * 100 + extract(day from birthday)) STORED,
	"language" text,
	"privacy_accepted_at" timestamp (3) with time zone,
	"messages_opted_in_at" timestamp (3) with time zone,
	"messages_opted_out_at" timestamp (3) with time zone,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"sign_up_vouchers_due" boolean DEFAULT false NOT NULL,
	"erased_at" timestamp (3) with time zone,
	"merged_into" uuid,
	"merge_undo" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "customers_phone" UNIQUE("merchant_id","phone"),
	CONSTRAINT "customers_email" UNIQUE("merchant_id","email_key"),
	CONSTRAINT "customers_merged_into_another" CHECK ("customers"."merged_into" <> "customers"."id")
);
--> statement-breakpoint
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "diner_codes" (
	"merchant_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "diner_codes_merchant_id_phone_pk" PRIMARY KEY("merchant_id","phone"),
	CONSTRAINT "diner_codes_failures" CHECK ("diner_codes"."failures" between 0 and 5)
);
--> statement-breakpoint
ALTER TABLE "diner_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "diner_sessions" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"phone" text NOT NULL,
	"customer_id" uuid,
	"verified_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "diner_sessions_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "diner_sessions_token" UNIQUE("merchant_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "diner_sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "events" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"store_id" uuid,
	"customer_id" uuid,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"data" jsonb,
	"xid" bigint DEFAULT greatest((pg_current_xact_id()::text)::bigint, (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint - 1) NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "events_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "events_order" UNIQUE("merchant_id","xid","seq")
);
--> statement-breakpoint
ALTER TABLE "events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"merchant_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"attempted_at" timestamp (3) with time zone,
	"status" smallint,
	"duration_ms" integer,
	"response" text,
	"failure" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_merchant_id_endpoint_id_event_id_pk" PRIMARY KEY("merchant_id","endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_pending" CHECK (("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "webhook_deliveries_response" CHECK (length("webhook_deliveries"."response") <= 1000)
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"event_types" text[],
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"state" text DEFAULT 'enabled' NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"queued_xid" bigint NOT NULL,
	"queued_seq" bigint NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_endpoints_state" CHECK ("webhook_endpoints"."state" in ('enabled', 'paused', 'disabled')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."state" = 'disabled') = ("webhook_endpoints"."disabled_at" is not null)
        and ("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_reason" is null)),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_secret_until" is null))
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "job_runs" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task" text NOT NULL,
	"requested_by" uuid,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"done" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"error" text,
	CONSTRAINT "job_runs_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "job_runs_error" CHECK (("job_runs"."error" is null) = ("job_runs"."failures" = 0))
);
--> statement-breakpoint
ALTER TABLE "job_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "scheduled_tasks" (
	"task" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"done" integer,
	"error" text
);
--> statement-breakpoint
ALTER TABLE "scheduled_tasks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "adjustments" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"amount" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"import_id" uuid,
	"merged_with" uuid,
	CONSTRAINT "adjustments_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "adjustments_transaction" UNIQUE("merchant_id","transaction_uid")
);
--> statement-breakpoint
ALTER TABLE "adjustments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"merchant_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_uid" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"lot_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"kind" "entry_kind" NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lots" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"granted" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revived_at" timestamp (3) with time zone,
	"expired_at" timestamp (3) with time zone,
	"open" boolean GENERATED ALWAYS AS (remaining > 0) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lots_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "lots_remaining" CHECK ("lots"."granted" > 0 and "lots"."remaining" between 0 and "lots"."granted"),
	CONSTRAINT "lots_principal_keeps" CHECK ("lots"."part" <> 'principal' or "lots"."expires_at" is null)
);
--> statement-breakpoint
ALTER TABLE "lots" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "transactions" (
	"merchant_id" uuid NOT NULL,
	"uid" uuid NOT NULL,
	"store_id" uuid,
	"transaction_id" text collate "C",
	"type" "transaction_type",
	"status" "transaction_status" NOT NULL,
	"facet" smallint GENERATED ALWAYS AS (10 * case type when 'topUp' then 1 when 'redeemStoredValue' then 2 when 'redeemVoucher' then 3 when 'redeemPoints' then 4 when 'sale' then 5 when 'expiry' then 6 when 'adjustment' then 7 else 0 end + case status when 'completed' then 1 when 'refused' then 2 when 'voided' then 3 else 0 end) STORED NOT NULL,
	"customer_id" uuid,
	"amount" bigint,
	"bill_id" text,
	"staff_id" text,
	"receipt_number" text,
	"api_key_id" uuid,
	"request_hash" "bytea",
	"answer" text,
	"points_shortfall" bigint DEFAULT 0 NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"void_id" uuid,
	"voided_at" timestamp (3) with time zone,
	"void_effect" text,
	CONSTRAINT "transactions_merchant_id_uid_pk" PRIMARY KEY("merchant_id","uid"),
	CONSTRAINT "transactions_transaction_id" UNIQUE("merchant_id","store_id","transaction_id"),
	CONSTRAINT "transactions_origin" CHECK ("transactions"."type" in ('expiry', 'adjustment')
        or ("transactions"."transaction_id" is not null and ("transactions"."store_id" is not null or "transactions"."type" = 'topUp'))),
	CONSTRAINT "transactions_tombstone" CHECK ("transactions"."type" is not null or "transactions"."status" = 'voided'),
	CONSTRAINT "transactions_voided" CHECK (("transactions"."status" = 'voided') = ("transactions"."voided_at" is not null)),
	CONSTRAINT "transactions_shortfall" CHECK ("transactions"."points_shortfall" >= 0)
);
--> statement-breakpoint
ALTER TABLE "transactions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voids" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid,
	"api_key_id" uuid,
	"user_id" uuid,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voids_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "voids_actor" CHECK (num_nonnulls("voids"."api_key_id", "voids"."user_id") <= 1 and ("voids"."store_id" is null) = ("voids"."api_key_id" is null))
);
--> statement-breakpoint
ALTER TABLE "voids" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"letter" "bytea",
	"state" "mail_state" NOT NULL,
	"failure" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_letter" CHECK ("mails"."state" in ('queued', 'inbox') or "mails"."letter" is null)
);
--> statement-breakpoint
ALTER TABLE "mails" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "menu_categories" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"station" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menu_categories_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
ALTER TABLE "menu_categories" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
CREATE TABLE "menu_items" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"category_id" uuid NOT NULL,
	"plu" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"price" bigint NOT NULL,
	"allergens" text[] DEFAULT '{}' NOT NULL,
	"diets" text[] DEFAULT '{}' NOT NULL,
	"photo_id" uuid,
	"all_stores" boolean DEFAULT true NOT NULL,
	"position" integer NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menu_items_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "menu_items_plu" UNIQUE("merchant_id","plu"),
	CONSTRAINT "menu_items_price" CHECK ("menu_items"."price" >= 0)
);
--> statement-breakpoint
ALTER TABLE "menu_items" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
	"allergens" text[] DEFAULT '{}' NOT NULL,
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
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menu_photos_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "menu_photos_hash" UNIQUE("merchant_id","hash")
);
--> statement-breakpoint
ALTER TABLE "menu_photos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "merchant_moves" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"cell" text NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"step" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "merchant_moves_state" CHECK ("merchant_moves"."state" in ('leaving', 'arriving', 'left')),
	CONSTRAINT "merchant_moves_stopped" CHECK ("merchant_moves"."state" <> 'arriving' or "merchant_moves"."stopped_at" is null),
	CONSTRAINT "merchant_moves_left" CHECK (("merchant_moves"."state" = 'left') = ("merchant_moves"."left_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "merchant_moves" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "moved_references" (
	"kind" text NOT NULL,
	"reference" "bytea" NOT NULL,
	"merchant_id" uuid NOT NULL,
	CONSTRAINT "moved_references_merchant_id_kind_reference_pk" PRIMARY KEY("merchant_id","kind","reference"),
	CONSTRAINT "moved_references_kind" CHECK ("moved_references"."kind" in ('apiKey', 'qrCode', 'invitation', 'photo', 'member'))
);
--> statement-breakpoint
ALTER TABLE "moved_references" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_log" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" text,
	"after" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"country" text NOT NULL,
	"time_zone" text NOT NULL,
	"day_starts_at" smallint DEFAULT 0 NOT NULL,
	"locale" text NOT NULL,
	"pin_required" boolean DEFAULT false NOT NULL,
	"balance_limit" bigint,
	"cashier_refund_limit" bigint DEFAULT 0 NOT NULL,
	"confirm_above" bigint,
	"late_order_minutes" integer DEFAULT 15 NOT NULL,
	"earning_sale_limit" bigint,
	"customer_daily_points" bigint,
	"customer_daily_value" bigint,
	"key_daily_points" bigint,
	"key_daily_value" bigint,
	"key_daily_sign_ups" integer,
	"cashier_daily_value" bigint,
	"cashier_daily_enrolments" integer,
	"manager_daily_value" bigint,
	"manager_daily_points" bigint,
	"manager_daily_vouchers" integer,
	"manager_daily_enrolments" integer,
	"codes_per_hour" integer DEFAULT 200 NOT NULL,
	"codes_per_day" integer DEFAULT 1000 NOT NULL,
	"code_countries" text[],
	"earn_points" integer DEFAULT 1 NOT NULL,
	"earn_per_amount" bigint DEFAULT 100 NOT NULL,
	"point_value" bigint DEFAULT 1 NOT NULL,
	"min_redeem_points" integer DEFAULT 1 NOT NULL,
	"points_expiry_months" integer,
	"points_on_net" boolean DEFAULT false NOT NULL,
	"backdating_days" integer DEFAULT 31 NOT NULL,
	"enrol_on_sale" boolean DEFAULT false NOT NULL,
	"sign_up_needs_phone" boolean DEFAULT false NOT NULL,
	"returned_value_days" integer,
	"cash_out_keeps_bonus" boolean DEFAULT false NOT NULL,
	"refuses_owing" boolean DEFAULT false NOT NULL,
	"no_points_plus" text[] DEFAULT '{}' NOT NULL,
	"no_points_category_ids" uuid[] DEFAULT '{}' NOT NULL,
	"privacy_url" text,
	"logo_id" uuid,
	"accent_colour" text,
	"welcome" text,
	"tax_name" text,
	"tax_basis_points" integer,
	"tax_included" boolean DEFAULT true NOT NULL,
	"service_basis_points" integer,
	"service_included" boolean DEFAULT false NOT NULL,
	"clock_ahead_seconds" integer DEFAULT 0 NOT NULL,
	"clock_moved_at" timestamp (3) with time zone,
	"notice_kinds" text[] DEFAULT '{}' NOT NULL,
	"records_events" boolean DEFAULT false NOT NULL,
	"event_types" text[] DEFAULT '{}',
	"quiet_from" text DEFAULT '21:00',
	"quiet_until" text DEFAULT '09:00',
	"reminded_through" timestamp (3) with time zone,
	"second_factor_of" text DEFAULT 'nobody' NOT NULL,
	"second_factor_from" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchants_second_factor" CHECK ("merchants"."second_factor_of" in ('nobody', 'owners', 'managers', 'everybody')
        and ("merchants"."second_factor_of" = 'nobody') = ("merchants"."second_factor_from" is null)),
	CONSTRAINT "merchants_quiet_hours" CHECK (("merchants"."quiet_from" is null) = ("merchants"."quiet_until" is null) and "merchants"."quiet_from" <> "merchants"."quiet_until"
        and "merchants"."quiet_from" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "merchants"."quiet_until" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
	CONSTRAINT "merchants_points_rules" CHECK ("merchants"."earn_points" between 0 and 1000000 and "merchants"."earn_per_amount" > 0 and "merchants"."point_value" between 0 and 10000 and "merchants"."min_redeem_points" > 0),
	CONSTRAINT "merchants_tax" CHECK ("merchants"."tax_basis_points" between 1 and 10000 and "merchants"."service_basis_points" between 1 and 10000),
	CONSTRAINT "merchants_accent_colour" CHECK ("merchants"."accent_colour" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "merchants_cashier_refunds" CHECK ("merchants"."cashier_refund_limit" >= 0),
	CONSTRAINT "merchants_confirm_above" CHECK ("merchants"."confirm_above" >= 0),
	CONSTRAINT "merchants_daily_limits" CHECK (least("merchants"."earning_sale_limit", "merchants"."customer_daily_points", "merchants"."customer_daily_value", "merchants"."key_daily_points", "merchants"."key_daily_value") > 0),
	CONSTRAINT "merchants_staff_limits" CHECK (least("merchants"."cashier_daily_value", "merchants"."cashier_daily_enrolments", "merchants"."manager_daily_value", "merchants"."manager_daily_points", "merchants"."manager_daily_vouchers", "merchants"."manager_daily_enrolments") > 0),
	CONSTRAINT "merchants_codes" CHECK ("merchants"."codes_per_hour" between 1 and 100000 and "merchants"."codes_per_day" between 1 and 1000000 and cardinality("merchants"."code_countries") > 0),
	CONSTRAINT "merchants_late_orders" CHECK ("merchants"."late_order_minutes" between 1 and 240),
	CONSTRAINT "merchants_day_starts_at" CHECK ("merchants"."day_starts_at" between 0 and 6),
	CONSTRAINT "merchants_returned_value" CHECK ("merchants"."returned_value_days" between 1 and 366),
	CONSTRAINT "merchants_backdating" CHECK ("merchants"."backdating_days" between 1 and 31),
	CONSTRAINT "merchants_clock" CHECK ("merchants"."clock_ahead_seconds" between 0 and 63244800)
);
--> statement-breakpoint
ALTER TABLE "merchants" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stores" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_code" text NOT NULL,
	"is_code_shared" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"day_starts_at" smallint,
	"last_order_number" integer DEFAULT 0 NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stores_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "stores_store_code" UNIQUE("merchant_id","store_code"),
	CONSTRAINT "stores_day_starts_at" CHECK ("stores"."day_starts_at" between 0 and 6)
);
--> statement-breakpoint
ALTER TABLE "stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_templates" (
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"template_name" text NOT NULL,
	"body" text NOT NULL,
	"is_on" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "message_templates_merchant_id_kind_language_pk" PRIMARY KEY("merchant_id","kind","language")
);
--> statement-breakpoint
ALTER TABLE "message_templates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "messages" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid,
	"phone" text,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"state" "message_state" DEFAULT 'queued' NOT NULL,
	"subject" text,
	"due_at" timestamp (3) with time zone,
	"secret" "bytea",
	"attempts" smallint DEFAULT 0 NOT NULL,
	"provider_id" text,
	"failure" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "messages_notice" CHECK (("messages"."subject" is null) = ("messages"."due_at" is null)),
	CONSTRAINT "messages_recipient" CHECK (num_nonnulls("messages"."customer_id", "messages"."phone") = 1),
	CONSTRAINT "messages_secret" CHECK ("messages"."state" in ('queued', 'inbox') or "messages"."secret" is null)
);
--> statement-breakpoint
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "order_lines" (
	"merchant_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"plu" text NOT NULL,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_price" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"on_bill_before" integer,
	CONSTRAINT "order_lines_merchant_id_order_id_position_pk" PRIMARY KEY("merchant_id","order_id","position"),
	CONSTRAINT "order_lines_quantity" CHECK ("order_lines"."quantity" between 1 and 99)
);
--> statement-breakpoint
ALTER TABLE "order_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "orders" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"qr_code_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"client_order_id" uuid NOT NULL,
	"status" "order_status" DEFAULT 'placed' NOT NULL,
	"total" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"guest_id" uuid,
	"guest_name" text DEFAULT '' NOT NULL,
	"placed_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "orders_client_order_id" UNIQUE("merchant_id","qr_code_id","client_order_id"),
	CONSTRAINT "orders_number" UNIQUE("merchant_id","store_id","number")
);
--> statement-breakpoint
ALTER TABLE "orders" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "qr_codes" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"bill_id" text NOT NULL,
	"table_name" text,
	"guests" integer,
	"status" "qr_code_status" DEFAULT 'active' NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"invalidated_at" timestamp (3) with time zone,
	"invalidated_by" text,
	"opened_by" text DEFAULT 'till' NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "qr_codes_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "qr_codes_token" UNIQUE("token_hash"),
	CONSTRAINT "qr_codes_opened_by" CHECK ("qr_codes"."opened_by" in ('till', 'diner')),
	CONSTRAINT "qr_codes_invalidated" CHECK (("qr_codes"."status" = 'invalidated') = ("qr_codes"."invalidated_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "qr_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stock_outs" (
	"merchant_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"plu" text NOT NULL,
	"until" timestamp (3) with time zone,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"stocked_out_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_outs_merchant_id_store_id_plu_pk" PRIMARY KEY("merchant_id","store_id","plu")
);
--> statement-breakpoint
ALTER TABLE "stock_outs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "credit_days" (
	"merchant_id" uuid NOT NULL,
	"part" "balance_part" NOT NULL,
	"granted_on" date NOT NULL,
	"expires_on" date,
	"remaining" bigint NOT NULL,
	CONSTRAINT "credit_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","part","granted_on","expires_on")
);
--> statement-breakpoint
ALTER TABLE "credit_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid,
	"part" "balance_part" NOT NULL,
	"granted" bigint NOT NULL,
	"spent" bigint NOT NULL,
	"expired" bigint NOT NULL,
	"adjusted" bigint NOT NULL,
	CONSTRAINT "ledger_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","day","store_id","part")
);
--> statement-breakpoint
ALTER TABLE "ledger_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "report_progress" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"entry_id" bigint NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"void_id" uuid NOT NULL,
	"voucher_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_progress" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sale_days" (
	"merchant_id" uuid NOT NULL,
	"dimension" text NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"quantity" numeric(16, 3) NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_days_merchant_id_dimension_day_store_id_key_label_pk" PRIMARY KEY("merchant_id","dimension","day","store_id","key","label")
);
--> statement-breakpoint
ALTER TABLE "sale_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "transaction_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"store_id" uuid,
	"type" "transaction_type" NOT NULL,
	"count" integer NOT NULL,
	"amount" bigint NOT NULL,
	"gross_count" integer DEFAULT 0 NOT NULL,
	"gross" bigint DEFAULT 0 NOT NULL,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "transaction_days_key" UNIQUE NULLS NOT DISTINCT("merchant_id","day","store_id","type")
);
--> statement-breakpoint
ALTER TABLE "transaction_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_days" (
	"merchant_id" uuid NOT NULL,
	"day" date NOT NULL,
	"campaign_id" uuid NOT NULL,
	"issued" integer NOT NULL,
	"redeemed" integer NOT NULL,
	"discount" bigint NOT NULL,
	CONSTRAINT "voucher_days_merchant_id_day_campaign_id_pk" PRIMARY KEY("merchant_id","day","campaign_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sale_lines" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"position" smallint NOT NULL,
	"plu" text NOT NULL,
	"name" text NOT NULL,
	"quantity" numeric(12, 3) NOT NULL,
	"unit_price" bigint NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_lines_merchant_id_transaction_uid_position_pk" PRIMARY KEY("merchant_id","transaction_uid","position")
);
--> statement-breakpoint
ALTER TABLE "sale_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sale_payments" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"position" smallint NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "sale_payments_merchant_id_transaction_uid_position_pk" PRIMARY KEY("merchant_id","transaction_uid","position")
);
--> statement-breakpoint
ALTER TABLE "sale_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sales" (
	"merchant_id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"service_charge" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"rounding" bigint NOT NULL,
	"total" bigint NOT NULL,
	"tax_included" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"points_earned" bigint NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"points_taken" bigint DEFAULT 0 NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sales_merchant_id_transaction_uid_pk" PRIMARY KEY("merchant_id","transaction_uid"),
	CONSTRAINT "sales_total" CHECK ("sales"."total" = "sales"."subtotal" - "sales"."discount" + "sales"."service_charge" + "sales"."tax" + "sales"."rounding")
);
--> statement-breakpoint
ALTER TABLE "sales" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "authenticators" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"last_step" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authenticators" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passkeys_credential" UNIQUE("credential_id")
);
--> statement-breakpoint
ALTER TABLE "passkeys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "recovery_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "invitation_stores" (
	"merchant_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "invitation_stores_merchant_id_invitation_id_store_id_pk" PRIMARY KEY("merchant_id","invitation_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "invitation_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "invitations" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" "staff_role" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"mail_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"all_stores" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "invitations_email" UNIQUE("merchant_id","email"),
	CONSTRAINT "invitations_token" UNIQUE("token_hash"),
	CONSTRAINT "invitations_stores" CHECK ("invitations"."all_stores" or "invitations"."role" <> 'owner')
);
--> statement-breakpoint
ALTER TABLE "invitations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "membership_stores" (
	"merchant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "membership_stores_merchant_id_user_id_store_id_pk" PRIMARY KEY("merchant_id","user_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "membership_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "memberships" (
	"merchant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" "staff_role" NOT NULL,
	"summary_language" text,
	"summarized_until" date,
	"all_stores" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_merchant_id_user_id_pk" PRIMARY KEY("merchant_id","user_id"),
	CONSTRAINT "memberships_summary" CHECK (("memberships"."summary_language" is null) = ("memberships"."summarized_until" is null)),
	CONSTRAINT "memberships_stores" CHECK ("memberships"."all_stores" or ("memberships"."role" <> 'owner' and "memberships"."summary_language" is null))
);
--> statement-breakpoint
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_version" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "password_resets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"bucket" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rate_buckets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"session_version" integer NOT NULL,
	"browser" text NOT NULL,
	"network" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "staff_sessions_token" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text PRIMARY KEY NOT NULL,
	"attempts" integer NOT NULL,
	"resets_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "throttles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"language" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "partial_refunds" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"voided_uid" uuid NOT NULL,
	"rest_uid" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"total_amount" bigint NOT NULL,
	CONSTRAINT "partial_refunds_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "partial_refunds_voided" UNIQUE("merchant_id","voided_uid"),
	CONSTRAINT "partial_refunds_rest" UNIQUE("merchant_id","rest_uid"),
	CONSTRAINT "partial_refunds_amounts" CHECK ("partial_refunds"."amount" > 0 and "partial_refunds"."total_amount" >= "partial_refunds"."amount")
);
--> statement-breakpoint
ALTER TABLE "partial_refunds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_days" (
	"merchant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"value" bigint DEFAULT 0 NOT NULL,
	"points" bigint DEFAULT 0 NOT NULL,
	"vouchers" integer DEFAULT 0 NOT NULL,
	"enrolments" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "staff_days_merchant_id_user_id_day_pk" PRIMARY KEY("merchant_id","user_id","day")
);
--> statement-breakpoint
ALTER TABLE "staff_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_top_ups" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"transaction_uid" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	CONSTRAINT "staff_top_ups_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "staff_top_ups_transaction" UNIQUE("merchant_id","transaction_uid")
);
--> statement-breakpoint
ALTER TABLE "staff_top_ups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stored_value_package_stores" (
	"merchant_id" uuid NOT NULL,
	"package_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "stored_value_package_stores_merchant_id_package_id_store_id_pk" PRIMARY KEY("merchant_id","package_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "stored_value_package_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stored_value_packages" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"kind" "package_kind" NOT NULL,
	"amount" bigint,
	"bonus_amount" bigint,
	"min_amount" bigint,
	"max_amount" bigint,
	"bonus_basis_points" integer,
	"bonus_expires_in_days" integer,
	"all_stores" boolean DEFAULT true NOT NULL,
	"valid_from" timestamp (3) with time zone,
	"valid_until" timestamp (3) with time zone,
	"position" integer DEFAULT 0 NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stored_value_packages_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "stored_value_packages_shape" CHECK (case "stored_value_packages"."kind"
        when 'fixed' then num_nonnulls("stored_value_packages"."amount", "stored_value_packages"."bonus_amount") = 2 and "stored_value_packages"."amount" > 0 and "stored_value_packages"."bonus_amount" >= 0
          and num_nonnulls("stored_value_packages"."min_amount", "stored_value_packages"."max_amount", "stored_value_packages"."bonus_basis_points") = 0
        else num_nonnulls("stored_value_packages"."min_amount", "stored_value_packages"."max_amount", "stored_value_packages"."bonus_basis_points") = 3 and "stored_value_packages"."min_amount" > 0
          and "stored_value_packages"."max_amount" >= "stored_value_packages"."min_amount" and "stored_value_packages"."bonus_basis_points" >= 0
          and num_nonnulls("stored_value_packages"."amount", "stored_value_packages"."bonus_amount") = 0
      end),
	CONSTRAINT "stored_value_packages_expiry" CHECK ("stored_value_packages"."bonus_expires_in_days" > 0)
);
--> statement-breakpoint
ALTER TABLE "stored_value_packages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "dining_tables" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"name" text NOT NULL,
	"area" text DEFAULT '' NOT NULL,
	"seats" integer,
	"token_hash" "bytea" NOT NULL,
	"card_number" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "dining_tables_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "dining_tables_token" UNIQUE("token_hash"),
	CONSTRAINT "dining_tables_seats" CHECK ("dining_tables"."seats" between 1 and 1000)
);
--> statement-breakpoint
ALTER TABLE "dining_tables" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "ordering_settings" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"redeems_on_bill" boolean DEFAULT true NOT NULL,
	"card_on_bill" boolean DEFAULT true NOT NULL,
	"take_back_minutes" smallint DEFAULT 2 NOT NULL,
	"tip_percentages" smallint[] DEFAULT '{}' NOT NULL,
	"orders_again" boolean DEFAULT true NOT NULL,
	"shows_popular" boolean DEFAULT true NOT NULL,
	"filters_diets" boolean DEFAULT true NOT NULL,
	"calls_staff" boolean DEFAULT true NOT NULL,
	"estimates_wait" boolean DEFAULT true NOT NULL,
	"table_card_page" text DEFAULT 'menu' NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ordering_settings_tips" CHECK (cardinality("ordering_settings"."tip_percentages") <= 4 and 0 < all ("ordering_settings"."tip_percentages") and 50 >= all ("ordering_settings"."tip_percentages")),
	CONSTRAINT "ordering_settings_take_back" CHECK ("ordering_settings"."take_back_minutes" between 0 and 60),
	CONSTRAINT "ordering_settings_table_card_page" CHECK ("ordering_settings"."table_card_page" in ('menu', 'bill'))
);
--> statement-breakpoint
ALTER TABLE "ordering_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "table_calls" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	"qr_code_id" uuid,
	"table_id" uuid,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answered_by" uuid,
	CONSTRAINT "table_calls_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "table_calls_kind" CHECK ("table_calls"."kind" in ('staff', 'bill')),
	CONSTRAINT "table_calls_subject" CHECK (num_nonnulls("table_calls"."qr_code_id", "table_calls"."table_id") = 1),
	CONSTRAINT "table_calls_answered" CHECK ("table_calls"."answered_by" is null or "table_calls"."answered_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "table_calls" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "this_cell" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text NOT NULL,
	"secret_ids" text[] NOT NULL,
	CONSTRAINT "this_cell_only" CHECK ("this_cell"."is_only")
);
--> statement-breakpoint
ALTER TABLE "this_cell" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "top_up_requests" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"request_key" uuid NOT NULL,
	"package_id" uuid NOT NULL,
	"principal" bigint NOT NULL,
	"bonus" bigint NOT NULL,
	"bonus_expires_in_days" integer,
	"method" "top_up_method" NOT NULL,
	"state" "top_up_request_state" DEFAULT 'open' NOT NULL,
	"counter_code" text,
	"checkout_id" text,
	"checkout_url" text,
	"payment_id" text,
	"refusal" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"refund_refused_at" timestamp (3) with time zone,
	"alerted_at" timestamp (3) with time zone,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"transaction_uid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "top_up_requests_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "top_up_requests_request_key" UNIQUE("merchant_id","customer_id","request_key"),
	CONSTRAINT "top_up_requests_transaction" UNIQUE("merchant_id","transaction_uid"),
	CONSTRAINT "top_up_requests_amounts" CHECK ("top_up_requests"."principal" > 0 and "top_up_requests"."bonus" >= 0 and "top_up_requests"."refunded_amount" >= 0),
	CONSTRAINT "top_up_requests_method" CHECK (("top_up_requests"."method" = 'counter') = ("top_up_requests"."counter_code" is not null)),
	CONSTRAINT "top_up_requests_credited" CHECK ("top_up_requests"."state" <> 'credited' or "top_up_requests"."transaction_uid" is not null)
);
--> statement-breakpoint
ALTER TABLE "top_up_requests" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_campaign_stores" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"store_id" uuid NOT NULL,
	CONSTRAINT "voucher_campaign_stores_merchant_id_campaign_id_store_id_pk" PRIMARY KEY("merchant_id","campaign_id","store_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_campaigns" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"unit" "voucher_unit" NOT NULL,
	"value" bigint NOT NULL,
	"plus" text[] DEFAULT '{}' NOT NULL,
	"min_spend" bigint DEFAULT 0 NOT NULL,
	"max_discount" bigint,
	"max_units" integer DEFAULT 1 NOT NULL,
	"stackable" boolean DEFAULT false NOT NULL,
	"all_stores" boolean DEFAULT true NOT NULL,
	"valid_from" timestamp (3) with time zone,
	"valid_until" timestamp (3) with time zone,
	"validity_days" integer,
	"trigger" "voucher_trigger" NOT NULL,
	"days_before" smallint DEFAULT 0 NOT NULL,
	"seasonal_on" date,
	"last_visited_store_id" uuid,
	"min_spent" bigint,
	"not_seen_since" date,
	"joined_before" date,
	"holds_stored_value" boolean DEFAULT false NOT NULL,
	"occasions_through" date,
	"total_limit" integer,
	"per_customer_limit" integer,
	"issued_count" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voucher_campaigns_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "voucher_campaigns_value" CHECK ("voucher_campaigns"."value" > 0 and ("voucher_campaigns"."unit" in ('BillDollarValue', 'ItemDollarValue') or "voucher_campaigns"."value" <= 10000)),
	CONSTRAINT "voucher_campaigns_items" CHECK (("voucher_campaigns"."unit" in ('ItemDollarValue', 'ItemDollarPercentage')) = (cardinality("voucher_campaigns"."plus") > 0)),
	CONSTRAINT "voucher_campaigns_bounds" CHECK ("voucher_campaigns"."min_spend" >= 0 and "voucher_campaigns"."max_discount" > 0 and "voucher_campaigns"."max_units" > 0 and "voucher_campaigns"."validity_days" > 0),
	CONSTRAINT "voucher_campaigns_total_limit" CHECK ("voucher_campaigns"."issued_count" between 0 and coalesce("voucher_campaigns"."total_limit", 2147483647)),
	CONSTRAINT "voucher_campaigns_customer_limit" CHECK ("voucher_campaigns"."per_customer_limit" > 0),
	CONSTRAINT "voucher_campaigns_days_before" CHECK ("voucher_campaigns"."days_before" between 0 and 30),
	CONSTRAINT "voucher_campaigns_seasonal" CHECK (("voucher_campaigns"."trigger" = 'seasonal') = ("voucher_campaigns"."seasonal_on" is not null)),
	CONSTRAINT "voucher_campaigns_min_spent" CHECK ("voucher_campaigns"."min_spent" > 0)
);
--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_counts" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"issued_count" integer NOT NULL,
	CONSTRAINT "voucher_counts_merchant_id_campaign_id_customer_id_pk" PRIMARY KEY("merchant_id","campaign_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "voucher_counts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_issues" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"audience" "issue_audience" NOT NULL,
	"customer_ids" uuid[],
	"last_visited_store_id" uuid,
	"min_spent" bigint,
	"not_seen_since" date,
	"joined_before" date,
	"holds_stored_value" boolean DEFAULT false NOT NULL,
	"occasion_on" date,
	"requested_count" integer,
	"issued_count" integer DEFAULT 0 NOT NULL,
	"refused_count" integer DEFAULT 0 NOT NULL,
	"done_through" uuid,
	"user_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "voucher_issues_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "voucher_issues_occasion" UNIQUE("merchant_id","campaign_id","audience","occasion_on"),
	CONSTRAINT "voucher_issues_customers" CHECK (("voucher_issues"."audience" = 'customers') = ("voucher_issues"."customer_ids" is not null))
);
--> statement-breakpoint
ALTER TABLE "voucher_issues" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "voucher_tallies" (
	"merchant_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"slot" smallint NOT NULL,
	"issued" bigint NOT NULL,
	"redeemed" bigint NOT NULL,
	"cancelled" bigint NOT NULL,
	"discount" bigint NOT NULL,
	CONSTRAINT "voucher_tallies_merchant_id_campaign_id_expires_at_slot_pk" PRIMARY KEY("merchant_id","campaign_id","expires_at","slot")
);
--> statement-breakpoint
ALTER TABLE "voucher_tallies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "vouchers" (
	"merchant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"voucher_code" text NOT NULL,
	"occasion" text,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"issued_by" uuid,
	"redeemed_by" uuid,
	"redeemed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"cancel_reason" text,
	"state" text GENERATED ALWAYS AS (case when redeemed_at is not null then 'redeemed' when cancelled_at is not null then 'cancelled' else 'unused' end) STORED,
	CONSTRAINT "vouchers_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "vouchers_code" UNIQUE("merchant_id","voucher_code"),
	CONSTRAINT "vouchers_occasion" UNIQUE("merchant_id","campaign_id","customer_id","occasion"),
	CONSTRAINT "vouchers_redeemed" CHECK (("vouchers"."redeemed_by" is null) = ("vouchers"."redeemed_at" is null))
);
--> statement-breakpoint
ALTER TABLE "vouchers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_merchant_id_bill_uid_bills_merchant_id_id_fk" FOREIGN KEY ("merchant_id","bill_uid") REFERENCES "public"."bills"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_up_counts" ADD CONSTRAINT "cash_up_counts_merchant_id_cash_up_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","cash_up_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_up_entries" ADD CONSTRAINT "cash_up_entries_merchant_id_cash_up_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","cash_up_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_up_entries" ADD CONSTRAINT "cash_up_entries_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_ups" ADD CONSTRAINT "cash_ups_merchant_id_replaces_id_cash_ups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","replaces_id") REFERENCES "public"."cash_ups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD CONSTRAINT "customer_import_rows_merchant_id_import_id_customer_imports_merchant_id_id_fk" FOREIGN KEY ("merchant_id","import_id") REFERENCES "public"."customer_imports"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_undo_user_id_users_id_fk" FOREIGN KEY ("undo_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_pins" ADD CONSTRAINT "customer_pins_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merged_into_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","merged_into") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diner_codes" ADD CONSTRAINT "diner_codes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diner_sessions" ADD CONSTRAINT "diner_sessions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "diner_sessions" ADD CONSTRAINT "diner_sessions_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_merchant_id_endpoint_id_webhook_endpoints_merchant_id_id_fk" FOREIGN KEY ("merchant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_merchant_id_event_id_events_merchant_id_id_fk" FOREIGN KEY ("merchant_id","event_id") REFERENCES "public"."events"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_runs" ADD CONSTRAINT "job_runs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_import_id_customer_imports_merchant_id_id_fk" FOREIGN KEY ("merchant_id","import_id") REFERENCES "public"."customer_imports"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_merged_with_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","merged_with") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_merchant_id_lot_id_lots_merchant_id_id_fk" FOREIGN KEY ("merchant_id","lot_id") REFERENCES "public"."lots"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lots" ADD CONSTRAINT "lots_merchant_id_customer_id_balances_merchant_id_customer_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."balances"("merchant_id","customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lots" ADD CONSTRAINT "lots_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_merchant_id_void_id_voids_merchant_id_id_fk" FOREIGN KEY ("merchant_id","void_id") REFERENCES "public"."voids"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voids" ADD CONSTRAINT "voids_merchant_id_api_key_id_api_keys_merchant_id_id_fk" FOREIGN KEY ("merchant_id","api_key_id") REFERENCES "public"."api_keys"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_categories" ADD CONSTRAINT "menu_categories_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_option_groups" ADD CONSTRAINT "menu_item_option_groups_merchant_id_item_id_menu_items_merchant_id_id_fk" FOREIGN KEY ("merchant_id","item_id") REFERENCES "public"."menu_items"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_option_groups" ADD CONSTRAINT "menu_item_option_groups_merchant_id_group_id_menu_option_groups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","group_id") REFERENCES "public"."menu_option_groups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_stores" ADD CONSTRAINT "menu_item_stores_merchant_id_item_id_menu_items_merchant_id_id_fk" FOREIGN KEY ("merchant_id","item_id") REFERENCES "public"."menu_items"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_item_stores" ADD CONSTRAINT "menu_item_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_items" ADD CONSTRAINT "menu_items_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_items" ADD CONSTRAINT "menu_items_merchant_id_category_id_menu_categories_merchant_id_id_fk" FOREIGN KEY ("merchant_id","category_id") REFERENCES "public"."menu_categories"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_items" ADD CONSTRAINT "menu_items_merchant_id_photo_id_menu_photos_merchant_id_id_fk" FOREIGN KEY ("merchant_id","photo_id") REFERENCES "public"."menu_photos"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_option_groups" ADD CONSTRAINT "menu_option_groups_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_options" ADD CONSTRAINT "menu_options_merchant_id_group_id_menu_option_groups_merchant_id_id_fk" FOREIGN KEY ("merchant_id","group_id") REFERENCES "public"."menu_option_groups"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menu_photos" ADD CONSTRAINT "menu_photos_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moved_references" ADD CONSTRAINT "moved_references_merchant_id_merchant_moves_merchant_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchant_moves"("merchant_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stores" ADD CONSTRAINT "stores_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_templates" ADD CONSTRAINT "message_templates_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_merchant_id_order_id_orders_merchant_id_id_fk" FOREIGN KEY ("merchant_id","order_id") REFERENCES "public"."orders"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk" FOREIGN KEY ("merchant_id","qr_code_id") REFERENCES "public"."qr_codes"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qr_codes" ADD CONSTRAINT "qr_codes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qr_codes" ADD CONSTRAINT "qr_codes_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_outs" ADD CONSTRAINT "stock_outs_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_outs" ADD CONSTRAINT "stock_outs_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_progress" ADD CONSTRAINT "report_progress_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_days" ADD CONSTRAINT "sale_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_days" ADD CONSTRAINT "transaction_days_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_days" ADD CONSTRAINT "voucher_days_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_lines" ADD CONSTRAINT "sale_lines_merchant_id_transaction_uid_sales_merchant_id_transaction_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."sales"("merchant_id","transaction_uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_payments" ADD CONSTRAINT "sale_payments_merchant_id_transaction_uid_sales_merchant_id_transaction_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."sales"("merchant_id","transaction_uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_stores" ADD CONSTRAINT "invitation_stores_merchant_id_invitation_id_invitations_merchant_id_id_fk" FOREIGN KEY ("merchant_id","invitation_id") REFERENCES "public"."invitations"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_stores" ADD CONSTRAINT "invitation_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_stores" ADD CONSTRAINT "membership_stores_merchant_id_user_id_memberships_merchant_id_user_id_fk" FOREIGN KEY ("merchant_id","user_id") REFERENCES "public"."memberships"("merchant_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_stores" ADD CONSTRAINT "membership_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_voided_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","voided_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partial_refunds" ADD CONSTRAINT "partial_refunds_merchant_id_rest_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","rest_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_days" ADD CONSTRAINT "staff_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_top_ups" ADD CONSTRAINT "staff_top_ups_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_value_package_stores" ADD CONSTRAINT "stored_value_package_stores_merchant_id_package_id_stored_value_packages_merchant_id_id_fk" FOREIGN KEY ("merchant_id","package_id") REFERENCES "public"."stored_value_packages"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_value_package_stores" ADD CONSTRAINT "stored_value_package_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_value_packages" ADD CONSTRAINT "stored_value_packages_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ordering_settings" ADD CONSTRAINT "ordering_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_qr_code_id_qr_codes_merchant_id_id_fk" FOREIGN KEY ("merchant_id","qr_code_id") REFERENCES "public"."qr_codes"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_calls" ADD CONSTRAINT "table_calls_merchant_id_table_id_dining_tables_merchant_id_id_fk" FOREIGN KEY ("merchant_id","table_id") REFERENCES "public"."dining_tables"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_acknowledged_by_users_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_package_id_stored_value_packages_merchant_id_id_fk" FOREIGN KEY ("merchant_id","package_id") REFERENCES "public"."stored_value_packages"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_merchant_id_transaction_uid_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","transaction_uid") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ADD CONSTRAINT "voucher_campaign_stores_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaign_stores" ADD CONSTRAINT "voucher_campaign_stores_merchant_id_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_campaigns" ADD CONSTRAINT "voucher_campaigns_merchant_id_last_visited_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","last_visited_store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_counts" ADD CONSTRAINT "voucher_counts_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_counts" ADD CONSTRAINT "voucher_counts_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD CONSTRAINT "voucher_issues_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_issues" ADD CONSTRAINT "voucher_issues_merchant_id_last_visited_store_id_stores_merchant_id_id_fk" FOREIGN KEY ("merchant_id","last_visited_store_id") REFERENCES "public"."stores"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_tallies" ADD CONSTRAINT "voucher_tallies_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_campaign_id_voucher_campaigns_merchant_id_id_fk" FOREIGN KEY ("merchant_id","campaign_id") REFERENCES "public"."voucher_campaigns"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_customer_id_customers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","customer_id") REFERENCES "public"."customers"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_issued_by_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","issued_by") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_merchant_id_redeemed_by_transactions_merchant_id_uid_fk" FOREIGN KEY ("merchant_id","redeemed_by") REFERENCES "public"."transactions"("merchant_id","uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_requests_refused" ON "api_requests" USING btree ("merchant_id","api_key_id","id") WHERE status between 400 and 499;--> statement-breakpoint
CREATE INDEX "api_requests_failed" ON "api_requests" USING btree ("merchant_id","api_key_id","id") WHERE status >= 500;--> statement-breakpoint
CREATE INDEX "bill_payments_bill" ON "bill_payments" USING btree ("merchant_id","bill_uid","id");--> statement-breakpoint
CREATE INDEX "bill_payments_taken_at" ON "bill_payments" USING btree ("merchant_id","taken_at","id") WHERE state = 'taken';--> statement-breakpoint
CREATE INDEX "bill_payments_payment" ON "bill_payments" USING btree ("payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "bill_payments_unsettled" ON "bill_payments" USING btree ("created_at") WHERE not checkout_ended or (state = 'taken' and amount + tip - kept_amount - kept_tip > returned_amount);--> statement-breakpoint
CREATE UNIQUE INDEX "bills_open" ON "bills" USING btree ("merchant_id","store_id","bill_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "bills_bill" ON "bills" USING btree ("merchant_id","store_id","bill_id","id");--> statement-breakpoint
CREATE INDEX "bills_state" ON "bills" USING btree ("merchant_id","store_id","state","id");--> statement-breakpoint
CREATE INDEX "bills_reopened" ON "bills" USING btree ("merchant_id","store_id","id") WHERE reopened_at is not null;--> statement-breakpoint
CREATE INDEX "bills_forgotten" ON "bills" USING btree ("updated_at") WHERE state = 'open' and paid_amount > 0;--> statement-breakpoint
CREATE INDEX "cash_up_entries_cash_up" ON "cash_up_entries" USING btree ("merchant_id","cash_up_id");--> statement-breakpoint
CREATE UNIQUE INDEX "cash_ups_of_shift" ON "cash_ups" USING btree ("merchant_id","store_id","since") WHERE replaces_id is null;--> statement-breakpoint
CREATE INDEX "cash_ups_store" ON "cash_ups" USING btree ("merchant_id","store_id","until");--> statement-breakpoint
CREATE INDEX "balances_holding" ON "balances" USING btree ("merchant_id","customer_id") WHERE holds_value;--> statement-breakpoint
CREATE INDEX "balances_blocked" ON "balances" USING btree ("merchant_id","customer_id") WHERE blocked_at is not null;--> statement-breakpoint
CREATE INDEX "customer_imports_open" ON "customer_imports" USING btree ("updated_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "customer_notes_customer" ON "customer_notes" USING btree ("merchant_id","customer_id","created_at");--> statement-breakpoint
CREATE INDEX "customers_name" ON "customers" USING btree ("merchant_id","name_key","id");--> statement-breakpoint
CREATE INDEX "customers_joined" ON "customers" USING btree ("merchant_id","joined_at","id");--> statement-breakpoint
CREATE INDEX "customers_birth_day" ON "customers" USING btree ("merchant_id","birth_day","id") WHERE birth_day is not null;--> statement-breakpoint
CREATE INDEX "customers_merged" ON "customers" USING btree ("merchant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "diner_codes_expiry" ON "diner_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "diner_sessions_customer" ON "diner_sessions" USING btree ("merchant_id","customer_id");--> statement-breakpoint
CREATE INDEX "diner_sessions_phone" ON "diner_sessions" USING btree ("merchant_id","phone");--> statement-breakpoint
CREATE INDEX "diner_sessions_expiry" ON "diner_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "events_customer" ON "events" USING btree ("merchant_id","customer_id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("merchant_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("merchant_id","endpoint_id","event_id") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "job_runs_task" ON "job_runs" USING btree ("merchant_id","task","id");--> statement-breakpoint
CREATE INDEX "job_runs_updated_at" ON "job_runs" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "adjustments_import" ON "adjustments" USING btree ("merchant_id","import_id","transaction_uid") WHERE import_id is not null;--> statement-breakpoint
CREATE INDEX "ledger_entries_transaction" ON "ledger_entries" USING btree ("merchant_id","transaction_uid");--> statement-breakpoint
CREATE INDEX "ledger_entries_customer" ON "ledger_entries" USING btree ("merchant_id","customer_id","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_expiry" ON "ledger_entries" USING btree ("merchant_id","lot_id") WHERE kind = 'expiry';--> statement-breakpoint
CREATE INDEX "lots_open" ON "lots" USING btree ("merchant_id","customer_id") WHERE open;--> statement-breakpoint
CREATE INDEX "lots_expiring" ON "lots" USING btree ("merchant_id","expires_at") WHERE open and expires_at is not null;--> statement-breakpoint
CREATE INDEX "lots_bonus_expiring" ON "lots" USING btree ("merchant_id","expires_at","customer_id") WHERE open and part = 'bonus' and expires_at is not null;--> statement-breakpoint
CREATE INDEX "lots_transaction" ON "lots" USING btree ("merchant_id","transaction_uid");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_online" ON "transactions" USING btree ("merchant_id","transaction_id") WHERE store_id is null and transaction_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_debts" ON "transactions" USING btree ("merchant_id","customer_id") WHERE points_shortfall > 0;--> statement-breakpoint
CREATE INDEX "transactions_customer" ON "transactions" USING btree ("merchant_id","customer_id","uid");--> statement-breakpoint
CREATE INDEX "transactions_bill" ON "transactions" USING btree ("merchant_id","store_id","bill_id") WHERE bill_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_late" ON "transactions" USING btree ("merchant_id","occurred_at") WHERE created_at - occurred_at > interval '15 minutes';--> statement-breakpoint
CREATE INDEX "transactions_voided_bill" ON "transactions" USING btree ("merchant_id","store_id","bill_id") WHERE void_id is not null and bill_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_void" ON "transactions" USING btree ("merchant_id","void_id") WHERE void_id is not null;--> statement-breakpoint
CREATE INDEX "transactions_facets" ON "transactions" USING btree ("merchant_id","store_id","facet","uid");--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "menu_categories_name" ON "menu_categories" USING btree ("merchant_id","name") WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX "menu_item_option_groups_group" ON "menu_item_option_groups" USING btree ("merchant_id","group_id");--> statement-breakpoint
CREATE INDEX "menu_items_category" ON "menu_items" USING btree ("merchant_id","category_id","position");--> statement-breakpoint
CREATE INDEX "menu_items_photo" ON "menu_items" USING btree ("merchant_id","photo_id") WHERE photo_id is not null;--> statement-breakpoint
CREATE INDEX "menu_options_group" ON "menu_options" USING btree ("merchant_id","group_id","position");--> statement-breakpoint
CREATE INDEX "menu_photos_id" ON "menu_photos" USING btree ("id");--> statement-breakpoint
CREATE INDEX "moved_references_reference" ON "moved_references" USING btree ("reference","kind");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("merchant_id","subject_kind","subject_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("merchant_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("merchant_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_service" ON "audit_log" USING btree ("merchant_id","id") WHERE actor_kind = 'service';--> statement-breakpoint
CREATE INDEX "audit_log_service_action" ON "audit_log" USING btree ("merchant_id","action","id") WHERE actor_kind = 'service';--> statement-breakpoint
CREATE INDEX "audit_log_diner" ON "audit_log" USING btree ("merchant_id","id") WHERE actor_kind = 'diner';--> statement-breakpoint
CREATE INDEX "audit_log_diner_action" ON "audit_log" USING btree ("merchant_id","action","id") WHERE actor_kind = 'diner';--> statement-breakpoint
CREATE INDEX "audit_log_actor_action" ON "audit_log" USING btree ("merchant_id","actor_id","action","id");--> statement-breakpoint
CREATE UNIQUE INDEX "stores_code_in_any_case" ON "stores" USING btree ("merchant_id",lower("store_code")) WHERE not is_code_shared;--> statement-breakpoint
CREATE INDEX "messages_queued" ON "messages" USING btree ("merchant_id","id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "messages_sent" ON "messages" USING btree ("merchant_id","id") WHERE state = 'sent';--> statement-breakpoint
CREATE INDEX "messages_delivered" ON "messages" USING btree ("merchant_id","id") WHERE state = 'delivered';--> statement-breakpoint
CREATE INDEX "messages_read" ON "messages" USING btree ("merchant_id","id") WHERE state = 'read';--> statement-breakpoint
CREATE INDEX "messages_failed" ON "messages" USING btree ("merchant_id","id") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "messages_inbox" ON "messages" USING btree ("merchant_id","id") WHERE state = 'inbox';--> statement-breakpoint
CREATE INDEX "messages_customer" ON "messages" USING btree ("merchant_id","customer_id","id");--> statement-breakpoint
CREATE INDEX "messages_phone" ON "messages" USING btree ("merchant_id","phone","id") WHERE phone is not null;--> statement-breakpoint
CREATE INDEX "messages_stranger" ON "messages" USING btree ("merchant_id","created_at") WHERE phone is not null;--> statement-breakpoint
CREATE INDEX "messages_undelivered" ON "messages" USING btree ("merchant_id","created_at") WHERE state = 'queued' and due_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_provider_id" ON "messages" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_subject" ON "messages" USING btree ("merchant_id","customer_id","kind","subject") WHERE subject is not null;--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" USING btree ("merchant_id","due_at") WHERE state = 'queued' and due_at is not null;--> statement-breakpoint
CREATE INDEX "orders_status_placed" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'placed';--> statement-breakpoint
CREATE INDEX "orders_status_accepted" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'accepted';--> statement-breakpoint
CREATE INDEX "orders_status_ready" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'ready';--> statement-breakpoint
CREATE INDEX "orders_status_served" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'served';--> statement-breakpoint
CREATE INDEX "orders_status_cancelled" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status = 'cancelled';--> statement-breakpoint
CREATE INDEX "orders_status_done" ON "orders" USING btree ("merchant_id","store_id","number") WHERE status in ('served', 'cancelled');--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("merchant_id","placed_at","id") WHERE status in ('placed', 'accepted', 'ready');--> statement-breakpoint
CREATE INDEX "orders_placed" ON "orders" USING btree ("merchant_id","placed_at","id");--> statement-breakpoint
CREATE INDEX "orders_qr_code" ON "orders" USING btree ("merchant_id","qr_code_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "qr_codes_open_bill" ON "qr_codes" USING btree ("merchant_id","store_id","bill_id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "qr_codes_bill" ON "qr_codes" USING btree ("merchant_id","store_id","bill_id","id");--> statement-breakpoint
CREATE INDEX "qr_codes_table" ON "qr_codes" USING btree ("merchant_id","store_id","table_name","id");--> statement-breakpoint
CREATE INDEX "qr_codes_settled" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE status = 'invalidated';--> statement-breakpoint
CREATE INDEX "qr_codes_unsettled" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE status <> 'invalidated';--> statement-breakpoint
CREATE INDEX "qr_codes_active" ON "qr_codes" USING btree ("merchant_id","store_id","expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "qr_codes_unconfirmed" ON "qr_codes" USING btree ("merchant_id","store_id","id") WHERE opened_by = 'diner' and confirmed_at is null and status = 'active';--> statement-breakpoint
CREATE INDEX "stock_outs_until" ON "stock_outs" USING btree ("merchant_id","until") WHERE until is not null;--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_resets_expires_at" ON "password_resets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "staff_sessions_user" ON "staff_sessions" USING btree ("user_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "staff_sessions_last_seen" ON "staff_sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "throttles_resets_at" ON "throttles" USING btree ("resets_at");--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_name" ON "dining_tables" USING btree ("merchant_id","store_id","name") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "dining_tables_store" ON "dining_tables" USING btree ("merchant_id","store_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_code" ON "table_calls" USING btree ("merchant_id","qr_code_id","kind") WHERE answered_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "table_calls_of_table" ON "table_calls" USING btree ("merchant_id","table_id","kind") WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX "table_calls_waiting" ON "table_calls" USING btree ("merchant_id","store_id","id") WHERE answered_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "top_up_requests_open_code" ON "top_up_requests" USING btree ("merchant_id","counter_code") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "top_up_requests_code" ON "top_up_requests" USING btree ("merchant_id","counter_code","id") WHERE counter_code is not null;--> statement-breakpoint
CREATE INDEX "top_up_requests_customer" ON "top_up_requests" USING btree ("merchant_id","customer_id","id");--> statement-breakpoint
CREATE INDEX "top_up_requests_alerts" ON "top_up_requests" USING btree ("merchant_id","alerted_at") WHERE alerted_at is not null and acknowledged_at is null;--> statement-breakpoint
CREATE INDEX "top_up_requests_payment" ON "top_up_requests" USING btree ("payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "top_up_requests_unsettled" ON "top_up_requests" USING btree ("created_at") WHERE state in ('open', 'refunding');--> statement-breakpoint
CREATE INDEX "voucher_campaigns_occasions" ON "voucher_campaigns" USING btree ("merchant_id","id") WHERE trigger in ('birthday', 'anniversary', 'seasonal') and archived_at is null;--> statement-breakpoint
CREATE INDEX "voucher_issues_campaign" ON "voucher_issues" USING btree ("merchant_id","campaign_id","created_at");--> statement-breakpoint
CREATE INDEX "voucher_issues_open" ON "voucher_issues" USING btree ("updated_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "vouchers_open" ON "vouchers" USING btree ("merchant_id","customer_id") WHERE redeemed_at is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "vouchers_expiring" ON "vouchers" USING btree ("merchant_id","expires_at","customer_id") WHERE redeemed_at is null and cancelled_at is null and expires_at is not null;--> statement-breakpoint
CREATE INDEX "vouchers_past" ON "vouchers" USING btree ("merchant_id","customer_id","id") WHERE redeemed_at is not null or cancelled_at is not null;--> statement-breakpoint
CREATE INDEX "vouchers_campaign" ON "vouchers" USING btree ("merchant_id","campaign_id","state","id");--> statement-breakpoint
CREATE INDEX "vouchers_redeemed_by" ON "vouchers" USING btree ("merchant_id","redeemed_by") WHERE redeemed_by is not null;--> statement-breakpoint
CREATE INDEX "vouchers_issued_by" ON "vouchers" USING btree ("merchant_id","issued_by") WHERE issued_by is not null;--> statement-breakpoint
CREATE POLICY "tenant" ON "api_key_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_keys" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "api_keys" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "api_requests" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "bill_payments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "bill_payments" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "bills" p where p.merchant_id = "bill_payments".merchant_id and p."id" = "bill_payments"."bill_uid") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "bills" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "bills" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_up_counts" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_up_counts" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "cash_ups" p where p.merchant_id = "cash_up_counts".merchant_id and p."id" = "cash_up_counts"."cash_up_id") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_up_entries" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_up_entries" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "cash_ups" p where p.merchant_id = "cash_up_entries".merchant_id and p."id" = "cash_up_entries"."cash_up_id") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "cash_ups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "cash_ups" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "balances" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_import_rows" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_imports" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_notes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_pins" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customer_terms" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "customers" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "diner_codes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "diner_sessions" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "events" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "events" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "webhook_endpoints" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "job_runs" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "shared" ON "scheduled_tasks" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "adjustments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "ledger_entries" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "lots" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "transactions" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "transactions" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "voids" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "voids" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else store_id is null or store_id = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "mails" AS PERMISSIVE FOR SELECT TO public USING (true);--> statement-breakpoint
CREATE POLICY "anyone_queues" ON "mails" AS PERMISSIVE FOR INSERT TO public WITH CHECK ("mails"."state" in ('queued', 'inbox'));--> statement-breakpoint
CREATE POLICY "queued_changes" ON "mails" AS PERMISSIVE FOR UPDATE TO public USING ("mails"."state" = 'queued') WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "anyone_forgets" ON "mails" AS PERMISSIVE FOR DELETE TO public USING (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_categories" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_item_option_groups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_item_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "menu_item_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_items" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_option_groups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_options" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "menu_photos" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "merchant_moves" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "moved_references" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_log" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "merchants" AS PERMISSIVE FOR ALL TO public USING ("id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "message_templates" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "messages" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "order_lines" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "order_lines" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "orders" p where p.merchant_id = "order_lines".merchant_id and p."id" = "order_lines"."order_id") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "orders" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "orders" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "qr_codes" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "qr_codes" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "stock_outs" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "stock_outs" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "credit_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "ledger_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "ledger_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "report_progress" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "transaction_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "transaction_days" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_lines" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_lines" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sale_lines".merchant_id and p."uid" = "sale_lines"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "sale_payments" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "sale_payments" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sale_payments".merchant_id and p."uid" = "sale_payments"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "tenant" ON "sales" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "sales" AS RESTRICTIVE FOR SELECT TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else exists (select from "transactions" p where p.merchant_id = "sales".merchant_id and p."uid" = "sales"."transaction_uid") end);--> statement-breakpoint
CREATE POLICY "person" ON "authenticators" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "person" ON "passkeys" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "person" ON "recovery_codes" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "invitation_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "invitation_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "invitations" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "membership_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "membership_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "memberships" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "person" ON "password_resets" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "rate_buckets" AS PERMISSIVE FOR SELECT TO public USING (true);--> statement-breakpoint
CREATE POLICY "full_ones_end" ON "rate_buckets" AS PERMISSIVE FOR DELETE TO public USING ("rate_buckets"."full_at" <= now());--> statement-breakpoint
CREATE POLICY "person" ON "staff_sessions" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (user_id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "shared" ON "throttles" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "anyone_reads" ON "users" AS PERMISSIVE FOR SELECT TO public USING (true);--> statement-breakpoint
CREATE POLICY "anyone_joins" ON "users" AS PERMISSIVE FOR INSERT TO public WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "person_changes" ON "users" AS PERMISSIVE FOR UPDATE TO public USING (id = nullif(current_setting('app.user_id', true), '')::uuid) WITH CHECK (id = nullif(current_setting('app.user_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "partial_refunds" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "staff_days" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "staff_top_ups" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "stored_value_package_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "stored_value_package_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "stored_value_packages" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "dining_tables" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "dining_tables" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "ordering_settings" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "table_calls" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "table_calls" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "shared" ON "this_cell" AS PERMISSIVE FOR ALL TO public USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "top_up_requests" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_campaign_stores" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "stores" ON "voucher_campaign_stores" AS RESTRICTIVE FOR ALL TO public USING (case when nullif(current_setting('app.stores', true), '') is null then true else "store_id" = any (nullif(current_setting('app.stores', true), '')::uuid[]) end);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_campaigns" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_counts" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_issues" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "voucher_tallies" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "tenant" ON "vouchers" AS PERMISSIVE FOR ALL TO public USING ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid) WITH CHECK ("merchant_id" = nullif(current_setting('app.merchant_id', true), '')::uuid);
