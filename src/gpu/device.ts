import { SparseScopeError } from '../core/errors.ts';
import { quotedWords } from '../core/error-messages.ts';
import type { DeviceFacts } from '../core/kernel/kernel.ts';
import {
  ROWS_FIRST,
  SUBGROUP_MATRIX,
  subgroupMatrixFeature,
  type SubgroupMatrixKind,
} from '../core/kernel/subgroup-matrix.ts';
import type { Environment } from '../core/report.ts';
import { threadPace } from '../core/pace.ts';
import { awaitGpu } from './waits.ts';

// Opens the GPU device, and notices when it is lost.

/** The device was lost while it was used, with everything on it; a new device can be opened. */
export class DeviceLostError extends SparseScopeError {
  override name = 'DeviceLostError';
}

/** No WebGPU device is available. */
export class NoDeviceError extends SparseScopeError {
  override name = 'NoDeviceError';

  constructor(message: string) {
    super(message);
    // The message says what to do. With the calls that led here, Node would print them and the source around.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Features that are requested if the adapter has them. */
const OPTIONAL_FEATURES = ['timestamp-query', 'subgroups', 'subgroup-size-control', 'shader-f16', SUBGROUP_MATRIX];

/** Limits that matter to compute kernels: the adapter's values are requested. */
const COMPUTE_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxUniformBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'minStorageBufferOffsetAlignment',
] as const;

/** Matches the names of software adapters, for browsers without `isFallbackAdapter`. */
const SOFTWARE_ADAPTER = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp\b/i;

const CLOSED = 'the GPU device was closed';

/** How long a failed operation waits for the message that the device was lost, which can come after the error. */
const LOST_GRACE_MS = 200;

/** Settings of `openDevice`. */
export interface OpenOptions {
  /** request the software adapter even if there is a GPU */
  readonly fallback?: boolean;
  /** features to omit although the adapter has them, for instance to measure without 'timestamp-query' */
  readonly without?: readonly string[];
  /** the WebGPU minimum: no feature, and the default limits of the specification */
  readonly minimum?: boolean;
}

/** A WebGPU device with its features and limits, which runs one benchmark at a time. */
export class GpuContext {
  readonly device: GPUDevice;
  readonly facts: DeviceFacts;
  readonly environment: Environment;
  /** Resolves with a message when the device is lost or destroyed. */
  readonly lost: Promise<string>;
  readonly #waiting = new Set<(reason: string) => void>();
  #lostReason: string | null = null;
  #resolveLost: (reason: string) => void = () => {};
  #busy = false;

  constructor(device: GPUDevice, facts: DeviceFacts, environment: Environment) {
    this.device = device;
    this.facts = facts;
    this.environment = environment;
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
    void device.lost.then((info) => {
      const detail = info.message.trim() === '' ? '' : ` (${quotedWords(info)})`;
      this.#lose(info.reason === 'destroyed' ? CLOSED : `the GPU device was lost${detail}`);
    });
  }

