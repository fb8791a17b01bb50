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

/** Takes files that are dropped anywhere or chosen by a button, and shows what becomes of them, whatever the page. */
export function UploadArea({ children }: { readonly children: ReactNode }) {
  const api = useApi();
  const { baseUrl, session } = useSession();
  const queryClient = useQueryClient();
  const [{ queue, end }] = useState(() => createUploads({ api, baseUrl, session, queryClient }));
  const uploads = useSyncExternalStore(queue.subscribe, () => queue.uploads);
  const input = useRef<HTMLInputElement>(null);
  const context = useMemo(() => ({ pick: () => input.current?.click() }), []);
  useEffect(() => end, [end]);
  useWarningBeforeLeaving(uploads.some(isInProgress));
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
          // The same file may be chosen once more.
          target.value = '';
        }}
      />
      <DropOverlay onDrop={(files) => queue.add(files)} />
      {uploads.length > 0 && <UploadTray queue={queue} uploads={uploads} />}
    </UploadsContext>
  );
}

/** What is half sent would be lost with the page (HTML, "beforeunload"). */
function useWarningBeforeLeaving(uploading: boolean) {
  useEffect(() => {
    if (!uploading) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [uploading]);
}
