import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import { chooseCoding } from '../../http/choose-coding.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { logStreamFailure } from '../../lib/log-stream-failure.ts';
import { ingestionResourceType, READ_SUBMITTED_RECORDS } from '../../resources/ingestions.ts';
import { findWithFile, openStoredFile } from './uploaded-file.ts';

/** An uploaded file is not necessarily JSON, or even text. */
const MEDIA_TYPE = 'application/octet-stream';

/** In order of preference. zstd (RFC 8878) uses a fraction of the CPU time that gzip uses. */
const FILE_CODINGS = ['zstd', 'gzip'] as const;

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
          mediaTypes: [MEDIA_TYPE],
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
        const row = await findWithFile(pool, tenantId, params.id);
        const address = { tenantId, ingestionId: row.id, requestedAt: new Date(row.requested_at) };
        const file = await openStoredFile({ pool, blobs }, { ...address, bytes: row.bytes }).catch(
          async (error: unknown) => {
            // If garbage collection has removed the file in the meantime, this throws the 410 error.
            await findWithFile(pool, tenantId, params.id);
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
        const watched = logStreamFailure(file, (error) => {
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
 * Creates a compressing stream that writes the whole file as one zstd frame. Sending the stored frames unchanged would
 * be cheaper, but `fetch` in Node.js (24.21) reads only the first frame of a response and silently drops the others.
 */
function compressorFor(coding: (typeof FILE_CODINGS)[number]) {
  if (coding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED });
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** Extensions of compressed files, removed because downloads are decompressed. */
const COMPRESSED = /\.(?:gz|gzip|zst|zstd)$/i;

/**
 * Returns the file name for a download: the name of the uploaded file, or a name derived from the job id if the upload
 * has no file name.
 */
function downloadName(fileName: string | null, ingestionId: string): string {
  const name = clean(fileName ?? '').replace(COMPRESSED, '');
  return name === '' ? `${ingestionId}.ocsf.json` : name;
}

/**
 * Removes directories, control characters and bidirectional controls, which could change the displayed order of the
 * name.
 */
function clean(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
}

/**
 * Returns the Content-Disposition header for a download with this name (RFC 6266). A name that is not plain ASCII is
 * included in two forms (appendix D): in UTF-8 (RFC 8187), and with its special characters replaced for older clients.
 */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const value = `attachment; filename="${plain}"`;
  return plain === name ? value : `${value}; filename*=UTF-8''${extendedValue(name)}`;
}

/** RFC 8187, section 3.2.1: encodeURIComponent does not encode `'`, `(`, `)` and `*`, which are not `attr-char`. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
