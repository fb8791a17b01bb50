import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Whether only its own buttons close it: neither Escape nor a click beside it. */
  readonly stays?: boolean;
}

/** Something to fill in or to read before going on. */
export function Dialog({ open, title, children, onClose, stays = false }: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => !next && !stays && onClose()}
      disablePointerDismissal={stays}
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

/** The class of the line of buttons at the end of a dialog. */
export const dialogActions = styles.actions;

/** The class of a form that is a dialog's content. */
export const dialogForm = styles.form;
