import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { useSession } from '../../../lib/session-context.ts';
import { UploadsContext } from '../../../lib/uploads-context.ts';
import { ACCEPTED } from '../queue/check-file.ts';
import { createUploads } from '../queue/create-uploads.ts';
import { isInProgress } from '../queue/upload.ts';
import { DropOverlay } from './drop-overlay.tsx';
import { UploadTray } from './upload-tray.tsx';

/** Accepts dropped and selected files on every page, and shows their upload progress. */
export function UploadArea({ children }: { readonly children: ReactNode }) {
  const api = useApi();
  const { baseUrl, session } = useSession();
  const queryClient = useQueryClient();
  const [{ queue, end }] = useState(() => createUploads({ api, baseUrl, session, queryClient }));
  const uploads = useSyncExternalStore(queue.subscribe, () => queue.uploads);
  const input = useRef<HTMLInputElement>(null);
  const context = useMemo(() => ({ pick: () => input.current?.click() }), []);
  useEffect(() => end, [end]);
  useUnloadWarning(uploads.some(isInProgress));
  return (
    <UploadsContext value={context}>
      {children}
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED}
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          queue.add([...(target.files ?? [])]);
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      <DropOverlay onDrop={(files) => queue.add(files)} />
      {uploads.length > 0 && <UploadTray queue={queue} uploads={uploads} />}
    </UploadsContext>
  );
}

/** Asks for confirmation before the page is closed, because unfinished uploads would be lost. */
function useUnloadWarning(uploading: boolean) {
  useEffect(() => {
    if (!uploading) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [uploading]);
}
