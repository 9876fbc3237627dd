GRANT UPDATE (last_order_number) ON stores TO loyalty_app;
