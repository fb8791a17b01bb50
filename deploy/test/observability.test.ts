import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { getProgramSkipReason, runProcess } from '../../examples/test/support/run-process.ts';
import { joinService, type SharedService } from '../../packages/server/test/support/lanes.ts';
import { scrape } from '../../packages/server/test/support/prometheus.ts';
import { DEPLOY } from '../manifests.ts';

const METRIC = /\b(?:sluice|process|nodejs)_[a-z0-9_]+/g;
const RULES = path.join(DEPLOY, 'prometheus/alerts.yaml');
const UNIT_TESTS = path.join(DEPLOY, 'prometheus/alerts.test.yaml');
const promtoolSkipReason = await getProgramSkipReason('promtool');

const rulesSchema = z.object({
  groups: z.tuple([
    z.looseObject({ rules: z.array(z.looseObject({ alert: z.string(), expr: z.string() })) }),
  ]),
});
const unitTestsSchema = z.looseObject({
  tests: z.array(
    z.looseObject({
      alert_rule_test: z.array(z.looseObject({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});
const dashboardSchema = z.looseObject({
  panels: z.array(
    z.looseObject({
      id: z.number(),
      type: z.string(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.looseObject({ expr: z.string() })).default([]),
    }),
  ),
});

const { groups } = rulesSchema.parse(parse(await readFile(RULES, 'utf8')));
const [{ rules }] = groups;
const { panels } = dashboardSchema.parse(
  JSON.parse(await readFile(path.join(DEPLOY, 'grafana/sluice.json'), 'utf8')),
);

describe('dashboard and alert rules', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service?.leave());

  it('the dashboard and alert rules use only metrics that a running service exports', async () => {
    const { families } = await scrape(service.url);
    const isExported = (name: string) =>
      families.has(name) ||
      (/_(?:bucket|sum|count)$/.test(name) &&
        families.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram');
    const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    assert.ok(expressions.length > 30);
    for (const expr of expressions) {
      const names = expr.match(METRIC) ?? [];
      assert.ok(names.length > 0, expr);
      for (const name of names) assert.ok(isExported(name), `${name} in ${expr}`);
    }
  });

  it('alert rules compare only label values that a service exports from startup', async () => {
    const { value } = await scrape(service.url);
    const compared = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(sluice_\w+_total)\{(\w+)="(\w+)"\}/g)].map(
        ([, name = '', label = '', text = '']) => ({
          name,
          labels: { [label]: text },
        }),
      ),
    );
    assert.ok(compared.length > 5);
    // `increase` misses the first event of a new series.
    for (const { name, labels } of compared)
      assert.notEqual(value(name, labels), undefined, `${name} ${JSON.stringify(labels)}`);
  });
});

describe('alert rules', () => {
  it('each alert has one test in which it fires and one test in which it does not fire', async () => {
    const { tests } = unitTestsSchema.parse(parse(await readFile(UNIT_TESTS, 'utf8')));
    const expectations = tests.flatMap((test) => test.alert_rule_test);
    for (const { alert } of rules) {
      const alertTests = expectations.filter(({ alertname }) => alertname === alert);
      assert.deepEqual(alertTests.map(({ exp_alerts }) => exp_alerts.length).sort(), [0, 1], alert);
    }
  });

  it('alert rules pass the checks and unit tests of promtool', { skip: promtoolSkipReason }, async () => {
    for (const args of [
      ['check', 'rules', '--lint-fatal', RULES],
      ['test', 'rules', UNIT_TESTS],
    ]) {
      const { code, stdout, stderr } = await runProcess('promtool', args);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
    }
  });
});

describe('Grafana dashboard', () => {
  it('dashboard panels have unique IDs and do not overlap', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const [at, { gridPos: a, title }] of panels.entries()) {
      assert.ok(a.x + a.w <= 24, title);
      for (const { gridPos: b, title: other } of panels.slice(at + 1)) {
        const overlap = a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
        assert.ok(!overlap, `${title} and ${other}`);
      }
    }
  });

  it('the dashboard filters all metrics by the selected namespace', () => {
    for (const { expr } of panels.flatMap(({ targets }) => targets))
      assert.ok(expr.includes('namespace=~"$namespace"'), expr);
  });
});
