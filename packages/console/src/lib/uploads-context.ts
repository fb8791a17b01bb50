import { createContext, use } from 'react';

interface Uploads {
  /** Opens the file picker and uploads the selected files. */
  readonly pick: () => void;
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

export function useUploads(): Uploads {
  const uploads = use(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads must be used inside <UploadsContext>');
  return uploads;
}
