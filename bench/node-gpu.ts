import { createRequire } from 'node:module';
import { create, globals } from 'webgpu';
import { type GpuContext, openDevice, type OpenOptions } from '../src/gpu/index.ts';

/** Unquantised timestamps, and features that browsers keep behind a flag. */
const DAWN_FLAGS = ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization'];

/** Keeps the GPU object referenced: the process aborts if it is collected while a device is in use. */
const holder: typeof globalThis & { sparsescopeGpu?: GPU } = globalThis;

/** The GPUs of this machine through Dawn. */
export function nodeGpu(): GPU {
  Object.assign(globalThis, globals);
  return (holder.sparsescopeGpu ??= create(DAWN_FLAGS));
}

/** Opens the GPU of this machine through Dawn. Throws NoDeviceError. */
export function openNodeDevice(options: OpenOptions = {}): Promise<GpuContext> {
  return openDevice(nodeGpu(), nodeRuntime(), options);
}

/** 'Node 20.1.2, Dawn (webgpu 0.6.2)' */
export function nodeRuntime(): string {
  const { version } = createRequire(import.meta.url)('webgpu/package.json') as { version: string };
  return `Node ${process.versions.node}, Dawn (webgpu ${version})`;
}
