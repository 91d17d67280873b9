/*
 * Cheating kernels (drafts of a user): they are correct when verified, but do less work when timed, if the benchmark lets
 * them. Cheats that need data of an earlier run never find it, since each run of a draft has separate memory.
 */

import { POISON_BITS } from '../src/core/operations/verify.ts';
import { type KernelSpec } from '../src/core/kernel/kernel.ts';
import { denseMatrix, type Matrix, toDense } from '../src/core/matrix/index.ts';
import { SPMV } from '../src/core/operations/index.ts';
import type { BenchReport, Workload } from '../src/core/report.ts';
import { type GpuBenchOptions, runBench } from '../src/gpu/bench.ts';
import { GpuContext } from '../src/gpu/device.ts';
import { randomMatrix, TOY_WGSL, toyCase, type ToyEncoded, toyFormat, toyKernel } from './gpu.ts';

/** Runs of a full sample, unless a caller chooses another number. */
export const CHEAT_RUNS = 64;

export const cheatMatrix = randomMatrix(130, 37, 0.4, 1);
/** Each row with values is followed by seven zero rows: a kernel may store bits in the signs of their zeros. */
const sparseMatrix = denseMatrix(
  128,
  37,
  toDense(randomMatrix(128, 37, 1, 1)).map((value, i) => (Math.floor(i / 37) % 8 === 0 ? value : 0)),
);
/** So few rows that each run can have a table of answers in its memory. */
const fewRows = randomMatrix(16, 37, 0.4, 2);
const SEED = 7;
/** Words of scratch memory for each row, which a kernel tries to keep between runs. */
const SCRATCH_WORDS = 8;
/** Answers for each row in a table: more than a sample has runs. */
const TABLE_ANSWERS = 1024;
/** Number of rows whose elements of y are saved by the kernel that keeps a part of each answer. */
const SAVED_ROWS = 16;
const [publicX] = SPMV.inputs(cheatMatrix, {}, SEED).x;

/** Returns the WGSL condition under which a draft leaves work out: `condition`, or 'false' in the control kernel. */
type When = (condition: string) => string;

type Verdict =
  /** verification fails, and the kernel gets no time */
  | 'refused'
  /** the kernel cannot leave out work without being wrong, so it computes in every run, and is correct */
  | 'computes';

export interface Cheat {
  readonly id: string;
  readonly verdict: Verdict;
  readonly matrix: Matrix;
  readonly draft: KernelSpec<ToyEncoded>;
  /** the same code with the condition `false`: a correct kernel of the same cost, to compare with */
  readonly control: KernelSpec<ToyEncoded>;
}

/** A kernel with this body, and with scratch memory of `words` words per row on average. */
function kernelWithScratch(id: string, body: string, words: number): KernelSpec<ToyEncoded> {
  const code = TOY_WGSL.replace(
    'override LANES',
    '@group(0) @binding(4) var<storage, read_write> kept: array<u32>;\noverride LANES',
  ).replace(/ {2}var sum = 0\.0;[\s\S]*y\[row\] = sum;\n/, body);
  const spec = toyKernel(code, id);
  return {
    ...spec,
    draft: { of: 'toy/spmv', name: 'mine', version: 1 },
    plan(e, device, sizes) {
      const plan = spec.plan(e, device, sizes);
      return {
        ...plan,
        buffers: [...plan.buffers, { role: 'scratch', name: 'kept', bytes: Math.round(e.rows * words) * 4 }],
        passes: plan.passes.map((pass) => ({ ...pass, bindings: [...pass.bindings, 'kept'] })),
      };
    },
  };
}

/** WGSL that computes the product of row `row` with x as the variable `total`. */
const sumOf = (total: string, row: string): string => `var ${total} = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let a = data[${row} * params.cols + c];
    if (a != 0.0) { ${total} += a * x[c]; }
  }`;
const SUM = sumOf('sum', 'row');
const WRITE = `${SUM}
  y[row] = sum;`;

/** WGSL for word `i` of a row's scratch memory. Kernels write 12345 into a word to mark that another one is written. */
const scratchWord = (i: number): string => `kept[row * ${SCRATCH_WORDS}u + ${i}u]`;

/** WGSL that counts earlier runs since the scratch was filled, as `count`; noise is more than a million as a whole number. */
const COUNT_ALL = `let count = ${scratchWord(0)};
  ${scratchWord(0)} = select(count + 1u, 1u, count > 1000000u);`;

/**
 * WGSL for the number of this run in its sample, as `count`, which the kernel keeps in scratch with the mark 0xabcd. A word
 * without the mark is the beginning of a sample, except the word with which a single verification begins. It counts to 1000.
 */
