import { pipeline, Readable } from 'node:stream';
import { readAsTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { chooseCoding } from '../../http/request/choose-coding.ts';
import { ingestionResourceType, READ_SUBMITTED_RECORDS } from '../../resources/ingestions.ts';
import { compressorFor, FILE_CODINGS } from './compressor-for.ts';
import { attachment, downloadName } from './content-disposition.ts';
import { assertFileKept } from './file-repository.ts';
import { openStoredFile } from './stored-file.ts';

/** An uploaded file is not necessarily JSON, or even text. */
const MEDIA_TYPE = 'application/octet-stream';

/** The endpoint for downloading a job's uploaded file. */
export function ingestionFileEndpoints({ pool, blobs }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/ingestions/{id}/file',
      resourceType: ingestionResourceType,
      operationId: 'getIngestionFile',
      tag: 'Ingestions',
      summary: "Download a job's uploaded file",
      description:
        'Returns the uploaded file byte for byte, including invalid records. Compressed uploads are decompressed first. The response is compressed if `Accept-Encoding` includes zstd or gzip.',
      access: READ_SUBMITTED_RECORDS,
      query: { fields: {} },
      responses: {
        200: {
          description: 'The file.',
          mediaType: MEDIA_TYPE,
          headers: {
            'Content-Disposition': 'Contains the name of the uploaded file.',
            'Content-Length': 'Size of the file in bytes; absent if the response is compressed.',
            'Content-Encoding': 'zstd or gzip; absent if the response is not compressed.',
            Vary: 'Accept-Encoding',
          },
        },
      },
      errors: [410],
      handle: async ({ request, reply, access: { tenantId }, params }) => {
        const findKept = () =>
          readAsTenant(pool, tenantId, async (client) => {
            const found = await findExisting(ingestionResourceType, client, tenantId, params.id);
            await assertFileKept(client, tenantId, found.id);
            return found;
          });
        const row = await findKept();
        const address = { tenantId, ingestionId: row.id, requestedAt: new Date(row.requested_at) };
        const file = await openStoredFile({ pool, blobs }, { ...address, bytes: row.bytes }).catch(
          async (error: unknown) => {
            // If garbage collection has removed the file in the meantime, `findKept` throws a 410 error.
            await findKept();
            throw error;
          },
        );
        const coding = chooseCoding(request.headers['accept-encoding'], FILE_CODINGS);
        reply.headers({
          'content-type': MEDIA_TYPE,
          'content-disposition': attachment(downloadName(row.file_name, row.id)),
          vary: 'Accept-Encoding',
          ...(coding === 'identity' ? { 'content-length': row.bytes } : { 'content-encoding': coding }),
        });
        const watched = logFailure(file, (error) => {
          request.log.error(
            { err: error, ingestionId: row.id },
            'a download was interrupted because its file could not be read',
          );
        });
        // For a HEAD request, Node.js would still read the stream to its end.
        const content = Readable.from(request.method === 'HEAD' ? [] : watched, { objectMode: false });
        if (coding === 'identity' || request.method === 'HEAD') await reply.send(content);
        // If either stream fails or the client disconnects, both streams are destroyed.
        else await reply.send(pipeline(content, compressorFor(coding), () => undefined));
        return undefined;
      },
    },
  ];
}

/**
 * Logs errors that occur while the file is read. A stream that is closed early because the client disconnected is not
 * an error.
 */
async function* logFailure(
  file: AsyncGenerator<Buffer, void>,
  log: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  const next = async () => {
    try {
      return await file.next();
    } catch (error) {
      log(error);
      throw error;
    }
  };
  try {
    for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
  } finally {
    await file.return();
  }
}
