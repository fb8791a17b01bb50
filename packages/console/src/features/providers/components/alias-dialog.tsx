import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions, dialogForm } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { fieldError } from '../../../lib/api/field-error.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { setAlias } from '../api/set-alias.ts';

interface AliasDialogProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

/** Sets or removes a provider's alias. */
export function AliasDialog({ provider: { id, attributes }, onClose }: AliasDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [alias, setAliasText] = useState(attributes.alias ?? '');
  const change = useMutation({
    mutationFn: () => setAlias(api, id, alias.trim() === '' ? null : alias),
    onSuccess: (provider) => {
      // Other pages also display the alias.
      void queryClient.invalidateQueries();
      toast(
        provider.attributes.alias === null
          ? `Alias for ${attributes.account} removed`
          : `Alias for ${attributes.account} updated`,
      );
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const aliasError = fieldError(change.error, '/data/attributes/alias');
  return (
    <Dialog open title={`Edit alias for ${attributes.account}`} onClose={onClose}>
      <form className={dialogForm} onSubmit={submit} noValidate>
        <TextField
          label="Alias"
          value={alias}
          onValueChange={setAliasText}
          autoComplete="off"
          hint="A display name for this account. Leave blank to remove the alias."
          error={aliasError}
        />
        {change.error !== null && aliasError === undefined && <ErrorNotice error={change.error} />}
        <div className={dialogActions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={change.isPending}>
            {change.isPending ? 'Saving…' : 'Save alias'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
