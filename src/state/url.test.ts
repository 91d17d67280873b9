import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { BaseSource, Pruning } from '../engine/matrix/source-types.ts';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import {
  type AppDocument,
  type Catalog,
  defaultDocument,
  MAX_TOKENS,
  paramFields,
  type ParamValue,
  type FormatChoice,
  withView,
} from './document.ts';
import { decodeHash, encodeHash, reservedKeys } from './url.ts';
import { type PageAddress, pageState } from './page-address.ts';
import { type CompareFields, COMPARE_FIELDS } from '../pages/compare/address.ts';
import { CODE_FIELDS } from '../pages/code/address.ts';
import { LEARN_FIELDS } from '../pages/learn/address.ts';
import { MEASURE_FIELDS } from '../pages/measure/address.ts';
import { PAGES } from '../../test/pages.ts';
import { cases } from '../../test/scheduled.ts';

const oneOf = <T extends ParamValue>(label: string, firstValue: T, values: readonly T[]) => {
  const options = values.map((value) => ({ value, label: String(value) }));
  return { kind: 'choice', label, meaning: '', default: firstValue, options } as const;
};

const catalog: Catalog = {
  formats: [
    {
      id: 'macko',
      title: 'MACKO',
      params: {
        deltaBits: oneOf('delta bits', 4, [1, 2, 4, 8]),
        valueType: oneOf('values', 'f16', ['f16', 'f32', 'i8']),
      },
    },
    {
      id: 'tiles',
      title: 'Tiles',
      unusable: ({ height, packed }: Record<string, unknown>) =>
        packed && height === 1 ? 'one row is its count' : null,
      params: {
        height: { kind: 'integer', label: 'height', meaning: '', default: 8, min: -2, max: 64 },
        packed: oneOf('packed', true, [true, false]),
      },
    },
  ],
  patterns,
  pages: PAGES,
  examples: [
    { id: 'fc2-70', title: 'fc2', url: 'examples/fc2-70.npy' },
    { id: 'a b&c=d#e', title: 'awkward', url: 'examples/awkward.mtx' },
    { id: 'digits-fc1-6-8', title: 'fc1', url: 'examples/fc1-6-8.npy' },
  ],
  start: { source: { kind: 'example', id: 'fc2-70' }, format: 'macko', formatB: 'tiles' },
};

/** The pages as they are listed in a message. */
const VIEWS = PAGES.map(({ id }) => id).join(', ');
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
/** An arbitrary format B: none, another format, or format A with other parameters. */
const arbitraryAgainst: fc.Arbitrary<FormatChoice | null> = fc.option(
  fc.constantFrom(...Object.keys(paramsOf)).chain((format) => paramsOf[format].map((params) => ({ format, params }))),
);
const extent = fc.nat(2 ** 31 - 1);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((d) => d + 0);
const tensor = { tensor: fc.string(), as: fc.constantFrom('entries' as const, 'table' as const) };
const arbitraryBase: fc.Arbitrary<BaseSource> = fc.oneof(
  fc.constantFrom(...catalog.examples).map(({ id }) => ({ kind: 'example' as const, id })),
  fc.record(
    { kind: fc.constant('file' as const), name: fc.constantFrom(...FILES), ...tensor },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.record(
    {
      kind: fc.constant('cells' as const),
      rows: fc.constant(3),
      cols: fc.integer({ min: 4, max: 4096 }),
      cells: fc.constantFrom(',,', '0:1;3:-0.5,,1:2e-7'),
      name: fc.string({ maxLength: 100 }),
    },
    { requiredKeys: ['kind', 'rows', 'cols', 'cells'] },
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
              o.isInteger
                ? fc.integer({ min: o.min, max: Math.min(o.max, 2 ** 31 - 1) })
                : fc.double({ min: o.min, max: o.max, noNaN: true }).map((d) => d + 0),
            ]),
          ),
          { requiredKeys: [] },
        ),
      })
      .map(({ options, ...shape }) => {
        const input = options as Readonly<Record<string, number>>;
        const spec = { pattern: pattern.id, ...shape, ...(Object.keys(input).length > 0 ? { options: input } : {}) };
        return { kind: 'generated' as const, spec };
      }),
  ),
);
/** An arbitrary window, and sometimes its edited cells. */
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
  choices: fc.dictionary(fc.string(), fc.string({ minLength: 1 })).map((choices) => ({ ...choices })),
});
/** The initial state of the page Code, which may have more properties than its address contains. */
const initialReading = PAGES.find(({ id }) => id === CODE_FIELDS.id)?.address?.initial;
const arbitraryReading = fc
  .record({ kernel: fc.string(), file: fc.string(), line: fc.nat(9999) })
  .map((reading) => ({ ...initialReading, ...reading }));
