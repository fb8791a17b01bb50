import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { describeEvent, SENT_EVENTS } from '../../webhooks/event-types.ts';

const HEADERS = z.object({
  'webhook-id': z.uuid().meta({
    description:
      'ID of the event, the same in each attempt. Use it to ignore events that you have received before.',
  }),
  'webhook-timestamp': z
    .string()
    .meta({ pattern: '^[0-9]+$', description: 'Time of the attempt, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({
    description:
      'Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated.',
  }),
});

/** The requests that the service sends, by type of event. */
export function describeWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    SENT_EVENTS.map((type) => {
      const { description, payload } = describeEvent(type);
      return [
        type,
        {
          post: {
            operationId: `receive${operationName(type)}`,
            tags: ['Webhooks'],
            summary: type,
            description: `${description} Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.`,
            security: [],
            requestParams: { header: HEADERS },
            requestBody: { required: true, content: { 'application/json': { schema: payload } } },
            responses: {
              '2XX': { description: 'The event was received.' },
              410: { description: 'The webhook is no longer wanted. It is disabled.' },
              default: { description: 'The delivery failed. It is retried for three days.' },
            },
          },
        },
      ];
    }),
  );
}

/** Converts a type of event to Pascal case. */
function operationName(type: string): string {
  return type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