const COUNT = `let state = ${scratchWord(0)};
  let is_mine = state >> 16u == 0xabcdu;
  let count = select(select(0u, state & 0xffffu, is_mine), 1000u, state == ${POISON_BITS}u);
  ${scratchWord(0)} = 0xabcd0000u | min(count + 1u, 1000u);`;

/** WGSL that skips the work of this run, and records that it did. */
const LEAVE_OUT = `${scratchWord(7)} = 12345u;
    return;`;
/** WGSL that writes the sum, or a wrong number if the row was skipped in an earlier run. */
const SUM_UNLESS_LEFT_OUT = `${SUM}
  y[row] = select(sum, sum + 1000.0, ${scratchWord(7)} == 12345u);`;

/** Adds a cheat: with scratch memory of `words` words per row, on `matrix`. */
type AddCheat = (
  verdict: Verdict,
  id: string,
  body: (when: When) => string,
  options?: { readonly words?: number; readonly matrix?: Matrix },
) => void;

/** All drafts, for samples of this many runs: fewer than 800, since some count to 1000. */
export function cheats(runs: number): readonly Cheat[] {
  const all: Cheat[] = [];
  const addCheat: AddCheat = (verdict, id, body, { words = SCRATCH_WORDS, matrix = cheatMatrix } = {}) => {
    all.push({
      id,
      verdict,
      matrix,
      draft: kernelWithScratch(`cheat/${id}`, `  ${body((condition) => condition)}\n`, words),
      control: kernelWithScratch(`control/${id}`, `  ${body(() => 'false')}\n`, words),
    });
  };
  /** Number of runs in a sample that some cheats skip, in WGSL. */
  const skippedRuns = `${Math.floor((3 * runs) / 4)}u`;
  addCheatsByMemory(addCheat);
  addCheatsInLastRuns(addCheat, skippedRuns);
  addCountingCheats(addCheat, skippedRuns);
  addCheatsByInputs(addCheat);
  addCachingCheats(addCheat);
  return all;
}

