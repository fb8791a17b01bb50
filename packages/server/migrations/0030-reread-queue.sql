-- The previous release did not store everything that this release reads from a record: the product of a finding, the labels
-- of its resources, its further resources, and the compliance of its check. Workers read these frames again and delete them from
-- this queue: docs/decisions/0088-frames-are-read-again.md. Read across tenants, so without row level security.
create table reread_queue (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  number integer not null,
  primary key (tenant_id, ingestion_id, number)
);

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on reread_queue to sluice_app;
  end if;
end $$;

create function queue_reread() returns trigger
  language plpgsql as $$
begin
  insert into reread_queue values (old.tenant_id, old.ingestion_id, old.number) on conflict do nothing;
  return null;
end $$;

-- Queues the frames that the previous release processes from now on.
create procedure queue_rereads() language plpgsql as $$
begin
  create or replace trigger queue_reread after delete on frame_queue
    for each row when (coalesce(current_setting('sluice.counts', true), '') <> 'merge')
    execute function queue_reread();
end $$;

do $$ begin
  if exists (select from pg_trigger where tgrelid = 'findings'::regclass and tgname = 'note_insertions') then
    call queue_rereads();
  end if;
end $$;
