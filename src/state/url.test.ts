import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { BaseSource } from '../engine/matrix/source-types.ts';
import type { Pruning } from '../engine/matrix/pruning-way.ts';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import {
  type AppDocument,
  type Catalog,
  defaultDocument,
  firstDocument,
  defaultStored,
  MAX_TOKENS,
  paramFields,
  type Stored,
  withView,
} from './document.ts';
import { decodeHash, encodeHash, reservedKeys } from './url.ts';
import { type PlaceAddress, placeState } from './place-address.ts';
import { type CompareFields, COMPARE_FIELDS } from '../places/compare/address.ts';
import { CODE_FIELDS } from '../places/code/address.ts';
import { LEARN_FIELDS } from '../places/learn/address.ts';
import { MEASURE_FIELDS } from '../places/measure/address.ts';
import { PLACES } from '../../test/places.ts';
import { cases } from '../../test/scheduled.ts';

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
    { id: 'digits-fc1-6-8', title: 'fc1', url: 'examples/fc1-6-8.npy' },
  ],
  start: { source: { kind: 'example', id: 'fc2-70' }, format: 'macko', against: 'tiles' },
};

/** As they are listed in a sentence. */
const VIEWS = PLACES.map(({ id }) => id).join(', ');
const FIRST = defaultDocument(catalog);
const FILES = new Set(['weights 1.mtx', 'ü/&?#%.npy']);

const paramsOf = Object.fromEntries(
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
);
const arbitraryParams = fc.record(paramsOf);
/** Nothing, another format, or the one on the stage with other parameters. */
const arbitraryAgainst: fc.Arbitrary<Stored | null> = fc.option(
  fc.constantFrom(...Object.keys(paramsOf)).chain((format) => paramsOf[format].map((params) => ({ format, params }))),
);
const extent = fc.nat(2 ** 31 - 1);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((d) => d + 0);
const tensor = { tensor: fc.string() };
const arbitraryBase: fc.Arbitrary<BaseSource> = fc.oneof(
  fc.constantFrom(...catalog.examples).map(({ id }) => ({ kind: 'example' as const, id })),
  fc.record(
    { kind: fc.constant('file' as const), name: fc.constantFrom(...FILES), ...tensor },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.record(
    { kind: fc.constant('remote' as const), link: fc.string({ minLength: 1 }), ...tensor },
    { requiredKeys: ['kind', 'link'] },
  ),
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
        density: share,
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
/** A window, and the cells of one that was edited. */
const arbitraryWindow: fc.Arbitrary<Pick<AppDocument, 'window' | 'edited'>> = fc.oneof(
  fc
    .option(fc.record({ row: extent, col: extent, rows: extent, cols: extent }))
    .map((window) => ({ window, edited: null })),
  fc
    .record({ row: extent, col: extent, rows: fc.constant(3), cols: fc.integer({ min: 4, max: 64 }) })
    .map((window) => ({ window, edited: '0:1;3:-0.5,,1:2e-7' })),
);
const arbitraryPruning: fc.Arbitrary<Pruning> = fc.oneof(
  fc.record({ way: fc.constantFrom('magnitude' as const, 'rows' as const, 'wanda' as const), density: share }),
  fc.record({ way: fc.constant('random' as const), density: share, seed: fc.nat(2 ** 32 - 1) }),
  fc
    .tuple(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 64 }))
    .map(([a, b]) => ({ way: 'n-of-m' as const, kept: Math.min(a, b), group: Math.max(a, b) })),
);
const arbitrarySource: fc.Arbitrary<AppDocument['source']> = fc.oneof(
  arbitraryBase,
  fc.record({ kind: fc.constant('pruned' as const), base: arbitraryBase, pruning: arbitraryPruning }),
);
const arbitraryComparing = fc.record({
  choices: fc.dictionary(fc.string(), fc.string({ minLength: 1 })).map((own) => ({ ...own })),
});
/** The place may have more to say: the rest is as at first. */
const ofReading = PLACES.find(({ id }) => id === CODE_FIELDS.id)?.address?.initial;
const arbitraryReading = fc
  .record({ kernel: fc.string(), file: fc.string(), line: fc.nat(9999) })
  .map((reading) => ({ ...ofReading, ...reading }));
