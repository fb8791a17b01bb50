#!/bin/sh
# The PostgreSQL image runs this script once, on an empty data directory. It creates a role that owns only its database and is
# not a superuser, so that row-level security applies to it.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$SLUICE_DATABASE_PASSWORD" <<'SQL'
create role sluice login password :'password';
create database sluice owner sluice;
SQL
