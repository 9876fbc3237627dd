-- Where a file has no headings, its first customer stands in their place, and may be erased.
GRANT UPDATE (headings) ON customer_imports TO loyalty_app;
