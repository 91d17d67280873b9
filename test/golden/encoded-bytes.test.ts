/*
 * Golden test: hashes of all bytes that declared formats store, for all patterns, kinds of values, awkward shapes and
 * parameters. A second hash covers the texts about the bytes: numbers of the encoding, its ledger, its expected size.
 * A changed hash means a changed format: older files contain other bytes. `npm test` computes some of the hashes, in
 * which every value of every parameter occurs; after an intended change, compute all of them with TEST_ALL=1.
 */

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

const DECLARED = ['csr', 'ell', 'bitmask', 'bsr', 'twell', 'hybrid', 'macko', 'slidesparse', 'ec-csr'];

const values = Object.keys(RECIPE_VALUES) as MatrixRecipe['values'][];
const RECIPES: readonly MatrixRecipe[] = [
  ...(Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).flatMap((pattern, i) =>
    values.map((kind, k): MatrixRecipe => {
      // 7 to 19 rows and 33 to 92 columns.
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

/** What the statistics of a matrix have to count for the sizes that formats expect. */
const REQUEST = {
  groups: formats.flatMap(({ comparison }) => comparison.groups ?? []),
  blocks: formats.flatMap(({ comparison }) => comparison.blocks ?? []),
};

const MATRICES = RECIPES.map((recipe) => {
  const m = buildMatrix(recipe);
  return { m, statistics: finish(statisticsSteps(m, REQUEST)) };
});

/** Returns two hashes over all matrices: of the arrays that `format` stores, and of the texts about them. */
function hashesOf(format: AnyFormat, params: Readonly<Record<string, unknown>>): string {
  const bytes = createHash('sha256');
  const output = createHash('sha256');
  // Rounds to 12 digits: the last digits of a closed form depend on the order of its terms.
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 1e12)
      ? Number(value.toPrecision(12))
      : value;
  const hashOutput = (value: unknown): void => void output.update(`${JSON.stringify(value, rounded)}\n`);
  for (const { m, statistics } of MATRICES) {
    const support = format.admits(m, params);
    const shape = { rows: m.rows, cols: m.cols };
    hashOutput(support);
    hashOutput(format.comparison.size(statistics, params));
    for (const density of [0, 0.03, 0.5, 1]) {
      hashOutput(format.expectedEffectiveDensity?.(density, params, shape));
      hashOutput(format.expectedZeroBits?.(density, params, shape) ?? 0);
      hashOutput(format.expectedReason?.(density, params, shape));
    }
    hashOutput(format.overheadBits?.(params, shape));
    if (!support.ok) continue;
    const encoded: EncodedMatrix = format.encode(m, params);
    for (const [name, array] of namedArrays(encoded)) {
      bytes.update(`${name} ${array.constructor.name} ${array.length} ${encoded.checksums[name]}\n`);
      bytes.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }
    const numbers = Object.entries(encoded).filter(
      ([, value]) => !ArrayBuffer.isView(value) && typeof value !== 'object',
    );
    hashOutput(numbers.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    hashOutput(format.storage(encoded));
    hashOutput(format.sizeReason?.(encoded));
    hashOutput(format.facts?.(encoded));
  }
  return `${bytes.digest('hex').slice(0, 16)} ${output.digest('hex').slice(0, 16)}`;
}

const GOLDEN = 'encoded-bytes.txt';

it('declared formats store the same bytes as the golden file, with the same texts', async () => {
  const recordedLines = readFileSync(new URL(GOLDEN, import.meta.url), 'utf8').split('\n');
  const recordedHashes = new Map(recordedLines.map((line) => line.split(': ') as [name: string, hashes: string]));
  const lines = formats
    .filter(({ id }) => DECLARED.includes(id))
    .flatMap((format) => {
      const combinations = allParams(format);
      const computed = RUNS_ALL ? combinations : coverPairs(combinations, (params) => pairsWith(format.id, params));
      return combinations.map((params) => {
        const name = `${format.id}, ${paramsTitle(params)}`;
        return `${name}: ${computed.includes(params) ? hashesOf(format, params) : recordedHashes.get(name)}\n`;
      });
    });
  await expect(lines.join('')).toMatchFileSnapshot(GOLDEN);
});
