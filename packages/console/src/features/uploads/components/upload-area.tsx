import type { ReactNode } from 'react';

export function UploadArea({ children }: { readonly children: ReactNode }) {
  return children;
}
