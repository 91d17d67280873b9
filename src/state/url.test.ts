import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import { type AppDocument, type Catalog, defaultDocument, paramFields, withView } from './document.ts';
import { decodeHash, encodeHash, reservedKeys } from './url.ts';
import { placeState } from './place-address.ts';
import { COMPARING, QUESTIONS } from '../places/compare/address.ts';
import { KERNEL_PARTS } from '../places/code/address.ts';
import { PLACES } from '../../test/places.ts';

const catalog: Catalog = {
  formats: [
    {
      id: 'macko',
      title: 'MACKO',
      params: {
        deltaBits: {
          kind: 'choice',
          label: 'delta bits',
          meaning: '',
          default: 4,
          options: [1, 2, 4, 8].map((value) => ({ value, label: String(value) })),
        },
        valueType: {
          kind: 'choice',
          label: 'values',
          meaning: '',
          default: 'f16',
          options: ['f16', 'f32', 'i8'].map((value) => ({ value, label: value })),
        },
      },
    },
    {
      id: 'tiles',
      title: 'Tiles',
      unusable: ({ height, packed }: Record<string, unknown>) =>
        packed && height === 1 ? 'one row is its count' : null,
      params: {
        height: { kind: 'integer', label: 'height', meaning: '', default: 8, min: -2, max: 64 },
        packed: {
          kind: 'choice',
          label: 'packed',
          meaning: '',
          default: true,
          options: [true, false].map((value) => ({ value, label: String(value) })),
        },
      },
    },
  ],
  patterns,
  places: PLACES,
  examples: [
    { id: 'fc2-70', title: 'fc2', url: 'examples/fc2-70.npy' },
    { id: 'a b&c=d#e', title: 'awkward', url: 'examples/awkward.mtx' },
  ],
  start: { source: { kind: 'example', id: 'fc2-70' }, format: 'macko' },
};

const FIRST = defaultDocument(catalog);
const FILES = new Set(['weights 1.mtx', 'ü/&?#%.npy']);

const arbitraryParams = fc.record(
  Object.fromEntries(
    catalog.formats.map((f) => [
      f.id,
      fc
        .record(
          Object.fromEntries(
            paramFields(f.params).map(([name, field]) => [
              name,
              field.kind === 'choice'
                ? fc.constantFrom(...field.options.map((o) => o.value))
                : fc.integer({ min: field.min, max: field.max }),
            ]),
          ),
        )
        .filter((params) => (f.unusable?.(params) ?? null) === null),
    ]),
  ),
);
const extent = fc.nat(2 ** 31 - 1);
const arbitrarySource: fc.Arbitrary<AppDocument['source']> = fc.oneof(
  fc.constantFrom(...catalog.examples).map(({ id }) => ({ kind: 'example' as const, id })),
  fc.constantFrom(...FILES).map((name) => ({ kind: 'file' as const, name })),
  fc.record(
    {
      kind: fc.constant('model' as const),
      model: fc.oneof(fc.constant('llama-3.1-8b'), fc.string()),
      layer: extent,
      matrix: fc.oneof(fc.constantFrom('down', 'lm_head'), fc.string()),
    },
    { requiredKeys: ['kind', 'model'] },
  ),
  fc.constantFrom(...patterns).chain((pattern) =>
    fc
      .record({
        rows: extent,
        cols: extent,
        density: fc.double({ min: 0, max: 1, noNaN: true }).map((d) => d + 0),
        seed: fc.nat(2 ** 32 - 1),
        options: fc.record(
          Object.fromEntries(
            pattern.options.map((o) => [
              o.id,
              o.whole
                ? fc.integer({ min: o.min, max: Math.min(o.max, 2 ** 31 - 1) })
                : fc.double({ min: o.min, max: o.max, noNaN: true }).map((d) => d + 0),
            ]),
          ),
          { requiredKeys: [] },
        ),
      })
      .map(({ options, ...shape }) => {
        const given = options as Readonly<Record<string, number>>;
        const spec = { pattern: pattern.id, ...shape, ...(Object.keys(given).length > 0 ? { options: given } : {}) };
        return { kind: 'generated' as const, spec };
      }),
  ),
);
const arbitraryExploring = fc
  .tuple(fc.constantFrom(...QUESTIONS), fc.dictionary(fc.string(), fc.string({ minLength: 1 })))
  .map(([question, own]) => ({ question, choices: Object.keys(own).length === 0 ? {} : { [question]: { ...own } } }));
