import { useState } from 'react';

const STORAGE_KEY = 'sluice.findings.hidden-columns';
/** What is hidden until somebody wants to see it. */
const HIDDEN_AT_FIRST = ['check_id', 'provider_type', 'service', 'first_seen_at', 'status_changed_at'];

/** The ids of the columns that are not shown; this browser remembers them. */
export function useHiddenColumns(): readonly [readonly string[], (hidden: readonly string[]) => void] {
  const [hidden, setHidden] = useState<readonly string[]>(
    () => localStorage.getItem(STORAGE_KEY)?.split(',') ?? HIDDEN_AT_FIRST,
  );
  const hide = (columns: readonly string[]) => {
    setHidden(columns);
    localStorage.setItem(STORAGE_KEY, columns.join());
  };
  return [hidden, hide];
}
