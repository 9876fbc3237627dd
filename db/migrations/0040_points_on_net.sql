-- expand
ALTER TABLE "merchants" ADD COLUMN "points_on_net" boolean DEFAULT false NOT NULL;

GRANT UPDATE (points_on_net) ON merchants TO loyalty_app;
