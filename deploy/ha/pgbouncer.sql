-- Run once on the leader, as a superuser, in the database loyalty: what PgBouncer drops from the start of connections.
alter role loyalty set statement_timeout = '3500ms';
alter role loyalty set idle_in_transaction_session_timeout = '10s';
alter role loyalty set plan_cache_mode = force_generic_plan;
