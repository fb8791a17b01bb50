import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { filePart, MULTIPART_TYPE, multipart, type Part, textPart } from '../support/multipart.ts';
import { record } from '../support/records.ts';
import { assertRefusedWithoutTrace, type Refusal } from '../support/refusal.ts';

const FILE = JSON.stringify([record()]);

describe('invalid upload requests', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const post = (body: Buffer<ArrayBuffer> | string, headers: Record<string, string> = {}, query = '') =>
    client.send(`/ingestions${query}`, { method: 'POST', body: Buffer.from(body), headers });
  const postParts = (parts: readonly Part[], headers: Record<string, string> = {}) =>
    post(multipart(parts), { 'content-type': MULTIPART_TYPE, ...headers });
  const refused = async (send: () => Promise<Answer<unknown>>, expected: Refusal) => {
    await assertRefusedWithoutTrace(service, send, expected);
  };

  it('rejects a form without parts', () =>
    refused(() => postParts([]), {
      status: 400,
      code: 'file_required',
      detail: /no part 'file'/,
      source: { pointer: '/file' },
    }));

  it('rejects a form with text parts only', () =>
    refused(() => postParts([textPart('provider', 'aws'), textPart('account', '1')]), {
      status: 400,
      code: 'file_required',
      detail: /no part 'file'/,
      source: { pointer: '/file' },
    }));

  it('rejects a form with two files', () =>
    refused(() => postParts([filePart(FILE), filePart(FILE, 'second.json')]), {
      status: 400,
      code: 'several_files',
      detail: /one file per request/,
      source: { pointer: '/file' },
    }));

  it('rejects a file under another part name and lists the valid names', () =>
    refused(() => postParts([filePart(FILE, 'a.json', 'findings')]), {
      status: 400,
      code: 'unexpected_part',
      detail: /'findings' is not known.*'file'.*'provider' and 'account'/,
    }));

  it('rejects an unknown text part before and after the file', async () => {
    const expected = { status: 400, code: 'unexpected_part', detail: /'colour' is not known/ };
    await refused(() => postParts([textPart('colour', 'red'), filePart(FILE)]), expected);
    await refused(() => postParts([filePart(FILE), textPart('colour', 'red')]), expected);
  });

  it('rejects text and file parts without a name', async () => {
    const expected = { status: 400, code: 'unexpected_part', detail: /A part without a name is not known/ };
    await refused(() => postParts([{ disposition: '', content: 'x' }, filePart(FILE)]), expected);
    await refused(() => postParts([{ disposition: '; filename="a.json"', content: FILE }]), expected);
  });

  it('rejects a form with more parts than an upload can need', () =>
    refused(
      () => postParts(Array.from({ length: 11 }, () => ({ disposition: '; name="a\nb"', content: '' }))),
      {
        status: 400,
        code: 'too_many_parts',
        detail: /too many parts/,
      },
    ));

  it('rejects an empty file', () =>
    refused(() => postParts([filePart('')]), {
      status: 400,
      code: 'empty_file',
      detail: /empty/,
      source: { pointer: '/file' },
    }));

  const unsupported = { status: 415, code: 'unsupported_media_type', source: { header: 'Content-Type' } };
  for (const [what, type, detail] of [
    ['JSON', 'application/json', /'application\/json'; send multipart\/form-data/],
    ['another multipart type', 'multipart/mixed; boundary=x', /'multipart\/mixed; boundary=x'; send/],
    ['text that is no media type', 'nonsense', /is no media type; send multipart\/form-data/],
  ] as const) {
    it(`rejects a body of ${what}`, () =>
      refused(() => post(FILE, { 'content-type': type }), { ...unsupported, detail }));
  }

  it('rejects a body without a Content-Type, and a request without a body', async () => {
    const expected = { ...unsupported, detail: /no Content-Type; send multipart\/form-data/ };
    await refused(() => post(FILE), expected);
    await refused(() => client.send('/ingestions', { method: 'POST' }), expected);
  });

  for (const [what, type] of [
    ['names no boundary', 'multipart/form-data'],
    ['has an empty boundary', 'multipart/form-data; boundary='],
    ['names another boundary than the body has', 'multipart/form-data; boundary=another'],
  ] as const) {
    it(`rejects a form whose Content-Type ${what}`, () =>
      refused(() => postParts([filePart(FILE)], { 'content-type': type }), {
        status: 400,
        code: 'malformed_multipart',
        detail: /multipart body cannot be read/,
        source: { header: 'Content-Type' },
      }));
  }

  for (const [name, maxLength] of [
    ['provider', 100],
    ['account', 512],
  ] as const) {
    const invalidPart = { status: 400, code: 'invalid_part', source: { pointer: `/${name}` } };
    const oneValue = (value: string) => () => postParts([filePart(FILE), textPart(name, value)]);

    it(`rejects a form with two parts ${name}`, () =>
      refused(() => postParts([textPart(name, 'one'), filePart(FILE), textPart(name, 'one')]), {
        ...invalidPart,
        detail: /twice/,
      }));

    it(`rejects a blank part ${name}`, async () => {
      await refused(oneValue(''), { ...invalidPart, detail: /blank/ });
      await refused(oneValue(' \t\r\n'), { ...invalidPart, detail: /blank/ });
    });

    it(`rejects a part ${name} longer than ${maxLength} characters, and accepts one of that length`, async () => {
      const tooLong = { ...invalidPart, detail: new RegExp(`longer than ${maxLength} characters`) };
      await refused(oneValue('x'.repeat(maxLength + 1)), tooLong);
      await refused(oneValue('x'.repeat(100_000)), tooLong);
      const { status } = await oneValue('€'.repeat(maxLength))();
      assert.equal(status, 202);
    });

    it(`rejects a part ${name} with control characters`, async () => {
      for (const value of ['a\0b', 'a\nb', 'a\u001bb', 'a\u0085b'])
        await refused(oneValue(value), { ...invalidPart, detail: /control characters/ });
    });
  }

  it('rejects an unknown query parameter of an upload and names it', () =>
    refused(() => post(multipart([filePart(FILE)]), { 'content-type': MULTIPART_TYPE }, '?colour=red'), {
      status: 400,
      code: 'invalid_parameter',
      detail: /'colour' is not known/,
      source: { parameter: 'colour' },
    }));

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    it(`rejects ${method} on the upload path and lists the allowed methods`, async () => {
      let allow: string | null = null;
      const send = async () => {
        const answer = await client.send('/ingestions', { method });
        allow = answer.headers.get('allow');
        return answer;
      };
      await refused(send, {
        status: 405,
        code: 'method_not_allowed',
        detail: new RegExp(`${method} is not possible`),
      });
      assert.deepEqual(String(allow).split(', ').sort(), ['GET', 'HEAD', 'POST']);
    });
  }
});
