-- A try that fails in code is counted apart from one that was cut off (its worker died, its connection broke), which
-- says little of the frame. A frame that is still begun when somebody claims it was cut off.
alter table frames rename column attempts to failures;
alter table frames
  add column interruptions smallint not null default 0,
  add column is_begun boolean not null default false;

-- Which blob store holds this database's uploads: the id that is also written in the store. One row at most.
create table blob_store (
  is_one boolean primary key default true check (is_one),
  id uuid not null default gen_random_uuid(),
  -- the store has the id
  is_marked boolean not null default false
);
