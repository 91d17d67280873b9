import { describe, it } from 'vitest';
import { bitsOf, expectNoProblems, type Seen } from '../../../test/encodings.ts';
import { decimals, type Fact, listed, name, type Statement, value, mismatch } from '../../../test/narrations.ts';
import { oracleOf } from '../../../test/oracles.ts';
import { extractLevels, paddingOf } from '../../../test/plain-extraction.ts';
import { type EncodedMatrix, namedArrays } from '../../core/format.ts';
import { bf16Value } from '../../core/number/index.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the facts that a format lists about an encoding, and their texts. Numbers come from the columns of the matrix and
 * the lengths of the arrays; this file shares no code with the code that writes the texts.
 */

/** A fact of the panel: its value, and the text that explains it. */
type VisibleFact = readonly [label: string, value: readonly Statement[], note?: readonly Statement[]];

/** Three significant digits, or a whole number. */
const meanOf = (mean: number): string =>
  Number.isInteger(mean) || mean >= 100 ? String(Math.round(mean)) : mean.toPrecision(3);

/** A statement that consists of one text. */
const text = (words: string): readonly Statement[] => [['{words}', { words: name(words) }]];

/** The sum of the magnitudes of the values, rounded to bf16. */
function sumOfMagnitudes({ data }: Pick<Seen, 'data'>): number {
  let sum = 0;
  for (const cell of data) sum += Math.abs(bf16Value(roundedToBf16(cell)));
  return sum;
}

/** The facts that all formats for activations have: the L0 and L1 norms of a row. */
function activationFacts({ rows, cols, nnz, columns, data }: Seen): readonly VisibleFact[] {
  const max = Math.max(...columns.map(({ length }) => length));
  const row = columns.findIndex(({ length }) => length === max);
  const sum = sumOfMagnitudes({ data });
  return [
    ['non-zeros per row (L0)', text(meanOf(nnz / rows)), [['At most {max}, in row {row}.', { max, row }]]],
    [
      'sum of magnitudes per row (L1)',
      text(meanOf(sum / rows)),
      [
        [
          'As in the authors’ code. Their equation {two} also divides by {cols}: {mean}.',
          { two: 2, cols, mean: value(sum / rows / cols) },
        ],
      ],
    ],
  ];
}

/** The bits of a bf16: the upper half of an f32, rounded to nearest, ties to even. */
function roundedToBf16(number: number): number {
  const bits = new Uint32Array(Float32Array.of(number).buffer)[0];
  const [half, rest] = [Math.floor(bits / 2 ** 16), bits % 2 ** 16];
  return rest > 2 ** 15 || (rest === 2 ** 15 && half % 2 === 1) ? half + 1 : half;
}

/** The probability of more than `capacity` non-zeros among `width` independent columns of density `p`: a binomial tail. */
function tileOverflowProbability(width: number, p: number, capacity: number): number {
  if (p >= 1) return width > capacity ? 1 : 0;
  // The probability of exactly k non-zeros, from k = 0 on.
  let exactly = (1 - p) ** width;
  let tail = 0;
  for (let k = 0; k <= width; k++) {
    if (k > capacity) tail += exactly;
    exactly *= ((width - k) / (k + 1)) * (p / (1 - p));
  }
  return tail;
}

/** The probability that a row with `mean` non-zeros on average overflows in one of its tiles of `width` columns. */
function rowOverflowProbability(cols: number, width: number, capacity: number, mean: number): number {
  let anyTile = 0;
  for (let from = 0; from < cols; from += width) {
    const tile = tileOverflowProbability(Math.min(width, cols - from), mean / cols, capacity);
    anyTile += tile - anyTile * tile;
  }
  return anyTile;
}

const percentOf = (share: number): string => `${(100 * share).toFixed(1).replace('-', '−')}\u202f%`;

/** A loss in two digits. */
const lossOf = (loss: number): string =>
  loss === 0 ? '0' : loss >= 0.001 ? loss.toPrecision(2) : loss.toExponential(1).replace('-', '−');

// Published for EC-SpMV, each for densities of 30, 20 and 10 %.
/** Bytes saved relative to CSR-32 in per cent, by value type and bits of a delta. */
const PUBLISHED_REDUCTION: Readonly<Record<string, string>> = {
  'f32 8': '38.9, 37.3 and 33.7',
  'f32 4': '40.9, 38.2 and 22.7',
  'f16 8': '52.0, 49.9 and 45.8',
  'f16 4': '55.4, 53.5 and 41.3',
};
/** Padding per non-zero in per cent, by bits of a delta. */
const PUBLISHED_PADDING: Readonly<Record<string, string>> = { 4: '6.35, 7.39 and 30.43', 8: '0.75, 0.71 and 1.87' };

