import { SUPPORTED, type Support } from '../encoded/admission.ts';
import { largest } from '../number/statistics.ts';
import type { Choice } from './choices.ts';
import type { DeviceFacts } from './kernel.ts';

/** Requirements of each workgroup of a kernel. */
export interface WorkgroupNeeds {
  readonly lanes: number;
  /** bytes of workgroup memory */
  readonly memoryBytes: number;
}

/** The largest needs of several kinds of workgroups. */
export function largestNeeds(needs: readonly WorkgroupNeeds[]): WorkgroupNeeds {
  return {
    lanes: largest(needs.map(({ lanes }) => lanes)),
    memoryBytes: largest(needs.map(({ memoryBytes }) => memoryBytes)),
  };
}

/**
 * Whether the device's limits allow these buffers and workgroups; the reason names the limit and the need. `memoryFor`:
 * the quantity with which workgroup memory grows.
 */
export function fitsLimits(
  buffers: readonly (readonly [name: string, bytes: number])[],
  workgroup: WorkgroupNeeds & { readonly memoryFor?: string },
  { limits }: DeviceFacts,
): Support {
  const size = min(limits, 'maxStorageBufferBindingSize', 'maxBufferSize');
  for (const [name, bytes] of buffers) {
    if (bytes > size.max)
      return reject(`${name} takes ${bytes} bytes, but this device binds at most ${size.max} (${size.name})`);
  }
  const memory = min(limits, 'maxComputeWorkgroupStorageSize');
  if (workgroup.memoryBytes > memory.max) {
    const what = workgroup.memoryFor === undefined ? '' : ` for ${workgroup.memoryFor}`;
    return reject(
      `a workgroup needs ${workgroup.memoryBytes} bytes of memory${what}, but this device has ${memory.max} (${memory.name})`,
    );
  }
  const lanes = min(limits, 'maxComputeInvocationsPerWorkgroup', 'maxComputeWorkgroupSizeX');
  if (workgroup.lanes > lanes.max) {
    return reject(
      `a workgroup needs ${workgroup.lanes} lanes, but this device runs at most ${lanes.max} (${lanes.name})`,
    );
  }
  return SUPPORTED;
}

/** A limit by its WebGPU name. */
interface NamedLimit {
  readonly name: string;
  readonly max: number;
}

/** The lowest of the named limits; the first of equals. */
function min(limits: DeviceFacts['limits'], ...names: readonly string[]): NamedLimit {
  const named = names.map((name) => ({ name, max: limits[name] }));
  return named.reduce((a, b) => (b.max < a.max ? b : a));
}

/** A clause: which features a kernel needs and this device does not have. */
export function missingFeaturesText(features: readonly string[]): string {
  return `needs ${features.join(' and ')}, which this device does not have`;
}

function reject(reason: string): Support {
  return { ok: false, reason, remedy: 'Choose another kernel or a part of the matrix.' };
}

/** Fewer lanes than this do not fill a subgroup of a large GPU. */
const MIN_LANES = 32;

/** The numbers of lanes to try: half of `start`, once, twice and four times `start`, from a subgroup to the limits. */
export function laneChoice(start: number, { limits, subgroupMaxSize }: DeviceFacts, memoryBytesPerLane = 0): Choice {
  const max = Math.min(
    limits.maxComputeInvocationsPerWorkgroup,
    limits.maxComputeWorkgroupSizeX,
    memoryBytesPerLane === 0 ? Number.POSITIVE_INFINITY : limits.maxComputeWorkgroupStorageSize / memoryBytesPerLane,
  );
  const min = Math.max(MIN_LANES, subgroupMaxSize);
  const values = [start / 2, start, 2 * start, 4 * start].filter((lanes) => lanes >= min && lanes <= max);
  return { kind: 'one-of', name: 'lanes', start, values };
}
