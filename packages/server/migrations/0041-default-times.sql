-- A retry ingests records that do not specify their time with the time of the original upload.

-- null: requested_at.
alter table ingestions add column default_time timestamptz;
