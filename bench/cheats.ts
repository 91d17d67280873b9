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
 * Tries on the GPU of this machine every draft that leaves work out while it is timed, and its honest twin:
 * `node scripts/run.mjs bench/cheats.ts --runs 64,512 --tries 12`. A line for each: how often it was rejected and
 * accepted, samples that were compared for each that was timed, and its time as a share of its twin's. Each try has
 * other inputs and other checks. Ends with 1 if a draft that has to be rejected was accepted, or one that computes in
 * every run was rejected.
 */

const OPTIONS = {
  runs: { value: 'N,...', help: 'of a sample                             (default 64,512)' },
  tries: { value: 'N', help: 'of each draft                           (default 12)' },
} as const satisfies Options;

const USAGE = `Usage: node scripts/run.mjs bench/cheats.ts [option value]...

${optionsHelp(OPTIONS)}`;

/** Some drafts count to 1000, and a sample may have an eighth more runs. */
const MAX_RUNS = 800;

/** The results of the tries of one kernel. */
interface Tally {
  refused: number;
  accepted: number;
  timed: number;
  looks: number;
  readonly ns: number[];
}

function add(tally: Tally, { verified, samplesNs }: BenchRow): void {
  if (verified.ok) tally.accepted++;
  else tally.refused++;
  tally.looks += verified.checkedWhileTimed ?? 0;
  tally.timed += samplesNs.length;
  if (samplesNs.length > 0) tally.ns.push(median(samplesNs));
}

/** Times every draft and its twin as often as requested, and returns the verdicts of each, by id. */
async function tally(
  context: GpuContext,
  all: readonly Cheat[],
  runs: number,
  tries: number,
): Promise<(id: string) => Tally> {
  const kernels = all.flatMap(({ draft, honest }) => [draft, honest]);
  const tallies = new Map(
    kernels.map(({ id }): [string, Tally] => [id, { refused: 0, accepted: 0, timed: 0, looks: 0, ns: [] }]),
  );
  const byMatrix = new Map<Matrix, KernelSpec<ToyEncoded>[]>();
  for (const { matrix, draft, honest } of all) {
    byMatrix.set(matrix, [...(byMatrix.get(matrix) ?? []), draft, honest]);
  }
  for (let i = 0; i < tries; i++) {
    for (const [matrix, those] of byMatrix) {
      const { rows, refused } = await race(context, those, matrix, { sampleRuns: runs });
      for (const { kernel, reason } of refused) throw new Error(`${kernel} did not run: ${reason}`);
      for (const row of rows) {
        const own = tallies.get(row.kernel);
        if (own) add(own, row);
      }
    }
  }
  return (id: string): Tally => tallies.get(id) ?? { refused: 0, accepted: 0, timed: 0, looks: 0, ns: [] };
}

/** The table, and how many drafts and twins had another verdict than expected. */
function tableOf(all: readonly Cheat[], of: (id: string) => Tally): { text: string; unexpected: number } {
  let unexpected = 0;
  const rows = all.map(({ id, verdict, draft, honest }) => {
    const [mine, twin] = [of(draft.id), of(honest.id)];
    const wrong = (verdict === 'refused' ? mine.accepted : mine.refused) + twin.refused;
    unexpected += wrong;
    const share = mine.ns.length > 0 && twin.ns.length > 0 ? (median(mine.ns) / median(twin.ns)).toFixed(2) : '-';
    const looks = twin.timed > 0 ? (twin.looks / twin.timed).toFixed(2) : '-';
    const verdicts = [mine, twin].flatMap(({ refused, accepted }) => [String(refused), String(accepted)]);
    return [id, verdict, ...verdicts, looks, share, wrong > 0 ? 'UNEXPECTED' : ''];
  });
  const heads = ['draft', 'expected', 'refused', 'accepted', 'twin refused', 'twin accepted', 'looks', 'time', ''];
  const widths = heads.map((head, i) => largest([head.length, ...rows.map((row) => row[i].length)]));
  const lines = [heads, ...rows].map((row) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
  return { text: lines.join('\n'), unexpected };
}

/** Whole numbers from 1 to `max`; null if others are given. */
function numbers(text: string, max: number): readonly number[] | null {
  const all = text.split(',').map(numberIn);
  return all.every((n) => Number.isInteger(n) && n >= 1 && n <= max) ? all : null;
}

async function main(argv: readonly string[]): Promise<number> {
  const given = readArguments(OPTIONS, argv);
  rejectOperands(given);
  const [runs, count] = [given.value('runs') ?? '64,512', given.value('tries') ?? '12'];
  const [settings, tries] = [numbers(runs, MAX_RUNS), numbers(count, 1000)];
  if (!settings) throw new ArgumentError(`--runs: found '${runs}', expected whole numbers from 1 to ${MAX_RUNS}`);
  if (tries?.length !== 1) throw new ArgumentError(`--tries: found '${count}', expected a whole number from 1 to 1000`);
  const context = await openNodeDevice();
  const { adapter } = context.environment;
  let unexpected = 0;
  for (const runs of settings) {
    const all = cheats(runs);
    const table = tableOf(all, await tally(context, all, runs, tries[0]));
    console.log(`${adapter.description || adapter.device}, ${runs} runs a sample, ${tries[0]} tries\n${table.text}\n`);
    unexpected += table.unexpected;
  }
  console.log(unexpected === 0 ? 'all verdicts as expected' : `${unexpected} verdicts were not as expected`);
  context.destroy();
  return unexpected === 0 ? 0 : 1;
}

// Not process.exitCode: the device keeps the process alive.
process.exit(await runProgram('cheats', USAGE, main));
