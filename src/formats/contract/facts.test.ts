import { describe, it } from 'vitest';
import { bitsOf, expectNoProblems, type Seen } from '../../../test/encodings.ts';
import { decimals, type Fact, listed, name, type Statement, value, wrongIn } from '../../../test/narrations.ts';
import { oracleOf } from '../../../test/oracles.ts';
import { extracted, packedLengths } from '../../../test/plain-extraction.ts';
import { type EncodedMatrix, namedArrays } from '../../core/format.ts';
import { bf16Value } from '../../core/number/index.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the facts that a format lists about an encoding, and their texts. Numbers come from the columns of the matrix and
 * the lengths of the arrays; no code is shared with what writes them.
 */

/** A fact of the panel: its value, and the text that explains it. */
type VisibleFact = readonly [label: string, value: readonly Statement[], note?: readonly Statement[]];

/** Three significant digits, or a whole number. */
const meanOf = (mean: number): string =>
  Number.isInteger(mean) || mean >= 100 ? String(Math.round(mean)) : mean.toPrecision(3);

const text = (words: string): readonly Statement[] => [['{words}', { words: name(words) }]];

/** The sum of the magnitudes of the values, rounded to bf16. */
function sumOfMagnitudes({ data }: Pick<Seen, 'data'>): number {
  let sum = 0;
  for (const cell of data) sum += Math.abs(bf16Value(roundedToBf16(cell)));
  return sum;
}

/** The facts that the formats for activations have in common. */
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

/** The probability of more than `space` non-zeros among `width` independent columns: a binomial tail. */
function oddsOfMore(width: number, p: number, space: number): number {
  if (p >= 1) return width > space ? 1 : 0;
  let term = (1 - p) ** width;
  let more = 0;
  for (let k = 0; k <= width; k++) {
    if (k > space) more += term;
    term *= ((width - k) / (k + 1)) * (p / (1 - p));
  }
  return more;
}

/** The probability that a row with `mean` non-zeros on average overflows in one of its tiles. */
function rowOdds(cols: number, width: number, space: number, mean: number): number {
  let any = 0;
  for (let from = 0; from < cols; from += width) {
    const odds = oddsOfMore(Math.min(width, cols - from), mean / cols, space);
    any += odds - any * odds;
  }
  return any;
}

const percentOf = (share: number): string => `${(100 * share).toFixed(1).replace('-', '−')}\u202f%`;

/** A loss in two digits. */
const lossOf = (loss: number): string =>
  loss === 0 ? '0' : loss >= 0.001 ? loss.toPrecision(2) : loss.toExponential(1).replace('-', '−');

/** Published for EC-SpMV, by value type and bits of a delta: the reduction against CSR, and the padding by bits. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'f32 8': '38.9, 37.3 and 33.7',
  'f32 4': '40.9, 38.2 and 22.7',
  'f16 8': '52.0, 49.9 and 45.8',
  'f16 4': '55.4, 53.5 and 41.3',
};
const PUBLISHED_PADDING: Readonly<Record<string, string>> = { 4: '6.35, 7.39 and 30.43', 8: '0.75, 0.71 and 1.87' };

/** The size of a matrix with other parameters, array by array. */
type BytesWith = (changed: object) => { readonly total: number; readonly values: number };

