import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { deleteProvider } from '../api/delete-provider.ts';

interface DeleteDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

export function DeleteDialog({ provider: { id, attributes }, onClose }: DeleteDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { type, account, alias, findings } = attributes;
  const remove = useMutation({
    mutationFn: () => deleteProvider(api, id),
    onSuccess: () => {
      // It is gone from every list and every count.
      void queryClient.invalidateQueries();
      toast(`${account} is deleted`, 'The subscription counts one provider less.');
      onClose();
    },
  });
  const called = alias === null ? `${type} ${account}` : `${type} ${account} (${alias})`;
  return (
    <ConfirmDialog
      open
      title={`Delete ${called}?`}
      action="Delete this provider"
      running={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <p>
        This removes its scans and its {pluralize(findings.total, 'finding')}, {formatCount(findings.failing)}{' '}
        of them failing, and frees one billable provider of the subscription. It cannot be taken back.
      </p>
      <p>
        Jobs and uploaded files stay. When a file with this account is uploaded again, it is a new provider
        and counts again.
      </p>
    </ConfirmDialog>
  );
}