  #lose(reason: string): void {
    if (this.#lostReason !== null) return;
    this.#lostReason = reason;
    for (const rejectLost of this.#waiting) rejectLost(reason);
    this.#resolveLost(reason);
  }

  /** Why the device was lost; null while it is usable. */
  get lostReason(): string | null {
    return this.#lostReason;
  }

  /** Throws DeviceLostError once the device is gone. */
  throwIfLost(): void {
    if (this.#lostReason !== null) throw new DeviceLostError(this.#lostReason);
  }

  /** Waits for a promise of the device. Throws DeviceLostError if the device is lost meanwhile. */
  async whileAlive<T>(work: Promise<T>): Promise<T> {
    // Not a race with `this.lost`, which would keep a handler of every call as long as the device lives.
    let rejectLost: (reason: string) => void = () => {};
    const lost = new Promise<never>((_, reject) => {
      rejectLost = (reason) => reject(new DeviceLostError(reason));
      this.#waiting.add(rejectLost);
    });
    try {
      const result = await awaitGpu(Promise.race([work, lost]));
      this.throwIfLost();
      return result;
    } catch (error) {
      if (this.#lostReason === null) await Promise.race([this.lost, threadPace.pause(LOST_GRACE_MS)]);
      this.throwIfLost();
      throw error;
    } finally {
      this.#waiting.delete(rejectLost);
    }
  }

  /** Runs `work` exclusively on this device. Throws SparseScopeError if something else is running. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) {
      throw new SparseScopeError('a benchmark already runs on this GPU: wait, or cancel it');
    }
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }

  /** Frees everything on the device. Pending waits are rejected at once: the device may be busy for minutes. */
  destroy(): void {
    this.#lose(CLOSED);
    this.device.destroy();
  }
}

/** Opens a device with the largest limits, or the minimum. `runtime`: browser with version. Throws NoDeviceError. */
export async function openDevice(gpu: GPU, runtime: string, options: OpenOptions = {}): Promise<GpuContext> {
  const adapter = await gpu.requestAdapter({
    powerPreference: 'high-performance',
    ...(options.fallback ? { forceFallbackAdapter: true } : {}),
  });
  if (adapter === null) {
    throw new NoDeviceError('WebGPU found no adapter: GPU or driver is unsupported or disabled');
  }
  const requiredFeatures = OPTIONAL_FEATURES.filter(
    (f) => !options.minimum && adapter.features.has(f as GPUFeatureName) && !options.without?.includes(f),
  ) as GPUFeatureName[];
  const requiredLimits: Record<string, number> = {};
  if (!options.minimum) for (const name of COMPUTE_LIMITS) requiredLimits[name] = adapter.limits[name];
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ label: 'sparsescope', requiredFeatures, requiredLimits });
  } catch (error) {
    throw new NoDeviceError(
      `WebGPU gave no device (${quotedWords(error)}); try again, and restart the browser or the program if that fails too`,
    );
  }
  const facts = deviceFacts(device, adapter, gpu, await matrixFeatures(device, adapter));
  return new GpuContext(device, facts, environmentOf(adapter, facts, runtime));
}

/** What kernels need to know about a device: features, with the `additional` ones, limits and subgroup sizes. */
function deviceFacts(device: GPUDevice, adapter: GPUAdapter, gpu: GPU, additional: readonly string[]): DeviceFacts {
  const features = new Set<string>(device.features);
  // Like features, WGSL language features ('subgroup_id', 'subgroup_uniformity') determine what a shader may use.
  for (const feature of gpu.wgslLanguageFeatures ?? []) features.add(feature);
  for (const feature of additional) features.add(feature);
  const limits: Record<string, number> = {};
  for (const name of COMPUTE_LIMITS) limits[name] = device.limits[name];
  const hasSubgroups = features.has('subgroups');
  return {
    features,
    limits,
    subgroupMinSize: hasSubgroups ? (adapter.info.subgroupMinSize ?? 0) : 0,
    subgroupMaxSize: hasSubgroups ? (adapter.info.subgroupMaxSize ?? 0) : 0,
    isFallback: isSoftware(adapter),
  };
}

/**
 * WGSL with subgroup matrices whose types name 16 rows, then 32 columns. It is invalid in browsers whose types name columns
 * before rows.
 */
const ROWS_FIRST_SAMPLE = `enable subgroups;
enable chromium_experimental_subgroup_matrix;
@compute @workgroup_size(32)
fn main() {
  var a: subgroup_matrix_left<i8, 16, 32>;
  var b: subgroup_matrix_right<i8, 32, 16>;
  var c: subgroup_matrix_result<i32, 16, 16>;
  c = subgroupMatrixMultiplyAccumulate(a, b, c);
}`;

/** The kinds of subgroup matrices that the device has, as feature names, and whether their types are rows first. */
async function matrixFeatures(device: GPUDevice, { info }: GPUAdapter): Promise<readonly string[]> {
  if (!device.features.has(SUBGROUP_MATRIX)) return [];
  const { subgroupMatrixConfigs } = info as { readonly subgroupMatrixConfigs?: Iterable<SubgroupMatrixKind> };
  const kinds = subgroupMatrixConfigs === undefined ? [] : [...subgroupMatrixConfigs];
  device.pushErrorScope('validation');
  device.createShaderModule({ label: 'rows first?', code: ROWS_FIRST_SAMPLE });
  const error = await device.popErrorScope();
  return [...kinds.map((kind) => subgroupMatrixFeature(kind)), ...(error === null ? [ROWS_FIRST] : [])];
}

function isSoftware(adapter: GPUAdapter): boolean {
  const { isFallbackAdapter, vendor, architecture, device, description } = adapter.info;
  return isFallbackAdapter || SOFTWARE_ADAPTER.test(`${vendor} ${architecture} ${device} ${description}`);
}

function environmentOf(adapter: GPUAdapter, facts: DeviceFacts, runtime: string): Environment {
  const { vendor, architecture, device, description } = adapter.info;
  return {
    adapter: { vendor, architecture, device, description },
    isFallback: facts.isFallback,
    runtime,
    features: [...facts.features].toSorted(),
    limits: facts.limits,
    subgroupSize: { min: facts.subgroupMinSize, max: facts.subgroupMaxSize },
  };
}
