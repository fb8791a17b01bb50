import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { toHtml } from '../../src/outputs/html/html.ts';
import { html } from '../../src/outputs/html/markup.ts';
import { compliance, finding, hostileFindings, scan, variedFindings } from './support/findings.ts';

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

/** Tags, attributes and styles that load resources or run scripts. */
const ACTIVE_CONTENT =
  /<(?:link|img|iframe|object|embed|base)\b|<[a-z][^>]*\s(?:src|style|on\w+)=|@import|url\(/g;

/** Returns the text of each compliance table row. */
function complianceRows(page: string): string[] {
  const tables = [...page.matchAll(/<table class="numbers compliance"[\s\S]*?<\/table>/g)].map(
    ([table]) => table,
  );
  const rows = tables.flatMap((table) => [...table.matchAll(/<tr><th scope="row">[\s\S]*?<\/tr>/g)]);
  return rows.map(([row]) =>
    row
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

describe('HTML report', () => {
  it('shows the scanned organization, the time and the scanner version', () => {
    const page = toHtml(variedFindings(), scan());
    for (const fact of [
      'acme.directory.com',
      '2026-11-21 08:53:37 UTC',
      'Sluice Scanner 0.1.0',
      scan().scanId,
    ]) {
      assert.ok(page.includes(fact), fact);
    }
  });

  it('counts findings by status, and by severity for each service', () => {
    const page = toHtml(variedFindings(), scan());
    for (const card of [
      '<li class="card all" data-filter=""><strong>6</strong> findings',
      '<li class="card fail" data-filter="status=FAIL"><strong>2</strong> failed <small>33.33%</small>',
      '<li class="card pass" data-filter="status=PASS"><strong>1</strong> passed <small>16.67%</small>',
      '<li class="card manual" data-filter="status=MANUAL"><strong>1</strong> manual <small>16.67%</small>',
      '<li class="card muted" data-filter="status=MUTED"><strong>2</strong> muted <small>33.33%</small>',
    ]) {
      assert.ok(page.includes(card), card);
    }
    assert.match(
      page.replaceAll(/ class="zero"| data-filter="[^"]*"/g, ''),
      /<th scope="row">application<\/th>(?:<td>0<\/td>)<td>1<\/td>(?:<td>0<\/td>){3}<td>1<\/td><td>0<\/td><td>1<\/td><td>0<\/td>/,
    );
  });

  it('writes one row per finding, but each check description only once', () => {
    const page = toHtml(variedFindings(), scan());
    assert.equal(count(page, /<tr data-status=/g), 6);
    assert.equal(count(page, /<details class="check"/g), 3);
    for (const text of [
      'A stolen session stays usable.',
      'Set the lifetime to 18 hours or less.',
      'SV-273203r1099958_rule',
      'CCI-002038, CCI-000057',
      '<a href="https://example.com/stig" rel="noopener noreferrer">',
    ]) {
      assert.ok(page.includes(text), text);
    }
  });

  it('writes a table per framework with the result of each category or safeguard', () => {
    const rows = complianceRows(toHtml(variedFindings(), scan(), compliance()));
    assert.deepEqual(rows, [
      'CAT I (High) Fail 1 0 1 0',
      'CAT II (Medium) Fail 1 1 0 2',
      'All Fail 2 1 1 2',
      '4.3 Configure Automatic Session Locking on Enterprise Assets Fail 1 1 0 1',
      '5.2 Use Unique Passwords Muted 0 0 0 1',
      '6.5 Require MFA for Administrative Access Fail 1 0 1 0',
      'All Fail 2 1 1 2',
    ]);
    assert.doesNotMatch(toHtml(variedFindings(), scan()), /id="compliance-title"|id="requirement"/);
  });

  it("fails a check's requirements if it was evaluated with a less strict limit than the STIG requires", () => {
    const passed = [finding({ status: 'PASS' })];
    const strict = toHtml(passed, scan(), compliance(passed));
    assert.deepEqual(complianceRows(strict).slice(0, 2), [
      'CAT II (Medium) Pass 0 1 0 0',
      'All Pass 0 1 0 0',
    ]);
    assert.doesNotMatch(strict, /less strict than/);
    const lessStrict = toHtml(passed, scan(), compliance(passed, { maxSessionLifetimeMinutes: 1081 }));
    assert.deepEqual(complianceRows(lessStrict).slice(0, 2), [
      'CAT II (Medium) Fail 1 0 0 0',
      'All Fail 1 0 0 0',
    ]);
    assert.match(
      lessStrict,
      /The configured limit of 1081 minutes is less strict than the limit of 1080 minutes in the STIG/,
    );
    assert.match(lessStrict, /<strong>fails Directory-IDaaS-STIG-V1R2<\/strong>/);
    assert.match(lessStrict, /<tr data-status="PASS">/);
  });

  it("shows a check's findings before its description, and numbered steps as a list", () => {
    const page = toHtml([finding({ check: { remediation: '1. Open the policy. 2. Save it.' } })], scan());
    assert.ok(page.indexOf('<table class="findings">') < page.indexOf('<dt>Remediation</dt>'));
    assert.ok(page.includes('<ol><li>Open the policy.</li><li>Save it.</li></ol>'));
  });

  it('lists failed checks first, by severity', () => {
    const sections = [
      ...toHtml(variedFindings(), scan()).matchAll(/data-severity="(\w+)" data-service="(\w+)"/g),
    ];
    assert.deepEqual(
      sections.map(([, severity, service]) => `${severity} ${service}`),
      ['high application', 'medium signon', 'low authenticator'],
    );
  });

  it('lists checks whose requirement fails because of a less strict limit before checks that pass', () => {
    const other = finding({ check: { id: 'other', severity: 'high' }, status: 'PASS' });
    const passed = [other, finding({ status: 'PASS' })];
    const severities = (page: string) =>
      [...page.matchAll(/<details class="check" data-severity="(\w+)"/g)].map(([, severity]) => severity);
    const limits = { maxSessionLifetimeMinutes: 1081 };
    assert.deepEqual(severities(toHtml(passed, scan(), compliance(passed))), ['high', 'medium']);
    assert.deepEqual(severities(toHtml(passed, scan(), compliance(passed, limits))), ['medium', 'high']);
  });

  it('allows only the embedded style and script by hash in the Content Security Policy', () => {
    const page = toHtml(hostileFindings(), scan());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? assert.fail();
    const inside = (tag: string) => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)?.[1] ?? assert.fail();
    const hash = (text: string) => `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
    assert.deepEqual(policy.split('; '), [
      'default-src &#39;none&#39;',
      `style-src ${hash(inside('style'))}`,
      `script-src ${hash(inside('script'))}`,
      'base-uri &#39;none&#39;',
      'form-action &#39;none&#39;',
    ]);
    assert.ok(page.indexOf('Content-Security-Policy') < page.indexOf('<style>'));
    assert.equal(count(page, ACTIVE_CONTENT), 0);
  });

  it('renders malicious names in the HTML report as text', () => {
    const page = toHtml(hostileFindings(), scan());
    assert.equal(count(page, /<script/g), 1);
    assert.equal(count(page, /<\/script/g), 1);
    assert.equal(count(page, /<h1/g), 1);
    assert.ok(page.includes('&lt;script&gt;document.title = &quot;owned&quot;&lt;/script&gt;'));
    assert.ok(page.includes('&amp;lt;b&amp;gt; &amp;amp;'));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
    assert.doesNotMatch(page, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
  });

  it('renders only web addresses as links', () => {
    const references = ['javascript:alert(1)', 'https://example.com/?a=1&b="'];
    const page = toHtml([finding({ check: { references } })], scan());
    assert.equal(count(page, /href="javascript:/g), 0);
    assert.ok(page.includes('href="https://example.com/?a=1&amp;b=&quot;"'));
  });

  it('offers only statuses, severities and services that occur as filters', () => {
    const page = toHtml([finding(), finding({ status: 'PASS' })], scan());
    const boxes = [...page.matchAll(/type="checkbox" name="(\w+)" value="(\w+)" checked/g)];
    assert.deepEqual(
      boxes.map(([, name, value]) => `${name} ${value}`),
      ['status FAIL', 'status PASS', 'severity medium', 'service signon'],
    );
  });

  it('states in the HTML report that there are no findings', () => {
    assert.match(toHtml([], scan()), /The scan has no findings/);
  });

  it('describes a check once, regardless of the number of findings', () => {
    const findings = Array.from({ length: 7_000 }, (_, at) => finding({ resource: { id: `app-${at}` } }));
    const page = toHtml(findings, scan());
    assert.equal(count(page, /<tr data-status=/g), 7_000);
    assert.equal(count(page, /A stolen session stays usable/g), 1);
    assert.ok(page.length < 3_000_000, `${page.length} characters`);
  });
});

describe('html template tag', () => {
  it('escapes text and numbers, and keeps markup', () => {
    assert.equal(
      html`<p title="${`"'&`}">${'<b>'}${1}${html`<i>${'>'}</i>`}${[html`<br>`, html`<hr>`]}</p>`.text,
      '<p title="&quot;&#39;&amp;">&lt;b&gt;1<i>&gt;</i><br><hr></p>',
    );
  });
});
