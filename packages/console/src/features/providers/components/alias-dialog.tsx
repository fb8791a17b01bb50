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

/** Gives an account a name of one's own. */
export function AliasDialog({ provider: { id, attributes }, onClose }: AliasDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [alias, setText] = useState(attributes.alias ?? '');
  const change = useMutation({
    mutationFn: () => setAlias(api, id, alias.trim() === '' ? null : alias),
    onSuccess: (provider) => {
      // Scans and findings show it, too.
      void queryClient.invalidateQueries();
      toast(
        provider.attributes.alias === null
          ? `${attributes.account} has no alias any more`
          : `The alias of ${attributes.account} is changed`,
      );
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const wrong = fieldError(change.error, '/data/attributes/alias');
  return (
    <Dialog open title={`Alias of ${attributes.account}`} onClose={onClose}>
      <form className={dialogForm} onSubmit={submit} noValidate>
        <TextField
          label="Alias"
          value={alias}
          onValueChange={setText}
          autoComplete="off"
          hint="A name of your own for this account. Leave it empty to take it away."
          error={wrong}
        />
        {change.error !== null && wrong === undefined && <ErrorNotice error={change.error} />}
        <div className={dialogActions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={change.isPending}>
            {change.isPending ? 'Saving' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