/** The sets of EC-CSR: rows of nine numbers, of which this test uses three. */
function setsOf(arrays: Seen['arrays']) {
  const { sets, values } = arrays;
  const FIELDS = 9;
  const valuesAt = (set: number): number => (set * FIELDS < sets.length ? sets[set * FIELDS + 7] : values.length);
  return Array.from({ length: sets.length / FIELDS }, (_, set) => ({
    granularity: sets[set * FIELDS],
    storedValues: valuesAt(set + 1) - valuesAt(set),
    nnz: sets[set * FIELDS + 8],
  }));
}

/** Returns the bytes of the matrix with changed parameters: of all arrays, and of `values`. */
type BytesWith = (changed: object) => { readonly total: number; readonly values: number };

/** The expected facts by format id. */
const FACTS: Readonly<Record<string, (encoding: Seen, bytesWith: BytesWith) => readonly VisibleFact[]>> = {
  'ec-csr': (s, bytesWith) => {
    const { rows, nnz, columns, params, arrays } = s;
    if (nnz === 0) return [];
    const p = params as never as Parameters<typeof extractLevels>[1];
    const { gapValues, tailValues } = paddingOf(extractLevels(columns, p), p);
    const current = bytesWith({});
    const withoutBlocks = bytesWith({ maxGranularity: 1 });
    const csrBytes = nnz * (4 + bitsOf(s) / 8) + 4 * (rows + 1);

    const nnzByBlockRows = new Map<number, number>();
    // A column of a block has a value for each of its rows, and reads x once.
    let reads = 0;
    for (const set of setsOf(arrays)) {
      nnzByBlockRows.set(set.granularity, (nnzByBlockRows.get(set.granularity) ?? 0) + set.nnz);
      reads += set.storedValues / set.granularity;
    }
    const coverage = [...nnzByBlockRows].map(([blockRows, inBlocks]) => ({ blockRows, share: inBlocks / nnz }));
    const shared = coverage.filter(({ blockRows }) => blockRows > 1);

    // Whether blocks save bytes, with the reason.
    const where = listed(shared.map(({ blockRows, share }) => name(`${percentOf(share)} in ${blockRows} rows`)));
    const saved = 1 - current.total / withoutBlocks.total;
    const min = p.lanes * p.vectorSize;
    const share = name(percentOf(Math.abs(saved)));
    const verdict = (): readonly [string, readonly Statement[]] => {
      if (p.maxGranularity === 1) return ['off', []];
      if (shared.length === 0) return ['none', [['No two paired rows share {min} columns within reach.', { min }]]];
      // Less than 0.05 % would be shown as 0.0 %.
      if (Math.abs(saved) < 0.0005)
        return ['make no difference', [['{where}: as large as without blocks.', { where }]]];
      return saved > 0
        ? ['pay', [['{where}: {share} fewer bytes.', { where, share }]]]
        : ['do not pay', [['{where}: {share} more bytes.', { where, share }]]];
    };
    const [word, why] = verdict();

    const reduction = (bytes: number): Fact => name(percentOf(1 - bytes / csrBytes));
    const publishedReduction = PUBLISHED_REDUCTION[`${params.valueType} ${params.deltaBits}`] as string | undefined;
    const publishedPadding = PUBLISHED_PADDING[params.deltaBits] as string | undefined;
    const storedValues = Math.max(1, arrays.values.length);
    const otherRemainder = params.remainder === 'same-block' ? 'short-block' : 'same-block';
    const withOther = otherRemainder === 'same-block' ? 'in the same block' : 'in short blocks';
    return [
      ['blocks on this matrix', [[word]], why],
      ...coverage.map(({ blockRows, share: covered }): VisibleFact => {
        return [blockRows === 1 ? 'in single rows' : `in blocks of ${blockRows} rows`, text(percentOf(covered))];
      }),
      [
        'reads of x per non-zero',
        [['{reads}', { reads: decimals(reads / nnz, 2) }]],
        [['In CSR it is {one}.', { one: 1 }]],
      ],
      [
        'index bytes per non-zero',
        [['{bytes}', { bytes: decimals((current.total - current.values) / nnz, 2) }]],
        [['Without extraction {bytes}.', { bytes: decimals((withoutBlocks.total - withoutBlocks.values) / nnz, 2) }]],
      ],
      [
        'padding for delta gaps',
        text(percentOf(gapValues / storedValues)),
        publishedPadding === undefined
          ? []
          : [
              [
                'Per non-zero {share}. Published with {left}\u202f% left: {padding}\u202f%.',
                {
                  left: name('30, 20 and 10'),
                  padding: name(publishedPadding),
                  share: name(percentOf(gapValues / nnz)),
                },
              ],
            ],
      ],
      ['padding of last lanes', text(percentOf(tailValues / storedValues))],
      [
        'smaller than CSR-32',
        [['{share}', { share: reduction(current.total) }]],
        [
          [
            'Without extraction {alone}. Remainders {how}: {other}.',
            {
              alone: reduction(withoutBlocks.total),
              how: name(withOther),
              other: reduction(bytesWith({ remainder: otherRemainder }).total),
            },
          ],
          ...(publishedReduction === undefined
            ? []
            : [
                [
                  ' Published with {left}\u202f% left: {published}\u202f%.',
                  { left: name('30, 20 and 10'), published: name(publishedReduction) },
                ] as const,
              ]),
        ],
      ],
    ];
  },
  twell: (s) => {
    const { rows, cols, nnz, columns, params } = s;
    if (rows * cols === 0) return [];
    const width = Number(params.tileWidth);
    const tiles = Math.ceil(cols / width);
    // In the packed layout the first word of a tile contains the count.
    const capacity = width / Number(params.compression) - (params.layout === 'packed' ? 1 : 0);
    // The fullest tile row.
    let max = 0;
    let [row, tile] = [0, 0];
    for (const [r, inRow] of columns.entries()) {
      for (let t = 0; t < tiles; t++) {
        const contained = inRow.filter((column) => Math.floor(column / width) === t).length;
        if (contained > max) [max, row, tile] = [contained, r, t];
      }
    }
    const odds = rowOverflowProbability(cols, width, capacity, nnz / rows);
    const oddsText =
      odds === 0
        ? '0'
        : odds >= 0.001
          ? `${(100 * odds).toPrecision(2)}\u202f%`
          : odds.toExponential(0).replace('-', '−');
    const [perRow, magnitude] = activationFacts(s);
    const sum = sumOfMagnitudes(s) / rows;
    // The published conversion has a lane for each of 32 tiles, and drops the tiles after them.
    const CONVERTED_TILES = 32;
    const nnzDropped = columns.flat().filter((column) => column >= CONVERTED_TILES * width).length;
    const droppedTiles = tiles - CONVERTED_TILES;
    return [
      perRow,
      [
        'non-zeros per tile row',
        text(meanOf(nnz / (rows * tiles))),
        [['At most {max} of {capacity slot}, in row {row}, tile {tile}.', { max, capacity, row, tile }]],
      ],
      [
        'odds that a row overflows',
        text(oddsText),
        [
          [
            'For independent non-zeros. But tokens differ: of {cols} columns, {few}\u202f% of the tokens with {some} non-zeros overflow, half of those with {more}.',
            { cols: 5632, few: Math.round(100 * rowOverflowProbability(5632, 256, 31, 400)), some: 400, more: 500 },
          ],
        ],
      ],
      ...(droppedTiles > 0
        ? [
            [
              'non-zeros beyond tile 31',
              text(String(nnzDropped)),
              [
                [
                  droppedTiles === 1
                    ? 'Stored here. The published conversion has a lane for {lanes} tiles and drops the last tile of {tiles}.'
                    : 'Stored here. The published conversion has a lane for {lanes} tiles and drops the last {last} tiles of {tiles}.',
                  { lanes: CONVERTED_TILES, tiles, ...(droppedTiles > 1 && { last: droppedTiles }) },
                ],
              ],
            ] satisfies VisibleFact,
          ]
        : []),
      magnitude,
      [
        'L1 term of the loss',
        text(lossOf(2e-5 * sum)),
        [
          [
            'The sum times {recommended}, as recommended. With the {warmUp} of the warm-up: {loss}, fifteen times as much (the paper says ten).',
            { recommended: name('2 × 10⁻⁵'), warmUp: name('3 × 10⁻⁴'), loss: name(lossOf(3e-4 * sum)) },
          ],
        ],
      ],
      [
        'columns without a non-zero',
        text(String(cols - new Set(columns.flat()).size)),
        [['Of {cols} neurons.', { cols }]],
      ],
    ];
  },
  bsr: ({ rows, cols, nnz, columns, params }) => {
    const size = Number(params.blockSize);
    const storedBlocks = new Set(
      columns.flatMap((inRow, r) => inRow.map((c) => `${Math.floor(r / size)} ${Math.floor(c / size)}`)),
    ).size;
    const blocks = Math.ceil(rows / size) * Math.ceil(cols / size);
    if (storedBlocks === 0) return [];
    // Three significant digits, but 100 and 0 without decimals.
    const share = (part: number): readonly Statement[] =>
      text(`${part >= 0.9995 || part === 0 ? (100 * part).toFixed(0) : (100 * part).toPrecision(3)}\u202f%`);
    const cells = storedBlocks * size * size;
    const facts = { mean: decimals(nnz / storedBlocks, 1), cells: size * size };
    return [
      ['blocks stored', share(storedBlocks / blocks), [['{held} of {all}.', { held: storedBlocks, all: blocks }]]],
      [
        'fill of a block',
        share(nnz / cells),
        nnz === cells ? [['No zeros are stored.']] : [['{mean} of {cells} cells on average.', facts]],
      ],
    ];
  },
  hybrid: (s) => {
    const { rows, cols, nnz, columns, params, arrays } = s;
    if (rows * cols === 0) return [];
    const slots = Math.min(Number(params.rowSlots), cols);
    const longRows = columns.filter(({ length }) => length > slots);
    const inTail = longRows.reduce((sum, { length }) => sum + length, 0);
    const share = nnz === 0 ? 0 : Math.round((100 * inTail) / nnz);
    return [
      [
        'rows in the tail',
        [['{long} of {rows}', { long: longRows.length, rows }]],
        [
          [
            'With more than {slots non-zero}: {share}\u202f% of all non-zeros. The tail has {room row}.',
            { slots, share, room: arrays.tailRows.length },
          ],
        ],
      ],
      ...activationFacts(s),
    ];
  },
  slidesparse: (s) => {
    // A group has 2N columns and N − 1 windows of four columns; each window stores two values and four bits of metadata.
    const n = Number(s.params.halfGroup);
    const valueBits = bitsOf(s);
    const gamma = (4 * (n - 1)) / (2 * n);
    const shareOfDense = ((n - 1) * (2 * valueBits + 4)) / (2 * n * valueBits);
    const slots = s.arrays.values.length;
    const publishedSpeed = { 2: 2.07, 3: 1.52, 4: 1.42, 5: 1.32 }[n];
    return [
      [
        'slid columns per column',
        [['{gamma}', { gamma: decimals(gamma, 2) }]],
        [
          [
            'gamma: the windows of {pattern} repeat columns. 2:4 running alpha times as fast as dense leaves alpha / gamma.',
            { pattern: name(`${2 * n - 2}:${2 * n}`) },
          ],
        ],
      ],
      [
        'speed by bytes',
        [['{times}×', { times: decimals(1 / shareOfDense, 2) }]],
        [['The most that bytes can gain, for one vector.']],
      ],
      [
        'kept slots in use',
        [['{share}\u202f%', { share: decimals(slots === 0 ? 0 : (100 * s.nnz) / slots, 0) }]],
        [['Two slots of every window are stored, zeros too.']],
      ],
      ...(publishedSpeed === undefined
        ? []
        : [
            [
              'published speed',
              [['{times}×', { times: decimals(publishedSpeed, 2) }]],
              [['On sparse tensor cores.']],
            ] satisfies VisibleFact,
          ]),
    ];
  },
};

