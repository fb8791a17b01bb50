alter table api_keys add column last_used_at timestamptz;

-- Uses of keys of many tenants, in one statement; the newest stays, whichever process comes first. A row that somebody
-- holds is not waited for: before PostgreSQL would look for deadlocks this gives up, and is tried again later.
create function note_api_key_uses(tenants uuid[], keys uuid[], times timestamptz[]) returns void
  language plpgsql volatile
  set lock_timeout = '500ms' as $$
declare
  owner uuid;
begin
  for owner in select distinct tenant from unnest(tenants) as tenant order by tenant loop
    perform set_config('sluice.tenant_id', owner::text, true);
    perform from api_keys k
      where k.tenant_id = owner and k.id = any (keys) order by k.id for no key update;
    update api_keys k set last_used_at = used.at
      from unnest(tenants, keys, times) as used (tenant, key, at)
      where used.tenant = owner and k.tenant_id = owner and k.id = used.key
        and (k.last_used_at is null or k.last_used_at < used.at);
  end loop;
end $$;
