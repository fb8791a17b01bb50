import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { dialogActions, dialogForm } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { fieldError } from '../../../lib/api/field-error.ts';
import type { Permission } from '../../../lib/api/types.ts';
import type { NewKey } from '../api/create-api-key.ts';
import { usersQuery } from '../api/list-users.ts';
import { EXPIRIES, type Expiry, expiresAt } from './expiry.ts';
import { PermissionBoxes } from './permission-boxes.tsx';

interface CreateKeyFormProps {
  readonly running: boolean;
  readonly error: unknown;
  readonly onSubmit: (key: NewKey) => void;
  readonly onCancel: () => void;
}

/** The current user. */
const CURRENT_USER = '';

export function CreateKeyForm({ running, error, onSubmit, onCancel }: CreateKeyFormProps) {
  const { data: users = [] } = useQuery(usersQuery(useApi()));
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [date, setDate] = useState('');
  const [userId, setUserId] = useState(CURRENT_USER);
  const [permissions, setPermissions] = useState<readonly Permission[]>();
  const [missing, setMissing] = useState({ name: false, date: false });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const nextMissing = { name: name.trim() === '', date: expiry === 'date' && date === '' };
    setMissing(nextMissing);
    if (nextMissing.name || nextMissing.date) return;
    onSubmit({
      name: name.trim(),
      permissions,
      expiresAt: expiresAt(expiry, date, Date.now()),
      userId: userId === CURRENT_USER ? undefined : userId,
    });
  };
  const fieldErrors = {
    name: fieldError(error, '/data/attributes/name'),
    expiry: fieldError(error, '/data/attributes/expires_at'),
    user: fieldError(error, '/data/relationships/user/data'),
    permissions: fieldError(error, '/data/attributes/permissions'),
  };
  const isFormError = error != null && Object.values(fieldErrors).every((message) => message === undefined);
  return (
    <form className={dialogForm} onSubmit={submit} noValidate>
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        autoComplete="off"
        maxLength={100}
        hint="For example, nightly pipeline"
        error={missing.name ? 'Enter a name' : fieldErrors.name}
      />
      <SelectField
        label="Expiration"
        options={EXPIRIES}
        value={expiry}
        onValueChange={setExpiry}
        error={expiry === 'date' ? undefined : fieldErrors.expiry}
      />
      {expiry === 'date' && (
        <TextField
          label="Expiration date"
          type="date"
          value={date}
          onValueChange={setDate}
          hint="The key expires at the end of the selected day."
          error={missing.date ? 'Choose a date' : fieldErrors.expiry}
        />
      )}
      {users.length > 0 && (
        <SelectField
          label="User"
          options={[
            { value: CURRENT_USER, label: 'Current user' },
            ...users.map(({ id, attributes }) => ({ value: id, label: attributes.email })),
          ]}
          value={userId}
          onValueChange={setUserId}
          error={fieldErrors.user}
        />
      )}
      <PermissionBoxes
        permissions={permissions}
        onPermissionsChange={setPermissions}
        error={fieldErrors.permissions}
      />
      {isFormError && <ErrorNotice error={error} />}
      <div className={dialogActions}>
        <Button onClick={onCancel} disabled={running}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={running}>
          {running ? 'Creating…' : 'Create key'}
        </Button>
      </div>
    </form>
  );
}
