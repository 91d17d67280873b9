// Kernels on WebGPU devices: compiled, run, verified, timed. Stand-ins for device and matrix allow plans without them.

export { runBench } from './bench.ts';
export { admitKernel } from './can-run.ts';
export type { TuningMemory, TuningResult } from './tuning.ts';
export { DeviceLostError, GpuContext, NoDeviceError, openDevice, type OpenOptions } from './device.ts';
export { type ListedBinding, type ListedPass, listPasses } from './listing.ts';
export { forgetPasses } from './pipelines.ts';
export { runKernelWords } from './run.ts';
export { readOutputs, verifyKernel } from './verify.ts';
export { awaitGpu, gpuSilenceMs } from './waits.ts';
export { standInDevice, standInMatrix } from './stand-ins.ts';
