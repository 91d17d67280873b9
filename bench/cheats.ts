import {
  ArgumentError,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
  runProgram,
} from '../scripts/command-line.ts';
import type { KernelSpec } from '../src/core/kernel/kernel.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import { largest, median } from '../src/core/number/statistics.ts';
import type { BenchRow } from '../src/core/report.ts';
import type { GpuContext } from '../src/gpu/index.ts';
import { type Cheat, cheats, race } from '../test/cheats.ts';
import type { ToyEncoded } from '../test/gpu.ts';
import { openNodeDevice } from './node-gpu.ts';

/**
 * Runs each cheating kernel (draft) and a correct control kernel on this GPU. Reports how often verification catches the
 * cheat: `node scripts/run.mjs bench/cheats.ts --runs 64,512 --tries 12`. A line for each cheat: how often it and its
 * control were rejected and accepted, samples of the control that were checked per timed sample, and the cheat's time
 * divided by the control's. Each try has other inputs and other checks. Exits with 1 if a cheat that has to be rejected
 * was accepted, or a kernel that computes in every run was rejected.
 */

const OPTIONS = {
  runs: { value: 'N,...', help: 'of a sample                             (default 64,512)' },
  tries: { value: 'N', help: 'of each draft                           (default 12)' },
} as const satisfies Options;

const USAGE = `Usage: node scripts/run.mjs bench/cheats.ts [option value]...

${optionsHelp(OPTIONS)}`;

/** Maximum of --runs. Some drafts count runs up to 1000, and a sample may have an eighth more runs than requested. */
const MAX_RUNS = 800;

/** The results of the tries of one kernel. */
interface Tally {
  rejected: number;
  accepted: number;
  timedSamples: number;
  checkedSamples: number;
  /** the median of each try that has samples */
  readonly medianNs: number[];
}

/** Adds the result of one try to the tally of its kernel. */
function add(tally: Tally, { verified, samplesNs }: BenchRow): void {
  if (verified.ok) tally.accepted++;
  else tally.rejected++;
  tally.checkedSamples += verified.checkedWhileTimed ?? 0;
  tally.timedSamples += samplesNs.length;
  if (samplesNs.length > 0) tally.medianNs.push(median(samplesNs));
}

/** Times every draft and its control kernel as often as requested; returns the tally of a kernel by its id. */
async function runTrials(
  context: GpuContext,
  all: readonly Cheat[],
  runs: number,
  tries: number,
): Promise<(id: string) => Tally> {
  const kernels = all.flatMap(({ draft, control }) => [draft, control]);
  const tallies = new Map(
    kernels.map(({ id }): [string, Tally] => [
      id,
      { rejected: 0, accepted: 0, timedSamples: 0, checkedSamples: 0, medianNs: [] },
    ]),
  );
  const byMatrix = new Map<Matrix, KernelSpec<ToyEncoded>[]>();
  for (const { matrix, draft, control } of all) {
    byMatrix.set(matrix, [...(byMatrix.get(matrix) ?? []), draft, control]);
  }
  for (let i = 0; i < tries; i++) {
    for (const [matrix, kernelsOfMatrix] of byMatrix) {
      const { rows, refused } = await race(context, kernelsOfMatrix, matrix, { sampleRuns: runs });
      for (const { kernel, reason } of refused) throw new Error(`${kernel} did not run: ${reason}`);
      for (const row of rows) {
        const tally = tallies.get(row.kernel);
        if (tally) add(tally, row);
      }
    }
  }
  return (id: string): Tally =>
    tallies.get(id) ?? { rejected: 0, accepted: 0, timedSamples: 0, checkedSamples: 0, medianNs: [] };
}

/** The table as text, and the number of verdicts that were not as expected. */
function tableOf(all: readonly Cheat[], tallyOf: (id: string) => Tally): { text: string; unexpected: number } {
  let unexpected = 0;
  const rows = all.map(({ id, verdict, draft, control }) => {
    const [draftTally, controlTally] = [tallyOf(draft.id), tallyOf(control.id)];
    const wrongVerdicts = (verdict === 'refused' ? draftTally.accepted : draftTally.rejected) + controlTally.rejected;
    unexpected += wrongVerdicts;
    const timeRatio =
      draftTally.medianNs.length > 0 && controlTally.medianNs.length > 0
        ? (median(draftTally.medianNs) / median(controlTally.medianNs)).toFixed(2)
        : '-';
    const checkedSamples =
      controlTally.timedSamples > 0 ? (controlTally.checkedSamples / controlTally.timedSamples).toFixed(2) : '-';
    const verdicts = [draftTally, controlTally].flatMap(({ rejected, accepted }) => [
      String(rejected),
      String(accepted),
    ]);
    return [id, verdict, ...verdicts, checkedSamples, timeRatio, wrongVerdicts > 0 ? 'UNEXPECTED' : ''];
  });
  const heads = [
    'draft',
    'expected',
    'refused',
    'accepted',
    'control refused',
    'control accepted',
    'checked',
    'time',
    '',
  ];
  const widths = heads.map((head, i) => largest([head.length, ...rows.map((row) => row[i].length)]));
  const lines = [heads, ...rows].map((row) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  return { text: lines.join('\n'), unexpected };
}

/** Parses whole numbers from 1 to `max`, separated by commas; null if a number is outside. */
function numbers(text: string, max: number): readonly number[] | null {
  const all = text.split(',').map(numberIn);
  return all.every((n) => Number.isInteger(n) && n >= 1 && n <= max) ? all : null;
}

async function main(argv: readonly string[]): Promise<number> {
  const given = readArguments(OPTIONS, argv);
  rejectOperands(given);
  const [runs, count] = [given.value('runs') ?? '64,512', given.value('tries') ?? '12'];
  const [runCounts, tries] = [numbers(runs, MAX_RUNS), numbers(count, 1000)];
  if (!runCounts) throw new ArgumentError(`--runs: found '${runs}', expected whole numbers from 1 to ${MAX_RUNS}`);
  if (tries?.length !== 1) throw new ArgumentError(`--tries: found '${count}', expected a whole number from 1 to 1000`);
  const context = await openNodeDevice();
  const { adapter } = context.environment;
  let unexpected = 0;
  for (const runs of runCounts) {
    const all = cheats(runs);
    const table = tableOf(all, await runTrials(context, all, runs, tries[0]));
    console.log(`${adapter.description || adapter.device}, ${runs} runs a sample, ${tries[0]} tries\n${table.text}\n`);
    unexpected += table.unexpected;
  }
  console.log(unexpected === 0 ? 'all verdicts as expected' : `${unexpected} verdicts were not as expected`);
  context.destroy();
  return unexpected === 0 ? 0 : 1;
}

// Not process.exitCode: the device keeps the process alive.
process.exit(await runProgram('cheats', USAGE, main));
