import { Skeleton } from './skeleton.tsx';

/** Shown while the code of a page is loading. */
export function PageLoading() {
  return <Skeleton lines={8} label="Loading page…" />;
}
