-- Creates the database and its two roles in a new cluster. Run it once, as a superuser, with both passwords in the environment:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql --file roles.sql postgres
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

begin;
-- Migrates, and may give rights to the application's role, which the service has.
create role loyalty_app nologin;
create role loyalty_owner login password :'owner_password';
grant loyalty_app to loyalty_owner with admin option;
create role loyalty login password :'service_password' in role loyalty_app;
commit;

create database loyalty owner loyalty_owner;
revoke connect on database loyalty from public;
grant connect on database loyalty to loyalty;
