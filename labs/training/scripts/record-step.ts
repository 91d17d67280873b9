// Records the times of a training step on this machine's GPU, for the page.

import { writeFileSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import { ArgumentError, numberIn, readArguments, runProgram } from '../../../scripts/command-line.ts';
import { bench } from '../../../src/engine/bench-service.ts';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { servicesOver } from '../../../src/engine/bridge/service.ts';
import { createHost } from '../../../src/engine/host.ts';
import { formats } from '../../../src/formats/registry.ts';
import { nodeGpu } from '../../../src/lib/device.ts';
import { measureStep } from '../page/measure-step.ts';
import { type TrainingService, trainingService } from '../page/service/service.ts';
import { STEP_NON_ZEROS, STEP_SHAPE, type StepRun } from '../theory/step.ts';
import { CommandLineJob } from '../../../bench/measure.ts';
import { checkOutput } from '../../../bench/output-file.ts';
import { nodeRuntime } from '../../../bench/node-gpu.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from '../../../bench/tuning-file.ts';

const USAGE = `Usage: node scripts/run.mjs labs/training/scripts/record-step.ts FILE [TOKENS WIDTH HIDDEN MEAN ROUNDS]

Measures the training step of the place Training on the GPU of this machine, and writes the result that the page shows before
anyone measures.`;

async function main(argv: readonly string[]): Promise<number> {
  const [file, ...numbers] = readArguments({}, argv).operands;
  if (file === undefined) throw new ArgumentError('found no file, expected one for the result');
  const wrong = numbers.find((text, i) => i > 4 || !(numberIn(text) > 0));
  if (wrong !== undefined)
    throw new ArgumentError(`found '${wrong}', expected at most five numbers above 0 after the file`);
  checkOutput('FILE', file);
  const { tokens, width, hidden } = STEP_SHAPE;
  const [rows = tokens, columns = width, neurons = hidden, mean, rounds] = numbers.map(Number);
  const host = createHost({
    app: `sparsescope ${packageJson.version}`,
    runtime: nodeRuntime(),
    gpu: await nodeGpu(),
    isSecure: true,
    formats,
    tuning: { ...tuningFile(TUNING_FILE), forget: async () => forgetTuning(TUNING_FILE) },
    fetch,
    now: () => performance.now(),
    pause: () => new Promise((resolve) => void setImmediate(resolve)),
  });
  const progressLine = new CommandLineJob();
  const job = new ServiceJob(host, (progress) => progressLine.report(progress));
  const methods: Readonly<Record<string, object>> = {
    training: await trainingService.methods(host),
    bench: await bench.methods(host),
  };
  // Calls the services on this thread, where the page would call them in its worker.
  const services = servicesOver(async ({ service, method, args }) => {
    const serviceMethods = methods[service] as Readonly<
      Record<string, (job: ServiceJob, ...args: readonly unknown[]) => unknown>
    >;
    return serviceMethods[method](job, ...args); // bounded: arguments of one call
  });
  const save = (run: StepRun): void =>
    writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), ...run }, null, 1)}\n`);
  const work = measureStep(
    { training: services.service<TrainingService>('training'), bench: services.service<typeof bench>('bench') },
    { tokens: rows, width: columns, hidden: neurons },
    mean === undefined ? STEP_NON_ZEROS : [mean],
    rounds,
  );
  // A request that nothing cancels or replaces, and without earlier answers.
  const watch = { isCurrent: true, signal: new AbortController().signal, generation: 0, show: () => {} };
  const run = await work(
    { ...watch, onProgress: () => {}, current: (answer) => answer },
    { lastOfSameKey: null, lastOfAnyKey: null, update: save },
  );
  save(run);
  progressLine.clear();
  for (const { mean: at, attempts, kept, parts } of run.points) {
    console.log(JSON.stringify({ on: run.on, at, attempts, kept, parts }));
  }
  return run.points.length > 0 ? 0 : 1;
}

// Not process.exitCode: the device keeps the process alive.
process.exit(await runProgram('step', USAGE, main));
