import { useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { jobResult } from '../../../lib/job-result.ts';
import { isProcessing, type Upload } from '../queue/upload.ts';

const KEPT = 20;

interface Announcement {
  readonly key: string;
  readonly text: string;
}

/** Tells those who hear the page what has become of an upload, and not each percent of it. */
export function UploadAnnouncements({ uploads }: { readonly uploads: readonly Upload[] }) {
  const [said, setSaid] = useState<readonly Announcement[]>([]);
  const last = useRef(new Map<string, string>());
  useEffect(() => {
    const next: Announcement[] = [];
    for (const upload of uploads) {
      const text = describeMilestone(upload);
      if (text === undefined || last.current.get(upload.id) === text) continue;
      last.current.set(upload.id, text);
      next.push({ key: `${upload.id} ${text}`, text });
    }
    if (next.length > 0) setSaid((before) => [...before, ...next].slice(-KEPT));
  }, [uploads]);
  return (
    <VisuallyHidden>
      <span role="log" aria-label="What has become of uploads">
        {said.map(({ key, text }) => (
          <span key={key}>{text} </span>
        ))}
      </span>
    </VisuallyHidden>
  );
}

function describeMilestone(upload: Upload): string | undefined {
  const { file, state } = upload;
  switch (state.phase) {
    case 'waiting':
    case 'sending':
      return undefined;
    case 'retrying':
      return `${file.name} is tried again: ${state.error.message}`;
    case 'unfit':
      return `${file.name} is not sent: ${state.reason}`;
    case 'failed':
      return `${file.name} could not be uploaded: ${state.error.message}`;
    case 'cancelled':
      return `The upload of ${file.name} is cancelled.`;
    case 'taken':
      return isProcessing(upload)
        ? `${file.name} is uploaded and will be processed.`
        : `${file.name} is processed: ${jobResult(state.ingestion)}`;
  }
}
