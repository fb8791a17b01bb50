import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { toSarif } from '../../src/outputs/sarif.ts';
import { finding, hostileFindings, scan, variedFindings } from './support/findings.ts';

/** The requirements of SARIF 2.1.0 and of code scanning services for the objects that the scanner writes. */
const text = z.strictObject({ text: z.string().min(1) });
const level = z.enum(['none', 'note', 'warning', 'error']);
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          organization: z.string(),
          version: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: text,
              fullDescription: text,
              help: text,
              helpUri: z.url().optional(),
              defaultConfiguration: z.strictObject({ level }),
              properties: z.strictObject({
                tags: z.array(z.string()),
                'security-severity': z.string().regex(/^\d+\.\d$/),
                severity: z.string(),
              }),
            }),
          ),
        }),
      }),
      automationDetails: z.strictObject({ id: z.string(), guid: z.uuid() }),
      invocations: z.tuple([
        z.strictObject({ executionSuccessful: z.boolean(), startTimeUtc: z.iso.datetime() }),
      ]),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          kind: z.enum(['pass', 'fail', 'review']),
          level,
          message: text,
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string().regex(/^[\w.~!*'()%/-]+$/) }),
              }),
              logicalLocations: z.tuple([
                z.strictObject({
                  name: z.string(),
                  fullyQualifiedName: z.string(),
                  kind: z.literal('resource'),
                }),
              ]),
            }),
          ]),
          partialFingerprints: z.record(z.string(), z.string().regex(/^[\da-f]{64}$/)),
          suppressions: z.array(
            z.strictObject({
              kind: z.enum(['external', 'inSource']),
              status: z.literal('accepted'),
              justification: z.string(),
            }),
          ),
        }),
      ),
    }),
  ]),
});

const run = (...of: Parameters<typeof toSarif>) => sarif.parse(JSON.parse(toSarif(...of))).runs[0];

describe('SARIF output', () => {
  it('writes a SARIF kind for each status, and a level for failures only', () => {
    const { results } = run(variedFindings(), scan());
    assert.deepEqual(
      results.map(({ kind, level: worth, suppressions }) => [kind, worth, suppressions.length]),
      [
        ['fail', 'warning', 0],
        ['pass', 'none', 0],
        ['fail', 'warning', 1],
        ['review', 'none', 0],
        ['fail', 'error', 0],
        ['pass', 'none', 1],
      ],
    );
  });

  it('writes one rule per check, and a reference to the rule in each result', () => {
    const { tool, results } = run(variedFindings(), scan());
    const { rules } = tool.driver;
    assert.equal(rules.length, 3);
    for (const { ruleId, ruleIndex } of results) assert.equal(rules[ruleIndex]?.id, ruleId);
    const [rule] = rules;
    assert.equal(
      rule?.help.text,
      'Risk: A stolen session stays usable.\n\nRemediation: Set the lifetime to 18 hours or less.\n\nhttps://example.com/sessions\n\nhttps://example.com/stig',
    );
    for (const tag of ['DIRECTORY-APP-001665', 'V-273203', 'CIS-Controls-8.1/4.3'])
      assert.ok(rule?.properties.tags.includes(tag), tag);
  });

  it('writes fingerprints that are stable across scans and differ between findings', () => {
    const prints = (of: ReturnType<typeof run>) =>
      of.results.map(({ partialFingerprints }) => partialFingerprints['sluiceFinding/v1']);
    const first = prints(run(variedFindings(), scan()));
    const later = scan({ startedAt: new Date(0), scanId: '019aa5f2-6c31-7b1e-9d3a-5f0c2b7e4a11' });
    assert.equal(new Set(first).size, first.length);
    assert.deepEqual(prints(run(variedFindings(), later)), first);
  });

  it('writes valid SARIF for malicious names and for checks without references', () => {
    assert.equal(run(hostileFindings(), scan()).results.length, hostileFindings().length);
    const [rule] = run([finding({ check: { references: [] } })], scan()).tool.driver.rules;
    assert.equal(rule?.helpUri, undefined);
  });

  it('writes a run without results if there are no findings', () => {
    const { results, tool } = run([], scan());
    assert.deepEqual([results, tool.driver.rules], [[], []]);
  });
});
