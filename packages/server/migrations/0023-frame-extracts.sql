-- Length of the extract of a frame's records, which is stored between the data and the record index. It is part of
-- blob_bytes and data_crc32. Null for frames without an extract.
alter table frames add column extract_bytes integer;
