-- How each scan changed findings: docs/decisions/0092-changes-of-findings.md.

-- As in `ingestions` (0036-changes-of-findings.sql).
alter table scans add column change_counts integer[];
-- Every frame updates the rows of its scans twice. An update whose new row fits on the page adds no entries to the indexes.
alter table scans set (fillfactor = 30);
-- For coverages that are older than other scans of their accounts.
create index scans_ended on scans (tenant_id, provider_id, ended_at);
