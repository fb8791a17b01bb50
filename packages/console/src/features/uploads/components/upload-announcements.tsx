import { useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { describeChanges, describeJob } from '../../../lib/describe-job.ts';
import { isProcessing, type Upload } from '../queue/upload.ts';

const MAX_ANNOUNCEMENTS = 20;

interface Announcement {
  readonly key: string;
  readonly text: string;
}

/** Announces upload milestones to screen readers, but not every progress update. */
export function UploadAnnouncements({ uploads }: { readonly uploads: readonly Upload[] }) {
  const [announcements, setAnnouncements] = useState<readonly Announcement[]>([]);
  const last = useRef(new Map<string, string>());
  useEffect(() => {
    const next: Announcement[] = [];
    for (const upload of uploads) {
      const text = describeMilestone(upload);
      if (text === undefined || last.current.get(upload.id) === text) continue;
      last.current.set(upload.id, text);
      next.push({ key: `${upload.id} ${text}`, text });
    }
    if (next.length > 0) setAnnouncements((before) => [...before, ...next].slice(-MAX_ANNOUNCEMENTS));
  }, [uploads]);
  return (
    <VisuallyHidden>
      <span role="log" aria-label="Upload status">
        {announcements.map(({ key, text }) => (
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
      return `Retrying ${file.name}: ${state.error.message}`;
    case 'rejected':
      return `${file.name} was not uploaded: ${state.reason}`;
    case 'failed':
      return `Upload of ${file.name} failed: ${state.error.message}`;
    case 'canceled':
      return `Upload of ${file.name} canceled.`;
    case 'accepted':
      return isProcessing(upload)
        ? `${file.name} uploaded. Processing will start soon.`
        : [`${file.name} processed: ${describeJob(state.ingestion)}`, describeChanges(state.ingestion)]
            .filter((text) => text !== undefined)
            .join('. ');
  }
}