const arbitraryReading = fc.record({
  kernel: fc.string(),
  file: fc.string(),
  line: fc.nat(9999),
  draft: fc.string(),
  code: fc.string(),
  part: fc.constantFrom(...KERNEL_PARTS),
  choices: fc.dictionary(fc.string(), fc.string({ minLength: 1 })).map((own) => ({ ...own })),
});
const arbitraryDocument: fc.Arbitrary<AppDocument> = fc
  .record({
    view: fc.constantFrom(...PLACES.map(({ id }) => id)),
    source: arbitrarySource,
    format: fc.constantFrom(...catalog.formats.map((f) => f.id)),
    params: arbitraryParams,
    window: fc.option(fc.record({ row: extent, col: extent, rows: extent, cols: extent })),
    step: fc.nat(100_000),
    on: fc.constantFrom('', 'this', 'h200@2026-11-22', 'report:NVIDIA H200', 'typed:900,82.6'),
    places: fc.record({
      explore: arbitraryExploring,
      kernels: arbitraryReading,
      learn: fc.record({
        lesson: fc.constantFrom('', 'small-gaps', 'ü/x'),
        paragraph: fc.nat(40),
        set: fc.constantFrom('', 'A\nq #1/visualize?a=1&b=ü'),
      }),
    }),
  })
  // An address has the state of the place that it shows.
  .map((doc) => {
    const { places } = defaultDocument(catalog);
    const own = Object.entries(doc.places).filter(([id]) => id === doc.view);
    return { ...doc, places: { ...places, ...Object.fromEntries(own) } };
  });

describe('encodeHash', () => {
  it('is short and readable', () => {
    const doc = { ...FIRST, window: { row: 0, col: 0, rows: 5, cols: 32 }, step: 6 };
    expect(encodeHash(doc, catalog)).toBe(
      '#1/visualize?src=example:fc2-70&fmt=macko&deltaBits=4&valueType=f16&win=0,0,5,32&step=6',
    );
  });

  it('names a generated matrix in full', () => {
    const spec = { pattern: 'uniform', rows: 4096, cols: 64, density: 0.3, seed: 7 };
    expect(encodeHash({ ...FIRST, source: { kind: 'generated', spec } }, catalog)).toBe(
      '#1/visualize?src=generated:uniform&shape=4096x64&density=0.3&seed=7&fmt=macko&deltaBits=4&valueType=f16',
    );
  });

  it('names a place in a model by its levels, and leaves what there is to the one who opens it', () => {
    const link =
      '#1/visualize?src=model:llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&fmt=macko&deltaBits=4&valueType=f16';
    const { document, problems } = decodeHash(link, catalog);
    expect(document.source).toEqual({
      kind: 'pruned',
      base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
      pruning: { way: 'magnitude', density: 0.5 },
    });
    expect(problems).toEqual([]);
    expect(encodeHash(document, catalog)).toBe(link);
    expect(decodeHash('#1/visualize?src=model:gpt-2', catalog).document.source).toEqual({
      kind: 'model',
      model: 'gpt-2',
    });
    expect(decodeHash('#1/visualize?src=model:gpt-2&layer=x', catalog).problems).toEqual([
      "Link, layer: found 'x', expected a whole number from 0 to 2147483647; 0 is used.",
    ]);
  });

  it('adds parameters of other formats only where they differ from the default', () => {
    const doc = { ...FIRST, params: { ...FIRST.params, tiles: { height: 16, packed: true } } };
    expect(encodeHash(doc, catalog)).toContain('tiles.height=16');
    expect(encodeHash(doc, catalog)).not.toContain('packed');
  });

  it('has no key that a parameter of a registered format has', () => {
    const names = formats.flatMap((f) => paramFields(f.params).map(([name]) => name));
    // theme and origin are those of an embedded stage, whose address has the same keys otherwise.
    const taken = [...reservedKeys(PLACES), 'theme', 'origin'];
    expect(names.filter((name) => taken.includes(name))).toEqual([]);
  });
});

