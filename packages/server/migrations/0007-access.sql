-- null: a key that a command made
alter table api_keys add column name text;

-- One person has one user, however the address is spelled.
do $$
declare
  twins text;
begin
  select string_agg(format('%s (tenant %s)', email, tenant_id), ', ' order by tenant_id, email) into twins
    from users u
    where exists (select from users o
                  where o.tenant_id = u.tenant_id and o.id <> u.id and lower(o.email) = lower(u.email));
  if twins is not null then
    raise exception 'these users differ only in upper and lower case: %; give all but one another email in sluice.users and start again', twins;
  end if;
end $$;
alter table users drop constraint users_tenant_id_email_key;
create unique index users_email on users (tenant_id, lower(email));

-- An event outlives its user and key: what they were called is kept in it. Without a user an operator did it, by a command.
alter table audit_events
  alter column user_id drop not null,
  alter column api_key_id drop not null,
  alter column address drop not null,
  alter column request_id drop not null,
  add column user_email text,
  add column api_key_prefix text,
  add check ((user_id is null) = (api_key_id is null));
create index audit_events_occurred on audit_events (tenant_id, occurred_at, id);
