-- By which request the upload came, so that what workers log and trace of it can be found by the same ids.
alter table ingestions
  add column request_id text,
  -- W3C Trace Context: the request's span, or the client's where the service itself does not trace
  add column traceparent text;

-- Since when the frame waits: `available_at` moves with every try.
alter table frame_queue add column queued_at timestamptz not null default clock_timestamp();