describe('decodeHash', () => {
  it('gives back what encodeHash was given', () => {
    fc.assert(
      fc.property(arbitraryDocument, (doc) => {
        expect(decodeHash(encodeHash(doc, catalog), catalog, FILES)).toEqual({ document: doc, problems: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, and reads back its own answer without problems', () => {
    const key = fc.constantFrom(
      ...reservedKeys(PLACES),
      'deltaBits',
      'tiles.height',
      'opt.band',
      'x.at',
      'x.__proto__',
      '__proto__',
      'constructor',
    );
    const value = fc.oneof(fc.string(), fc.constantFrom('generated:uniform', 'example:', '-1', '1e400', '%', '0x10'));
    const pairs = fc.array(fc.tuple(key, value)).map((list) => list.map(([k, v]) => `${k}=${v}`).join('&'));
    const hash = fc.oneof(
      fc.string(),
      pairs.map((text) => `#1/visualize?${text}`),
      pairs.map((text) => `#1/explore/density?${text}`),
    );
    fc.assert(
      fc.property(hash, (text) => {
        const { document } = decodeHash(text, catalog);
        expect(decodeHash(encodeHash(document, catalog), catalog)).toEqual({ document, problems: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['', '#'])('shows the first screen for %j', (hash) => {
    expect(decodeHash(hash, catalog)).toEqual({ document: FIRST, problems: [] });
  });

  it('ignores unknown keys', () => {
    expect(decodeHash('#1/visualize?src=example:fc2-70&utm=1&__proto__=2', catalog)).toEqual({
      document: FIRST,
      problems: [],
    });
  });

  it.each([
    ['#2/visualize?fmt=tiles', "Link: found version '2', expected 1; the first screen is shown."],
    ['#main', "Link: found '#main', expected '#1/visualize?...'; the first screen is shown."],
    [
      '#1/compare?',
      "Link, view: found 'compare', expected one of visualize, benchmark, explore, kernels, learn; 'visualize' is shown.",
    ],
    [
      '#1/visualize?src=example:nope&win=1,2,3,4&step=3',
      "Link, src: found 'example:nope', expected one of the examples fc2-70, a b&c=d#e; the first example is shown.",
    ],
    [
      '#1/visualize?src=ftp',
      "Link, src: found 'ftp', expected 'example:', 'model:', 'generated:', 'remote:' or 'file:' and a name; the first example is shown.",
    ],
    [
      '#1/visualize?src=file:gone.mtx&step=2',
      "Links carry no files: open 'gone.mtx' again; the first example is shown.",
    ],
    ['#1/visualize?fmt=coo&step=4', "Link, fmt: found 'coo', expected one of macko, tiles; 'macko' is shown."],
    [
      '#1/visualize/density?',
      "Link, view: found 'visualize/density', expected one of visualize, benchmark, explore, kernels, learn; 'visualize' is shown.",
    ],
    ['#1/visualize?deltaBits=3', "Link, deltaBits: found '3', expected one of 1, 2, 4, 8; 4 is used."],
    [
      '#1/visualize?tiles.height=65',
      "Link, tiles.height: found '65', expected a whole number from -2 to 64; 8 is used.",
    ],
    [
      '#1/visualize?win=0,0,5',
      "Link, win: found '0,0,5', expected row,column,rows,columns such as 0,0,5,32; a window is chosen for you.",
    ],
    ['#1/visualize?step=-1', "Link, step: found '-1', expected a whole number of at least 0; 0 is used."],
  ])('reports %s by one sentence and shows the default', (hash, sentence) => {
    expect(decodeHash(hash, catalog)).toEqual({ document: FIRST, problems: [sentence] });
  });

  it('replaces each wrong number of a generated matrix and keeps the others', () => {
    const hash = '#1/visualize?src=generated:uniform&shape=8by8&density=2&seed=-1';
    const { document, problems } = decodeHash(hash, catalog);
    expect(document.source).toEqual({
      kind: 'generated',
      spec: { pattern: 'uniform', rows: 1024, cols: 1024, density: 0.1, seed: 1 },
    });
    expect(problems).toHaveLength(3);
  });

  it('brings back a question of Explore with what was chosen for it', () => {
    const { document, problems } = decodeHash('#1/explore/density?x.at=0.3&x.scale=log&at=0.4', catalog);
    expect(problems).toEqual([]);
    expect(document.view).toBe('explore');
    expect(document.places.explore).toEqual({ question: 'density', choices: { density: { at: '0.3', scale: 'log' } } });
    expect(encodeHash(document, catalog)).toMatch(/^#1\/explore\/density\?.*&x\.at=0\.3&x\.scale=log$/);
    expect(encodeHash(withView(document, 'benchmark'), catalog)).not.toContain('x.at');
  });

  it('shows the first question where an address names none, or none that there is', () => {
    expect(decodeHash('#1/explore', catalog).document.places.explore).toEqual({ question: 'matrix', choices: {} });
    const { document, problems } = decodeHash('#1/explore/price?x.at=1', catalog);
    expect(document.places.explore).toEqual({ question: 'matrix', choices: {} });
    expect(problems).toEqual([
      "Link, question: found 'price', expected one of matrix, density, roofline, model, network, windows; 'matrix' is shown.",
    ]);
  });

  it('quotes controls and line ends as pictures', () => {
    expect(decodeHash('#1/visualize?fmt=a%00b%0Ac', catalog).problems).toEqual([
      "Link, fmt: found 'a␀b␊c', expected one of macko, tiles; 'macko' is shown.",
    ]);
  });

  it('reports parameters that leave no room for a non-zero, and uses the defaults', () => {
    const { document, problems } = decodeHash('#1/visualize?fmt=tiles&height=1', catalog);
    expect(document.params.tiles).toEqual({ height: 8, packed: true });
    expect(problems).toEqual([
      "Link, parameters of tiles: found '1, true', expected values that leave room for a non-zero (one row is its count); the defaults are used.",
    ]);
    expect(decodeHash('#1/visualize?fmt=tiles&height=1&packed=false', catalog).problems).toEqual([]);
  });

  it('quotes at most 60 characters of a value', () => {
    const [sentence] = decodeHash(`#1/visualize?fmt=${'x'.repeat(5000)}`, catalog).problems;
    expect(sentence.length).toBeLessThan(200);
  });
});

describe('the device in an address', () => {
  const on = (query: string): string => decodeHash(`#1/explore/roofline?${query}`, catalog).document.on;

  it('is one for all places', () => {
    const doc = { ...FIRST, on: 'h200@2026-11-22' };
    expect(encodeHash(doc, catalog)).toContain('&on=h200%402026-11-22');
    expect(encodeHash(FIRST, catalog)).not.toContain('on=');
    for (const { id } of PLACES) {
      expect(decodeHash(encodeHash(withView(doc, id), catalog), catalog).document.on).toBe(doc.on);
    }
  });

  it('is what an older address chose at one place, and is no longer a choice of that place', () => {
    expect(on('x.device=rtx-4090')).toBe('rtx-4090');
    expect(on('x.card=RTX%203090')).toBe('RTX 3090');
    expect(on('x.device=gpu:NVIDIA%20H200&x.card=RTX%203090')).toBe('gpu:NVIDIA H200');
    expect(on('x.device=rtx-4090&on=this')).toBe('this');
    const { document } = decodeHash('#1/explore/roofline?x.device=typed&x.read=200', catalog);
    expect(placeState(document, COMPARING).choices).toEqual({ roofline: { read: '200' } });
    expect(encodeHash(document, catalog)).toMatch(/&on=typed&x\.read=200$/);
  });
});

describe('index bits in an address', () => {
  const whole: Catalog = { ...catalog, formats, start: { ...catalog.start, format: 'macko' } };
  const WITH_INDICES = ['csr', 'ell'] as const;
  const read = (hash: string): AppDocument => decodeHash(hash, whole).document;

  it('are auto in a new document', () => {
    for (const id of WITH_INDICES) expect(defaultDocument(whole).params[id].indexBits).toBe('auto');
  });

  it('are always written, of the format on the stage and of others', () => {
    expect(encodeHash({ ...defaultDocument(whole), format: 'csr' }, whole)).toMatch(
      /&indexBits=auto&.*ell\.indexBits=auto/,
    );
    expect(encodeHash(defaultDocument(whole), whole)).toMatch(/&csr\.indexBits=auto&.*ell\.indexBits=auto/);
  });

  it.each(['auto', 16, 32])('are read again: %s', (indexBits) => {
    for (const format of ['macko', ...WITH_INDICES]) {
      const doc = defaultDocument(whole);
      const params = Object.fromEntries(WITH_INDICES.map((id) => [id, { ...doc.params[id], indexBits }]));
      const document = { ...doc, format, params: { ...doc.params, ...params } };
      expect(decodeHash(encodeHash(document, whole), whole)).toEqual({ document, problems: [] });
    }
  });

  it.each([
    '#1/visualize?src=example:fc2-70&fmt=csr&valueType=f16',
    '#1/explore/matrix?src=generated:uniform&shape=64x64&density=0.5&seed=1',
    '#1/benchmark?fmt=macko',
  ])('are 32 where an older address does not name them: %s', (hash) => {
    for (const id of WITH_INDICES) expect(read(hash).params[id].indexBits).toBe(32);
  });

  it('are those of a new document where an address names a place and neither matrix nor format', () => {
    expect(read('#1/learn/small-gaps?p=4').params).toEqual(defaultDocument(whole).params);
  });
});

it('a tensor that a file names with half a letter has an address all the same', () => {
  const start = defaultDocument(catalog);
  const source = { kind: 'file' as const, name: 'weights 1.mtx', tensor: 'a\ud800b' };
  const { document, problems } = decodeHash(encodeHash({ ...start, source }, catalog), catalog, FILES);
  expect(problems).toEqual([]);
  expect(document.source).toEqual({ ...source, tensor: 'a\ufffdb' });
});

it('a link with a hundred thousand choices is read in time that grows with its length', () => {
  const pairs = Array.from({ length: 100_000 }, (_, i) => `x.a${i}=1`);
  const start = performance.now();
  const { document } = decodeHash(`#1/explore/density?x.a0=first&${pairs.join('&')}`, catalog);
  const { density = {} } = placeState(document, COMPARING).choices;
  expect(Object.keys(density)).toHaveLength(100_000);
  expect(density.a0).toBe('first');
  // Looking each of them up among all took minutes.
  expect(performance.now() - start).toBeLessThan(3000);
});

it('a link with a value or a place of megabytes is read, says so in one sentence each, and shows none of it', () => {
  const long = 'a/'.repeat(2 ** 20);
  const { document, problems } = decodeHash(`#1/visualize?src=https://${long}&tensor=${long}&fmt=macko`, catalog);
  expect(problems).toEqual([
    `Link, src: found 2\u202f097\u202f160 characters, expected at most 32\u202f768; it is ignored.`,
  ]);
  expect(document).toMatchObject({ view: 'visualize', format: 'macko', source: defaultDocument(catalog).source });
  const place = decodeHash(`#1/kernels/${long}`, catalog);
  expect(place.problems).toHaveLength(1);
  expect(place.problems[0].length).toBeLessThan(200);
});
