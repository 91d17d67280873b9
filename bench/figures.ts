/**
 * Measures encoding and reading on the CPU: `node --expose-gc scripts/run.mjs bench/figures.ts FIGURE...`. A FIGURE is
 * `<format>/<input>[:<param>=<value>]` to encode, `statistics/<input>` to count what Compare needs, or `mtx-10m` to read a
 * file of ten million entries. Prints the wall and CPU seconds and the additional memory of each. Run one at a time on a
 * quiet machine.
 */
import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyFormat } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { DenseMatrix, type Matrix, toDense } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { statisticsSteps } from '../src/core/statistics/matrix-statistics.ts';
import { formats } from '../src/formats/registry.ts';
import { pruneToPatternSteps } from '../src/core/matrix/prune-pattern.ts';
import { generate } from '../src/generate/generate.ts';
import { readMatrix } from '../src/io/index.ts';
import { ArgumentError, readArguments, runProgram } from '../scripts/command-line.ts';
import { paramsOf } from './arguments.ts';

const uniform = (rows: number, cols: number, density: number): Matrix =>
  generate({ pattern: 'uniform', rows, cols, density, seed: 1 });

/** The matrices of the inputs, by name. */
const INPUTS: Readonly<Record<string, () => Matrix>> = {
  'dense-12288': () => new DenseMatrix(12288, 12288, toDense(uniform(12288, 12288, 0.5))),
  'csr-12288': () => uniform(12288, 12288, 0.5),
  'uniform-4096': () => uniform(4096, 4096, 0.3),
  'uniform-8192': () => uniform(8192, 8192, 0.2),
  'uniform-12288': () => uniform(12288, 12288, 0.2),
  '6-of-8-28672': () => finish(pruneToPatternSteps(uniform(28672, 8192, 0.9), 6, 8)),
  'activations-30': () => activations(30),
  'activations-900': () => activations(900),
};

/** A figure prepares its input outside of the measurement and returns the work. */
type Figure = () => Promise<() => unknown>;

/** Parses the name of a figure, as at the top of this file. Throws ArgumentError. */
function figureOf(name: string): Figure {
  if (name === 'mtx-10m') return readTenMillion;
  const [path, paramsText = null] = name.split(':');
  const [id, inputName] = path.split('/');
  const format = formats.find((f) => f.id === id);
  const input = INPUTS[inputName];
  if (id === 'statistics' && input) return statisticsOf(input);
  if (!format || !input) {
    const expected = `mtx-10m, or one of statistics, ${formats.map((f) => f.id).join(', ')} / one of ${Object.keys(INPUTS).join(', ')}`;
    throw new ArgumentError(`figure: found '${name}', expected ${expected}`);
  }
  const [params] = paramsOf(paramsText, [format], [id])[id];
  return async () => {
    const matrix = input();
    return () => format.encode(matrix, params);
  };
}

/** Computes the statistics that any format uses to determine its size. */
function statisticsOf(input: () => Matrix): Figure {
  const all = (read: (comparison: AnyFormat['comparison']) => readonly number[] | undefined): readonly number[] => [
    ...new Set(formats.flatMap(({ comparison }) => read(comparison) ?? [])),
  ];
  const request = { groups: all(({ groups }) => groups), blocks: all(({ blocks }) => blocks) };
  return async () => {
    const matrix = input();
    return () => finish(statisticsSteps(matrix, request));
  };
}

async function readTenMillion(): Promise<() => unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'sparsescope-'));
  const file = join(folder, 'ten-million.mtx');
  await writeMtx(file, 10_000_000);
  const blob = await openAsBlob(file);
  return async () => {
    const { matrix } = await readMatrix(blob);
    await rm(folder, { recursive: true });
    return matrix;
  };
}

/** Activations of 16384 tokens and 8192 neurons as a GEMM writes them, dense, with a mean of non-zeros per token. */
function activations(perToken: number): Matrix {
  return new DenseMatrix(16384, 8192, toDense(uniform(16384, 8192, perToken / 8192)));
}

/** A coordinate file of a 100 000 × 100 000 matrix, rows ascending, seven digits per value. */
async function writeMtx(path: string, nnz: number): Promise<void> {
  const rows = 100_000;
  const random = new Random(1);
  const file = await open(path, 'w');
  await file.write(`%%MatrixMarket matrix coordinate real general\n${rows} ${rows} ${nnz}\n`);
  const perRow = nnz / rows;
  for (let r = 1; r <= rows; r += 1000) {
    const lines: string[] = [];
    for (let i = r; i < r + 1000; i++) {
      // Distinct ascending columns: one in each of perRow strips.
      const strip = rows / perRow;
      for (let k = 0; k < perRow; k++)
        lines.push(`${i} ${k * strip + random.below(strip) + 1} ${random.normal().toFixed(6)}`);
    }
    await file.write(`${lines.join('\n')}\n`);
  }
  await file.close();
}

async function measure(name: string, prepare: Figure): Promise<void> {
  const work = await prepare();
  globalThis.gc?.();
  const memory = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = (performance.now() - start) / 1000;
  const used = process.cpuUsage(cpu);
  const cpuSeconds = (used.user + used.system) / 1e6;
  const megabytes = (process.memoryUsage().rss - memory) / 2 ** 20;
  console.log(
    `${name.padEnd(30)} ${wall.toFixed(2)} s wall, ${cpuSeconds.toFixed(2)} s CPU, ${megabytes.toFixed(0)} MiB more`,
  );
}

const USAGE = `Usage: node --expose-gc scripts/run.mjs bench/figures.ts FIGURE...

FIGURE  format/input[:param=value], statistics/input or mtx-10m`;

await runProgram('figures', USAGE, async (argv) => {
  const { operands } = readArguments({}, argv);
  if (operands.length === 0) throw new ArgumentError('found no figure, expected at least one; see --help');
  for (const [name, figure] of operands.map((operand) => [operand, figureOf(operand)] as const))
    await measure(name, figure);
  return 0;
});
