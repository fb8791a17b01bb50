-- The labels of an upload: an object of texts.
alter table ingestions add column labels jsonb not null default '{}';
