-- The id first: where statistics know little of a tenant, every index that begins with tenant_id looks the same to the planner,
-- and to find each account of an upload it read all providers of the tenant through the primary key. Now only
-- providers_live begins with it.
alter table providers drop constraint providers_pkey;
alter table providers add primary key (id, tenant_id);
