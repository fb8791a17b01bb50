import { z } from 'zod';
import 'zod-openapi';
import { version } from './schemas.ts';

const errorObject = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the request, as in X-Request-Id' }),
    status: z.string(),
    code: z.string().meta({ description: 'Stable, for programs' }),
    title: z.string(),
    detail: z.string(),
    source: z
      .strictObject({
        pointer: z.string().optional(),
        parameter: z.string().optional(),
        header: z.string().optional(),
      })
      .optional(),
    meta: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** What every answer with a status from 400 on is. */
export const errorDocument = z
  .strictObject({ errors: z.array(errorObject).min(1), meta: z.strictObject({ version }) })
  .meta({ id: 'ErrorDocument' });
