-- After the function of 0044-count-changes.sql, so that no scan of the previous release keeps these zeros.
alter table scans alter change_counts set default array_fill(0, array[96]);
