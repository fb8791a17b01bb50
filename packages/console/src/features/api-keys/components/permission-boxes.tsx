import type { Permission } from '../../../lib/api/types.ts';
import styles from './permission-boxes.module.css';
import { PERMISSIONS } from './permissions.ts';

interface PermissionBoxesProps {
  /** `undefined`: not narrowed. */
  readonly permissions: readonly Permission[] | undefined;
  readonly onPermissionsChange: (permissions: readonly Permission[] | undefined) => void;
  /** What is wrong with them. */
  readonly error: string | undefined;
}

/** What a key may do: all that its user may, or what is chosen. */
export function PermissionBoxes({ permissions, onPermissionsChange, error }: PermissionBoxesProps) {
  const toggle = (permission: Permission, on: boolean) =>
    onPermissionsChange(
      PERMISSIONS.map(([name]) => name).filter((name) =>
        name === permission ? on : permissions?.includes(name),
      ),
    );
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>What it may do</legend>
      <label className={styles.choice}>
        <input
          type="radio"
          name="narrowed"
          checked={permissions === undefined}
          onChange={() => onPermissionsChange(undefined)}
        />
        All that its user may, as far as the key in use may
      </label>
      <label className={styles.choice}>
        <input
          type="radio"
          name="narrowed"
          checked={permissions !== undefined}
          onChange={() => onPermissionsChange([])}
        />
        Only what is chosen here
      </label>
      {permissions !== undefined && (
        <div className={styles.boxes}>
          {PERMISSIONS.map(([permission, words]) => (
            <label key={permission} className={styles.choice}>
              <input
                type="checkbox"
                checked={permissions.includes(permission)}
                onChange={({ target }) => toggle(permission, target.checked)}
              />
              <span>
                <code>{permission}</code>
                <span className={styles.words}> {words}</span>
              </span>
            </label>
          ))}
          <p className={styles.words}>
            {permissions.length === 0
              ? 'Nothing is chosen: the key can only read the limits and the subscription.'
              : 'The key can do nothing else, except read the limits and the subscription.'}
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
