import { z } from 'zod';
import { oneLine } from '../http/one-line.ts';
import { PushError, type PushErrorCode } from './push-error.ts';

/** A whole answer of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** JSON:API 1.1, "Error Objects": what of them is for people. */
const errorsSchema = z.object({
  errors: z.array(z.object({ detail: z.string().optional(), title: z.string().optional() })).nonempty(),
});

const MOST_SENTENCES = 3;

/** The body of a good answer, read by a schema. Throws a PushError that says what the service answered instead. */
export function readAnswer<Schema extends z.ZodType>(
  answer: Answer,
  { request, schema }: { readonly request: string; readonly schema: Schema },
): z.output<Schema> {
  const { status } = answer;
  if (status < 200 || status > 299) throw refusal(answer, request);
  const body = schema.safeParse(bodyOf(answer));
  if (body.success) return body.data;
  const what = `${request} was answered ${status} with ${insteadOf(answer)}`;
  throw new PushError('not_understood', `${what}: no service of this kind answers there`, {
    status,
    cause: body.error,
  });
}

/** An answer that is none of the good ones, as an error with the service's own sentence. */
export function refusal(answer: Answer, request: string): PushError {
  const { status, headers } = answer;
  const options = { status };
  if (status >= 300 && status < 400) {
    const target = headers.get('location');
    const where = target === null ? 'elsewhere' : `to ${oneLine(target)}`;
    return new PushError(
      'redirected',
      `${request} was answered ${status}, which leads ${where}; the key is not sent there`,
      options,
    );
  }
  const [code, meaning] = meaningOf(status);
  const said = sentences(answer);
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
  const answered = (request: string) => `${request} was answered ${status}`;
  return status >= 500 ? ['service_failed', answered] : ['refused', answered];
}

/** What the service says of a refusal, as one clause; empty where it says nothing. */
function sentences(answer: Answer): string {
  const errors = errorsSchema.safeParse(bodyOf(answer));
  if (errors.success) {
    const said = errors.data.errors.flatMap(({ detail, title }) => detail ?? title ?? []);
    return said.slice(0, MOST_SENTENCES).map(oneLine).join('; ');
  }
  const text = answer.text.trim();
  return text === '' || isHtml(answer) || bodyOf(answer) !== undefined ? '' : oneLine(text);
}

function insteadOf(answer: Answer): string {
  if (answer.text.trim() === '') return 'nothing';
  if (isHtml(answer)) return 'a web page';
  return bodyOf(answer) === undefined ? 'text that is no JSON' : 'JSON of another kind';
}

function isHtml({ headers, text }: Answer): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** The JSON of a body; `undefined`: it is none, and what that means is for the caller to say. */
export function bodyOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
