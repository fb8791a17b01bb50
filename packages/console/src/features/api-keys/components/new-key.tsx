import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { CodeSample } from '../../../components/code-sample.tsx';
import { dialogActions } from '../../../components/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';

interface NewKeyProps {
  readonly apiKey: string;
  readonly onDone: () => void;
}

/** The key itself. The back button and closing the tab would lose it: the one does nothing, the other asks. */
export function NewKey({ apiKey, onDone }: NewKeyProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <>
      <Notice variant="warning" live title="Copy it now: it is shown this once">
        The service stores no copy. Keep it like a password, and revoke it here when it is lost.
      </Notice>
      <CodeSample code={apiKey} copyLabel="Copy the key" />
      <div className={dialogActions}>
        <Button variant="primary" onClick={onDone}>
          I have stored the key
        </Button>
      </div>
    </>
  );
}
