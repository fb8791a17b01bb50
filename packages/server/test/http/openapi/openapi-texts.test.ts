import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { joinService, type SharedService } from '../../support/lanes.ts';

const described = z.looseObject({ description: z.string().optional() });
const description = z.object({
  tags: z.array(described),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        summary: z.string(),
        description: z.string().optional(),
        parameters: z.array(described.extend({ name: z.string() })).default([]),
      }),
    ),
  ),
  components: z.object({
    schemas: z.record(
      z.string(),
      described.extend({ properties: z.record(z.string(), described).optional() }),
    ),
    responses: z.record(z.string(), described),
    headers: z.record(z.string(), described),
  }),
});

const SENTENCES = /^[A-Z`].*\.$/s;

describe('documentation in the OpenAPI description', () => {
  let service: SharedService;
  let openapi: z.infer<typeof description>;
  before(async () => {
    service = await joinService();
    const response = await fetch(`${service.url}/api/v1/openapi.json`);
    openapi = description.parse(await response.json());
  });
  after(() => service.leave());

  it('documents every OpenAPI tag, operation and parameter in full sentences', () => {
    for (const tag of openapi.tags) assert.match(tag.description ?? '', SENTENCES);
    for (const operation of Object.values(openapi.paths).flatMap((methods) => Object.values(methods))) {
      assert.match(operation.summary, /^[A-Z].*[^.]$/);
      assert.match(operation.description ?? '', SENTENCES, operation.operationId);
      for (const { name, description: text = '' } of operation.parameters)
        assert.match(text, SENTENCES, `${operation.operationId} ${name}`);
    }
  });

  it('documents every schema, attribute, error response and common header in full sentences', () => {
    const { schemas, responses, headers } = openapi.components;
    for (const [name, element] of Object.entries({ ...schemas, ...responses, ...headers }))
      assert.match(element.description ?? '', SENTENCES, name);
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      if (!name.endsWith('Attributes')) continue;
      for (const [attribute, element] of Object.entries(properties))
        assert.match(element.description ?? '', SENTENCES, `${name}.${attribute}`);
    }
  });
});