const FACTS: Readonly<Record<string, (seen: Seen, bytesWith: BytesWith) => readonly VisibleFact[]>> = {
  'ec-csr': (s, bytesWith) => {
    const { rows, nnz, columns, params, arrays } = s;
    if (nnz === 0) return [];
    const p = params as never as Parameters<typeof extracted>[1];
    const { gapValues, tailValues } = packedLengths(extracted(columns, p), nnz, p);
    const current = bytesWith({});
    const alone = bytesWith({ maxGranularity: 1 });
    const other = p.remainder === 'same-block' ? 'short-block' : 'same-block';
    const csr = nnz * (4 + bitsOf(s) / 8) + 4 * (rows + 1);
    const inBlocks = new Map<number, number>();
    for (let offset = 0; offset < arrays.sets.length; offset += 9)
      inBlocks.set(arrays.sets[offset], (inBlocks.get(arrays.sets[offset]) ?? 0) + arrays.sets[offset + 8]);
    // A column of a block has a value for each of its rows, and reads x once.
    let reads = 0;
    for (let offset = 0; offset < arrays.sets.length; offset += 9) {
      const end = offset + 9 < arrays.sets.length ? arrays.sets[offset + 9 + 7] : arrays.values.length;
      reads += (end - arrays.sets[offset + 7]) / arrays.sets[offset];
    }
    const coverage = [...inBlocks].map(([size, contained]) => ({ size, share: contained / nnz }));
    const shared = coverage.filter(({ size }) => size > 1);
    const where = listed(shared.map(({ size, share }) => name(`${percentOf(share)} in ${size} rows`)));
    const saved = 1 - current.total / alone.total;
    const min = p.lanes * p.vectorSize;
    const share = name(percentOf(Math.abs(saved)));
    const verdict = (): readonly [string, readonly Statement[]] => {
      if (p.maxGranularity === 1) return ['off', []];
      if (shared.length === 0) return ['none', [['No two paired rows share {min} columns within reach.', { min }]]];
      if (Math.abs(saved) < 0.0005)
        return ['make no difference', [['{where}: as large as without blocks.', { where }]]];
      return saved > 0
        ? ['pay', [['{where}: {share} fewer bytes.', { where, share }]]]
        : ['do not pay', [['{where}: {share} more bytes.', { where, share }]]];
    };
    const [word, why] = verdict();
    const published = PUBLISHED[`${params.valueType} ${params.deltaBits}`] as string | undefined;
    const padding = PUBLISHED_PADDING[params.deltaBits] as string | undefined;
    const stored = Math.max(1, arrays.values.length);
    const reduction = (bytes: number): Fact => name(percentOf(1 - bytes / csr));
    const withOther = other === 'same-block' ? 'in the same block' : 'in short blocks';
    return [
      ['blocks on this matrix', [[word]], why],
      ...coverage.map(({ size, share: contained }): VisibleFact => {
        return [size === 1 ? 'in single rows' : `in blocks of ${size} rows`, text(percentOf(contained))];
      }),
      [
        'reads of x per non-zero',
        [['{reads}', { reads: decimals(reads / nnz, 2) }]],
        [['In CSR it is {one}.', { one: 1 }]],
      ],
      [
        'index bytes per non-zero',
        [['{bytes}', { bytes: decimals((current.total - current.values) / nnz, 2) }]],
        [['Without extraction {bytes}.', { bytes: decimals((alone.total - alone.values) / nnz, 2) }]],
      ],
      [
        'padding for delta gaps',
        text(percentOf(gapValues / stored)),
        padding === undefined
          ? []
          : [
              [
                'Per non-zero {share}. Published with {left}\u202f% left: {padding}\u202f%.',
                { left: name('30, 20 and 10'), padding: name(padding), share: name(percentOf(gapValues / nnz)) },
              ],
            ],
      ],
      ['padding of last lanes', text(percentOf(tailValues / stored))],
      [
        'smaller than CSR-32',
        [['{share}', { share: reduction(current.total) }]],
        [
          [
            'Without extraction {alone}. Remainders {how}: {other}.',
            {
              alone: reduction(alone.total),
              how: name(withOther),
              other: reduction(bytesWith({ remainder: other }).total),
            },
          ],
          ...(published === undefined
            ? []
            : [
                [
                  ' Published with {left}\u202f% left: {published}\u202f%.',
                  { left: name('30, 20 and 10'), published: name(published) },
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
    const capacity = width / Number(params.compression) - (params.layout === 'packed' ? 1 : 0);
    let max = 0;
    let [row, tile] = [0, 0];
    for (const [r, inRow] of columns.entries()) {
      for (let t = 0; t < tiles; t++) {
        const contained = inRow.filter((column) => Math.floor(column / width) === t).length;
        if (contained > max) [max, row, tile] = [contained, r, t];
      }
    }
    const odds = rowOdds(cols, width, capacity, nnz / rows);
    const oddsText =
      odds === 0
        ? '0'
        : odds >= 0.001
          ? `${(100 * odds).toPrecision(2)}\u202f%`
          : odds.toExponential(0).replace('-', '−');
    const [perRow, magnitude] = activationFacts(s);
    const sum = sumOfMagnitudes(s) / rows;
    const beyond = columns.flat().filter((column) => column >= 32 * width).length;
    const last = tiles - 32;
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
            { cols: 5632, few: Math.round(100 * rowOdds(5632, 256, 31, 400)), some: 400, more: 500 },
          ],
        ],
      ],
      ...(tiles > 32
        ? [
            [
              'non-zeros beyond tile 31',
              text(String(beyond)),
              [
                [
                  last === 1
                    ? 'Stored here. The published conversion has a lane for {lanes} tiles and drops the last tile of {tiles}.'
                    : 'Stored here. The published conversion has a lane for {lanes} tiles and drops the last {last} tiles of {tiles}.',
                  { lanes: 32, tiles, ...(last > 1 && { last }) },
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
    const contained = new Set(
      columns.flatMap((inRow, r) => inRow.map((c) => `${Math.floor(r / size)} ${Math.floor(c / size)}`)),
    ).size;
    const blocks = Math.ceil(rows / size) * Math.ceil(cols / size);
    if (contained === 0) return [];
    const share = (part: number): readonly Statement[] =>
      text(`${part >= 0.9995 || part === 0 ? (100 * part).toFixed(0) : (100 * part).toPrecision(3)}\u202f%`);
    const cells = contained * size * size;
    const facts = { mean: decimals(nnz / contained, 1), cells: size * size };
    return [
      ['blocks stored', share(contained / blocks), [['{held} of {all}.', { held: contained, all: blocks }]]],
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
    const long = columns.filter(({ length }) => length > slots);
    const inTail = long.reduce((sum, { length }) => sum + length, 0);
    const share = nnz === 0 ? 0 : Math.round((100 * inTail) / nnz);
    return [
      [
        'rows in the tail',
        [['{long} of {rows}', { long: long.length, rows }]],
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
    const half = Number(s.params.halfGroup);
    const bits = bitsOf(s);
    const gamma = (4 * (half - 1)) / (2 * half);
    const share = ((half - 1) * (2 * bits + 4)) / (2 * half * bits);
    const kept = s.arrays.values.length;
    const published = { 2: 2.07, 3: 1.52, 4: 1.42, 5: 1.32 }[half];
    return [
      [
        'slid columns per column',
        [['{gamma}', { gamma: decimals(gamma, 2) }]],
        [
          [
            'gamma: the windows of {pattern} repeat columns. 2:4 running alpha times as fast as dense leaves alpha / gamma.',
            { pattern: name(`${2 * half - 2}:${2 * half}`) },
          ],
        ],
      ],
      [
        'speed by bytes',
        [['{times}×', { times: decimals(1 / share, 2) }]],
        [['The most that bytes can gain, for one vector.']],
      ],
      [
        'kept slots in use',
        [['{share}\u202f%', { share: decimals(kept === 0 ? 0 : (100 * s.nnz) / kept, 0) }]],
        [['Two slots of every window are stored, zeros too.']],
      ],
      ...(published === undefined
        ? []
        : [
            [
              'published speed',
              [['{times}×', { times: decimals(published, 2) }]],
              [['On sparse tensor cores.']],
            ] satisfies VisibleFact,
          ]),
    ];
  },
};

const withFacts = formats.filter(({ facts }) => facts);

describe.each(withFacts.map((format) => [format.id, format] as const))('the facts of %s', (id, format) => {
  it('equal numbers counted in the matrix and the encoded arrays, in their values and in their texts', () => {
    const factsOf = oracleOf(FACTS, id, 'FACTS in src/formats/contract/facts.test.ts', 'what its facts show');
    return expectNoProblems(format, (seen, e, m, params) => {
      const facts = format.facts?.(e) ?? [];
      const expected = factsOf({ ...seen, nnz: e.nnz }, (changed) => {
        const arrays = namedArrays(format.encode(m, { ...params, ...changed }) as EncodedMatrix);
        const total = [...arrays.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
        return { total, values: arrays.get('values')?.byteLength ?? 0 };
      });
      const labels = [facts.map(({ label }) => label).join(', '), expected.map(([label]) => label).join(', ')];
      if (labels[0] !== labels[1]) return [`found facts ${labels[0]}, expected ${labels[1]}`];
      return expected.flatMap(([label, output, note], i) =>
        [wrongIn(facts[i].value, output), wrongIn(facts[i].note ?? '', note ?? [])].flatMap((problem) =>
          problem ? [`${label}: ${problem}`] : [],
        ),
      );
    });
  });
});
