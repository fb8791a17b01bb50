import type { Permission } from '../../../lib/api/types.ts';
import styles from './permission-boxes.module.css';
import { PERMISSIONS } from './permissions.ts';

interface PermissionBoxesProps {
  /** `undefined` stands for all of the user's permissions. */
  readonly permissions: readonly Permission[] | undefined;
  readonly onPermissionsChange: (permissions: readonly Permission[] | undefined) => void;
  /** The validation error. */
  readonly error: string | undefined;
}

/** Selects the permissions of a key: all of the user's permissions, or a subset. */
export function PermissionBoxes({ permissions, onPermissionsChange, error }: PermissionBoxesProps) {
  const toggle = (permission: Permission, on: boolean) =>
    onPermissionsChange(
      PERMISSIONS.map(([name]) => name).filter((name) =>
        name === permission ? on : permissions?.includes(name),
      ),
    );
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>Permissions</legend>
      <label className={styles.choice}>
        <input
          type="radio"
          name="permission-mode"
          checked={permissions === undefined}
          onChange={() => onPermissionsChange(undefined)}
        />
        All of the user's permissions that your current key also has
      </label>
      <label className={styles.choice}>
        <input
          type="radio"
          name="permission-mode"
          checked={permissions !== undefined}
          onChange={() => onPermissionsChange([])}
        />
        Selected permissions only
      </label>
      {permissions !== undefined && (
        <div className={styles.boxes}>
          {PERMISSIONS.map(([permission, description]) => (
            <label key={permission} className={styles.choice}>
              <input
                type="checkbox"
                checked={permissions.includes(permission)}
                onChange={({ target }) => toggle(permission, target.checked)}
              />
              <span>
                <code>{permission}</code>
                <span className={styles.text}> {description}</span>
              </span>
            </label>
          ))}
          <p className={styles.text}>
            {permissions.length === 0
              ? 'No permissions selected. The key can only read limits and the subscription.'
              : 'The key can also read limits and the subscription.'}
          </p>
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
