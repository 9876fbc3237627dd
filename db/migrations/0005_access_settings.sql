GRANT UPDATE (pin_required) ON merchants TO loyalty_app;
