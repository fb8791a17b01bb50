-- The state of each finding before its newest record: docs/decisions/0092-changes-of-findings.md.

alter table findings
  -- The state just before the upload of the newest record (finding_state_code). Null if the upload was the first, or was processed by
  -- an earlier release.
  add column prior_state smallint,
  -- The scan of the earliest record. Null if that is scan_id and delta is new; otherwise, an earlier release processed it.
  add column first_scan_id uuid;
