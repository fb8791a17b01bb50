import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { CodeSample } from '../../../components/code-sample.tsx';
import { dialogActions } from '../../../components/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';

interface NewKeyProps {
  readonly apiKey: string;
  readonly onDone: () => void;
}

/**
 * Shows the value of a new key. Blocks the back button and warns before the tab closes, because the key would be lost.
 */
export function NewKey({ apiKey, onDone }: NewKeyProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <>
      <Notice variant="warning" live title="Copy your key now">
        You won't be able to see it again. Store it like a password, and revoke it if it is lost or exposed.
      </Notice>
      <CodeSample code={apiKey} copyLabel="Copy key" />
      <div className={dialogActions}>
        <Button variant="primary" onClick={onDone}>
          I've saved the key
        </Button>
      </div>
    </>
  );
}