const arbitraryDocument: fc.Arbitrary<AppDocument> = fc
  .record({
    view: fc.constantFrom(...PLACES.map(({ id }) => id)),
    source: arbitrarySource,
    format: fc.constantFrom(...catalog.formats.map((f) => f.id)),
    params: arbitraryParams,
    against: arbitraryAgainst,
    tokens: fc.integer({ min: 1, max: MAX_TOKENS }),
    cut: arbitraryWindow,
    beside: fc.boolean(),
    at: fc.oneof(
      fc.record({ frame: fc.integer({ min: 1, max: 99 }), step: fc.constant(0) }),
      fc.record({ frame: fc.constant(null), step: fc.nat(100_000) }),
    ),
    on: fc.constantFrom('', 'this', 'h200@2026-11-22', 'report:NVIDIA H200', 'typed:900,82.6'),
    places: fc.record({
      [COMPARE_FIELDS.id]: arbitraryComparing,
      [CODE_FIELDS.id]: arbitraryReading,
      [MEASURE_FIELDS.id]: fc.record({
        fold: fc.constantFrom('', 'roofline', 'kernels.settings'),
        choices: fc.constantFrom({}, { format: 'dense-i8' }, { matrix: '64x48-9', tokens: '2048' }),
      }),
      [LEARN_FIELDS.id]: fc.record({
        lesson: fc.constantFrom('', 'small-gaps', 'ü/x'),
        paragraph: fc.nat(40),
        set: fc.constantFrom('', 'A\nq #2/watch?a=1&b=ü'),
      }),
    }),
  })
  // An address has the state of the place that it shows.
  .map(({ at, cut, ...doc }) => {
    const { places } = defaultDocument(catalog);
    const own = Object.entries(doc.places).filter(([id]) => id === doc.view);
    const beside = doc.beside && doc.against !== null;
    return { ...doc, ...at, ...cut, beside, places: { ...places, ...Object.fromEntries(own) } };
  });

