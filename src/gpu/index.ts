export { DEFAULT_COLD_BYTES, type GpuBenchOptions, runBench } from './bench.ts';
export type { TuningMemory, TuningResult } from './tuning.ts';
export { composeShader } from './compose.ts';
export { DeviceLostError, type GpuContext, NoDeviceError, openDevice, type OpenOptions } from './device.ts';
export { type Product, timedProduct, timedVectors } from './products.ts';
export { type ListedBinding, type ListedPass, listPasses } from './listing.ts';
export { runKernel, runKernelWords } from './run.ts';
export { admitKernel, readOutputs, verifyKernel } from './verify.ts';
export { standInDevice, standInMatrix } from './stand-ins.ts';
