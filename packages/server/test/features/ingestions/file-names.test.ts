import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { BOUNDARY, MULTIPART_TYPE, multipart } from '../../support/multipart.ts';
import { record } from '../../support/records.ts';

const FILE = JSON.stringify([record()]);

describe('uploaded file names', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const post = async (disposition: string) => {
    const body = multipart([{ disposition: `; name="file"; ${disposition}`, content: FILE }]);
    return await client.send<{ id: string; meta: { file_name: string | null } }>('/ingestions', {
      method: 'POST',
      body,
      headers: { 'content-type': MULTIPART_TYPE },
    });
  };
  const nameOf = async (disposition: string) => {
    const { status, body } = await post(disposition);
    assert.equal(status, 202);
    const stored = await client.get<{ meta: { file_name: string | null } }>(`/ingestions/${body.data.id}`);
    assert.equal(stored.body.data.meta.file_name, body.data.meta.file_name);
    return body.data.meta.file_name;
  };

  it('returns the name of an uploaded file exactly as it was sent', async () => {
    assert.equal(await nameOf('filename="Prüfung 1 (März).ocsf.json"'), 'Prüfung 1 (März).ocsf.json');
    assert.equal(await nameOf("filename*=UTF-8''Pr%C3%BCfung.json"), 'Prüfung.json');
  });

  it('removes folder paths from file names that contain slashes or backslashes', async () => {
    assert.equal(await nameOf('filename="../../../etc/passwd"'), 'passwd');
    assert.equal(await nameOf('filename="C:\\\\scans\\\\monday.json"'), 'monday.json');
  });

  it('returns null for a file name that is empty after sanitization', async () => {
    assert.equal(await nameOf('filename=".."'), null);
    assert.equal(await nameOf('filename=""'), null);
    assert.equal(await nameOf('filename="\t"'), null);
  });

  it('removes control characters from file names', async () => {
    assert.equal(await nameOf('filename="a\0b\u001b[31mc.json"'), 'ab[31mc.json');
  });

  it('truncates file names to 255 UTF-16 code units without splitting surrogate pairs', async () => {
    assert.equal(await nameOf(`filename="${'x'.repeat(10_000)}"`), 'x'.repeat(255));
    assert.equal(await nameOf(`filename="x${'𝄞'.repeat(5000)}"`), `x${'𝄞'.repeat(127)}`);
    assert.equal(await nameOf(`filename="${'𝄞'.repeat(5000)}"`), '𝄞'.repeat(127));
  });

  it('prevents response header injection through file names', async () => {
    for (const name of ['a%0D%0AX-Evil: 1.json', `a"; X-Evil="1`, 'a\u0085X-Evil: 1']) {
      const { status, headers } = await post(`filename="${name}"`);
      assert.equal(status, 202);
      assert.equal(headers.get('x-evil'), null);
    }
  });

  it('rejects file parts whose names contain line breaks', async () => {
    for (const disposition of ['filename="a\nX-Evil: 1"', "filename*=UTF-8''a%0D%0AX-Evil%3A%201"]) {
      const { status, headers, body } = await post(disposition);
      assert.deepEqual([status, body.errors[0]?.code, headers.get('x-evil')], [400, 'file_required', null]);
    }
  });

  it('does not end a part at a boundary string inside a file name', async () => {
    assert.equal(await nameOf(`filename="--${BOUNDARY}--.json"`), `--${BOUNDARY}--.json`);
  });
});
