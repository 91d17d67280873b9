// `npm run record`: measures the plan of a recording on a GPU in several calls, and packs the reports into one file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CancelledError, SparseScopeError } from '../../src/core/errors.ts';
import { quotedWords } from '../../src/core/error-messages.ts';
import type { Job } from '../../src/core/job.ts';
import { recordingId } from './pack-recording.ts';
import { formats } from '../../src/formats/registry.ts';
import {
  ArgumentError,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
  runProgram,
} from '../../scripts/command-line.ts';
import { kernelHashes } from '../../scripts/kernel-plans.ts';
import { CommandLineJob, measureRun, OpenDevice } from '../measure.ts';
import { SavedReports } from './saved-reports.ts';
import { minutesText, partOf, PLAN, planText, secondsIn, type Step, stepOf } from './plan.ts';
import { stepsAtOnce, prepareAhead, prepareHere, serveAsThread } from './prepare-steps.ts';

/** The commit of the sources, which bench/vite.config.ts inserts. */
declare const SOURCE_COMMIT: string;

const OPTIONS = {
  device: { value: 'NAME', help: "of the GPU, as figures will be labelled: 'NVIDIA H200'" },
  driver: { value: 'TEXT', help: 'its version                               (default: as the driver reports)' },
  part: { value: 'I/N', help: 'only this part of the plan, for several calls or machines' },
  minutes: { value: 'N', help: 'stop before it lasts longer                       (default 8)' },
  out: { value: 'FOLDER', help: 'what is kept                              (default .cache/recordings/NAME)' },
  ahead: { value: 'N', help: 'matrices prepared at once, before they are timed  (default: by threads and memory)' },
  lines: { value: 'FILE', help: 'instead of the plan: the options of sparsescope bench on each line' },
  plan: { help: 'print the plan with its duration, measure nothing' },
  pack: { help: 'put together what FOLDER keeps, measure nothing' },
} as const satisfies Options;

const USAGE = `Usage: sparsescope record --device NAME [option value]...

Measures what a recording of a device holds. Keeps every report; call it again to go on where it stopped.

${optionsHelp(OPTIONS)}

Writes FOLDER/raw.jsonl, every report with its samples, and FOLDER/recording.json, the file to hand in.
Exits with 1 when a kernel is wrong or does not compile, or nothing was measured; with 2 when the command line is wrong.`;

interface RecordArguments {
  readonly device: string | null;
  readonly driver: string | null;
  readonly part: readonly [number, number];
  readonly minutes: number;
  readonly matricesAtOnce: number | null;
  readonly out: string | null;
  readonly lines: string | null;
  readonly mode: 'measure' | 'plan' | 'pack';
}

/** Parses the command line. Throws ArgumentError. */
function parse(argv: readonly string[]): RecordArguments {
  const args = readArguments(OPTIONS, argv);
  rejectOperands(args);
  if (args.has('plan') && args.has('pack'))
    throw new ArgumentError('--pack: found it with --plan, expected one of them');
  const mode = args.has('plan') ? 'plan' : args.has('pack') ? 'pack' : 'measure';
  const part = /^([1-9]\d?)\/([1-9]\d?)$/.exec(args.value('part') ?? '1/1');
  if (!part || Number(part[1]) > Number(part[2])) {
    throw new ArgumentError(`--part: found '${args.value('part')}', expected I/N with I from 1 to N, such as 1/3`);
  }
  const minutes = numberIn(args.value('minutes') ?? '8');
  if (!(minutes > 0 && minutes <= 600)) {
    throw new ArgumentError(`--minutes: found '${args.value('minutes')}', expected a number above 0, at most 600`);
  }
  const aheadText = args.value('ahead') ?? null;
  if (aheadText !== null && !/^[1-9]\d?$/.test(aheadText)) {
    throw new ArgumentError(`--ahead: found '${aheadText}', expected a whole number from 1 to 99`);
  }
  const device = args.value('device')?.trim() ?? null;
  if (mode !== 'plan' && (device === null || device === '' || device.length > 80)) {
    throw new ArgumentError(`--device: found '${device ?? ''}', expected the name of the GPU in 1 to 80 letters`);
  }
  return {
    device,
    driver: args.value('driver') ?? null,
    part: [Number(part[1]), Number(part[2])],
    minutes,
    matricesAtOnce: aheadText === null ? null : Number(aheadText),
    out: args.value('out') ?? null,
    lines: args.value('lines') ?? null,
    mode,
  };
}

/** The lines of the file of --lines. Throws ArgumentError if it cannot be read. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    throw new ArgumentError(`--lines: found '${path}', expected a file that can be read (${quotedWords(error)})`);
  }
}

/** The steps to measure: those of the plan, or of the file of --lines. Throws ArgumentError if there are none. */
function stepsOf({ lines, part }: RecordArguments): readonly Step[] {
  const fileLines = lines === null ? null : linesOf(lines);
  const all =
    fileLines === null ? PLAN : fileLines.filter((line) => line.trim() !== '').map((line) => stepOf(line.trim()));
  const [index, count] = part;
  const steps = partOf(all, index, count);
  if (steps.length === 0) {
    throw new ArgumentError(
      all.length === 0
        ? `--lines: found no line in '${lines}', expected at least one`
        : `--part: found no step in ${index}/${count} of ${all.length}, expected at least one`,
    );
  }
  return steps;
}

