import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './icon-button.tsx';
import { X } from './icons/lucide-icons.ts';
import styles from './side-panel.module.css';

interface SidePanelProps {
  readonly open: boolean;
  readonly title: ReactNode;
  /** What can be done with what it shows, beside the button that closes it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Details of one thing, beside the list that it stands in; Escape closes it. */
export function SidePanel({ open, title, actions, children, onClose }: SidePanelProps) {
  // It is read from its start, rather than from its first button.
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup ref={panel} initialFocus={panel} className={styles.panel}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <div className={styles.actions}>
              {actions}
              <Dialog.Close
                render={
                  <IconButton label="Close">
                    <X size={18} />
                  </IconButton>
                }
              />
            </div>
          </div>
          <div className={styles.body}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
