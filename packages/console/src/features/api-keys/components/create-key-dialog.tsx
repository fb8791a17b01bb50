import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../components/dialog.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { createApiKey } from '../api/create-api-key.ts';
import { CreateKeyForm } from './create-key-form.tsx';
import { NewKey } from './new-key.tsx';

/** Asks what the key is to be, makes it, and shows it, this once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [key, setKey] = useState<string>();
  const create = useMutation({
    mutationFn: (key: Parameters<typeof createApiKey>[1]) => createApiKey(api, key),
    onSuccess: (made) => setKey(made.key),
    // Also without an answer it may have been made.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return (
    <Dialog
      open
      stays={create.isPending || key !== undefined}
      title={key === undefined ? 'Create an API key' : 'Your new API key'}
      onClose={onClose}
    >
      {key === undefined ? (
        <CreateKeyForm
          running={create.isPending}
          error={create.error}
          onSubmit={(wanted) => create.mutate(wanted)}
          onCancel={onClose}
        />
      ) : (
        <NewKey apiKey={key} onDone={onClose} />
      )}
    </Dialog>
  );
}