/** Options of `measureSteps`. */
interface MeasureOptions {
  readonly saved: SavedReports;
  readonly device: OpenDevice;
  readonly job: Job;
  /** matrices to prepare at once; null: as many as threads and memory allow */
  readonly matricesAtOnce: number | null;
  /** when to stop, by performance.now() */
  readonly endMs: number;
}

/** A step is assumed to take at least this share of its predicted time, however fast the steps before it were. */
const MIN_PACE = 0.5;

/** Consecutive failed steps after which the device is assumed to be the cause, and the program ends. */
const MAX_FAILURES = 3;

/** Measures steps until the time is over. A step that fails is printed and left out; their number is returned. */
async function measureSteps(
  steps: readonly Step[],
  { saved, device, job, matricesAtOnce, endMs }: MeasureOptions,
): Promise<{ readonly failedSteps: number }> {
  let [consecutiveFailures, failedSteps] = [0, 0];
  for (let begun = 0; begun < steps.length;) {
    const remaining = steps.slice(begun);
    const batch = remaining.slice(0, matricesAtOnce ?? stepsAtOnce(remaining));
    begun += batch.length;
    // Matrices of several steps are prepared on threads, before any of these steps is timed; null: to be prepared here.
    const startMs = performance.now();
    const prepared = batch.length === 1 ? [null] : await prepareAhead(batch, fileURLToPath(import.meta.url));
    const preparationSeconds = (performance.now() - startMs) / 1000 / batch.length;
    if (batch.length > 1) {
      console.log(`${batch.length} matrices prepared in ${(preparationSeconds * batch.length).toFixed(1)} s`);
    }
    for (const [i, step] of batch.entries()) {
      // A step that may not end in time is not begun.
      const remainingSeconds = (endMs - performance.now()) / 1000;
      if (step.seconds * Math.max(MIN_PACE, saved.pace) > remainingSeconds) return { failedSteps };
      const stepStartMs = performance.now();
      try {
        const report = await measureRun(step.run, step.options, prepared[i] ?? prepareHere(step, job), device, job);
        const seconds = (performance.now() - stepStartMs) / 1000 + (prepared[i] === null ? 0 : preparationSeconds);
        saved.add(step, report, seconds);
        consecutiveFailures = 0;
        const correct = report.rows.filter(({ verified }) => verified.ok).length;
        const counts = `${correct} of ${report.rows.length} kernels right, ${report.refused.length} not run`;
        console.log(`${seconds.toFixed(1).padStart(6)} s of ${step.seconds}: ${counts}: ${step.line}`);
      } catch (error) {
        if (error instanceof CancelledError || !(error instanceof Error)) throw error;
        // The next step opens the device anew.
        if (++consecutiveFailures === MAX_FAILURES) throw error;
        failedSteps++;
        console.log(`left out: ${error.message}: ${step.line}`);
        device.close();
      }
      // Its memory can be freed.
      prepared[i] = null;
    }
  }
  return { failedSteps };
}

async function main(argv: readonly string[]): Promise<number> {
  const options = parse(argv);
  const steps = stepsOf(options);
  if (options.mode === 'plan') {
    console.log(planText(steps));
    return 0;
  }
  const startMs = performance.now();
  const name = options.device ?? '';
  const folder = options.out ?? join('.cache', 'recordings', recordingId(name, '').replace('@', ''));
  const saved = new SavedReports(folder, SOURCE_COMMIT);
  const missingSteps = steps.filter((step) => !saved.has(step));
  const seconds = secondsIn(missingSteps) * saved.pace;
  console.log(
    `${steps.length - missingSteps.length} of ${steps.length} reports are in ${folder}; the others take about ${minutesText(seconds)}, and this call at most ${minutesText(60 * options.minutes)}`,
  );
  const job = new CommandLineJob();
  const device = new OpenDevice();
  let failedSteps = 0;
  if (options.mode === 'measure' && missingSteps.length > 0) {
    try {
      ({ failedSteps } = await measureSteps(missingSteps, {
        saved,
        device,
        job,
        matricesAtOnce: options.matricesAtOnce,
        endMs: startMs + 60_000 * options.minutes,
      }));
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
    }
  }
  job.clear();
  const { path, bytes, recording } = writeRecording(saved, steps, {
    name,
    driver: options.driver,
    hashes: kernelHashes(formats),
  });
  console.log(`${path}: ${recording.id}, ${recording.reports.length} reports, ${Math.ceil(bytes / 1024)} KiB`);
  const unmeasured = steps.filter((step) => !saved.has(step)).length;
  if (unmeasured > 0 && options.mode === 'measure') {
    console.log(
      `${missingSteps.length - unmeasured} measured, ${unmeasured} left: run the same command again to go on`,
    );
  }
  if (options.mode === 'measure' && missingSteps.length > 0 && unmeasured === missingSteps.length) {
    console.error(`record: found no step that was measured, expected one in ${options.minutes} minutes`);
    return 1;
  }
  const hasFailedKernel = recording.reports.some(({ refused: rejected }) => rejected.some(({ failed }) => failed));
  return hasFailedKernel || failedSteps > 0 ? 1 : 0;
}

/** Writes the recording. Throws SparseScopeError if nothing was timed. */
function writeRecording(
  saved: SavedReports,
  ...metadata: Parameters<SavedReports['write']>
): ReturnType<SavedReports['write']> {
  try {
    return saved.write(...metadata); // bounded: the parameters of a function
  } catch (error) {
    if (error instanceof RangeError) throw new SparseScopeError(error.message);
    throw error;
  }
}

// Not process.exitCode: the device keeps the process alive.
if (!serveAsThread()) process.exit(await runProgram('record', USAGE, main));
