-- Records dated after their upload have the time of the upload now; so have those that are here. The owner has to see all
-- tenants for once, and the counts by result do not change.
alter table findings no force row level security;
alter table finding_counts no force row level security;
alter table scans no force row level security;
alter table checks no force row level security;
alter table ingestions no force row level security;
alter table findings disable trigger user;

update findings f set
    first_seen_at = least(f.first_seen_at, i.requested_at),
    last_seen_at = least(f.last_seen_at, i.requested_at),
    status_changed_at = least(f.status_changed_at, i.requested_at),
    -- null stays null
    other_status_at = case when f.other_status_at > i.requested_at then i.requested_at else f.other_status_at end,
    previous_seen_at = case when f.previous_seen_at > i.requested_at then i.requested_at else f.previous_seen_at end
  from ingestions i
  where i.tenant_id = f.tenant_id and i.id = f.ingestion_id
    and greatest(f.first_seen_at, f.last_seen_at, f.status_changed_at, f.other_status_at, f.previous_seen_at) > i.requested_at;
update scans s set started_at = least(s.started_at, i.requested_at), ended_at = least(s.ended_at, i.requested_at)
  from ingestions i
  where i.tenant_id = s.tenant_id and i.id = s.ingestion_id and s.ended_at > i.requested_at;
-- Of these the upload is not known.
update finding_counts set last_seen_at = now() where last_seen_at > now();
update checks set seen_at = now() where seen_at > now();

alter table findings enable trigger user;
alter table findings force row level security;
alter table finding_counts force row level security;
alter table scans force row level security;
alter table checks force row level security;
alter table ingestions force row level security;
