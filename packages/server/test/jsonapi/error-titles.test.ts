import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS, errorExample } from '../../src/http/openapi/openapi-errors.ts';
import { ApiError, ERROR_TITLES } from '../../src/jsonapi/errors.ts';

const TITLES = new Map<string, string>(Object.entries(ERROR_TITLES));

describe('error titles', () => {
  it('gives every error code a short title in sentence case without a period', () => {
    for (const [code, title] of TITLES) assert.match(title, /^[A-Z][A-Za-z ]{3,39}$/, code);
  });

  it('gives an API error the title of its error code', () => {
    const error = new ApiError({ status: 404, code: 'not_found', detail: 'No finding has this ID.' });
    assert.equal(error.title, ERROR_TITLES.not_found);
  });

  it('uses the title of the error code in every OpenAPI example', () => {
    for (const description of ERRORS)
      for (const { code, title } of errorExample(description).errors)
        assert.equal(title, TITLES.get(code), code);
  });
});
