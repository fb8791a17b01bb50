import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { ApiKey } from '../../../lib/api/types.ts';
import { useSession } from '../../../lib/session-context.ts';
import { revokeApiKey } from '../api/revoke-api-key.ts';

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  /** Whether this is the key of the current session. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ apiKey: { id, attributes }, isOwn, onClose }: RevokeDialogProps) {
  const api = useApi();
  const { session } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const displayName = attributes.name ?? attributes.prefix;
  const revoke = useMutation({
    mutationFn: () => revokeApiKey(api, id),
    onSuccess: () => {
      if (isOwn) {
        session.end('You revoked the key that you were signed in with.');
        return;
      }
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      toast(`Key ${displayName} revoked`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Revoke key ${displayName}?`}
      action="Revoke key"
      running={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onCancel={onClose}
    >
      <p>
        Requests that use <code>{attributes.prefix}</code> will be rejected immediately. This can't be undone.
      </p>
      {isOwn && (
        <p>
          <strong>You are signed in with this key and will be signed out.</strong>
        </p>
      )}
    </ConfirmDialog>
  );
}