/** These skip work if memory or inputs are not those of a verification. */
function addCheatsByMemory(addCheat: AddCheat): void {
  addCheat(
    'refused',
    'leaves what is written',
    (when) => `if (${when(`bitcast<u32>(y[row]) != ${POISON_BITS}u`)}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'keeps a flag',
    (when) => `if (${when(`${scratchWord(0)} == 12345u`)}) { return; }
  ${WRITE}
  ${scratchWord(0)} = 12345u;`,
  );
  addCheat(
    'computes',
    'counts its runs',
    (when) => `${COUNT_ALL}
  if (${when('count >= 3u && count <= 1000000u')}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'computes every other time',
    (when) => `${COUNT_ALL}
  if (${when('count <= 1000000u && count % 2u == 1u')}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'leaves out later workgroups after the first run',
    (when) => `${COUNT_ALL}
  if (${when('row >= 64u && count >= 1u && count <= 1000000u')}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'refused',
    'knows the x that it is verified with',
    (when) => `if (${when(`x[0] != ${publicX}`)}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'computes only if y differs from what it wrote before',
    (when) => `if (${when(`${scratchWord(1)} == 12345u && bitcast<u32>(y[row]) == ${scratchWord(0)}`)}) { return; }
  ${WRITE}
  ${scratchWord(0)} = bitcast<u32>(sum);
  ${scratchWord(1)} = 12345u;`,
  );
}

/** These compute only the last runs of a full sample: comparing only the last run would accept them. */
function addCheatsInLastRuns(addCheat: AddCheat, skippedRuns: string): void {
  addCheat(
    'refused',
    'leaves out the first runs of a sample',
    (when) => `${COUNT}
  if (${when(`count < ${skippedRuns}`)}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'leaves out runs in the middle of a sample',
    (when) => `${COUNT}
  if (${when(`count >= 4u && count < ${skippedRuns}`)}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'refused',
    'computes one row of two in turns',
    (when) => `${COUNT}
  if (${when(`count < ${skippedRuns} && (count + row) % 2u == 1u`)}) { return; }
  ${WRITE}`,
  );
  addCheat(
    'computes',
    'writes its first answer again',
    (when) => `${COUNT}
  if (${when(`count > 0u && count < ${skippedRuns}`)}) {
    y[row] = bitcast<f32>(${scratchWord(1)});
    return;
  }
  ${WRITE}
  ${scratchWord(1)} = bitcast<u32>(sum);`,
  );
  addCheat(
    'computes',
    'leaves out inputs beyond the second from the known one',
    (when) => `let state = kept[row];
  let after = select(select(1000u, state & 0xffffu, state >> 16u == 0xabcdu) + 1u, 0u, x[0] == ${publicX});
  kept[row] = select(0u, 0xabcd0000u | after, after < 1000u);
  if (${when('after > 1u && after < 1000u')}) { return; }
  ${WRITE}`,
    { words: 1 },
  );
}

/** These skip runs if memory is zero at the beginning of a sample, and are wrong at its end if they skipped any. */
function addCountingCheats(addCheat: AddCheat, skippedRuns: string): void {
  addCheat(
    'computes',
    'counts in y',
    (when) => `let seen = bitcast<u32>(y[row]);
  if (${when(`seen < ${skippedRuns}`)}) {
    y[row] = bitcast<f32>(seen + 1u);
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}`,
  );
  addCheat(
    'computes',
    'counts in scratch',
    (when) => `let seen = ${scratchWord(0)};
  if (${when(`seen < ${skippedRuns}`)}) {
    ${scratchWord(0)} = seen + 1u;
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}`,
  );
  addCheat(
    'computes',
    'counts behind y',
    (when) => `let seen = bitcast<u32>(y[params.rows]);
  if (${when(`seen < ${skippedRuns}`)}) {
    if (row == 0u) { y[params.rows] = bitcast<f32>(seen + 1u); }
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}`,
  );
  addCheat(
    'computes',
    'counts in the signs of zeros',
    (when) => `if (row % 8u != 0u) { return; }
  var seen = 0u;
  var are_zeros = true;
  for (var i = 0u; i < 7u; i++) {
    let bits = bitcast<u32>(y[row + 1u + i]);
    are_zeros = are_zeros && bits << 1u == 0u;
    seen |= (bits >> 31u) << i;
  }
  let is_begun = seen > 0u || bitcast<u32>(y[row]) == 0u;
  seen = select(127u, min(seen + 1u, 127u), are_zeros && is_begun);
  for (var i = 0u; i < 7u; i++) { y[row + 1u + i] = bitcast<f32>(((seen >> i) & 1u) << 31u); }
  if (${when(`seen <= min(${skippedRuns}, 120u)`)}) {
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}`,
    { matrix: sparseMatrix },
  );
}

/** These recognise repeated inputs, and give a wrong answer wherever they could skip work. */
function addCheatsByInputs(addCheat: AddCheat): void {
  addCheat(
    'computes',
    'computes one row of two to see whether x has changed',
    (when) => `if (row % 2u == 1u) { return; }
  let next = row + 1u;
  ${SUM}
  let as_it_was = bitcast<u32>(sum) == bitcast<u32>(y[row]);
  y[row] = sum;
  if (next == params.rows) { return; }
  ${sumOf('other', 'next')}
  y[next] = select(other, 1000.0, ${when('as_it_was && sum != 0.0')});`,
  );
  addCheat(
    'computes',
    'keeps a checksum of x, and computes if it has changed',
    (when) => `var checksum = 0u;
  for (var c = 0u; c < params.cols; c++) { checksum = 31u * checksum + bitcast<u32>(x[c]); }
  let is_same = ${scratchWord(1)} == 12345u && ${scratchWord(0)} == checksum;
  ${scratchWord(0)} = checksum;
  ${scratchWord(1)} = 12345u;
  ${SUM}
  y[row] = select(sum, sum + 1000.0, ${when('is_same')});`,
  );
  // The key is a hash of three numbers of x: a single f16 number sometimes repeats among a hundred inputs.
  addCheat(
    'computes',
    'remembers the last answers by their x',
    (when) => `let mine = bitcast<u32>(x[0]) ^ (31u * bitcast<u32>(x[1])) ^ (961u * bitcast<u32>(x[2]));
  ${SUM}
  for (var i = 0u; i < ${SCRATCH_WORDS / 2}u; i++) {
    if (${when(`kept[row * ${SCRATCH_WORDS}u + 2u * i] == mine`)}) {
      y[row] = bitcast<f32>(kept[row * ${SCRATCH_WORDS}u + 2u * i + 1u]) + 1000.0;
      return;
    }
  }
  y[row] = sum;
  for (var i = ${SCRATCH_WORDS / 2 - 1}u; i > 0u; i--) {
    kept[row * ${SCRATCH_WORDS}u + 2u * i] = kept[row * ${SCRATCH_WORDS}u + 2u * i - 2u];
    kept[row * ${SCRATCH_WORDS}u + 2u * i + 1u] = kept[row * ${SCRATCH_WORDS}u + 2u * i - 1u];
  }
  ${scratchWord(0)} = mine;
  ${scratchWord(1)} = bitcast<u32>(sum);`,
  );
}

/** These store answers, weights or marks. Where they find what they stored, they write a wrong answer, which the test detects. */
function addCachingCheats(addCheat: AddCheat): void {
  const addTableCheat = (id: string, columns: readonly string[]): void =>
    addCheat(
      'computes',
      id,
      (when) => `let key = ${columns.map((c, i) => `(bitcast<u32>(x[${c}]) * ${[1, 31, 961][i]}u)`).join(' ^ ')};
  let place = row * ${2 * TABLE_ANSWERS}u + 2u * ((key * 2654435761u) >> 16u) % ${2 * TABLE_ANSWERS}u;
  if (${when('kept[place] == key')}) {
    y[row] = bitcast<f32>(kept[place + 1u]) + 1000.0;
    return;
  }
  ${WRITE}
  kept[place] = key;
  kept[place + 1u] = bitcast<u32>(sum);`,
      { words: 2 * TABLE_ANSWERS, matrix: fewRows },
    );
  addTableCheat('keeps a table of answers by the first of x', ['0', '1', '2']);
  addTableCheat('keeps a table of answers by the last of x', [
    'params.cols - 1u',
    'params.cols - 2u',
    'params.cols - 3u',
  ]);
  addCheat(
    'computes',
    'keeps a part of each answer, less than one in all',
    (when) => `let key = bitcast<u32>(x[0]) ^ (31u * bitcast<u32>(x[1])) ^ (961u * bitcast<u32>(x[2]));
  ${SUM}
  if (row >= ${SAVED_ROWS}u) {
    y[row] = sum;
    return;
  }
  for (var i = 0u; i < 4u; i++) {
    if (${when('kept[row * 8u + 2u * i] == key')}) {
      y[row] = bitcast<f32>(kept[row * 8u + 2u * i + 1u]) + 1000.0;
      return;
    }
  }
  y[row] = sum;
  for (var i = 7u; i > 1u; i--) { kept[row * 8u + i] = kept[row * 8u + i - 2u]; }
  ${scratchWord(0)} = key;
  ${scratchWord(1)} = bitcast<u32>(sum);`,
    { words: (SCRATCH_WORDS * SAVED_ROWS) / cheatMatrix.rows },
  );
  addCheat(
    'computes',
    'keeps a copy of the weights',
    (when) => `let mine = row * ${cheatMatrix.cols + 1}u;
  var sum = 0.0;
  if (kept[mine] == 12345u) {
    for (var c = 0u; c < params.cols; c++) { sum += bitcast<f32>(kept[mine + 1u + c]) * x[c]; }
    y[row] = select(sum, sum + 1000.0, ${when('true')});
    return;
  }
  for (var c = 0u; c < params.cols; c++) {
    let a = data[row * params.cols + c];
    kept[mine + 1u + c] = bitcast<u32>(a);
    if (a != 0.0) { sum += a * x[c]; }
  }
  y[row] = sum;
  kept[mine] = 12345u;`,
    { words: cheatMatrix.cols + 1 },
  );
  // The error bound leaves the last bits of an answer free, so a kernel may store data in them.
  addCheat(
    'computes',
    'keeps marks in the last bits of y',
    (when) => `if (row % 16u != 0u) { return; }
  let end = min(row + 16u, params.rows);
  var marks = 0u;
  for (var i = row; i < end; i++) { marks += select(0u, 1u, (bitcast<u32>(y[i]) & 3u) == 2u); }
  for (var i = row; i < end; i++) {
    ${sumOf('sum', 'i')}
    let marked = bitcast<f32>((bitcast<u32>(sum) & 0xfffffffcu) | 2u);
    y[i] = select(marked, marked + 1000.0, ${when('marks == 16u')});
  }`,
  );
}

/** The workload of `race` without the size of its matrix. */
const WORKLOAD: Omit<Workload, 'rows' | 'cols' | 'nnz'> = {
  operation: 'spmv',
  density: 0.4,
  source: 'test',
  seed: SEED,
  memory: 'cold',
  rounds: 12,
};

/**
 * Times kernels on one matrix, next to dense. A software adapter is treated as hardware, so that the timed path runs. Unless
 * `overrides` has a `secret`, every race has other inputs and other checks.
 */
export function race(
  context: GpuContext,
  kernels: readonly KernelSpec<ToyEncoded>[],
  matrix: Matrix,
  overrides: Partial<GpuBenchOptions> = {},
): Promise<BenchReport> {
  const hardware = new GpuContext(context.device, { ...context.facts, isFallback: false }, context.environment);
  const dense = toyCase(toyFormat('dense', [toyKernel(TOY_WGSL, 'dense/spmv_toy')]), matrix);
  const { rows, cols, nnz } = matrix;
  const options: GpuBenchOptions = {
    app: 'test',
    reference: 'dense',
    workload: { ...WORKLOAD, rows, cols, nnz },
    coldBytes: 2 ** 18,
    readBytes: 2 ** 24,
    tuning: 'off',
    sampleRuns: CHEAT_RUNS,
    ...overrides,
  };
  const cases = [dense, toyCase(toyFormat('toy', kernels), matrix)];
  return runBench(hardware, cases, options, { report: () => {}, cancelled: false });
}
