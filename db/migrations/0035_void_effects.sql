-- expand
ALTER TABLE "transactions" ADD COLUMN "void_effect" text;--> statement-breakpoint
GRANT UPDATE (void_effect) ON transactions TO loyalty_app;--> statement-breakpoint
GRANT UPDATE (expires_at) ON lots TO loyalty_app;
