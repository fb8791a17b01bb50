import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { FileDown } from '../../../components/icons/lucide-icons.ts';
import styles from './drop-overlay.module.css';

/** Shows a drop target while files are dragged over the window. Ignores other dragged items. */
export function DropOverlay({ onDrop }: { readonly onDrop: (files: readonly File[]) => void }) {
  const [shown, setShown] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      setShown(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      // Without a related target, the pointer has left the window.
      if (relatedTarget === null) setShown(false);
    };
    const end = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setShown(false);
      drop([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', end);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', end);
    };
  }, []);
  if (!shown) return null;
  return createPortal(
    <div className={styles.overlay} role="status">
      <div className={styles.card}>
        <FileDown size={28} aria-hidden="true" className={styles.icon} />
        <strong>Drop files to upload</strong>
        <span>.ocsf.json files, optionally compressed (.gz, .zst)</span>
      </div>
    </div>,
    document.body,
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