const withFacts = formats.filter(({ facts }) => facts);

describe.each(withFacts.map((format) => [format.id, format] as const))('the facts of %s', (id, format) => {
  it('have the values and texts that follow from the matrix and the encoded arrays', () => {
    const factsOf = oracleOf(FACTS, id, 'FACTS in src/formats/contract/facts.test.ts', 'what its facts show');
    return expectNoProblems(format, (encoding, e, m, params) => {
      const facts = format.facts?.(e) ?? [];
      const expected = factsOf({ ...encoding, nnz: e.nnz }, (changed) => {
        const arrays = namedArrays(format.encode(m, { ...params, ...changed }) as EncodedMatrix);
        const total = [...arrays.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
        return { total, values: arrays.get('values')?.byteLength ?? 0 };
      });
      const foundLabels = facts.map(({ label }) => label).join(', ');
      const expectedLabels = expected.map(([label]) => label).join(', ');
      if (foundLabels !== expectedLabels) return [`found facts ${foundLabels}, expected ${expectedLabels}`];
      return expected.flatMap(([label, expectedValue, expectedNote], i) =>
        [mismatch(facts[i].value, expectedValue), mismatch(facts[i].note ?? '', expectedNote ?? [])].flatMap(
          (problem) => (problem ? [`${label}: ${problem}`] : []),
        ),
      );
    });
  });
});
