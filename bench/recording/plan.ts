// The plan of `npm run record`: which benchmarks a recording of a GPU contains, in which order, and how long they take.

import { formats } from '../../src/formats/registry.ts';
import { patterns } from '../../src/generate/patterns.ts';
import { ArgumentError } from '../../scripts/command-line.ts';
import { type BenchArguments, parseArguments } from '../arguments.ts';
import { type Run, runsOf } from '../measure.ts';

/** One report of a recording: a command line of `npm run bench` with a single shape, density and choice of sizes. */
export interface Step {
  readonly line: string;
  readonly options: BenchArguments;
  readonly run: Run;
  /** the predicted time on an NVIDIA H200 */
  readonly seconds: number;
}

/** Timed rounds of each benchmark. */
const ROUNDS = 8;
/** Most useful first, since a recording may be stopped early. */
const DENSITIES = [0.5, 0.1, 0.3, 0.2, 0.05, 0.7, 0.4, 0.15, 0.6, 0.8, 0.02, 0.9];
const FIRST_THREE = DENSITIES.slice(0, 3);
/** The formats for weights that encode any matrix without a search, or reject it at once. */
const WEIGHT_FORMATS = '--formats dense,csr,ell,bitmask,bsr,macko,twell,hybrid';
/** Narrow value types, with which the shapes of models are measured. */
const NARROW = '--params dense.valueType=f16+i8+i4,macko.valueType=f16+i8+i4';
/** A feed-forward block with activations that are spread evenly over tokens and positions. */
const BLOCK =
  '--shapes 2048x5632 --sizes width=2048 --pattern activations --pattern-options tokenSkew=0,positionDecay=0';

/** The operations of one training step: forward, backward, and the update of the weights. */
const TRAINING_STEP = ['forward-storing', 'backward-stored', 'update'];

/** A command line for each density and shape, with further options. */
function spmv(shapes: readonly string[], densities: readonly number[], rest: string): string[] {
  return densities.flatMap((density) => shapes.map((shape) => `--shapes ${shape} --densities ${density} ${rest}`));
}

/**
 * The command lines that `npm run record` measures, the most valuable first: two shapes at twelve densities with the
 * formats for weights, the shapes of Llama-2-7B and Llama-3.1-8B; then EC-CSR, rows that share columns, 6:8 weights,
 * several numbers of tokens, SlideSparse, the feed-forward block, a step of its training, and the device without
 * subgroups and with minimum limits. The largest matrices come last.
 */
const LINES: readonly string[] = [
  ...spmv(['4096x4096', '4096x14336'], FIRST_THREE, `${WEIGHT_FORMATS} ${NARROW},bitmask.valueType=f16+i4`),
  ...spmv(['4096x4096', '4096x14336'], DENSITIES.slice(3), WEIGHT_FORMATS),
  ...['11008x4096', '4096x11008', '14336x4096', '1024x4096', '32000x4096'].flatMap(ofModel),
  ...spmv(['4096x4096'], [0.1, 0.2, 0.3], '--formats dense,ec-csr'),
  ...spmv(['8192x8192'], [0.1, 0.3, 0.2], '--formats dense,csr,bitmask,macko,ec-csr'),
  // For the last frames of the stories: rows that share columns, and 6:8 weights with a prefill's tokens.
  ...spmv(['8192x8192'], [0.3], '--pattern planted-blocks --formats dense,csr,ec-csr --params dense.valueType=f16+i4'),
  '--operation gemm --sizes tokens=2048 --shapes 2048x2048 --densities 0.75 --pattern n-of-m --pattern-options m=8 --formats dense,slidesparse',
  ...[8, 32, 128, 2, 4, 16, 1].map(
    (tokens) => `--operation gemm --sizes tokens=${tokens} --shapes 4096x4096 --densities 0.5 --formats dense,macko`,
  ),
  ...spmv(
    ['4096x4096', '4096x14336'],
    [0.5],
    '--pattern n-of-m --formats dense,slidesparse --params dense.valueType=f16+i8,slidesparse.valueType=f16+i8,slidesparse.halfGroup=2+4',
  ),
  '--operation gemm --sizes tokens=16 --shapes 4096x4096 --densities 0.5 --pattern n-of-m --formats dense,slidesparse --params slidesparse.halfGroup=2+4',
  '--operation gemm-i8 --sizes tokens=128 --shapes 2048x2048 --densities 0.5 --pattern n-of-m --formats dense,slidesparse --params valueType=i8,slidesparse.halfGroup=2+4 --variants all',
  ...[0.005327, 0.021307, 0.071023].map(
    (density) => `--operation forward ${BLOCK} --densities ${density} --formats twell --params compression=4+8`,
  ),
  `--operation gate ${BLOCK} --densities 0.005327 --formats twell`,
  `--operation up-down ${BLOCK} --densities 0.005327 --formats twell,hybrid`,
  ...TRAINING_STEP.map((operation) => `--operation ${operation} ${BLOCK} --densities 0.005327 --formats hybrid`),
  ...spmv(['4096x4096'], [0.3], `${WEIGHT_FORMATS} --device no-subgroups`),
  ...spmv(['4096x4096'], [0.3], `${WEIGHT_FORMATS} --device minimum`),
  ...spmv(['8192x8192'], [0.5], '--formats dense,csr,bitmask,macko'),
  ...ofModel('128256x4096'),
];

