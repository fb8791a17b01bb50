import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** Explains the consequences. */
  readonly children: ReactNode;
  /** The label of the confirm button: a verb and an object. */
  readonly action: string;
  readonly running: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation of an action that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, action, running, error, onConfirm, onCancel } = props;
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.dialog}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className={styles.description}>
            {children}
          </AlertDialog.Description>
          {error != null && <ErrorNotice error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button>Cancel</Button>} />
            <Button variant="danger" disabled={running} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