describe('encodeHash', () => {
  it('is short and readable', () => {
    const doc = { ...FIRST, window: { row: 0, col: 0, rows: 5, cols: 32 }, beside: true, frame: null, step: 6 };
    expect(encodeHash(doc, catalog)).toBe(
      '#2/watch?src=example:fc2-70&a=macko&a.deltaBits=4&a.valueType=f16&b=tiles&b.height=8&b.packed=true&win=0,0,5,32&beside=1&moment=6',
    );
  });

  it('says what is compared: another format, the same one with other parameters, or nothing', () => {
    const tail = (doc: AppDocument): string => encodeHash(doc, catalog).replace(/^.*a\.valueType=f16/, '');
    expect(tail({ ...FIRST, against: null })).toBe('&b=none');
    const params = { deltaBits: 8, valueType: 'f32' };
    expect(tail({ ...FIRST, against: { format: 'macko', params } })).toBe('&b=macko&b.deltaBits=8&b.valueType=f32');
  });

  it('has tokens and device only where they were chosen', () => {
    expect(encodeHash({ ...FIRST, tokens: 8, on: 'this' }, catalog)).toMatch(/&on=this&tokens=8$/);
    expect(encodeHash(FIRST, catalog)).not.toMatch(/[?&](?:on|tokens)=/);
  });

  it('names a generated matrix in full', () => {
    const spec = { pattern: 'uniform', rows: 4096, cols: 64, density: 0.3, seed: 7 };
    expect(encodeHash({ ...FIRST, against: null, source: { kind: 'generated', spec } }, catalog)).toBe(
      '#2/watch?src=generated:uniform&shape=4096x64&density=0.3&seed=7&a=macko&a.deltaBits=4&a.valueType=f16&b=none',
    );
  });

  it('names a place in a model by its levels, and leaves what there is to the one who opens it', () => {
    const link =
      '#2/watch?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5&a=macko&a.deltaBits=4&a.valueType=f16&b=none';
    const { document, problems } = decodeHash(link, catalog);
    expect(document.source).toEqual({
      kind: 'pruned',
      base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
      pruning: { way: 'magnitude', density: 0.5 },
    });
    expect(problems).toEqual([]);
    expect(encodeHash(document, catalog)).toBe(link);
    const whole = decodeHash('#2/watch?model=gpt-2', catalog).document;
    expect(whole.source).toEqual({ kind: 'model', model: 'gpt-2' });
    expect(encodeHash(whole, catalog)).toMatch(/\?model=gpt-2&a=/);
    expect(decodeHash('#2/watch?model=gpt-2&layer=x', catalog).problems).toEqual([
      "Link, layer: found 'x', expected a whole number from 0 to 2147483647; 0 is used.",
    ]);
  });

  it('adds parameters of other formats only where they differ from the default', () => {
    const doc = { ...FIRST, params: { ...FIRST.params, tiles: { height: 16, packed: true } } };
    expect(encodeHash(doc, catalog)).toContain('tiles.height=16');
    expect(encodeHash(doc, catalog)).not.toContain('tiles.packed');
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
      { numRuns: cases(150, 500) },
    );
  });

  it('never throws, and reads back its own answer without problems', () => {
    const key = fc.constantFrom(
      ...reservedKeys(PLACES),
      'deltaBits',
      'a.deltaBits',
      'b.height',
      'tiles.height',
      'opt.band',
      'x.at',
      'x.__proto__',
      '__proto__',
      'constructor',
    );
    const value = fc.oneof(fc.string(), fc.constantFrom('generated:uniform', 'example:', '-1', '1e400', '%', '0x10'));
    const pairs = fc.array(fc.tuple(key, value)).map((list) => list.map(([k, v]) => `${k}=${v}`).join('&'));
    const places = ['#9/watch', '#2/watch', '#2/compare', '#2/code/csr'];
    const hash = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...places), pairs).map(([place, text]) => `${place}?${text}`),
    );
    fc.assert(
      fc.property(hash, (text) => {
        const { document } = decodeHash(text, catalog);
        expect(decodeHash(encodeHash(document, catalog), catalog)).toEqual({ document, problems: [] });
      }),
      { numRuns: cases(300, 1000) },
    );
  });

  it.each(['', '#'])(
    'shows what the first screen is about for %j, and the start where an address names no matrix',
    (hash) => {
      const first = { source: { kind: 'model', model: 'm' }, window: { row: 0, col: 0, rows: 2, cols: 2 } } as const;
      const known = { ...catalog, start: { ...catalog.start, first } };
      for (const one of [catalog, known])
        expect(decodeHash(hash, one)).toEqual({ document: firstDocument(one), problems: [] });
      expect(firstDocument(known)).toMatchObject(first);
      const { document } = decodeHash('#2/watch?a=tiles', known);
      expect(document).toMatchObject({ source: catalog.start.source, window: null });
    },
  );

  it('shows a format that needs it on its own example where an address names no matrix', () => {
    const shownBestOn = { id: 'a b&c=d#e', what: 'what it is for', isNeeded: true } as const;
    const known = {
      ...catalog,
      formats: catalog.formats.map((format) => (format.id === 'tiles' ? { ...format, shownBestOn } : format)),
    };
    const own = { kind: 'example', id: shownBestOn.id };
    const sourceOf = (hash: string): unknown => decodeHash(hash, known).document.source;
    expect(sourceOf('#2/watch?a=tiles')).toEqual(own);
    for (const hash of ['#2/watch?a=macko', '#2/watch?b=tiles', '#2/watch?a=tiles&src=example:fc2-70'])
      expect(sourceOf(hash)).toEqual(catalog.start.source);
    const lost = { ...shownBestOn, id: 'gone' };
    const without = { ...known, formats: known.formats.map((format) => ({ ...format, shownBestOn: lost })) };
    expect(decodeHash('#2/watch?a=tiles', without).document.source).toEqual(catalog.start.source);
  });

  it('is about what a place usually shows, where the address names no matrix', () => {
    const usually = { kind: 'model', model: 'gpt-2' } as const;
    const address: PlaceAddress<CompareFields> = {
      ...COMPARE_FIELDS,
      usual: ({ choices }) => (choices.own ? null : usually),
    };
    const places = PLACES.map((place) => (place.id === address.id ? { ...place, address } : place));
    const sourceOf = (hash: string) => decodeHash(hash, { ...catalog, places }).document.source;
    expect(sourceOf('#2/compare')).toEqual(usually);
    // What was chosen at the place may be about something else.
    expect(sourceOf('#2/compare?x.own=1')).toEqual(catalog.start.source);
    const named = '#2/compare?model=llama-3.1-8b';
    expect(sourceOf(named)).toEqual({ kind: 'model', model: 'llama-3.1-8b' });
    expect(sourceOf(encodeHash(decodeHash('#2/watch', catalog).document, catalog))).toEqual(catalog.start.source);
    // What was lost is not replaced by something else.
    expect(sourceOf('#2/compare?src=example:nobody')).toEqual(catalog.start.source);
  });

  it('is about the matrix of the first screen at a place that says so, unless a format needs another', () => {
    const first = {
      source: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
      window: { row: 1, col: 2, rows: 3, cols: 4 },
    } as const;
    const places = PLACES.map((place) => (place.id === 'compare' ? { ...place, isOfFirst: true as const } : place));
    const known: Catalog = { ...catalog, places, start: { ...catalog.start, first } };
    const shown = (hash: string) => {
      const { source, window } = decodeHash(hash, known).document;
      return { source, window };
    };
    const usual = { source: catalog.start.source, window: null };
    expect(shown('#2/compare?b=none')).toEqual(first);
    expect(shown('#2/watch?b=none')).toEqual(usual);
    expect(shown('#2/compare?src=example:nobody')).toEqual(usual);
    expect(shown('#2/compare?model=gpt-2')).toEqual({ source: { kind: 'model', model: 'gpt-2' }, window: null });
    expect(shown('#2/compare?win=0,0,5,32').window).toEqual({ row: 0, col: 0, rows: 5, cols: 32 });
  });

  it('ignores unknown keys', () => {
    expect(decodeHash('#2/watch?src=example:fc2-70&utm=1&__proto__=2&deltaBits=8&b.deltaBits=8', catalog)).toEqual({
      document: FIRST,
      problems: [],
    });
  });

  it('reports what is no address by one sentence and shows the first screen', () => {
    expect(decodeHash('#main', catalog)).toEqual({
      document: firstDocument(catalog),
      problems: ["Link: found '#main', expected '#2/watch?...'; the first screen is shown."],
    });
  });

  it.each([
    ['#3/watch?a=tiles&moment=4', '3'],
    ['#02/watch?a=tiles', '02'],
    ['#/watch?a=tiles', ''],
    [`#${'7'.repeat(5000)}/watch`, `${'7'.repeat(60)}...`],
  ])('refuses an address of another version by one sentence: %.20s', (hash, version) => {
    expect(decodeHash(hash, catalog)).toEqual({
      document: firstDocument(catalog),
      problems: [`Link: found version '${version}', expected 2; it is not opened.`],
      isRefused: true,
    });
  });

  it('reports what is wrong by one sentence and shows the default', async () => {
    const places = ['visualize?', 'watch/density?'];
    const queries = [
      'src=example:nope&win=1,2,3,4&moment=3',
      'src=ftp&model=gpt-2',
      'src=file:gone.mtx&moment=2',
      'a=coo&a.deltaBits=1&moment=4',
      'b=coo&b.height=9',
      'a.deltaBits=3',
      'b=tiles&b.height=65',
      'tokens=0',
      'tokens=129',
      'tiles.height=65',
      'win=0,0,5',
      'win=0,0,5,32,7',
      'frame=0',
      'beside=2',
    ];
    const said = [...places, ...queries.map((query) => `watch?${query}`)].map((wrong) => {
      // `closed` is of src/state/session/kept-files.test.ts.
      const { closed: _, problems, ...found } = decodeHash(`#2/${wrong}`, catalog);
      expect([found, problems.length], wrong).toEqual([{ document: FIRST }, 1]);
      return `#2/${wrong}\n  ${problems[0].replace(VIEWS, 'the places')}\n`;
    });
    await expect(said.join('')).toMatchFileSnapshot('words/links.txt');
  });

  it('goes by every step where it names one, and by frames where it does not', () => {
    const at = (query: string) => {
      const { document, problems } = decodeHash(`#2/watch?${query}`, catalog);
      return [document.frame, document.step, ...problems];
    };
    expect(at('')).toEqual([1, 0]);
    expect(at('frame=4')).toEqual([4, 0]);
    expect(at('moment=0')).toEqual([null, 0]);
    expect(at('frame=4&moment=7')).toEqual([null, 7]);
    const wrong = "Link, moment: found '-1', expected a whole number of at least 0; 0 is used.";
    expect(at('moment=-1')).toEqual([null, 0, wrong]);
    expect(encodeHash(FIRST, catalog)).not.toMatch(/frame|moment|step|beside/);
  });

  it('says that steps are counted anew where a link counts them as before', () => {
    const at = (place: string, query: string) => {
      const { document, problems } = decodeHash(`#2/${place}?${query}`, catalog);
      return [document.frame, document.step, ...problems];
    };
    const anew = 'Link, step: steps are counted anew since it was made; step 7 may show something else.';
    expect(at('watch', 'step=7')).toEqual([null, 7, anew]);
    expect(at('watch', 'step=0')).toEqual([null, 0]);
    expect(at('watch', 'step=7&moment=3')).toEqual([null, 3]);
    expect(at('learn', 'step=7')).toEqual([null, 7]);
  });

  it('shows nothing beside where there is no B', () => {
    expect(decodeHash('#2/watch?b=none&beside=1', catalog).document.beside).toBe(false);
  });

  it('reports a value of a parameter that leaves no room in B, too', () => {
    const { document, problems } = decodeHash('#2/watch?b=tiles&b.height=1', catalog);
    expect(document.against).toEqual(defaultStored(catalog, 'tiles'));
    expect(problems).toHaveLength(1);
  });

  it('replaces each wrong number of a generated matrix and keeps the others', () => {
    const hash = '#2/watch?src=generated:uniform&shape=8by8&density=2&seed=-1';
    const { document, problems } = decodeHash(hash, catalog);
    expect(document.source).toEqual({
      kind: 'generated',
      spec: { pattern: 'uniform', rows: 1024, cols: 1024, density: 0.1, seed: 1 },
    });
    expect(problems).toHaveLength(3);
  });

  it('brings back Compare with what was chosen there', () => {
    const { document, problems } = decodeHash('#2/compare?x.at=0.3&x.scale=log&at=0.4', catalog);
    expect(problems).toEqual([]);
    expect(document.view).toBe('compare');
    expect(placeState(document, COMPARE_FIELDS)).toEqual({ choices: { at: '0.3', scale: 'log' } });
    expect(encodeHash(document, catalog)).toMatch(/^#2\/compare\?.*&x\.at=0\.3&x\.scale=log$/);
    expect(encodeHash(withView(document, 'measure'), catalog)).not.toContain('x.at');
  });

  it('compares all formats with the folds that an address names, and has nothing below its id', () => {
    const { document: none, problems: found } = decodeHash('#2/compare?x.fold=gaps', catalog);
    expect(placeState(none, COMPARE_FIELDS)).toEqual({ choices: { fold: 'gaps' } });
    expect(encodeHash(none, catalog)).toMatch(/^#2\/compare\?.*&x\.fold=gaps$/);
    expect(found).toEqual([]);
    const { document, problems } = decodeHash('#2/compare/price?x.at=1', catalog);
    expect(document.view).toBe('watch');
    expect(problems).toEqual([`Link, view: found 'compare/price', expected one of ${VIEWS}; 'watch' is shown.`]);
  });

  it('quotes controls and line ends as pictures', () => {
    expect(decodeHash('#2/watch?a=a%00b%0Ac', catalog).problems).toEqual([
      "Link, a: found 'a␀b␊c', expected one of macko, tiles; 'macko' is shown.",
    ]);
  });

  it('reports parameters that leave no room for a non-zero, and uses the defaults', () => {
    const { document, problems } = decodeHash('#2/watch?a=tiles&a.height=1', catalog);
    expect(document.params.tiles).toEqual({ height: 8, packed: true });
    expect(problems).toEqual([
      "Link, parameters of tiles: found '1, true', expected values that leave room for a non-zero (one row is its count); the defaults are used.",
    ]);
    expect(decodeHash('#2/watch?a=tiles&a.height=1&a.packed=false', catalog).problems).toEqual([]);
  });

  it('quotes at most 60 characters of a value', () => {
    const [sentence] = decodeHash(`#2/watch?a=${'x'.repeat(5000)}`, catalog).problems;
    expect(sentence.length).toBeLessThan(200);
  });
});

