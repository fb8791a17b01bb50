-- Findings, and what is derived from them, need a permission now. All could read them before: every role gets it, and with
-- it the keys of its users that are not narrowed. The owner has to see all tenants for once.
alter table roles no force row level security;
update roles set permissions = array_append(permissions, 'read_findings') where not 'read_findings' = any (permissions);
alter table roles force row level security;
