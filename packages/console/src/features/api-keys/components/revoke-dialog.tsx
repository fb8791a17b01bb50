import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { ApiKey } from '../../../lib/api/types.ts';
import { useSession } from '../../../lib/session-context.ts';
import { revokeApiKey } from '../api/revoke-api-key.ts';

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  /** Whether it is the one of this session. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ apiKey: { id, attributes }, isOwn, onClose }: RevokeDialogProps) {
  const api = useApi();
  const { session } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const called = attributes.name ?? attributes.prefix;
  const revoke = useMutation({
    mutationFn: () => revokeApiKey(api, id),
    onSuccess: () => {
      if (isOwn) {
        session.end('You have revoked the key that you were signed in with.');
        return;
      }
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      toast(`The key ${called} is revoked`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Revoke the key ${called}?`}
      action="Revoke this key"
      running={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onCancel={onClose}
    >
      <p>
        From the next request on the service refuses <code>{attributes.prefix}</code>, wherever it is in use.
        It cannot be taken back.
      </p>
      {isOwn && (
        <p>
          <strong>This is the key that you are signed in with: you will be signed out.</strong>
        </p>
      )}
    </ConfirmDialog>
  );
}
