import { vi } from 'vitest';
import { GpuContext } from '../src/gpu/device.ts';

/** A fake device in Node that runs nothing, and tracks by their labels which buffers and query sets are not destroyed. */
export function countingContext(features: readonly string[] = [], maxBytes = 2 ** 20) {
  // Node has no WebGPU constants; otherwise they come with the webgpu package.
  vi.stubGlobal('GPUBufferUsage', { UNIFORM: 64, STORAGE: 128 });
  const alive = new Set<string>();
  const create = ({ label, size = 0 }: { readonly label: string; readonly size?: number }) => {
    alive.add(label);
    return { size, destroy: () => void alive.delete(label) };
  };
  const device = {
    lost: new Promise(() => {}),
    pushErrorScope() {},
    popErrorScope: async () => null,
    createBuffer: create,
    createQuerySet: ({ label }: { readonly label: string }) => create({ label: `query set: ${label}` }),
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
