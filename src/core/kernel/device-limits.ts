import { ADMITTED, type Admission } from '../encoded/admission.ts';
import type { DeviceFacts } from './kernel.ts';

/** What a kernel asks of a workgroup. */
export interface WorkgroupNeeds {
  readonly lanes: number;
  /** bytes of workgroup memory */
  readonly memoryBytes: number;
}

/** What all of several kinds of workgroups fit into. */
export function largestNeeds(needs: readonly WorkgroupNeeds[]): WorkgroupNeeds {
  return {
    lanes: Math.max(...needs.map(({ lanes }) => lanes)),
    memoryBytes: Math.max(...needs.map(({ memoryBytes }) => memoryBytes)),
  };
}

/**
 * Whether the device lets a kernel bind buffers of so many bytes and run workgroups of this kind. The reason names the
 * limit and the need; `memoryFor` says what the workgroup memory grows with.
 */
export function fitsLimits(
  buffers: readonly (readonly [name: string, bytes: number])[],
  workgroup: WorkgroupNeeds & { readonly memoryFor?: string },
  { limits }: DeviceFacts,
): Admission {
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  for (const [name, bytes] of buffers) {
    if (bytes > most) {
      return refuse(`${name} takes ${bytes} bytes, but this device binds at most ${most} bytes to a buffer`);
    }
  }
  const { maxComputeWorkgroupStorageSize: memory } = limits;
  if (workgroup.memoryBytes > memory) {
    const what = workgroup.memoryFor === undefined ? '' : ` for ${workgroup.memoryFor}`;
    return refuse(`a workgroup needs ${workgroup.memoryBytes} bytes of memory${what}, but this device has ${memory}`);
  }
  const lanes = Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
  if (workgroup.lanes > lanes) {
    return refuse(`a workgroup needs ${workgroup.lanes} lanes, but this device runs at most ${lanes}`);
  }
  return ADMITTED;
}

function refuse(reason: string): Admission {
  return { ok: false, reason, remedy: 'Choose another kernel or a part of the matrix.' };
}
