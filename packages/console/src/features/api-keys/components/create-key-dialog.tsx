import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../components/dialog.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { createApiKey } from '../api/create-api-key.ts';
import { CreateKeyForm } from './create-key-form.tsx';
import { NewKey } from './new-key.tsx';

/** Creates a key and shows its value once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [key, setKey] = useState<string>();
  const create = useMutation({
    mutationFn: (key: Parameters<typeof createApiKey>[1]) => createApiKey(api, key),
    onSuccess: (created) => setKey(created.key),
    // The key may have been created even if there was no response.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return (
    <Dialog
      open
      persistent={create.isPending || key !== undefined}
      title={key === undefined ? 'Create API key' : 'API key created'}
      onClose={onClose}
    >
      {key === undefined ? (
        <CreateKeyForm
          running={create.isPending}
          error={create.error}
          onSubmit={(newKey) => create.mutate(newKey)}
          onCancel={onClose}
        />
      ) : (
        <NewKey apiKey={key} onDone={onClose} />
      )}
    </Dialog>
  );
}
