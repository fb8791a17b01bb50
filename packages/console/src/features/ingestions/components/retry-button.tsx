import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions, dialogForm } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { RotateCw } from '../../../components/icons/lucide-icons.ts';
import { TextField } from '../../../components/text-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { fieldError } from '../../../lib/api/field-error.ts';
import { KNOWN_PROVIDER_TYPES } from '../../../lib/provider-type-label.ts';
import { retryIngestion } from '../api/retry-ingestion.ts';

/** Ingests the file of a failed job again, with defaults that the user enters. */
export function RetryButton({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<RotateCw size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Retry upload
      </Button>
      {open && <RetryDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

interface RetryDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function RetryDialog({ id, onClose }: RetryDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const types = useId();
  const [provider, setProvider] = useState('');
  const [account, setAccount] = useState('');
  const retry = useMutation({
    mutationFn: () => retryIngestion(api, id, { provider, account }),
    onSuccess: async (ingestion) => {
      void queryClient.invalidateQueries({ queryKey: ['ingestions'] });
      toast('Retry started');
      onClose();
      await navigate({ to: '/ingestions/$id', params: { id: ingestion.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    retry.mutate();
  };
  const providerError = fieldError(retry.error, '/data/attributes/provider');
  const accountError = fieldError(retry.error, '/data/attributes/account');
  const hasFieldError = providerError !== undefined || accountError !== undefined;
  return (
    <Dialog open title="Retry upload" onClose={onClose}>
      <p>
        The stored file is ingested again as a new upload. The defaults apply to records that do not specify a
        provider or an account.
      </p>
      <form className={dialogForm} onSubmit={submit} noValidate>
        <TextField
          label="Default provider"
          value={provider}
          onValueChange={setProvider}
          autoComplete="off"
          list={types}
          hint="For example, kubernetes."
          error={providerError}
        />
        <datalist id={types}>
          {KNOWN_PROVIDER_TYPES.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <TextField
          label="Default account"
          value={account}
          onValueChange={setAccount}
          autoComplete="off"
          hint="For example, the name of the cluster."
          error={accountError}
        />
        {retry.error !== null && !hasFieldError && <ErrorNotice error={retry.error} />}
        <div className={dialogActions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={retry.isPending}>
            {retry.isPending ? 'Retrying…' : 'Retry upload'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
