import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
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
      // Deletion affects every list and count.
      void queryClient.invalidateQueries();
      toast(`Provider ${account} deleted`, 'Your subscription now counts one fewer provider.');
      onClose();
    },
  });
  const name = `${providerTypeLabel(type)} ${account}`;
  return (
    <ConfirmDialog
      open
      title={`Delete ${alias === null ? name : `${name} (${alias})`}?`}
      action="Delete provider"
      running={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      <p>
        This deletes the provider, its scans and {pluralize(findings.total, 'finding')} (
        {formatCount(findings.failing)} failing). Your subscription will count one fewer provider. This can't
        be undone.
      </p>
      <p>
        Uploads and their files are kept. If a later upload contains this account, the provider is added and
        counted again.
      </p>
    </ConfirmDialog>
  );
}
