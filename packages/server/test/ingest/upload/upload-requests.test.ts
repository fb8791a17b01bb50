import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { filePart, MULTIPART_TYPE, multipart, type Part, textPart } from '../../support/multipart.ts';
import { record } from '../../support/records.ts';
import { assertRefusedWithoutTrace, type Refusal } from '../../support/refusal.ts';

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
  const assertRejected = async (send: () => Promise<ApiResponse<unknown>>, expected: Refusal) => {
    await assertRefusedWithoutTrace(service, send, expected);
  };

  it('rejects an upload without any parts', () =>
    assertRejected(() => postParts([]), {
      status: 400,
      code: 'file_required',
      detail: /has no file/,
      source: { pointer: '/file' },
    }));

  it('rejects an upload with text fields only', () =>
    assertRejected(() => postParts([textPart('provider', 'aws'), textPart('account', '1')]), {
      status: 400,
      code: 'file_required',
      detail: /has no file/,
      source: { pointer: '/file' },
    }));

  it('rejects an upload with two files', () =>
    assertRejected(() => postParts([filePart(FILE), filePart(FILE, 'second.json')]), {
      status: 400,
      code: 'several_files',
      detail: /one file per request/,
      source: { pointer: '/file' },
    }));

  it('rejects a file part with an unknown name and lists the valid field names', () =>
    assertRejected(() => postParts([filePart(FILE, 'a.json', 'findings')]), {
      status: 400,
      code: 'unexpected_part',
      detail: /'findings' is not supported.*'file'.*'provider', 'account', 'coverage', 'dry_run' and 'label'/,
    }));

  it('rejects an unknown text field before or after the file', async () => {
    const expected = { status: 400, code: 'unexpected_part', detail: /'colour' is not supported/ };
    await assertRejected(() => postParts([textPart('colour', 'red'), filePart(FILE)]), expected);
    await assertRejected(() => postParts([filePart(FILE), textPart('colour', 'red')]), expected);
  });

  it('rejects text fields and files without a name', async () => {
    const expected = {
      status: 400,
      code: 'unexpected_part',
      detail: /A form field without a name is not supported/,
    };
    await assertRejected(() => postParts([{ disposition: '', content: 'x' }, filePart(FILE)]), expected);
    await assertRejected(() => postParts([{ disposition: '; filename="a.json"', content: FILE }]), expected);
  });

  it('rejects an upload with more than 20 parts', () =>
    assertRejected(
      () => postParts(Array.from({ length: 21 }, () => ({ disposition: '; name="a\nb"', content: '' }))),
      {
        status: 400,
        code: 'too_many_parts',
        detail: /more than 20 form fields/,
      },
    ));

  it('rejects an upload with an empty file', () =>
    assertRejected(() => postParts([filePart('')]), {
      status: 400,
      code: 'empty_file',
      detail: /empty/,
      source: { pointer: '/file' },
    }));

  const unsupported = { status: 415, code: 'unsupported_media_type', source: { header: 'Content-Type' } };
  for (const [description, type, detail] of [
    ['JSON', 'application/json', /'application\/json' is not supported\. Send multipart\/form-data/],
    [
      'another multipart type',
      'multipart/mixed; boundary=x',
      /'multipart\/mixed; boundary=x' is not supported\. Send/,
    ],
    ['not a media type', 'nonsense', /is not a valid media type\. Send multipart\/form-data/],
  ] as const) {
    it(`rejects an upload whose Content-Type is ${description}`, () =>
      assertRejected(() => post(FILE, { 'content-type': type }), { ...unsupported, detail }));
  }

  it('rejects an upload without a Content-Type, with or without a body', async () => {
    const expected = { ...unsupported, detail: /no Content-Type\. Send multipart\/form-data/ };
    await assertRejected(() => post(FILE), expected);
    await assertRejected(() => client.send('/ingestions', { method: 'POST' }), expected);
  });

  for (const [description, type] of [
    ['names no boundary', 'multipart/form-data'],
    ['has an empty boundary', 'multipart/form-data; boundary='],
    ['names a boundary that the body does not use', 'multipart/form-data; boundary=another'],
  ] as const) {
    it(`rejects an upload whose Content-Type ${description}`, () =>
      assertRejected(() => postParts([filePart(FILE)], { 'content-type': type }), {
        status: 400,
        code: 'malformed_multipart',
        detail: /multipart body cannot be parsed/,
        source: { header: 'Content-Type' },
      }));
  }

  for (const [name, maxLength] of [
    ['provider', 100],
    ['account', 512],
  ] as const) {
    const invalidPart = { status: 400, code: 'invalid_part', source: { pointer: `/${name}` } };
    const oneValue = (value: string) => () => postParts([filePart(FILE), textPart(name, value)]);

    it(`rejects an upload with two ${name} parts`, () =>
      assertRejected(() => postParts([textPart(name, 'one'), filePart(FILE), textPart(name, 'one')]), {
        ...invalidPart,
        detail: /more than once/,
      }));

    it(`rejects an upload with a blank ${name} part`, async () => {
      await assertRejected(oneValue(''), { ...invalidPart, detail: /blank/ });
      await assertRejected(oneValue(' \t\r\n'), { ...invalidPart, detail: /blank/ });
    });

    it(`limits the ${name} field of an upload to ${maxLength} characters`, async () => {
      const tooLong = { ...invalidPart, detail: new RegExp(`longer than ${maxLength} characters`) };
      await assertRejected(oneValue('x'.repeat(maxLength + 1)), tooLong);
      await assertRejected(oneValue('x'.repeat(100_000)), tooLong);
      // Each of these characters becomes three characters in Unicode normalization form C.
      await assertRejected(oneValue('\ufb2c'.repeat(maxLength / 2)), tooLong);
      const { status } = await oneValue('€'.repeat(maxLength))();
      assert.equal(status, 202);
    });

    it(`rejects an upload whose ${name} field is not valid UTF-8, with or without a charset`, async () => {
      const content = Buffer.from('a\xffb', 'latin1');
      for (const headers of [[], ['Content-Type: text/plain; charset=utf-8']])
        await assertRejected(() => postParts([filePart(FILE), { ...textPart(name, ''), content, headers }]), {
          ...invalidPart,
          detail: /not valid UTF-8/,
        });
    });

    it(`rejects an upload with control characters in the ${name} part`, async () => {
      for (const value of ['a\0b', 'a\nb', 'a\u001bb', 'a\u0085b', 'a\u2028b', 'a\u2029b'])
        await assertRejected(oneValue(value), { ...invalidPart, detail: /control characters/ });
    });
  }

  it('rejects an upload with an unknown query parameter and names the parameter', () =>
    assertRejected(
      () => post(multipart([filePart(FILE)]), { 'content-type': MULTIPART_TYPE }, '?colour=red'),
      {
        status: 400,
        code: 'invalid_parameter',
        detail: /Unknown query parameter 'colour'/,
        source: { parameter: 'colour' },
      },
    ));

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    it(`returns 405 with an Allow header for ${method} on /ingestions`, async () => {
      let allow: string | null = null;
      const send = async () => {
        const response = await client.send('/ingestions', { method });
        allow = response.headers.get('allow');
        return response;
      };
      await assertRejected(send, {
        status: 405,
        code: 'method_not_allowed',
        detail: new RegExp(`${method} is not allowed`),
      });
      assert.deepEqual(String(allow).split(', ').sort(), ['GET', 'HEAD', 'POST']);
    });
  }
});
