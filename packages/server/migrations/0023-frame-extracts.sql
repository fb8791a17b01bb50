-- Length and CRC-32 of the extract of a frame's records, which follows the frame in the blob. It is not part of
-- blob_bytes, because the previous release subtracts only index_bytes from it. Null for frames without an extract.
alter table frames
  add column extract_bytes integer,
  add column extract_crc32 bigint;
