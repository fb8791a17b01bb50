import { Skeleton } from './skeleton.tsx';

/** Shown while a page's code is loading. */
export function PageLoading() {
  return <Skeleton lines={8} label="Loading page…" />;
}
