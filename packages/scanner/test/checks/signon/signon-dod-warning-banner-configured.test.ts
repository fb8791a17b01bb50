import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/signon/signon-dod-warning-banner-configured.ts';
import { read } from '../../../src/directory/read-result.ts';
import type { Brand } from '../../../src/directory/snapshot.ts';
import { accessDenied, brand, evaluated, failed, outline, page, scopeMissing } from '../snapshots.ts';

const BANNER =
  '<p>This is a U.S. Government information system for authorized use only. Use is subject to monitoring.</p>';
const PLAIN = '<html><body><div id="sign-in">Welcome</div></body></html>';

/** Quadratic time for 1 MB takes longer, and linear time is much shorter even on a busy machine. */
const QUADRATIC_MS = 20_000;

describe('signon_dod_warning_banner_configured', () => {
  const evaluate = (...brands: Brand[]) => check.evaluate(evaluated({ brands: read(brands) }));
  const evaluateHtml = (html: string | null, pageType?: 'customized' | 'default') => {
    const [verdict] = evaluate(brand(page(html, pageType)));
    return `${verdict?.status}: ${verdict?.detail}`;
  };

  it('passes customized and default sign-in pages with the banner', () => {
    assert.match(
      evaluateHtml(BANNER),
      /^PASS: The customized sign-in page of brand "Headquarters" contains all 4 phrases/,
    );
    assert.match(evaluateHtml(BANNER, 'default'), /^PASS: The default sign-in page of brand "Headquarters"/);
  });

  it('fails a page without the banner and reports the missing phrases', () => {
    assert.match(
      evaluateHtml(PLAIN),
      /^FAIL: The customized .* contains 0 of the 4 required phrases .* Missing: U\.S\. Government, information system, authorized use, monitoring\.$/,
    );
  });

  it('fails a page with only part of the banner', () => {
    assert.match(
      evaluateHtml('<p>U.S. Government. Authorized use only.</p>'),
      /^FAIL: .* contains 2 of the 4 required phrases .* Missing: information system, monitoring\.$/,
    );
  });

  it('passes the exact banner text of DTM-08-060', () => {
    const html = `<p>You are accessing a U.S. Government (USG) Information System (IS) that is provided for
      USG-authorized use only.</p><li>The USG routinely intercepts and monitors communications on this IS.</li>`;
    assert.match(evaluateHtml(html), /^PASS/);
    const without = html.replace('intercepts and monitors', 'looks at');
    assert.match(evaluateHtml(without), /^FAIL: .* Missing: monitoring\.$/);
    assert.match(evaluateHtml(`${without} They are subject to routine monitoring.`), /^PASS/);
  });

  for (const [name, html] of Object.entries({
    'markup inside a phrase': BANNER.replace('U.S. Government', '<b>U.S.</b> <i class="x">Govern</i>ment'),
    'block elements between the words of a phrase': BANNER.replace(
      'subject to',
      'subject<br>to<div>',
    ).replace('.</p>', '</div>'),
    'entities for spaces and periods': BANNER.replace('U.S. Gov', 'U&#46;S&#x2E;&nbsp;Gov'),
    'named entities': BANNER.replace('U.S.', 'U&period;S&period;').replace('use only', 'use&Tab;only'),
    'line breaks and repeated spaces': BANNER.replaceAll(' ', '\n\t  '),
    'capital letters': BANNER.toUpperCase(),
    'a soft hyphen and a zero-width space': BANNER.replace('information', 'infor&shy;ma\u200btion'),
    'a narrow no-break space': BANNER.replace('authorized use', 'authorized\u202fuse'),
    'a script that writes the banner': `<script>var text = '${BANNER}';</script>`,
  })) {
    it(`finds the banner in a page with ${name}`, () => {
      assert.match(evaluateHtml(html), /^PASS/);
    });
  }

  for (const [name, html] of Object.entries({
    'a comment': `<!-- ${BANNER} -->${PLAIN}`,
    'an unclosed comment': `${PLAIN}<!-- ${BANNER}`,
    'a style': `<style>/* ${BANNER} */</style>${PLAIN}`,
    'an attribute': `<div title="${BANNER.replace(/<\/?p>/g, '')}"></div>`,
  })) {
    it(`ignores the banner in ${name}, which is not visible`, () => {
      assert.match(evaluateHtml(html), /^FAIL: .* contains 0 of the 4 required phrases/);
    });
  }

  it('processes 1 MB of malformed markup in linear time', () => {
    for (const piece of ['<!--', '<style', '<a ', '&#', '<', '&nbsp']) {
      const start = performance.now();
      evaluateHtml(piece.repeat(1_000_000 / piece.length));
      assert.ok(performance.now() - start < QUADRATIC_MS, piece);
    }
  });

  it('keeps invalid character references in the page text', () => {
    assert.match(evaluateHtml(`&#x110000; &#9999999; &unknown; ${BANNER}`), /^PASS/);
  });

  it('returns MANUAL when a page has no content', () => {
    for (const content of [null, '', ' \n ']) {
      assert.match(
        evaluateHtml(content),
        /^MANUAL: The customized .* has no content in the API response\. .* manually\.$/,
      );
    }
  });

  it('returns MANUAL with the reason for a page that could not be read, but still evaluates the other pages', () => {
    const verdicts = evaluate(brand(accessDenied(), 'bnd1', 'One'), brand(page(BANNER), 'bnd2', 'Two'));
    assert.deepEqual(outline(verdicts), [
      ['MANUAL', 'bnd1', 'One'],
      ['PASS', 'bnd2', 'Two'],
    ]);
    assert.match(verdicts[0]?.detail ?? '', /^The sign-in page of brand "One" could not be read: .* 403/);
  });

  it('returns one verdict per brand in API order', () => {
    const verdicts = evaluate(
      brand(page(BANNER), 'bnd3', 'C'),
      brand(page(PLAIN), 'bnd1', 'A'),
      brand(page(BANNER, 'default'), 'bnd2', 'B'),
    );
    assert.deepEqual(outline(verdicts), [
      ['PASS', 'bnd3', 'C'],
      ['FAIL', 'bnd1', 'A'],
      ['PASS', 'bnd2', 'B'],
    ]);
  });

  it('uses the ID as the name of an unnamed brand', () => {
    assert.deepEqual(outline(evaluate(brand(page(BANNER), 'bnd9', null))), [['PASS', 'bnd9', 'bnd9']]);
  });

  it('returns MANUAL if there are no brands', () => {
    const verdicts = evaluate();
    assert.deepEqual(outline(verdicts), [['MANUAL', 'no-brands-detected', '(no brands detected)']]);
    assert.match(verdicts[0]?.detail ?? '', /^Directory returned no brands/);
  });

  it('returns MANUAL and reports the scope if it was not granted', () => {
    const verdicts = check.evaluate(evaluated({ brands: scopeMissing('directory.brands.read') }));
    assert.deepEqual(outline(verdicts), [['MANUAL', 'signon-brands-scope-missing', '(scope not granted)']]);
    assert.match(verdicts[0]?.detail ?? '', /Grant the scope directory\.brands\.read/);
  });

  it('returns MANUAL when the brands could not be read', () => {
    const verdicts = check.evaluate(
      evaluated({ brands: failed('failed', 'GET /api/v1/brands returned 500') }),
    );
    assert.deepEqual(outline(verdicts), [['MANUAL', 'signon-brands-retrieval-error', '(retrieval failed)']]);
    assert.match(
      verdicts[0]?.detail ?? '',
      /^The brands could not be read: GET \/api\/v1\/brands returned 500/,
    );
  });
});