describe('the device in an address', () => {
  it('is reported where there is none of this name, and the choice is left to the page', () => {
    const { document, problems } = decodeHash(`${encodeHash(FIRST, catalog)}&on=here`, catalog);
    expect(document.on).toBe('');
    expect(problems).toEqual([
      "Link, on: found 'here', expected this, a recording (h200@2026-11-22) or a published device (rtx-4090); another is used.",
    ]);
  });
});

const whole: Catalog = { ...catalog, formats, start: { ...catalog.start, format: 'macko', against: 'dense' } };

describe('index bits in an address', () => {
  const WITH_INDICES = ['csr', 'ell'] as const;
  const read = (hash: string): AppDocument => decodeHash(hash, whole).document;

  it('are auto in a new document', () => {
    for (const id of WITH_INDICES) expect(defaultDocument(whole).params[id].indexBits).toBe('auto');
  });

  it('are always written of A and B, and of others where they are chosen', () => {
    const doc = { ...defaultDocument(whole), format: 'csr', against: defaultStored(whole, 'ell') };
    expect(encodeHash(doc, whole)).toMatch(/&a\.indexBits=auto&.*&b\.indexBits=auto/);
    expect(encodeHash(defaultDocument(whole), whole)).not.toContain('indexBits');
    const params = { ...doc.params, ell: { ...doc.params.ell, indexBits: 32 } };
    expect(encodeHash({ ...doc, params }, whole)).toContain('&ell.indexBits=32');
  });

  it.each(['#2/watch?src=example:fc2-70&a=csr', '#2/watch?a=macko&b=csr', '#2/compare?src=example:fc2-70'])(
    'are auto where an address does not name them: %s',
    (hash) => {
      const { params, against } = read(hash);
      for (const id of WITH_INDICES) expect(params[id].indexBits).toBe('auto');
      if (against?.format === 'csr') expect(against.params.indexBits).toBe('auto');
    },
  );

  it.each(['auto', 16, 32])('are read again: %s', (indexBits) => {
    for (const format of ['macko', ...WITH_INDICES]) {
      const doc = defaultDocument(whole);
      const params = Object.fromEntries(WITH_INDICES.map((id) => [id, { ...doc.params[id], indexBits }]));
      const document = { ...doc, format, params: { ...doc.params, ...params } };
      expect(decodeHash(encodeHash(document, whole), whole)).toEqual({ document, problems: [] });
    }
  });

  it('are those of a new document where an address names a place and neither matrix nor format', () => {
    expect(read('#2/learn/small-gaps?p=4').params).toEqual(defaultDocument(whole).params);
  });
});

