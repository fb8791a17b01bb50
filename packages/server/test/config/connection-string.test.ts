import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeTarget, parseConnectionString } from '../../src/config/connection-string.ts';
import { readOptions } from '../../src/db/session-settings.ts';

const ACCEPTED: readonly [url: string, hosts: readonly [string | undefined, number][], primary: boolean][] = [
  ['postgres://db.example.com/sluice', [['db.example.com', 5432]], false],
  ['postgresql://u:p@db.example.com:6432/sluice', [['db.example.com', 6432]], false],
  ['postgres://[2001:db8::1]:6432/sluice', [['2001:db8::1', 6432]], false],
  [
    'postgres://a:1,b:2,c/sluice',
    [
      ['a', 1],
      ['b', 2],
      ['c', 5432],
    ],
    true,
  ],
  [
    'postgres://a,b/sluice?target_session_attrs=any',
    [
      ['a', 5432],
      ['b', 5432],
    ],
    false,
  ],
  ['postgres://a/sluice?target_session_attrs=read-write', [['a', 5432]], true],
  [
    'postgres:///sluice?host=a,b&port=1,2',
    [
      ['a', 1],
      ['b', 2],
    ],
    true,
  ],
  ['postgres:///sluice?host=/var/run/postgresql', [['/var/run/postgresql', 5432]], false],
  ['postgres://u@%2Fvar%2Frun%2Fpostgresql:6432/sluice', [['/var/run/postgresql', 6432]], false],
  ['postgres:///sluice', [[undefined, 5432]], false],
];

const REJECTED: readonly [url: string, message: RegExp][] = [
  ['mysql://db/sluice', /must be a URL that starts with postgres:\/\/ or postgresql:\/\//],
  ['postgres://u:hush@db:port/sluice', /has a host that is neither a name nor an address/],
  ['postgres://u:hush@db:99999/sluice', /has a port that is not between 1 and 65535/],
  ['postgres://u:hush%@db/sluice', /has a % that is not followed by two hexadecimal digits; write it as %25/],
  ['postgres://u:hush@db/sluice?sslmode', /has a parameter without a value/],
  [
    'postgres://u:hush@db/sluice?sslmode=no-verify',
    /has sslmode=no-verify, which must be one of disable, allow/,
  ],
  ['postgres://u:hush@db/sluice?target_session_attrs=standby', /must be one of any, read-write, primary/],
  ['postgres://u:hush@/sluice?host=a,b&port=1,2,3', /must have one port, or as many ports as hosts/],
  ['postgres://u:hush@db/sluice?service=main', /has the unknown parameter service/],
];

describe('parsing DATABASE_URL', () => {
  for (const [url, hosts, needsPrimary] of ACCEPTED) {
    it(`accepts ${url}`, () => {
      const target = parseConnectionString(url);
      assert.deepEqual(
        target.hosts.map(({ host, port }) => [host, port]),
        hosts,
      );
      assert.deepEqual([target.database, target.needsPrimary], ['sluice', needsPrimary]);
    });
  }

  for (const [url, message] of REJECTED) {
    it(`rejects ${url.replace('hush', '***')} without showing its password`, () => {
      assert.throws(
        () => parseConnectionString(url),
        (error) => error instanceof Error && message.test(error.message) && !/hush/.test(error.message),
      );
    });
  }

  it('ignores libpq parameters that have no effect', () => {
    const url = 'postgres://u:p@db/sluice';
    const { sslMode, ...plain } = parseConnectionString(url);
    const more = parseConnectionString(`${url}?connect_timeout=10&keepalives_idle=30&sslmode=require`);
    assert.deepEqual(more, { ...plain, sslMode: 'require' });
    assert.equal(sslMode, undefined);
  });

  it('decodes the user, password and parameters of a connection string', () => {
    const target = parseConnectionString('postgres://a%40b:p%2Fw:x@db/s%20l?application_name=one+of%20two');
    const { user, password, database, applicationName } = target;
    assert.deepEqual([user, password, database, applicationName], ['a@b', 'p/w:x', 's l', 'one of two']);
  });

  it('describes the hosts and database of a connection string without the user and password', () => {
    assert.equal(
      describeTarget(parseConnectionString('postgres://u:hush@a:1,b/sluice')),
      'a:1,b:5432/sluice',
    );
  });

  it('parses the options parameter as settings, including escaped spaces', () => {
    const settings = readOptions('-c work_mem=5MB -cstatement_timeout=1s --search-path=a,\\ b');
    assert.deepEqual(
      [...settings],
      [
        ['work_mem', '5MB'],
        ['statement_timeout', '1s'],
        ['search_path', 'a, b'],
      ],
    );
    assert.throws(() => readOptions('-d 5'), /options other than -c name=value/);
  });
});
