export { DEFAULT_COLD_BYTES, type GpuBenchOptions, runBench } from './bench.ts';
export { composeShader } from './compose.ts';
export { DeviceLostError, type GpuContext, NoDeviceError, openDevice, type OpenOptions } from './device.ts';
export { type ListedPass, listPasses } from './listing.ts';
export { runKernel, runKernelWords } from './run.ts';
export { admitKernel, readOutputs, verifyKernel } from './verify.ts';
