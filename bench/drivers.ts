/**
 * `node scripts/run.mjs bench/drivers.ts`: runs every kernel on each Vulkan driver installed here, in separate processes,
 * and prints which of them are correct.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { driverEnvironment, findFile, swiftShaderFile } from '../scripts/software-gpu.mjs';
import { type ExactPair, exactPairs } from '../test/exact-products.ts';
import { type KernelOutcome, runKernels } from '../test/kernels-on-device.ts';
import { formats } from '../src/formats/registry.ts';
import { NoDeviceError } from '../src/gpu/index.ts';
import { driversTable, type DriverRun } from './drivers-table.ts';
import { openNodeDevice } from './node-gpu.ts';

/** A Vulkan driver. */
interface Driver {
  readonly name: string;
  /** its ICD file; null if it is not installed, and for the driver of the machine's GPU */
  readonly file: string | null;
  /** how to install it */
  readonly remedy: string;
}

/** Folders in which packages install drivers. */
const DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d'];

/** The drivers to test, with their files if they are installed. */
function knownDrivers(): readonly Driver[] {
  return [
    {
      name: 'SwiftShader',
      file: swiftShaderFile(),
      remedy: 'it comes with Chromium',
    },
    {
      name: 'lavapipe',
      file: findFile(DRIVER_FOLDERS, /^lvp_icd.*\.json$/),
      remedy: 'apt-get install -t bookworm-backports mesa-vulkan-drivers',
    },
    { name: 'own GPU', file: null, remedy: 'a GPU with a Vulkan driver' },
  ];
}

/** Environment variable that tells the child process which driver to test. */
const DRIVER_VARIABLE = 'SPARSESCOPE_DRIVER';

/**
 * Runs all kernels on the driver of this process: with all features, then with the minimum. Returns no runs if the driver
 * simulates a GPU although `needsGpu`.
 */
async function runInThisProcess(needsGpu: boolean): Promise<readonly DriverRun[]> {
  const runs: DriverRun[] = [];
  for (const minimum of [false, true]) {
    const context = await openNodeDevice({ minimum });
    if (needsGpu && context.facts.isFallback) return [];
    const outcomes: KernelOutcome[] = [];
    const exact: ExactPair[] = [];
    for (const format of formats) {
      for (const outcome of await runKernels(context, format)) outcomes.push(outcome);
      for (const pair of await exactPairs(context, format)) exact.push(pair);
    }
    const { adapter } = context.environment;
    runs.push({
      device: adapter.description || adapter.device || adapter.vendor,
      limits: minimum ? 'minimum' : 'all',
      subgroups: context.facts.subgroupMaxSize,
      outcomes,
      exact,
    });
    context.destroy();
  }
  return runs;
}

/** Runs all kernels in a child process, since a process can only use one driver. Returns a message if the process failed. */
function runInChild({ name, file }: Driver): readonly DriverRun[] | string {
  const env = {
    ...process.env,
    [DRIVER_VARIABLE]: name,
    ...(file === null ? {} : driverEnvironment(file)),
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return JSON.parse(stdout) as DriverRun[];
  return `ended with ${String(status)}: ${stderr.trim().split('\n').at(-1) ?? ''}`;
}

/** The main function of the child process: prints its runs as JSON, none without a device. */
async function childMain(name: string): Promise<number> {
  try {
    process.stdout.write(JSON.stringify(await runInThisProcess(name === 'own GPU')));
    return 0;
  } catch (error) {
    if (!(error instanceof NoDeviceError)) throw error;
    process.stdout.write('[]');
    return 0;
  }
}

/** Tests all drivers and prints a table. Returns the exit code. */
function main(): number {
  const rows: DriverRun[] = [];
  let hasFailedChild = false;
  for (const driver of knownDrivers()) {
    const isInstalled = driver.file !== null || driver.name === 'own GPU';
    const runs = isInstalled ? runInChild(driver) : [];
    if (typeof runs === 'string') {
      console.log(`${driver.name}: ${runs}`);
      hasFailedChild = true;
    } else if (runs.length === 0) console.log(`${driver.name}: skipped, not found (${driver.remedy})`);
    else for (const run of runs) rows.push(run);
  }
  console.log(`\n${driversTable(rows)}`);
  // A driver on which no kernel is correct counts as wrong.
  const isWrong = rows.some(
    ({ outcomes, exact }) =>
      outcomes.some(({ outcome }) => outcome === 'wrong') ||
      !outcomes.some(({ outcome }) => outcome === 'right') ||
      exact.some(({ unequal }) => unequal > 0),
  );
  return hasFailedChild || isWrong || rows.length === 0 ? 1 : 0;
}

const childDriver = process.env[DRIVER_VARIABLE];
// Not process.exitCode: the device keeps the process alive.
const code = childDriver === undefined ? main() : await childMain(childDriver);
process.stdout.write('', () => process.exit(code));
