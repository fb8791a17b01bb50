import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Ignores Escape and outside clicks, so that only the dialog's buttons close it. */
  readonly persistent?: boolean;
}

/** A modal dialog. */
export function Dialog({ open, title, children, onClose, persistent = false }: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => !next && !persistent && onClose()}
      disablePointerDismissal={persistent}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup className={styles.dialog}>
          <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The class name of the button row at the end of a dialog. */
export const dialogActions = styles.actions;

/** The class name of a form in a dialog. */
export const dialogForm = styles.form;
