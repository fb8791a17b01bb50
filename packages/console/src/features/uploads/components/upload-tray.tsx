import { useEffect, useId, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { ChevronDown, ChevronUp, X } from '../../../components/icons/lucide-icons.ts';
import { pluralize } from '../../../lib/format-number.ts';
import { isInProgress, isProcessing, type Upload } from '../queue/upload.ts';
import type { UploadQueue } from '../queue/upload-queue.ts';
import { UploadAnnouncements } from './upload-announcements.tsx';
import { UploadRow } from './upload-row.tsx';
import styles from './upload-tray.module.css';

interface UploadTrayProps {
  readonly queue: UploadQueue;
  readonly uploads: readonly Upload[];
}

/** An attribute that is set on the root element so that other elements can make room for the tray. */
const TRAY_SHOWN = 'data-upload-tray';

/** This tab's uploads. The tray can be collapsed, and closed when all uploads have ended. */
export function UploadTray({ queue, uploads }: UploadTrayProps) {
  const [open, setOpen] = useState(true);
  const list = useId();
  const busy = uploads.some((upload) => isInProgress(upload) || isProcessing(upload));
  useEffect(() => {
    // Uses an attribute rather than `:has()`, because browsers would re-evaluate `:has()` on every change to the page.
    document.documentElement.toggleAttribute(TRAY_SHOWN, true);
    return () => void document.documentElement.toggleAttribute(TRAY_SHOWN, false);
  }, []);
  return (
    <section className={styles.tray} aria-label="Upload progress">
      <div className={styles.head}>
        <h2 className={styles.title}>{getTitle(uploads)}</h2>
        <IconButton
          label={open ? 'Collapse uploads' : 'Expand uploads'}
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
        </IconButton>
        {!busy && (
          <IconButton label="Close uploads" onClick={() => queue.dismiss()}>
            <X size={18} />
          </IconButton>
        )}
      </div>
      <ul id={list} className={styles.list} hidden={!open}>
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRetry={() => queue.retry(upload.id)}
            onCancel={() => queue.cancel(upload.id)}
          />
        ))}
      </ul>
      <UploadAnnouncements uploads={uploads} />
    </section>
  );
}

function getTitle(uploads: readonly Upload[]): string {
  const sending = uploads.filter(isInProgress).length;
  if (sending > 0) return `Uploading ${pluralize(sending, 'file')}`;
  const processing = uploads.filter(isProcessing).length;
  if (processing > 0) return `Processing ${pluralize(processing, 'file')}`;
  const accepted = uploads.filter(({ state: { phase } }) => phase === 'accepted').length;
  return accepted === uploads.length
    ? `${pluralize(accepted, 'file')} uploaded`
    : `${accepted} of ${pluralize(uploads.length, 'file')} uploaded`;
}
