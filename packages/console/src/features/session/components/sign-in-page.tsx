import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Logo } from '../../../components/logo.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useSession } from '../../../lib/session-context.ts';
import { checkKey } from '../api/sign-in.ts';
import styles from './sign-in-page.module.css';

/** Asks for an API key. The URL does not change, so that a shared link opens the linked page after sign-in. */
export function SignInPage() {
  const api = useApi();
  const { session, baseUrl } = useSession();
  const [apiKey, setApiKey] = useState('');
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const signIn = useMutation({
    mutationFn: (key: string) => checkKey(api, key),
    onSuccess: (_, key) => session.start(key),
  });
  useEffect(() => {
    document.title = 'Sign in · Sluice';
    input.current?.focus();
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = apiKey.trim();
    setMissing(key === '');
    if (key !== '') signIn.mutate(key);
  };
  const rejection =
    signIn.error instanceof ApiError && signIn.error.status === 401 ? signIn.error : undefined;
  const { ended } = session.state;
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.brand}>
          <Logo size={36} />
          <h1>Sign in to Sluice</h1>
        </div>
        {ended !== undefined && !signIn.isError && (
          <Notice variant="warning" live title="You were signed out">
            {ended}
          </Notice>
        )}
        <TextField
          ref={input}
          label="API key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={apiKey}
          onValueChange={setApiKey}
          placeholder="sk_…"
          hint="Stored only in this browser tab and sent only to this server."
          error={
            rejection !== undefined
              ? `This key was rejected (401): ${rejection.message}`
              : missing
                ? 'Enter an API key'
                : undefined
          }
        />
        {signIn.error !== null && rejection === undefined && <ErrorNotice error={signIn.error} />}
        <Button type="submit" variant="primary" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className={styles.help}>
          Sluice prints an API key when it starts for the first time. To create more keys, run{' '}
          <code>sluice api-key create</code> or open the API keys page. See the{' '}
          <a href={`${baseUrl}/docs`}>API reference</a>.
        </p>
      </form>
    </main>
  );
}
