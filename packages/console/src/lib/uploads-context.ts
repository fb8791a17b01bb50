import { createContext, use } from 'react';

interface Uploads {
  /** Lets somebody choose files, and uploads them. */
  readonly pick: () => void;
}

export const UploadsContext = createContext<Uploads | undefined>(undefined);

export function useUploads(): Uploads {
  const uploads = use(UploadsContext);
  if (uploads === undefined) throw new Error('there is no <UploadsContext> around');
  return uploads;
}
