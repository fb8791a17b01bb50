-- CRC-32 of a frame's data and of its record index as they are stored; null where they came before this.
alter table frames add column data_crc32 bigint, add column index_crc32 bigint;

-- What is wrong with the stored file of a frame that waits for it: file_damaged, file_missing.
alter table frames add column file_fault text;
-- The code of the errors that the records of a frame count as that was given up; `sluice job retry` queues it again.
alter table frames add column given_up_as text;
alter table frames no force row level security;
-- jobs/try-frame.ts: the limits of failures and interruptions.
update frames f set given_up_as = 'processing_failed'
  where (failures >= 6 or interruptions >= 20) and records > 0
    and not exists (select from frame_queue q
      where q.tenant_id = f.tenant_id and q.ingestion_id = f.ingestion_id and q.number = f.number);
alter table frames force row level security;