/** A shape of a model: dense in three value types, which no density changes, and MACKO at three densities. */
function ofModel(shape: string): string[] {
  return [
    ...spmv([shape], [0.5], `--formats dense,macko ${NARROW}`),
    ...spmv([shape], [0.1, 0.3], '--formats dense,macko'),
  ];
}

/** Seconds to open the device, warm up and time the reference, on an NVIDIA H200 as are the following. */
const SECONDS_TO_BEGIN = 7;
const SECONDS_PER_FORMAT = 1.6;
/** Seconds for a format's second and each further set of parameters, whose kernels are compiled and tried again. */
const SECONDS_PER_EXTRA_PARAMS = 8;
/** Seconds to generate, encode and check a million cells on one thread. */
const SECONDS_PER_MILLION_CELLS = 0.02;

/** All steps of a recording. */
export const PLAN: readonly Step[] = LINES.map((line) => stepOf(`${line} --rounds ${ROUNDS}`));

/** The step of a line. Throws ArgumentError for a line that is not a command line of one run on the GPU. */
export function stepOf(line: string): Step {
  const options = parseArguments(line.trim().split(/\s+/), formats, patterns);
  const runs = runsOf(options);
  if (runs.length !== 1) {
    throw new ArgumentError(`'${line}': found ${runs.length} shapes, densities and sizes, expected one of each`);
  }
  if (options.where !== 'gpu' || options.json !== null || options.check) {
    throw new ArgumentError(`'${line}': found --where cpu, --json or --check, expected a line that times a GPU`);
  }
  return { line, options, run: runs[0], seconds: secondsOf(options, runs[0]) };
}

/** The predicted time of a step in seconds, with one decimal. */
function secondsOf({ formats: ids, params }: BenchArguments, { rows, cols }: Run): number {
  const extraParams = ids.reduce((sum, id) => sum + Math.max(0, (params[id]?.length ?? 0) - 1), 0);
  const seconds =
    SECONDS_TO_BEGIN +
    SECONDS_PER_FORMAT * ids.length +
    SECONDS_PER_EXTRA_PARAMS * extraParams +
    (SECONDS_PER_MILLION_CELLS * rows * cols) / 1e6;
  return Math.round(10 * seconds) / 10;
}

/** The steps of part `index` (from 1) of `count` parts that take about equally long, in the order of the plan. */
export function partOf(steps: readonly Step[], index: number, count: number): readonly Step[] {
  const allSeconds = secondsIn(steps);
  let secondsBefore = 0;
  return steps.filter(({ seconds }) => {
    const part = Math.min(count, 1 + Math.floor(((secondsBefore + seconds / 2) / allSeconds) * count));
    secondsBefore += seconds;
    return part === index;
  });
}

/** The predicted time of steps. */
export function secondsIn(steps: readonly Step[]): number {
  return steps.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Seconds as minutes and seconds: '7 min 05 s'. */
export function minutesText(seconds: number): string {
  const rounded = Math.round(seconds);
  return `${Math.floor(rounded / 60)} min ${String(rounded % 60).padStart(2, '0')} s`;
}

/** The steps with their times, a line each. */
export function planText(steps: readonly Step[]): string {
  const lines = steps.map(({ line, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${line}`);
  return [...lines, `${steps.length} reports, about ${minutesText(secondsIn(steps))}`].join('\n');
}
