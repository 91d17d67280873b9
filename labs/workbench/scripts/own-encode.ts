/**
 * Measures the encoding time of a custom format compared with our encoder, and the memory that it needs, for
 * labs/workbench/docs/own-formats.md: `node --expose-gc scripts/run.mjs labs/workbench/scripts/own-encode.ts`. Times
 * three encodings of a 4096 × 4096 matrix at density 0.5 in CSR: by our encoder, with checksums; by `encode` of the CSR
 * starter alone; and by the starter as on the page, with the matrix copied, the answer checked and values rounded. The
 * memory is the peak of the process, on Linux.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { defaultParams } from '../../../src/core/format.ts';
import { matrixBytes } from '../../../src/core/matrix/index.ts';
import { smallest } from '../../../src/core/number/statistics.ts';
import { baselineFormat } from '../../../src/formats/registry.ts';
import { generate } from '../../../src/generate/generate.ts';
import { parseArrays, arrayDeclarations, parseEncoding, type Outcome } from '../own/parse-answers.ts';
import { matrixMessage } from '../own/decoded-matrix.ts';
import { answerTo, type UserFormatModule } from '../own/runtime/answer.ts';
import { STARTERS } from '../own/starters.ts';

const ROUNDS = 7;
const SIZE = 4096;
const matrix = generate({ pattern: 'uniform', rows: SIZE, cols: SIZE, density: 0.5, seed: 1 });
const params = defaultParams<Record<string, unknown>>(baselineFormat.params);
const { title, text } = STARTERS.find((starter) => starter.title === baselineFormat.title) ?? STARTERS[0];
const module = (await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
)) as UserFormatModule;
const arrays = resultOf(parseArrays(answerTo(module, '', { ask: 'arrays', params: {} })));

function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.result;
  throw new Error(JSON.stringify(outcome));
}

/** The module's answer to a request to encode, and the time that it took. */
function moduleAnswer(): { readonly answer: unknown; readonly ms: number } {
  const request = {
    ask: 'encode',
    matrix: matrixMessage(matrix),
    params: {},
    arrays: arrayDeclarations(arrays),
    recorded: 'nothing',
  } as const;
  const start = performance.now();
  const answer = answerTo(module, '', request);
  return { answer, ms: performance.now() - start };
}

function time(work: () => unknown): number {
  globalThis.gc?.();
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Returns the peak of the process's memory during `work`, less its memory before, in bytes; NaN except on Linux. */
function peakOf(work: () => unknown): number {
  const status = (field: string): number =>
    1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  try {
    globalThis.gc?.();
    writeFileSync('/proc/self/clear_refs', '5');
    const before = status('VmRSS');
    work();
    return status('VmHWM') - before;
  } catch {
    return Number.NaN;
  }
}

/** What the page does: the module encodes a copy of the matrix, and its answer is checked. */
const encodeByModule = (): unknown => resultOf(parseEncoding(moduleAnswer().answer, arrays, matrix));
const encodeByUs = (): unknown => baselineFormat.encode(matrix, params);

/** The peak in a new process, since memory that earlier encodings freed would hide a part of it. */
function peakInNewProcess(whose: 'ours' | 'theirs'): number {
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', process.argv[1], whose], { encoding: 'utf8' });
  return Number(stdout);
}

if (process.argv[2] === 'ours' || process.argv[2] === 'theirs') {
  console.log(peakOf(process.argv[2] === 'ours' ? encodeByUs : encodeByModule));
} else {
  const ours: number[] = [];
  const moduleTimes: number[] = [];
  /** of `encode` without the copy and the checks */
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(time(encodeByUs));
    moduleTimes.push(time(encodeByModule));
    alone.push(moduleAnswer().ms);
  }
  const [ourMs, moduleMs, aloneMs] = [ours, moduleTimes, alone].map((times) => smallest(times));
  const times = (ms: number): string => `${ms.toFixed(0)} ms, ${(ms / ourMs).toFixed(2)} times ours`;
  const memory = (bytes: number): string =>
    `${(bytes / 1e6).toFixed(0)} MB, ${(bytes / matrixBytes(matrix)).toFixed(2)} times the matrix`;
  console.log(
    `${title}, ${SIZE} × ${SIZE} at density 0.5, ${(matrixBytes(matrix) / 1e6).toFixed(0)} MB, least of ${ROUNDS}`,
  );
  console.log(`our encoder                ${ourMs.toFixed(0)} ms`);
  console.log(`encode of the module       ${times(aloneMs)}`);
  console.log(`copied, encoded, checked   ${times(moduleMs)}`);
  console.log(`memory without the matrix  ${memory(peakInNewProcess('theirs'))}`);
  console.log(`of our encoder             ${memory(peakInNewProcess('ours'))}`);
}
