-- What a cell needs for merchants to move from it and to it, besides roles.sql. Run it once in each cell, as a superuser, with
-- PostgreSQL 16 or later and wal_level = logical:
--   MOVER_PASSWORD=… psql --file roles-cells.sql loyalty
\set ON_ERROR_STOP on
\getenv mover_password MOVER_PASSWORD

begin;
-- Reads the rows of a merchant that leaves, for the other cell's PostgreSQL, and what is written to the log.
create role loyalty_mover login replication bypassrls password :'mover_password' in role pg_read_all_data;
grant connect on database loyalty to loyalty_mover;
-- Follows another cell while a merchant arrives.
grant pg_create_subscription to loyalty_owner;
-- Removes the old rows of a merchant that has left without checking each against all others.
grant set on parameter session_replication_role to loyalty_owner;
commit;
