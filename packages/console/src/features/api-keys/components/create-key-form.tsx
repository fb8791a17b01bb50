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

/** The user of the key in use. */
const OWN = '';

export function CreateKeyForm({ running, error, onSubmit, onCancel }: CreateKeyFormProps) {
  const { data: users = [] } = useQuery(usersQuery(useApi()));
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [date, setDate] = useState('');
  const [userId, setUserId] = useState(OWN);
  const [permissions, setPermissions] = useState<readonly Permission[]>();
  const [missing, setMissing] = useState({ name: false, date: false });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lacks = { name: name.trim() === '', date: expiry === 'date' && date === '' };
    setMissing(lacks);
    if (lacks.name || lacks.date) return;
    onSubmit({
      name: name.trim(),
      permissions,
      expiresAt: expiresAt(expiry, date, Date.now()),
      userId: userId === OWN ? undefined : userId,
    });
  };
  const wrong = {
    name: fieldError(error, '/data/attributes/name'),
    expiry: fieldError(error, '/data/attributes/expires_at'),
    user: fieldError(error, '/data/relationships/user/data'),
    permissions: fieldError(error, '/data/attributes/permissions'),
  };
  const isElsewhere = error != null && Object.values(wrong).every((words) => words === undefined);
  return (
    <form className={dialogForm} onSubmit={submit} noValidate>
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        autoComplete="off"
        maxLength={100}
        hint="What it is for, such as: nightly pipeline"
        error={missing.name ? 'Give it a name' : wrong.name}
      />
      <SelectField
        label="Expires"
        options={EXPIRIES}
        value={expiry}
        onValueChange={setExpiry}
        error={expiry === 'date' ? undefined : wrong.expiry}
      />
      {expiry === 'date' && (
        <TextField
          label="Last day"
          type="date"
          value={date}
          onValueChange={setDate}
          hint="It is valid until the end of this day"
          error={missing.date ? 'Choose a day' : wrong.expiry}
        />
      )}
      {users.length > 0 && (
        <SelectField
          label="User"
          options={[
            { value: OWN, label: 'The user of the key in use' },
            ...users.map(({ id, attributes }) => ({ value: id, label: attributes.email })),
          ]}
          value={userId}
          onValueChange={setUserId}
          error={wrong.user}
        />
      )}
      <PermissionBoxes
        permissions={permissions}
        onPermissionsChange={setPermissions}
        error={wrong.permissions}
      />
      {isElsewhere && <ErrorNotice error={error} />}
      <div className={dialogActions}>
        <Button onClick={onCancel} disabled={running}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={running}>
          {running ? 'Creating' : 'Create the key'}
        </Button>
      </div>
    </form>
  );
}
