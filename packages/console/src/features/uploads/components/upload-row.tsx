import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../components/icon-button.tsx';
import {
  CircleCheck,
  CircleExclamationPoint,
  FileUp,
  RotateCw,
  X,
} from '../../../components/icons/lucide-icons.ts';
import { Progress } from '../../../components/progress.tsx';
import { formatBytes } from '../../../lib/format-number.ts';
import { isInProgress, isProcessing, type Upload } from '../queue/upload.ts';
import styles from './upload-row.module.css';
import { UploadStatus } from './upload-status.tsx';

interface UploadRowProps {
  readonly upload: Upload;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

export function UploadRow({ upload, onRetry, onCancel }: UploadRowProps) {
  const { file, state } = upload;
  const { phase } = state;
  return (
    <li className={styles.row} aria-label={file.name}>
      <UploadIcon upload={upload} />
      <div className={styles.text}>
        <div className={styles.line}>
          {phase === 'accepted' ? (
            <Link
              to="/ingestions/$id"
              params={{ id: state.ingestion.id }}
              className={styles.name}
              title={file.name}
            >
              {file.name}
            </Link>
          ) : (
            <span className={styles.name} title={file.name}>
              {file.name}
            </span>
          )}
          <span className={styles.size}>{formatBytes(file.size)}</span>
        </div>
        <UploadStatus state={state} />
      </div>
      <div className={styles.progress}>
        <UploadProgress upload={upload} />
      </div>
      <div className={styles.actions}>
        {(phase === 'failed' || phase === 'canceled' || phase === 'retrying') && (
          <IconButton label={phase === 'retrying' ? 'Retry now' : 'Try again'} onClick={onRetry}>
            <RotateCw size={16} />
          </IconButton>
        )}
        {isInProgress(upload) && (
          <IconButton label={`Cancel upload of ${file.name}`} onClick={onCancel}>
            <X size={16} />
          </IconButton>
        )}
      </div>
    </li>
  );
}

function UploadProgress({ upload: { file, state } }: { readonly upload: Upload }) {
  if (state.phase === 'sending')
    return <Progress label={`Uploading ${file.name}`} value={state.fraction} max={1} />;
  if (state.phase !== 'accepted' || state.ingestion.attributes.status !== 'processing') return null;
  const { processed, total } = state.ingestion.attributes.summary;
  return <Progress label={`Processing ${file.name}`} value={processed} max={total} />;
}

function UploadIcon({ upload }: { readonly upload: Upload }) {
  const { state } = upload;
  if (isInProgress(upload) || isProcessing(upload))
    return <FileUp size={18} aria-hidden="true" className={styles.dim} />;
  const hasSucceeded = state.phase === 'accepted' && state.ingestion.attributes.status === 'completed';
  if (hasSucceeded) return <CircleCheck size={18} aria-hidden="true" className={styles.good} />;
  const color = state.phase === 'canceled' ? styles.dim : styles.danger;
  return <CircleExclamationPoint size={18} aria-hidden="true" className={color} />;
}
