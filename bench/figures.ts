/**
 * CPU figures of docs/performance.md: `npm run bench:figures -- [name ...]`. Each prints wall and CPU seconds and the
 * memory above what was there before. Run one at a time on a quiet machine; names are the keys of FIGURES.
 */
import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultParams } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { DenseMatrix, type Matrix, toDense } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { formatById } from '../src/formats/registry.ts';
import { pruneToPatternSteps } from '../src/core/matrix/prune-pattern.ts';
import { generate } from '../src/generate/generate.ts';
import { readMatrix } from '../src/io/read.ts';

const uniform = (rows: number, cols: number, density: number): Matrix =>
  generate({ pattern: 'uniform', rows, cols, density, seed: 1 });

/** A figure prepares its input outside of what is measured and returns the work. */
type Figure = () => Promise<() => unknown>;

const FIGURES: Readonly<Record<string, Figure>> = {
  'macko-encode-dense': async () => {
    const input = new DenseMatrix(12288, 12288, toDense(uniform(12288, 12288, 0.5)));
    return () => encode('macko', input);
  },
  'macko-encode-csr': async () => {
    const input = uniform(12288, 12288, 0.5);
    return () => encode('macko', input);
  },
  'ec-csr-4096': async () => {
    const input = uniform(4096, 4096, 0.3);
    return () => encode('ec-csr', input);
  },
  'ec-csr-8192': async () => {
    const input = uniform(8192, 8192, 0.2);
    return () => encode('ec-csr', input);
  },
  'slidesparse-prune-and-slide': async () => {
    const input = uniform(28672, 8192, 0.9);
    return () => encode('slidesparse', finish(pruneToPatternSteps(input, 6, 8)));
  },
  'twell-encode-30': async () => {
    const input = activations(30);
    return () => encode('twell', input);
  },
  'twell-encode-900': async () => {
    const input = activations(900);
    // Three times what compression 8 holds.
    return () => encode('twell', input, { compression: 2 });
  },
  'hybrid-encode-30': async () => {
    const input = activations(30);
    return () => encode('hybrid', input);
  },
  'mtx-10m': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sparsescope-'));
    const file = join(folder, 'ten-million.mtx');
    await writeMtx(file, 10_000_000);
    const blob = await openAsBlob(file);
    return async () => {
      const { matrix } = await readMatrix(blob);
      await rm(folder, { recursive: true });
      return matrix;
    };
  },
};

/** Activations of 16384 tokens and 8192 neurons as a GEMM leaves them, dense, with a mean of non-zeros per token. */
function activations(perToken: number): Matrix {
  return new DenseMatrix(16384, 8192, toDense(uniform(16384, 8192, perToken / 8192)));
}

function encode(id: string, input: Matrix, params: Readonly<Record<string, unknown>> = {}): unknown {
  const format = formatById(id);
  return format.encode(input, { ...defaultParams<object>(format.params), ...params });
}

/** A coordinate file of a 100 000 x 100 000 matrix, rows ascending, seven digits per value. */
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

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  console.error(`figure: found '${unknown}', expected one of ${Object.keys(FIGURES).join(', ')}`);
  process.exit(2);
}
for (const [name, figure] of Object.entries(FIGURES)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure(name, figure);
}
