-- Frame, offset in it and index of the record of the same upload and time that the row's record has replaced, for the
-- merge that did it; null as a rule, when it takes no room.
alter table findings add column replaced_record bigint[];
