import { writeFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { SparseScopeError } from '../../src/core/errors.ts';
import { bench } from '../../src/engine/bench-service.ts';
import { ServiceJob } from '../../src/engine/bridge/job.ts';
import { servicesOver } from '../../src/engine/bridge/service.ts';
import { createHost } from '../../src/engine/host.ts';
import { formats } from '../../src/formats/registry.ts';
import { nodeGpu } from '../../src/lib/device.ts';
import { measureStep } from '../../src/labs/training/place/measure-step.ts';
import { type TrainingService, trainingService } from '../../src/labs/training/place/service/service.ts';
import { STEP_NON_ZEROS, STEP_SHAPE, type StepRun } from '../../src/labs/training/theory/step.ts';
import { CommandLineJob } from '../../bench/measure.ts';
import { nodeRuntime } from '../../bench/node-gpu.ts';
import { forgetTuning, TUNING_FILE, tuningFile } from '../../bench/tuning-file.ts';

/**
 * `node scripts/run.mjs scripts/training/record-step.ts FILE [TOKENS WIDTH HIDDEN MEAN ROUNDS]`: measures the training step of the
 * place Training on the GPU of this machine, and writes the result that the page shows before anyone measures.
 */
async function main([file, ...numbers]: readonly string[]): Promise<void> {
  if (file === undefined) throw new SparseScopeError('found no file, expected one for the result');
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
  const line = new CommandLineJob();
  const job = new ServiceJob(host, (progress) => line.report(progress));
  const methods: Readonly<Record<string, object>> = {
    training: await trainingService.methods(host),
    bench: await bench.methods(host),
  };
  const services = servicesOver(async ({ service, method, args }) => {
    const called = methods[service] as Readonly<
      Record<string, (job: ServiceJob, ...args: readonly unknown[]) => unknown>
    >;
    return called[method](job, ...args); // bounded: arguments of one call
  });
  const keep = (run: StepRun): void =>
    writeFileSync(file, `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), ...run }, null, 1)}\n`);
  const work = measureStep(
    { training: services.service<TrainingService>('training'), bench: services.service<typeof bench>('bench') },
    { tokens: rows, width: columns, hidden: neurons },
    mean === undefined ? STEP_NON_ZEROS : [mean],
    rounds,
  );
  const watch = { isCurrent: true, signal: new AbortController().signal, generation: 0, show: () => {} };
  const run = await work(
    { ...watch, onProgress: () => {}, current: (answer) => answer },
    { lastOfSameKey: null, lastOfAnyKey: null, update: keep },
  );
  keep(run);
  line.clear();
  for (const { mean: at, attempts, kept, parts } of run.points) {
    console.log(JSON.stringify({ on: run.on, at, attempts, kept, parts }));
  }
}

try {
  // Not process.exitCode: the device keeps the process alive.
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  if (!(error instanceof SparseScopeError)) throw error;
  console.error(`step: ${error.message}`);
  process.exit(1);
}
