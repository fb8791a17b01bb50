import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJunit } from '../../src/outputs/junit.ts';
import { visibleText } from '../../src/terminal/formatting.ts';
import { finding, hostileFindings, scan, variedFindings } from './support/findings.ts';
import { readXml } from './support/read-xml.ts';

describe('JUnit output', () => {
  it('writes one test suite per service with its counts', () => {
    const root = readXml(toJunit(variedFindings(), scan()));
    assert.equal(root.name, 'testsuites');
    assert.deepEqual(root.attributes, {
      name: 'Sluice Scanner acme.directory.com',
      tests: '6',
      failures: '2',
      errors: '0',
      skipped: '3',
      time: '0',
    });
    assert.deepEqual(
      root.children.map(({ name, attributes: { name: service, tests, failures, skipped }, children }) =>
        [name, service, tests, failures, skipped, children.length].join(' '),
      ),
      ['testsuite application 2 1 1 2', 'testsuite authenticator 1 0 1 1', 'testsuite signon 3 1 1 3'],
    );
  });

  it('writes a failure only for an unmuted FAIL, and a skipped test case for each manual or muted finding', () => {
    const suites = readXml(toJunit(variedFindings(), scan())).children;
    const cases = suites.flatMap(({ children }) => children);
    assert.deepEqual(
      cases.map(({ children }) => children.map(({ name }) => name).join()),
      ['skipped', 'failure', 'skipped', 'failure', '', 'skipped'],
    );
    assert.match(cases[0]?.children[0]?.attributes.message ?? '', /^Manual: /);
    assert.match(cases[2]?.children[0]?.attributes.message ?? '', /^Muted \(PASS\): /);
  });

  it('includes the observed state and the remediation in a failure', () => {
    const [suite] = readXml(toJunit([finding()], scan())).children;
    const [testCase] = suite?.children ?? [];
    const [failure] = testCase?.children ?? [];
    assert.equal(testCase?.attributes.classname, 'signon.signon_global_session_lifetime_18h');
    assert.equal(testCase?.attributes.name, 'Sessions end after 18 hours [Default Policy, 00p1]');
    assert.deepEqual(failure?.attributes, {
      message: 'Sessions last 24 hours; 18 hours are allowed.',
      type: 'medium',
    });
    assert.equal(
      failure?.text,
      'Risk: A stolen session stays usable.\nRemediation: Set the lifetime to 18 hours or less.\nSTIG: DIRECTORY-APP-001665, V-273203, SV-273203r1099958_rule\nCIS Controls v8.1: 4.3\nhttps://example.com/sessions\nhttps://example.com/stig',
    );
  });

  it('preserves malicious names in JUnit, except for characters that XML does not allow', () => {
    const findings = hostileFindings();
    const [suite] = readXml(toJunit(findings, scan())).children;
    assert.deepEqual(
      suite?.children.map(({ children }) => children[0]?.attributes.message),
      findings.map(({ verdict }) => visibleText(verdict.detail)),
    );
  });

  it('preserves line breaks and text that resembles XML entities in a failure', () => {
    const risk = 'One &amp; two\r\nthree &#0; &nope;';
    const [suite] = readXml(toJunit([finding({ check: { risk } })], scan())).children;
    const [failure] = suite?.children[0]?.children ?? [];
    assert.ok(failure?.text.startsWith(`Risk: ${risk}\nRemediation: `), failure?.text);
  });

  it('writes no test suites if there are no findings', () => {
    assert.deepEqual(readXml(toJunit([], scan())).children, []);
  });
});
