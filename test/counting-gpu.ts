import { vi } from 'vitest';
import { GpuContext } from '../src/gpu/device.ts';

/** A device in Node that runs nothing: it only knows which of its buffers and query sets are alive, by their labels. */
export function countingContext(features: readonly string[] = [], maxBytes = 2 ** 20) {
  // Under Node the constants come with the device.
  vi.stubGlobal('GPUBufferUsage', { UNIFORM: 64, STORAGE: 128 });
  const alive = new Set<string>();
  const made = ({ label, size = 0 }: { readonly label: string; readonly size?: number }) => {
    alive.add(label);
    return { size, destroy: () => void alive.delete(label) };
  };
  const device = {
    lost: new Promise(() => {}),
    pushErrorScope() {},
    popErrorScope: async () => null,
    createBuffer: made,
    createQuerySet: ({ label }: { readonly label: string }) => made({ label: `query set: ${label}` }),
    createCommandEncoder: () => ({ beginComputePass: () => ({ end() {} }), finish() {} }),
    queue: { writeBuffer() {}, submit() {}, onSubmittedWorkDone: async () => {} },
  };
  const limits = {
    maxBufferSize: maxBytes,
    maxStorageBufferBindingSize: maxBytes,
    maxUniformBufferBindingSize: 2 ** 16,
    maxComputeWorkgroupsPerDimension: 2 ** 16,
    minStorageBufferOffsetAlignment: 256,
  };
  const facts = { features: new Set(features), limits, subgroupMinSize: 0, subgroupMaxSize: 0, isFallback: false };
  const environment = { adapter: {}, runtime: 'test' } as unknown as GpuContext['environment'];
  return { context: new GpuContext(device as unknown as GPUDevice, facts, environment), alive, device };
}
