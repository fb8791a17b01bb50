import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import type { TenantService } from './service.ts';

export type Release = () => Promise<void>;

/** Keeps newly created jobs `pending` until the returned function is called. */
export async function holdPending(service: TenantService): Promise<Release> {
  await service.ownerSql(`alter table frame_queue alter column available_at set default '2100-01-01'`);
  return async () => {
    await service.ownerSql('alter table frame_queue alter column available_at set default clock_timestamp()');
    await service.ownerSql('update frame_queue set available_at = clock_timestamp()');
    await service.ownerSql(`notify ${FRAMES_CHANNEL}`);
  };
}

/** Keeps all jobs `processing` until the returned function is called, by blocking writes to findings. */
export async function holdProcessing(service: TenantService): Promise<Release> {
  const client = await service.connect();
  await client.query('begin; lock table findings in share mode');
  return () => client.end();
}
