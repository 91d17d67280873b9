// The lines that `sparsescope prove` prints: laws, bytes and the story.

import type { Matrix } from '../../../../src/core/matrix/index.ts';
import { subMatrix } from '../../../../src/core/matrix/index.ts';
import { shortestF32 } from '../../../../src/core/number/index.ts';
import { BYTE_CLASSES, type StorageLedger } from '../../../../src/core/encoded/ledger.ts';
import { narrationText } from '../../../../src/story/scene.ts';
import {
  type ModuleSetup,
  requestEncoding,
  decodingDifference,
  requestDecoding,
  encodeAndDecode,
  type Runners,
} from '../../own/module-requests.ts';
import { fromRows, toRows } from '../../own/law-cases.ts';
import { ledgerOfEncoding } from '../../own/user-encoding.ts';
import { type LawReport, testLaws } from '../../own/laws.ts';
import { reasonOf } from '../../own/user-format-source.ts';
import { userFormatStory } from '../../own/story/index.ts';

/** Maximum non-zeros of a matrix that are printed. */
const MAX_PRINTED = 12;
/** Rows and columns of the window of the story. */
const WINDOW = { rows: 4, cols: 8 };

/** The window of the story without a matrix argument. */
const EXAMPLE = fromRows(
  [
    [
      [0, 1],
      [3, -0.5],
      [7, 2],
    ],
    [],
    [[2, 0.25]],
    [
      [0, 3],
      [1, 1.5],
      [2, -1],
      [5, 4],
    ],
  ],
  8,
);

/** The results of testing the laws of a custom format, as lines, and whether all laws are satisfied. */
export async function lawLines(
  runners: Runners,
  setup: ModuleSetup,
): Promise<{ readonly lines: readonly string[]; readonly isCorrect: boolean }> {
  const report = await testLaws(runners, setup, { now: () => performance.now(), shrinkMs: 1000 });
  const { laws, matrices, refused: rejections } = report;
  const lines = [`Laws, on ${matrices} matrices`, ...laws.flatMap(linesOfLaw)];
  if (rejections.length > 0) {
    lines.push(`  -       Does not support ${rejections.length}`);
    for (const { name, reason } of rejections.slice(0, 5)) lines.push(`          ${name}: ${reason}`);
  }
  return {
    lines,
    isCorrect:
      laws.every(({ broken }) => broken === null) &&
      laws.some(({ tried }) => tried > 0) &&
      rejections.length < matrices,
  };
}

function linesOfLaw({ title, passed, tried, broken }: LawReport['laws'][number]): readonly string[] {
  const mark = broken ? 'broken' : tried === 0 ? '-' : 'kept';
  const line = `  ${mark.padEnd(7)} ${title.padEnd(30)} ${tried === 0 ? '' : `${passed} of ${tried}`}`.trimEnd();
  if (!broken) return [line];
  const { matrix, why, shrinkTries: tries, name } = broken;
  const cells = toRows(matrix).flatMap((row, r) =>
    row.map(([column, value]) => `(${r}, ${column}) ${shortestF32(value)}`),
  );
  const printed = cells.length > MAX_PRINTED ? [...cells.slice(0, MAX_PRINTED), '...'] : cells;
  const origin = tries > 0 ? `made of '${name}' in ${tries} tries` : `'${name}'`;
  return [
    line,
    `          ${why}`,
    ...(broken.line > 0 && !why.includes(`line ${broken.line}`) ? [`          Line ${broken.line}.`] : []),
    `          on ${matrix.rows} × ${matrix.cols}, ${origin}: ${printed.join(', ') || 'no non-zero'}`,
  ];
}

/** The bytes of an encoded matrix as lines, array by array. */
export function ledgerLines(ledger: StorageLedger, nnz: number): readonly string[] {
  // bounded: a module declares at most 16 arrays
  const width = Math.max(...ledger.entries.map(({ array }) => array.length));
  const bitsPerNonZero = nnz === 0 ? '' : `, ${((8 * ledger.totalBytes) / nnz).toFixed(2)} bits for each non-zero`;
  return [
    `Bytes: ${ledger.totalBytes}, ${ledger.effectiveDensity.toFixed(4)} of dense${bitsPerNonZero}`,
    ...ledger.entries.map(({ array, dtype, length, bytes }) =>
      `  ${array.padEnd(width)}  ${dtype.padEnd(4)} ${String(length).padStart(9)} ${String(bytes).padStart(10)} B`.trimEnd(),
    ),
    `  ${BYTE_CLASSES.map((byteClass) => `${byteClass} ${ledger.totalBits[byteClass] / 8} B`).join(', ')}`,
  ];
}

/** The bytes of a whole matrix as lines, and whether decode returns it, or the format rejects it. */
export async function matrixLines(
  runners: Runners,
  setup: ModuleSetup,
  matrix: Matrix,
): Promise<{ readonly lines: readonly string[]; readonly isCorrect: boolean }> {
  const encoding = await requestEncoding(runners.encoder, setup, matrix, 'nothing');
  if (encoding.kind !== 'done')
    return { lines: [`Not supported: ${reasonOf(encoding)}`], isCorrect: encoding.kind === 'refused' };
  const decoded = await requestDecoding(runners.decoder, setup, encoding.result, matrix);
  const difference = decoded.kind === 'done' ? decodingDifference(matrix, setup, decoded.result) : null;
  const lines = [...ledgerLines(ledgerOfEncoding(encoding.result, matrix.rows, matrix.cols), matrix.nnz)];
  if (decoded.kind !== 'done') lines.push(`It does not come back: ${reasonOf(decoded)}`);
  else if (difference) {
    const { row, col, actual, expected } = difference;
    lines.push(`Row ${row}, column ${col} comes back as ${actual}, expected ${expected}`);
  } else lines.push('It comes back, bit for bit.');
  return { lines, isCorrect: decoded.kind === 'done' && difference === null };
}

/** The story of the first cells of a matrix, a line for each step. */
export async function storyLines(
  runners: Runners,
  setup: ModuleSetup,
  matrix: Matrix | null,
  text: string,
): Promise<readonly string[]> {
  const size = matrix && { rows: Math.min(WINDOW.rows, matrix.rows), cols: Math.min(WINDOW.cols, matrix.cols) };
  const window = matrix && size ? subMatrix(matrix, { row: 0, col: 0, ...size }) : EXAMPLE;
  const outcome = await encodeAndDecode(runners, setup, window, true);
  if (outcome.kind !== 'done') return [`Story: none, ${reasonOf(outcome)}`];
  const { description, params } = setup;
  const story = userFormatStory({ name: 'own', text, description, resultOf: () => outcome });
  const trace = story.trace(window, params);
  return [
    `Story, on ${window.rows} × ${window.cols}${matrix ? ', the first cells' : ''}`,
    ...trace.chapters.flatMap(({ title, firstStep, stepCount }) => [
      `  ${title}`,
      ...Array.from({ length: stepCount }, (_, i) => {
        const step = firstStep + i + 1;
        return `  ${String(step).padStart(4)}  ${narrationText(story.scene(trace, step))}`;
      }),
    ]),
  ];
}
