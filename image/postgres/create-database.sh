#!/bin/sh
# Run once by the image of PostgreSQL, on an empty data directory: a role that owns its database and nothing else, so
# that row level security binds it.
set -eu

psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$SLUICE_DATABASE_PASSWORD" <<'SQL'
create role sluice login password :'password';
create database sluice owner sluice;
SQL
