-- expand
GRANT UPDATE (table_name, guests) ON qr_codes TO loyalty_app;
