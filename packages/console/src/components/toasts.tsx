import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { X } from './icons/lucide-icons.ts';
import styles from './toasts.module.css';

/** Shows short notifications that require no action. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <div>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.description} />
        </div>
        <Toast.Close render={<IconButton label="Dismiss">{<X size={16} />}</IconButton>} />
      </Toast.Content>
    </Toast.Root>
  ));
}

/** Reports success. Show errors where they occur instead. */
export function useToast(): (title: string, description?: string) => void {
  const { add } = Toast.useToastManager();
  return (title, description) => void add({ title, description });
}
