import { Skeleton } from './skeleton.tsx';

/** A page whose code is still on its way. */
export function PageLoading() {
  return <Skeleton lines={8} label="Loading the page" />;
}
