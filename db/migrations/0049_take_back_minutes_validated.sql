-- expand, one statement at a time
ALTER TABLE "ordering_settings" VALIDATE CONSTRAINT "ordering_settings_take_back";
