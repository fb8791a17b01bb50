import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './icon-button.tsx';
import { X } from './icons/lucide-icons.ts';
import styles from './side-panel.module.css';

interface SidePanelProps {
  readonly open: boolean;
  readonly title: ReactNode;
  /** Buttons next to the close button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Details of a list item, next to the list. Escape closes the panel. */
export function SidePanel({ open, title, actions, children, onClose }: SidePanelProps) {
  // Focus the panel rather than its first button, so that screen readers start at the title.
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
