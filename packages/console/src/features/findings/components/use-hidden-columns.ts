import { useState } from 'react';

const STORAGE_KEY = 'sluice.findings.hidden-columns';
/** The columns that are hidden by default. */
const HIDDEN_BY_DEFAULT = ['check_id', 'provider_type', 'service', 'first_seen_at', 'status_changed_at'];

/** The IDs of the hidden columns, stored in this browser. */
export function useHiddenColumns(): readonly [readonly string[], (hidden: readonly string[]) => void] {
  const [hidden, setHidden] = useState<readonly string[]>(
    () => localStorage.getItem(STORAGE_KEY)?.split(',') ?? HIDDEN_BY_DEFAULT,
  );
  const hide = (columns: readonly string[]) => {
    setHidden(columns);
    localStorage.setItem(STORAGE_KEY, columns.join());
  };
  return [hidden, hide];
}
