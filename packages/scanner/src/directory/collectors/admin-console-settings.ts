import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read.ts';
import type { AdminConsoleSettings } from '../snapshot.ts';
import { number } from './fields.ts';

const settingsSchema = z.object({ sessionIdleTimeoutMinutes: number });

/** The settings of the admin console, which only a Super Administrator can read. */
export function readAdminConsoleSettings(api: ManagementApi): Promise<Read<AdminConsoleSettings>> {
  return api.object({
    path: '/api/v1/first-party-app-settings/admin-console',
    scope: 'apps',
    isFeature: true,
    schema: settingsSchema,
  });
}