const arbitraryDocument: fc.Arbitrary<AppDocument> = fc
  .record({
    view: fc.constantFrom(...PAGES.map(({ id }) => id)),
    source: arbitrarySource,
    format: fc.constantFrom(...catalog.formats.map((f) => f.id)),
    params: arbitraryParams,
    formatB: arbitraryAgainst,
    tokens: fc.integer({ min: 1, max: MAX_TOKENS }),
    region: arbitraryWindow,
    isSideBySide: fc.boolean(),
    position: fc.oneof(
      fc.record({ frame: fc.integer({ min: 1, max: 99 }), step: fc.constant(0) }),
      fc.record({ frame: fc.constant(null), step: fc.nat(100_000) }),
    ),
    deviceChoice: fc.constantFrom('', 'this', 'h200@2026-11-22', 'report:NVIDIA H200', 'typed:900,82.6'),
    pages: fc.record({
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
  // An address contains the state of its own page only.
  .map(({ position, region, ...doc }) => {
    const { pages } = defaultDocument(catalog);
    const statesOfPage = Object.entries(doc.pages).filter(([id]) => id === doc.view);
    const showsBoth = doc.isSideBySide && doc.formatB !== null;
    return {
      ...doc,
      ...position,
      ...region,
      isSideBySide: showsBoth,
      pages: { ...pages, ...Object.fromEntries(statesOfPage) },
    };
  });

it('an address has no key that is the name of a parameter of a registered format', () => {
  const names = formats.flatMap((f) => paramFields(f.params).map(([name]) => name));
  // theme and origin are additional keys of the address of an embedded stage.
  const takenKeys = [...reservedKeys(PAGES), 'theme', 'origin'];
  expect(names.filter((name) => takenKeys.includes(name))).toEqual([]);
});

it('decodeHash returns the document that encodeHash received, and all keys of the address are reserved or have a prefix', () => {
  const reserved = reservedKeys(PAGES);
  fc.assert(
    fc.property(arbitraryDocument, (doc) => {
      const hash = encodeHash(doc, catalog);
      expect(decodeHash(hash, catalog, FILES)).toEqual({ document: doc, problems: [] });
      const keys = [...new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).keys()];
      expect(keys.filter((key) => !/^[\w-]+\./.test(key) && !reserved.includes(key))).toEqual([]);
    }),
    { numRuns: cases(150, 500) },
  );
});

it('decodeHash never throws, and reads the address of its own document without problems', () => {
  const key = fc.constantFrom(
    ...reservedKeys(PAGES),
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
  const pages = ['#9/watch', '#2/watch', '#2/compare', '#2/code/csr'];
  const hash = fc.oneof(
    fc.string(),
    fc.tuple(fc.constantFrom(...pages), pairs).map(([page, text]) => `${page}?${text}`),
  );
  fc.assert(
    fc.property(hash, (text) => {
      const { document } = decodeHash(text, catalog);
      expect(decodeHash(encodeHash(document, catalog), catalog)).toEqual({ document, problems: [] });
    }),
    { numRuns: cases(300, 1000) },
  );
});

/** The result of opening a link as text: the changed properties of the document, the problems, and the link that it is written as. */
function openedText(hash: string, pageCatalog: Catalog): string {
  const { document, problems, isRefused = false, ...otherParts } = decodeHash(hash, pageCatalog, FILES);
  const initialDocument = defaultDocument(pageCatalog);
  const changesOf = (newValues: object, oldValues: object): readonly string[] =>
    Object.entries(newValues).flatMap(([key, value]) => {
      const oldValue: unknown = Object.entries(oldValues).find(([name]) => name === key)?.[1];
      if (isDeepStrictEqual(value, oldValue)) return [];
      return key === 'pages' || key === 'params'
        ? changesOf(value, Object(oldValue))
        : [`${key}: ${JSON.stringify(value)}`.slice(0, 400)];
    });
  const texts = problems.map((problem) => problem.replace(VIEWS, 'the pages'));
  const lines = [
    ...(isRefused ? ['not opened'] : []),
    ...changesOf(document, initialDocument),
    ...changesOf(otherParts, {}),
    ...texts,
  ];
  return [`${hash.slice(0, 120)}`, ...lines, encodeHash(document, pageCatalog)].join('\n  ');
}

const DOWN = { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' } as const;
const FIRST_SCREEN = { source: DOWN, window: { row: 1, col: 2, rows: 3, cols: 4 } } as const;
const withPage = (id: string, changes: object): Catalog => ({
  ...catalog,
  pages: PAGES.map((page) => (page.id === id ? { ...page, ...changes } : page)),
});
const withTiles = (bestExample: NonNullable<Catalog['formats'][number]['bestExample']>): Catalog => ({
  ...catalog,
  formats: catalog.formats.map((format) => (format.id === 'tiles' ? { ...format, bestExample } : format)),
});
const catalogWithMine: Catalog = {
  ...catalog,
  formats: [
    ...catalog.formats,
    { id: 'mine:open', title: 'Mine', params: {}, sandboxed: { link: 'def' } } as unknown as Catalog['formats'][number],
  ],
};
const usualAddress: PageAddress<CompareFields> = {
  ...COMPARE_FIELDS,
  usual: ({ choices }) => (choices.own ? null : { kind: 'model', model: 'gpt-2' }),
};
const bestExample = { id: 'a b&c=d#e', what: 'what it is for', opensFirst: true } as const;
const allFormatsCatalog: Catalog = {
  ...catalog,
  formats,
  start: { ...catalog.start, format: 'macko', formatB: 'dense' },
};

/** Links, by the catalog of the page that opens them. */
const LINKS: readonly (readonly [known: string, catalog: Catalog, links: readonly string[]])[] = [
  [
    'what every page knows',
    catalog,
    [
      '#2/watch?src=example:fc2-70&win=0,0,5,32&beside=1&moment=6',
      '#2/watch?b=none',
      '#2/watch?b=macko&b.deltaBits=8&b.valueType=f32',
      '#2/watch?on=this&tokens=8',
      '#2/watch?src=generated:uniform&shape=4096x64&density=0.3&seed=7&b=none',
      '#2/watch?model=llama-3.1-8b&layer=12&matrix=down&prune=magnitude:0.5',
      '#2/watch?model=gpt-2',
      '#2/watch?model=gpt-2&layer=x',
      '#2/watch?tiles.height=16',
      // Unknown keys are ignored.
      '#2/watch?src=example:fc2-70&utm=1&__proto__=2&deltaBits=8&b.deltaBits=8',
      '#2/visualize?',
      '#2/watch/density?',
      '#2/watch?src=example:nope&win=1,2,3,4&moment=3',
      '#2/watch?src=ftp&model=gpt-2',
      '#2/watch?src=file:gone.mtx&moment=2',
      '#2/watch?src=cells:1:0.5;3:-2,,0:1&shape=3x4&name=a.mtx',
      '#2/watch?src=cells:1:0.5;3:-2,,0:1&shape=3x4&prune=n-of-m:1:4',
      '#2/watch?src=cells:1:0.5;3:x,,0:1&shape=3x4',
      '#2/watch?src=cells:1:0.5&shape=3x4',
      '#2/watch?src=cells:1:0.5',
      '#2/watch?src=cells:1:0.5&shape=4097x1',
      `#2/watch?src=cells:1:0.5&shape=1x4&name=${'x'.repeat(101)}`,
      `#2/watch?src=cells:${'1'.repeat(4001)}&shape=1x4`,
      '#2/watch?a=coo&a.deltaBits=1&moment=4',
      '#2/watch?a=coo&step=4',
      '#2/watch?b=coo&b.height=9',
      '#2/watch?a.deltaBits=3',
      '#2/watch?b=tiles&b.height=65',
      '#2/watch?tokens=0',
      '#2/watch?tokens=129',
      '#2/watch?tiles.height=65',
      '#2/watch?win=0,0,5',
      '#2/watch?win=0,0,5,32,7',
      '#2/watch?frame=0',
      '#2/watch?beside=2',
      ...['magnitude:2', 'rows', 'random:0.5', 'n-of-m:5:4', 'n-of-m:2:4:8', 'x:1', ''].map(
        (pruning) => `#2/watch?src=example:fc2-70&prune=${pruning}`,
      ),
      '#main',
      '#3/watch?a=tiles&moment=4',
      '#02/watch?a=tiles',
      '#/watch?a=tiles',
      `#${'7'.repeat(5000)}/watch`,
      // The mode is 'every step' if a link names a step, else 'frames'.
      '#2/watch?frame=4',
      '#2/watch?frame=first-pair',
      '#2/watch?frame=-x',
      '#2/watch?moment=0',
      '#2/watch?frame=4&moment=7',
      '#2/watch?moment=-1',
      '#2/watch?step=7',
      '#2/watch?step=0',
      '#2/watch?step=7&moment=3',
      '#2/learn?step=7',
      '#2/watch?b=none&beside=1',
      '#2/watch?b=tiles&b.height=1',
      '#2/watch?src=generated:uniform&shape=8by8&density=2&seed=-1',
      '#2/compare?x.at=0.3&x.scale=log&at=0.4',
      '#2/compare?x.fold=gaps',
      '#2/compare/price?x.at=1',
      '#2/watch?a=a%00b%0Ac',
      '#2/watch?a=tiles&a.height=1',
      '#2/watch?a=tiles&a.height=1&a.packed=false',
      `#2/watch?a=${'x'.repeat(5000)}`,
      '#2/watch?on=here',
    ],
  ],
  [
    'both sides of each limit',
    catalog,
    [
      'tokens=1',
      'tokens=128',
      'frame=1',
      'frame=9007199254740991',
      'frame=9007199254740992',
      'beside=0',
      `frame=${'x'.repeat(40)}`,
      `frame=${'x'.repeat(41)}`,
      'moment=-0',
      'win=0,0,2147483647,0',
      'win=0,-1,5,32',
      'win=0,0,2147483648,0',
      'own=0,0,2,64:63:1,0:2',
      'own=0,0,2,64:64:1,0:2',
      'own=0,0,2:0:1',
      'own=0,0,64,64:0:1',
      'own=0,0,1,65:0:1',
      'own=2147483647,2147483647,1,4:0:1',
      'own=2147483648,0,1,4:0:1',
      'own=0,2147483648,1,4:0:1',
      'own=x0,0,1,4:0:1',
      'own=0,0,1,4:0:1x',
      `own=0,0,1,4:${'0'.repeat(2 ** 16)}1:1`,
    ].map((query) => `#2/watch?${query}`),
  ],
  [
    'both sides of each limit of a matrix',
    catalog,
    [
      ...[
        'magnitude:0',
        'magnitude:1',
        'rows:1.01',
        'wanda:-0.1',
        'magnitude:.25',
        'magnitude:00.5',
        'magnitude:5e-1',
        'magnitude:1e0',
        'magnitude:1e',
        'magnitude:0x1',
      ].map((pruning) => `example:fc2-70&prune=${pruning}`),
      ...[
        'magnitude:0.5:1',
        'random:0.5:0',
        'random:0.5:4294967295',
        'random:0.5:4294967296',
        'random:0.5:-1',
        'random:0.5:1:1',
      ].map((pruning) => `example:fc2-70&prune=${pruning}`),
      ...['64:64', '64:65', '1:1', '0:4', '2:1', '2'].map((pattern) => `example:fc2-70&prune=n-of-m:${pattern}`),
      'example:fc2-70&prune=m-of-n:2:4',
      'example:nope&prune=n-of-m:2:4',
      'generated:uniform',
      'generated:uniform&shape=2147483647x0&density=0&seed=4294967295',
      'generated:uniform&shape=0x2147483648&density=1&seed=4294967296',
      'generated:uniform&shape=1x2x3&density=1.01&seed=0',
      'generated:nope&shape=4x4',
      'cells:0:1&shape=1x4x1',
      'cells:0:1&shape=-1x4',
      `cells:0:1&shape=1x4&name=${'x'.repeat(100)}`,
      'cells:0:1&shape=1x4&name=',
      'generated:banded&opt.fill=0.5&fill=0.2',
      'remote:',
      // Without 'as' the lines of a file are read as version 0.2 did, whose addresses have none.
      ...['', '&as=entries', '&as=table', '&as=auto', '&tensor=b&as=table'].flatMap((query) => [
        `remote:https://example.org/a.txt${query}`,
        `file:weights 1.mtx${query}`,
      ]),
      'example',
      'file',
    ].map((src) => `#2/watch?src=${src}`),
  ],
  [
    'the layer of a model',
    catalog,
    [
      ...['0', '2147483647', '2147483648', '-1', ''].map((layer) => `#2/watch?model=gpt-2&layer=${layer}`),
      // What was lost has no window.
      `#2/watch?win=0,0,5,32&model=${'x'.repeat(2 ** 15 + 1)}`,
      `#2/watch?frame=first-pair&src=file:${'x'.repeat(2 ** 15)}`,
      '#2/watch?frame=first-pair&a=coo',
    ],
  ],
  [
    'formats that the user wrote, one of which the page has',
    catalogWithMine,
    [
      '#2/watch?a=mine:x&own-format.a=abc&moment=3',
      `#2/watch?a=macko&b=mine:x&own-format.b=${'x'.repeat(2 ** 15 + 1)}`,
      '#2/watch?a=mine:open&b=mine:y&own-format.a=abc',
      '#2/watch?a=mine:x&b=mine:open&moment=3',
      '#2/watch?b=mine:open',
      '#2/watch?b=open-mine:',
    ],
  ],
  [
    'a matrix of the first screen',
    { ...catalog, start: { ...catalog.start, first: FIRST_SCREEN } },
    ['', '#', '#2/watch?a=tiles'],
  ],
  [
    'a format that needs an example',
    withTiles(bestExample),
    [
      '#2/watch?a=tiles',
      '#2/watch?a=macko',
      '#2/watch?b=tiles',
      '#2/watch?a=tiles&src=example:fc2-70',
      '#2/watch?a=tiles&src=example:nobody',
    ],
  ],
  ['a format that needs an example that is gone', withTiles({ ...bestExample, id: 'gone' }), ['#2/watch?a=tiles']],
  [
    'what a page usually shows',
    withPage('compare', { address: usualAddress }),
    [
      '#2/compare',
      // A choice on the page may be about something else, and does not replace what was lost.
      '#2/compare?x.own=1',
      '#2/compare?model=llama-3.1-8b',
      '#2/watch',
      '#2/compare?src=example:nobody',
    ],
  ],
  [
    'a page that shows the first matrix',
    { ...withPage('compare', { startsWithFirstMatrix: true }), start: { ...catalog.start, first: FIRST_SCREEN } },
    [
      '#2/compare?b=none',
      '#2/watch?b=none',
      '#2/compare?src=example:nobody',
      '#2/compare?model=gpt-2',
      '#2/compare?win=0,0,5,32',
    ],
  ],
  [
    'all formats, some of them with index bits',
    allFormatsCatalog,
    [
      '#2/watch?a=csr&b=ell',
      '#2/watch?a=csr&a.indexBits=16&ell.indexBits=32',
      '#2/watch?a=macko&b=csr',
      '#2/compare?src=example:fc2-70',
      '#2/learn/small-gaps?p=4',
    ],
  ],
];

it('links open the documents, and report the problems, of the snapshot', async () => {
  const sections = LINKS.map(
    ([description, pageCatalog, links]) =>
      `${description}\n\n${links.map((link) => openedText(link, pageCatalog)).join('\n')}\n`,
  );
  await expect(sections.join('\n')).toMatchFileSnapshot('words/opened-links.txt');
});

it('an address contains the state of its own page, and of no other', () => {
  const { document } = decodeHash('#2/compare?x.at=0.3', catalog);
  expect(encodeHash(withView(document, 'measure'), catalog)).not.toContain('x.at');
});

it('a tensor that a file names with half a letter has an address all the same', () => {
  const start = defaultDocument(catalog);
  const source = { kind: 'file' as const, name: 'weights 1.mtx', tensor: 'a\ud800b' };
  const { document, problems } = decodeHash(encodeHash({ ...start, source }, catalog), catalog, FILES);
  expect([problems, document.source]).toEqual([[], { ...source, tensor: 'a\ufffdb' }]);
});

it('a link with a hundred thousand choices is read without looking each of them up among all', () => {
  const pairs = Array.from({ length: 100_000 }, (_, i) => `x.a${i}=1`);
  const lookUps = (['get', 'getAll', 'has'] as const).map((name) => vi.spyOn(URLSearchParams.prototype, name));
  const { document } = decodeHash(`#2/compare?x.a0=first&${pairs.join('&')}`, catalog);
  const choices = pageState(document, COMPARE_FIELDS).choices;
  expect(Object.keys(choices)).toHaveLength(100_000);
  expect(choices.a0).toBe('first');
  // No look-up goes through all keys: with them, this test took minutes. Other slow ways would exceed the time limit of a test.
  expect(lookUps.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  for (const spy of lookUps) spy.mockRestore();
});

it('a link with a value or a page name of megabytes is read, reports each in one sentence, and shows none of it', () => {
  const longText = 'a/'.repeat(2 ** 20);
  const { document, problems } = decodeHash(`#2/watch?src=https://${longText}&tensor=${longText}&a=macko`, catalog);
  expect(problems).toEqual([
    `Link, src: found 2\u202f097\u202f160 characters, expected at most 32\u202f768; it is ignored.`,
  ]);
  expect(document).toMatchObject({ view: 'watch', format: 'macko', source: defaultDocument(catalog).source });
  const page = decodeHash(`#2/code/${longText}`, catalog);
  expect(page.problems).toHaveLength(1);
  expect(page.problems[0].length).toBeLessThan(200);
});
