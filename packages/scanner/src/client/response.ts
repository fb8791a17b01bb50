import { z } from 'zod';
import { oneLine } from '../http/one-line.ts';
import { PushError, type PushErrorCode } from './push-error.ts';

/** A complete response of the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The fields for people of error objects (JSON:API 1.1, "Error Objects"). */
const errorsSchema = z.object({
  errors: z.array(z.object({ detail: z.string().optional(), title: z.string().optional() })).nonempty(),
});

const MAX_SENTENCES = 3;

/** The body of a successful response, parsed by a schema. Throws a PushError that says what the service returned instead. */
export function readResponse<Schema extends z.ZodType>(
  response: ServiceResponse,
  { request, schema }: { readonly request: string; readonly schema: Schema },
): z.output<Schema> {
  const { status } = response;
  if (status < 200 || status > 299) throw refusal(response, request);
  const body = schema.safeParse(bodyOf(response));
  if (body.success) return body.data;
  const what = `${request} returned ${status} with ${insteadOf(response)}`;
  throw new PushError('not_understood', `${what}: no Sluice service responds there`, {
    status,
    cause: body.error,
  });
}

/** An unsuccessful response as an error, with the message of the service. */
export function refusal(response: ServiceResponse, request: string): PushError {
  const { status, headers } = response;
  const options = { status };
  if (status >= 300 && status < 400) {
    const target = headers.get('location');
    const where = target === null ? 'elsewhere' : `to ${oneLine(target)}`;
    return new PushError(
      'redirected',
      `${request} returned ${status}, which leads ${where}; the key is not sent there`,
      options,
    );
  }
  const [code, meaning] = meaningOf(status);
  const said = sentences(response);
  return new PushError(code, `${meaning(request, status)}${said === '' ? '' : `: ${said}`}`, options);
}

function meaningOf(status: number): [PushErrorCode, (request: string, status: number) => string] {
  if (status === 401) return ['unauthorized', () => 'the service did not accept the API key (401)'];
  if (status === 402) return ['subscription_required', () => 'pushing requires an active subscription (402)'];
  if (status === 403)
    return ['permission_denied', () => 'the key does not have the permission to push (403)'];
  if (status === 407)
    return ['unreachable', () => 'the proxy does not let the request pass without a user (407)'];
  if (status === 413) return ['upload_too_large', () => 'the file is too large for the service (413)'];
  if (status === 429)
    return ['rate_limited', () => 'the service takes no more requests from this key for now (429)'];
  const returned = (request: string) => `${request} returned ${status}`;
  return status >= 500 ? ['service_failed', returned] : ['refused', returned];
}

/** The messages of the service as one clause; empty if there are none. */
function sentences(response: ServiceResponse): string {
  const errors = errorsSchema.safeParse(bodyOf(response));
  if (errors.success) {
    const said = errors.data.errors.flatMap(({ detail, title }) => detail ?? title ?? []);
    return said.slice(0, MAX_SENTENCES).map(oneLine).join('; ');
  }
  const text = response.text.trim();
  return text === '' || isHtml(response) || bodyOf(response) !== undefined ? '' : oneLine(text);
}

function insteadOf(response: ServiceResponse): string {
  if (response.text.trim() === '') return 'nothing';
  if (isHtml(response)) return 'a web page';
  return bodyOf(response) === undefined ? 'text that is no JSON' : 'JSON of another kind';
}

function isHtml({ headers, text }: ServiceResponse): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** The JSON of a body; `undefined`: it is none, and what that means is for the caller to say. */
export function bodyOf({ text }: ServiceResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
