import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type AnyFormat, type EncodedMatrix, namedArrays } from '../../src/core/format.ts';
import { finish } from '../../src/core/job.ts';
import { statisticsSteps } from '../../src/core/statistics/matrix-statistics.ts';
import { formats } from '../../src/formats/registry.ts';
import { RECIPE_PATTERNS, RECIPE_VALUES } from '../../src/generate/awkward/matrices.ts';
import {
  allParams,
  AWKWARD_SHAPES,
  buildMatrix,
  coverPairs,
  type MatrixRecipe,
  pairsWith,
  paramsTitle,
} from '../arbitraries.ts';
import { RUNS_ALL } from '../scheduled.ts';

/**
 * Every byte that declared formats store, as hashes: of all patterns, all kinds of values and all awkward shapes, with all
 * parameters. With them the texts about the bytes: numbers of the encoding, its ledger, its size before it is encoded.
 * A change of any of them is a change of the format: older files contain other bytes. `npm test` makes some of
 * them, in which every value of every parameter occurs; after a change that is meant, all are made with TEST_ALL=1.
 */

const DECLARED = ['csr', 'ell', 'bitmask', 'bsr', 'twell', 'hybrid', 'macko', 'slidesparse', 'ec-csr'];

const values = Object.keys(RECIPE_VALUES) as MatrixRecipe['values'][];
const RECIPES: readonly MatrixRecipe[] = [
  ...(Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).flatMap((pattern, i) =>
    values.map((kind, k): MatrixRecipe => {
      const shape = [7 + ((i + k) % 13), 33 + ((5 * i + 11 * k) % 60)] as const;
      return { shape, pattern, values: kind, density: k % 2 === 0 ? 0.07 : 0.4, seed: i + k, storage: 'entries' };
    }),
  ),
  ...AWKWARD_SHAPES.flatMap((shape) =>
    (['one entry', 'uniform', 'full'] as const).map((pattern): MatrixRecipe => {
      return { shape, pattern, values: 'normal', density: 0.2, seed: 3, storage: 'cells' };
    }),
  ),
  { shape: [2, 65_537], pattern: 'uniform', values: 'normal', density: 0.001, seed: 1, storage: 'entries' },
];

const REQUEST = {
  groups: formats.flatMap(({ comparison }) => comparison.groups ?? []),
  blocks: formats.flatMap(({ comparison }) => comparison.blocks ?? []),
};

const MATRICES = RECIPES.map((recipe) => {
  const m = buildMatrix(recipe);
  return { m, statistics: finish(statisticsSteps(m, REQUEST)) };
});

/** Hashes of what `format` makes of all matrices: of the arrays, and of the texts about them. */
function hashesOf(format: AnyFormat, params: Readonly<Record<string, unknown>>): string {
  const bytes = createHash('sha256');
  const output = createHash('sha256');
  // The last digits of a closed form depend on the order of its terms.
  const plain = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 1e12)
      ? Number(value.toPrecision(12))
      : value;
  const say = (words: unknown): void => void output.update(`${JSON.stringify(words, plain)}\n`);
  for (const { m, statistics } of MATRICES) {
    const support = format.admits(m, params);
    const shape = { rows: m.rows, cols: m.cols };
    say(support);
    say(format.comparison.size(statistics, params));
    for (const density of [0, 0.03, 0.5, 1]) {
      say(format.expectedEffectiveDensity?.(density, params, shape));
      say(format.expectedZeroBits?.(density, params, shape) ?? 0);
      say(format.expectedReason?.(density, params, shape));
    }
    say(format.overheadBits?.(params, shape));
    if (!support.ok) continue;
    const encoded: EncodedMatrix = format.encode(m, params);
    for (const [name, array] of namedArrays(encoded)) {
      bytes.update(`${name} ${array.constructor.name} ${array.length} ${encoded.checksums[name]}\n`);
      bytes.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }
    const numbers = Object.entries(encoded).filter(
      ([, value]) => !ArrayBuffer.isView(value) && typeof value !== 'object',
    );
    say(numbers.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    say(format.storage(encoded));
    say(format.sizeReason?.(encoded));
    say(format.facts?.(encoded));
  }
  return `${bytes.digest('hex').slice(0, 16)} ${output.digest('hex').slice(0, 16)}`;
}

const GOLDEN = 'encoded-bytes.txt';

it('declared formats store the bytes that they always did', async () => {
  const before = readFileSync(new URL(GOLDEN, import.meta.url), 'utf8').split('\n');
  const known = new Map(before.map((line) => line.split(': ') as [name: string, hashes: string]));
  const lines = formats
    .filter(({ id }) => DECLARED.includes(id))
    .flatMap((format) => {
      const every = allParams(format);
      const made = RUNS_ALL ? every : coverPairs(every, (params) => pairsWith(format.id, params));
      return every.map((params) => {
        const name = `${format.id}, ${paramsTitle(params)}`;
        return `${name}: ${made.includes(params) ? hashesOf(format, params) : known.get(name)}\n`;
      });
    });
  await expect(lines.join('')).toMatchFileSnapshot(GOLDEN);
});
