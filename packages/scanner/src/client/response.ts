import { z } from 'zod';
import { oneLine } from '../http/one-line.ts';
import { PushError, type PushErrorCode } from './push-error.ts';

/** A complete response from the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The messages of error objects (JSON:API 1.1, "Error Objects"). */
const errorsSchema = z.object({
  errors: z.array(z.object({ detail: z.string().optional(), title: z.string().optional() })).nonempty(),
});

const MAX_MESSAGES = 3;

/** Parses the body of a successful response. Throws a PushError for any other response. */
export function readResponse<Schema extends z.ZodType>(
  response: ServiceResponse,
  { request, schema }: { readonly request: string; readonly schema: Schema },
): z.output<Schema> {
  const { status } = response;
  if (status < 200 || status > 299) throw refusal(response, request);
  const body = schema.safeParse(bodyOf(response));
  if (body.success) return body.data;
  const subject = `${request} returned ${status} with ${describeBody(response)}`;
  throw new PushError('not_understood', `${subject}: this is not a Sluice service`, {
    status,
    cause: body.error,
  });
}

/** Converts an error response, including the message from the service. */
export function refusal(response: ServiceResponse, request: string): PushError {
  const { status, headers } = response;
  const options = { status };
  if (status >= 300 && status < 400) {
    const target = headers.get('location');
    const where = target === null ? '' : ` to ${oneLine(target)}`;
    return new PushError(
      'redirected',
      `${request} returned ${status}, a redirect${where}; redirects are not followed`,
      options,
    );
  }
  const [code, meaning] = meaningOf(status);
  const messages = messagesOf(response);
  return new PushError(code, `${meaning(request, status)}${messages === '' ? '' : `: ${messages}`}`, options);
}

function meaningOf(status: number): [PushErrorCode, (request: string, status: number) => string] {
  if (status === 401) return ['unauthorized', () => 'the service rejected the API key (401)'];
  if (status === 402) return ['subscription_required', () => 'pushing requires an active subscription (402)'];
  if (status === 403) return ['permission_denied', () => 'the key does not have permission to push (403)'];
  if (status === 407) return ['unreachable', () => 'the proxy requires authentication (407)'];
  if (status === 413) return ['upload_too_large', () => 'the file is too large for the service (413)'];
  if (status === 429) return ['rate_limited', () => 'the rate limit of the key is exceeded (429)'];
  const returned = (request: string) => `${request} returned ${status}`;
  return status >= 500 ? ['service_failed', returned] : ['refused', returned];
}

/** The messages from the service on one line; empty if there are none. */
function messagesOf(response: ServiceResponse): string {
  const errors = errorsSchema.safeParse(bodyOf(response));
  if (errors.success) {
    const messages = errors.data.errors.flatMap(({ detail, title }) => detail ?? title ?? []);
    return messages.slice(0, MAX_MESSAGES).map(oneLine).join('; ');
  }
  const text = response.text.trim();
  return text === '' || isHtml(response) || bodyOf(response) !== undefined ? '' : oneLine(text);
}

function describeBody(response: ServiceResponse): string {
  if (response.text.trim() === '') return 'an empty body';
  if (isHtml(response)) return 'an HTML page';
  return bodyOf(response) === undefined ? 'text that is not JSON' : 'unexpected JSON';
}

function isHtml({ headers, text }: ServiceResponse): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** The parsed JSON body; `undefined` if it is not JSON. */
export function bodyOf({ text }: ServiceResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