it('a tensor that a file names with half a letter has an address all the same', () => {
  const start = defaultDocument(catalog);
  const source = { kind: 'file' as const, name: 'weights 1.mtx', tensor: 'a\ud800b' };
  const { document, problems } = decodeHash(encodeHash({ ...start, source }, catalog), catalog, FILES);
  expect(problems).toEqual([]);
  expect(document.source).toEqual({ ...source, tensor: 'a\ufffdb' });
});

it('a link with a hundred thousand choices is read without looking each of them up among all', () => {
  const pairs = Array.from({ length: 100_000 }, (_, i) => `x.a${i}=1`);
  const lookUps = (['get', 'getAll', 'has'] as const).map((name) => vi.spyOn(URLSearchParams.prototype, name));
  const { document } = decodeHash(`#2/compare?x.a0=first&${pairs.join('&')}`, catalog);
  const chosen = placeState(document, COMPARE_FIELDS).choices;
  expect(Object.keys(chosen)).toHaveLength(100_000);
  expect(chosen.a0).toBe('first');
  // Each goes through all of them, which took minutes. Any other way to do so would not end within the time of a test.
  expect(lookUps.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  for (const spy of lookUps) spy.mockRestore();
});

it('a link with a value or a place of megabytes is read, says so in one sentence each, and shows none of it', () => {
  const long = 'a/'.repeat(2 ** 20);
  const { document, problems } = decodeHash(`#2/watch?src=https://${long}&tensor=${long}&a=macko`, catalog);
  expect(problems).toEqual([
    `Link, src: found 2\u202f097\u202f160 characters, expected at most 32\u202f768; it is ignored.`,
  ]);
  expect(document).toMatchObject({ view: 'watch', format: 'macko', source: defaultDocument(catalog).source });
  const place = decodeHash(`#2/code/${long}`, catalog);
  expect(place.problems).toHaveLength(1);
  expect(place.problems[0].length).toBeLessThan(200);
});
