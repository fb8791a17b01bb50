import { type Service, startService } from './service.ts';

/** The public URL of the service, which the links in events begin with. */
export const PUBLIC_URL = 'https://sluice.example.com/base';

/** Starts a service that can send webhooks to receivers on this host. */
export async function startWebhookService(): Promise<Service> {
  return await startService({
    SLUICE_WORKERS: '1',
    SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
    SLUICE_PUBLIC_URL: PUBLIC_URL,
    LOG_LEVEL: 'debug',
  });
}
