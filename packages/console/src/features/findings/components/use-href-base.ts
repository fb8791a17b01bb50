import { useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Returns the URL of finding details in this list, up to but not including the ID. */
export function useHrefBase(): string {
  const router = useRouter();
  const { finding: _open, ...search } = useSearch({ from: '/findings' });
  const { href } = router.buildLocation({ to: '/findings', search });
  return useMemo(() => `${href}${href.includes('?') ? '&' : '?'}finding=`, [href]);
}
