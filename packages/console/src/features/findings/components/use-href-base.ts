import { useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Returns the URL of the finding details in this list, up to the ID. */
export function useHrefBase(): string {
  const router = useRouter();
  const { finding: _open, ...search } = useSearch({ from: '/findings' });
  const { href } = router.buildLocation({ to: '/findings', search });
  return useMemo(() => `${href}${href.includes('?') ? '&' : '?'}finding=`, [href]);
}
