-- What the file of each migration was, and the oldest compatibility line of code that can run beside it
-- (ARCHITECTURE.md, "Migrations"). Rows of earlier releases get theirs from the files when this migration is applied.
alter table schema_migrations add column checksum text check (checksum ~ '^[0-9a-f]{64}$');
alter table schema_migrations add column oldest_line integer check (oldest_line >= 1);
