// Opens a GPU device in Node.

import { createRequire } from 'node:module';
import { type GpuContext, openDevice, type OpenOptions } from '../src/gpu/index.ts';
import { nodeGpu } from '../src/lib/device.ts';

/** Opens the GPU of this machine through Dawn. Throws NoDeviceError. */
export async function openNodeDevice(options: OpenOptions = {}): Promise<GpuContext> {
  return openDevice(await nodeGpu(), nodeRuntime(), options);
}

/** The name of the runtime for reports: 'Node 20.1.2, Dawn (webgpu 0.6.2)'. */
export function nodeRuntime(): string {
  const { version } = createRequire(import.meta.url)('webgpu/package.json') as { version: string };
  return `Node ${process.versions.node}, Dawn (webgpu ${version})`;
}
