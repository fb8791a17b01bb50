import { z } from 'zod';
import 'zod-openapi';
import { version } from './schemas.ts';

const errorObject = z
  .strictObject({
    id: z.string().meta({ description: 'ID of the request, as in the header `X-Request-Id`.' }),
    status: z.string().meta({ description: 'HTTP status code.' }),
    code: z.string().meta({ description: 'Stable error code for programs.' }),
    title: z
      .string()
      .meta({ description: 'Short summary of the error, the same for every error with this code.' }),
    detail: z.string().meta({ description: 'Explanation of this error and how to resolve it.' }),
    source: z
      .strictObject({
        pointer: z
          .string()
          .optional()
          .meta({ description: 'JSON Pointer (RFC 6901) to the location in the request document.' }),
        parameter: z.string().optional().meta({ description: 'Name of the query parameter.' }),
        header: z.string().optional().meta({ description: 'Name of the request header.' }),
      })
      .optional()
      .meta({ description: 'The part of the request that caused the error.' }),
    meta: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Additional details, such as the limit that was exceeded.' }),
  })
  .meta({ id: 'Error', description: 'An error in the request or in the service.' });

/** The document in every response with a status of 400 or higher. */
export const errorDocument = z
  .strictObject({ errors: z.array(errorObject).min(1), meta: z.strictObject({ version }) })
  .meta({ id: 'ErrorDocument', description: 'The document in every error response.' });
