import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOG } from '../../test/fake-engine.ts';
import { embedCode, embedHash, originOf, readEmbedHash } from './embed-address.ts';
import { defaultDocument, withFormat, withStep, withView } from './document.ts';
import { THEMES } from './preferences.ts';
import { decodeHash, encodeHash } from './url.ts';

const LINK = '#2/watch?src=generated:uniform&shape=4x40&density=0.12&seed=7&a=macko&b=none&moment=6';

describe('the address of an embedded stage', () => {
  test('the address of an embedded stage is made from a link of the page Watch, and converts back to it', () => {
    const settings = { theme: 'dark', origin: 'https://example.org' } as const;
    const hash = embedHash(LINK, settings);
    expect(hash).toBe(
      '#2/embed?src=generated:uniform&shape=4x40&density=0.12&seed=7&a=macko&b=none&moment=6&theme=dark&origin=https://example.org',
    );
    expect(readEmbedHash(hash)).toMatchObject({ ...settings, problems: [] });
    expect(readEmbedHash(hash)?.link).toContain('#2/watch?src=generated:uniform&shape=4x40');
  });
  test('leads back to the same document and settings, on any page and at any step', () => {
    const origin = fc.constantFrom(null, 'https://a.org', 'http://b.org:8080');
    const anyDocument = fc
      .record({
        view: fc.constantFrom('watch', 'measure', 'learn', 'compare'),
        step: fc.nat(),
        format: fc.constantFrom('csr', 'macko'),
      })
      .map(({ view, step, format }) => withView(withStep(withFormat(defaultDocument(CATALOG), format), step), view));
    fc.assert(
      fc.property(anyDocument, fc.constantFrom(...THEMES), origin, (document, theme, from) => {
        const { link, ...rest } =
          readEmbedHash(embedHash(encodeHash(document, CATALOG), { theme, origin: from })) ?? {};
        expect(rest).toEqual({ step: document.step, theme, origin: from, problems: [] });
        expect(decodeHash(link ?? '', CATALOG)).toEqual({ document, problems: [] });
      }),
    );
  });
  test.each([
    ['#2/watch', '#2/embed?'],
    ['#12/watch?a=csr&&b=none', '#12/embed?a=csr&b=none'],
  ])('the address of an embedded stage of the link %s is %s', (link, hash) =>
    expect(embedHash(link, { theme: 'system', origin: null })).toBe(hash),
  );
  test('the step is the one that addresses have now, before that of old links, and 0 if it is no number', () => {
    const stepOf = (query: string) => readEmbedHash(`#2/embed${query}`)?.step;
    expect(['', '?moment=7&step=9', '?step=9', '?moment=x'].map(stepOf)).toEqual([null, 7, 9, 0]);
  });
  test('needs neither a theme nor an origin', () => {
    expect(embedHash(LINK, { theme: 'system', origin: null })).toBe(LINK.replace('watch', 'embed'));
    expect(readEmbedHash('#2/embed')).toEqual({
      link: '#2/watch',
      step: null,
      theme: 'system',
      origin: null,
      problems: [],
    });
  });
  test('the address of an embedded stage of an unknown version converts to a link that reports the version', () => {
    const { link, ...rest } = readEmbedHash('#9/embed?src=example:wide&a=csr&moment=3&theme=dark') ?? {};
    expect(rest).toEqual({ step: 3, theme: 'dark', origin: null, problems: [] });
    expect(decodeHash(link ?? '', CATALOG).problems).toEqual([
      "Link: found version '9', expected 2; it is not opened.",
    ]);
  });
  test('the address of an embedded stage of a page that draws a picture itself converts to a link of that page', () => {
    const link = '#2/language/quality?model=tales&prune=wanda:0.6&x.seed=7';
    const hash = embedHash(link, { theme: 'light', origin: null });
    expect(hash).toBe('#2/embed/language/quality?model=tales&prune=wanda:0.6&x.seed=7&theme=light');
    expect(readEmbedHash(hash)).toMatchObject({ step: null, theme: 'light', problems: [] });
    expect(readEmbedHash(hash)?.link).toContain('#2/language/quality?model=tales&prune=wanda:0.6&x.seed=7');
    expect(readEmbedHash('#2/embed/language?step=12')).toMatchObject({ link: '#2/language?step=12', step: 12 });
  });
  test.each([
    ['#2/embed/?a=macko', '#2/watch?a=macko', []],
    ['#12/embed?a=macko', '#12/watch?a=macko', [expect.stringContaining("found version '12'")]],
    ['#2/embed/Watch?a=macko', '#2/Watch?a=macko', [expect.stringContaining("found 'Watch'")]],
    ['#2/embed//x', '#2//x', [expect.any(String)]],
  ])(
    'with an unknown page converts to a link that reports it; a slash at its end is ignored: %s',
    (hash, link, problems) => {
      expect(readEmbedHash(hash)?.link).toBe(link);
      expect(decodeHash(link, CATALOG).problems).toEqual(problems);
    },
  );
  test('the address of an embedded stage is recognised by the word embed: other addresses have no result', () => {
    for (const hash of [
      '',
      '#2/watch?x=/embed',
      '#2/embedded?',
      '#embed',
      '#/embed',
      '#x2/embed',
      'x#2/embed',
      '#2/a/embed',
    ])
      expect(readEmbedHash(hash)).toBeNull();
  });
  test('reports an unknown theme and a wrong origin', () => {
    const read = readEmbedHash('#2/embed?theme=pink&origin=example.org');
    expect(read).toMatchObject({ theme: 'system', origin: null });
    expect(read?.problems).toEqual([
      "theme: found 'pink', expected one of system, light, dark; the system's is used.",
      "origin: found 'example.org', expected one such as https://example.org; no page can send messages.",
    ]);
  });
});

test('an origin is a scheme, a host and a port, and nothing else', () => {
  expect(originOf('https://example.org')).toBe('https://example.org');
  expect(originOf('https://Example.org/')).toBe('https://example.org');
  expect(originOf('http://localhost:8000')).toBe('http://localhost:8000');
  for (const text of [
    '*',
    'null',
    '',
    'https://a.org/path',
    'https://u@a.org',
    'javascript:0',
    'file:///x',
    'ftp://a.org',
    'a.org',
  ])
    expect([text, originOf(text)]).toEqual([text, null]);
});

test('the code of the frame is one element; special characters in its values are escaped', () => {
  expect(embedCode('https://a.org/#2/embed?a=1&b=2', 'MACKO "<b>"', 960, 600)).toBe(
    '<iframe src="https://a.org/#2/embed?a=1&amp;b=2" title="MACKO &quot;&lt;b>&quot;" width="960" height="600" style="border: 0" loading="lazy"></iframe>',
  );
});
