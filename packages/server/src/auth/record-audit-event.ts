import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { clientAddress } from '../lib/client-address.ts';
import type { Access } from './permissions.ts';

/** The authorized request that makes a change. */
export interface Actor {
  readonly access: Pick<Access, 'tenantId' | 'userId' | 'keyId'>;
  readonly request: Pick<FastifyRequest, 'id' | 'ip' | 'socket'>;
}

export interface AuditEvent {
  /** Object and past participle, such as `provider.deleted`. */
  readonly action: `${string}.${string}`;
  /** Resource type in the API, such as `providers`. */
  readonly targetType: string;
  readonly targetId: string;
  /** The new values, without secrets. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

/**
 * Records an audit event in the transaction that makes the change. Reads the user's email and the key's prefix, so call
 * this function before deleting the user or the key.
 */
export async function recordAuditEvent(
  client: Queryable,
  { access, request }: Actor,
  { action, targetType, targetId, changes = {} }: AuditEvent,
): Promise<void> {
  const { rows } = await client.query<{ email: string | null; prefix: string | null }>(
    `select (select email from users where tenant_id = $1 and id = $2) as email,
       (select prefix from api_keys where tenant_id = $1 and id = $3) as prefix`,
    [access.tenantId, access.userId, access.keyId],
  );
  await client.query(
    `insert into audit_events
       (tenant_id, id, user_id, user_email, api_key_id, api_key_prefix, action, target_type, target_id, changes, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      access.tenantId,
      uuidv7(),
      access.userId,
      rows[0]?.email,
      access.keyId,
      rows[0]?.prefix,
      action,
      targetType,
      targetId,
      JSON.stringify(changes),
      clientAddress(request),
      request.id,
    ],
  );
}

/** Records an audit event for an admin command, which has no user, key or IP address. */
export async function recordOperatorEvent(
  client: Queryable,
  tenantId: string,
  { action, targetType, targetId, changes = {} }: AuditEvent,
): Promise<void> {
  await client.query(
    `insert into audit_events (tenant_id, id, action, target_type, target_id, changes)
     values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, uuidv7(), action, targetType, targetId, JSON.stringify(changes)],
  );
}
