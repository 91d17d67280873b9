// Fuzz target for report files: mutated benchmark reports are rejected with a message, or shown and exported without loss.

import {
  blockReport,
  deltaReport,
  gemmReport,
  liftingReport,
  patternReport,
  REPORT,
  SOFTWARE_REPORT,
  sweepReport,
} from '../../test/reports.ts';
import { ReadError } from '../../src/core/errors.ts';
import type { Random } from '../../src/core/number/random.ts';
import { reportsToCsv } from '../../src/core/reports/report-csv.ts';
import { reportsToJson } from '../../src/state/index.ts';
import { parseReports } from '../../src/core/reports/report-check.ts';
import { type Json, JSON_PIECES, mutatedJson, nestedLists, smallerJson } from '../json.ts';
import { mutatedText, pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS, stackOf } from '../target.ts';
import { errorFault } from '../words.ts';
import { viewAll } from './views.ts';

/** Valid report files, one of each kind of operation, which mutations start from. */
const ORIGINALS: readonly string[] = [
  [REPORT],
  [SOFTWARE_REPORT],
  [sweepReport(0.1, 2), sweepReport(0.3, 1.4), sweepReport(0.7, 0.8)],
  [deltaReport({ 1: 0.9, 2: 1.2, 4: 1.5 })],
  [patternReport({ 2: 1.4, 3: 1.2, 4: 1.1 })],
  [gemmReport(1, 1.2), gemmReport(16, 1.1), gemmReport(256, 0.9)],
  [liftingReport(1, 1.1), liftingReport(64, 1.2)],
  [
    blockReport('forward', 30, 2),
    blockReport('forward', 240, 0.9),
    blockReport('gate', 30, 1.5),
    blockReport('gate', 60, 1),
  ],
].map(reportsToJson);

/** Values that mutations put into a report. */
const HOSTILE_VALUES: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  (random) => pick(random, [0, -0, -1, 1, 0.5, 1e-320, 5e-324, 1e308, 2 ** 53, 2 ** 53 + 2, 2 ** 31, 1e21, 101, 1e100]),
  (random) =>
    pick(random, [
      '',
      'NaN',
      'Infinity',
      'any',
      'unwritten',
      '__proto__',
      '=1+1',
      ' @a',
      '\t=1',
      'a\n-b\t;"',
      '\r\n+1',
      '<img src=x>',
      '\u202e',
      'x'.repeat(5000),
    ]),
  (random) =>
    pick(random, [
      'spmv',
      'gemm',
      'quantise',
      'forward',
      'gate',
      'dense',
      'slidesparse',
      'toString',
      'cold',
      'gpu',
      'f16',
    ]),
  (random) =>
    pick(random, ['2026-01-01', '+275760-09-13T00:00:00Z', '0000', 'Thu, 01 Jan 1970', '-000001-01-01T00:00:00Z']),
  (random) => random.below(2) === 0,
  (random) => Array.from({ length: pick(random, [1, 2, 300, 20_000]) }, () => pick(random, [0, 1, 1e9, 5e-324])),
  (random) => Array.from({ length: 3 }, () => (random.below(2) === 0 ? null : { row: 1 })),
  (random) => nestedLists(pick(random, [3, 200])),
];

/** Texts that mutations insert. */
const PIECES = [...JSON_PIECES, 'e', '.'];

/** The text of a valid report file with random changes, of its values or of its characters. */
function randomReport(random: Random): string {
  const original = pick(random, ORIGINALS);
  if (random.below(6) === 0) return mutatedText(random, original, PIECES);
  return JSON.stringify(mutatedJson(random, JSON.parse(original) as Json, HOSTILE_VALUES));
}

/** Imports a file, renders its reports, and exports them as CSV and JSON; null if no law is broken. */
function check(text: string): Fault | null {
  let reports;
  try {
    reports = parseReports('report.json', text);
  } catch (error) {
    return errorFault(error, ReadError);
  }
  try {
    viewAll(reports);
  } catch (error) {
    return { law: 'an imported report renders without an error', message: stackOf(error) };
  }
  const fault = csvFault(reportsToCsv(reports));
  if (fault) return fault;
  const written = reportsToJson(reports);
  const exportedAgain = reportsToJson(parseReports('report.json', written));
  return exportedAgain === written
    ? null
    : { law: 'an exported report is imported unchanged', message: written.slice(0, 300) };
}

/** Longest CSV text that is checked, in characters: every cell of it is parsed. */
const MAX_CSV_LENGTH = 2 ** 17;

/** The cells of a CSV table. An independent parser of RFC 4180, which shares no code with the application's export. */
function cellsOf(csv: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, unquoted, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy)) {
    if (end === '') break;
    line.push(quoted === undefined ? unquoted : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** Checks that all lines have the same number of cells, and that no cell begins like a formula of a spreadsheet. */
function csvFault(csv: string): Fault | null {
  // A longer table repeats lines that differ only in their last two numbers.
  if (csv.length > MAX_CSV_LENGTH) return null;
  const [head, ...lines] = cellsOf(csv);
  const lastEnd = csv.lastIndexOf('\r\n');
  const unevenLine = lines.find((line) => line.length !== head.length);
  if (unevenLine || lastEnd !== csv.length - 2)
    return { law: 'a table has its columns in every line', message: String(unevenLine) };
  const formula = lines.flat().find((cell) => /^\s*[=+\-@]|^[\t\r\n]/.test(cell) && !Number.isFinite(Number(cell)));
  return formula === undefined ? null : { law: 'a spreadsheet runs no cell', message: JSON.stringify(formula) };
}

/** Report files with hostile contents. */
export const reportsTarget = defineTarget<string>({
  id: 'reports',
  unit: 'reports',
  share: 0.1,
  maxSteps: SILENT_STEPS,
  generate: randomReport,
  check,
  smaller: smallerJson,
  toJson: (text) => text,
  fromJson: String,
});
