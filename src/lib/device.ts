import { type GpuContext, NoDeviceError, openDevice as openOn, type OpenOptions } from '../gpu/index.ts';
import { checkedOptions, checkType, wrong } from './arguments.ts';

/** Options of `openDevice`: which GPU, and which of its features and limits. */
export interface OpenDeviceOptions extends OpenOptions {
  /** the entry point of WebGPU; default: `navigator.gpu`, and under Node the package `webgpu` */
  readonly gpu?: GPU;
}

/** Unquantised timestamps, and features that browsers keep behind a flag. */
const DAWN_FLAGS = ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization'];

/** Keeps the GPU object referenced: the process aborts if it is collected while a device is in use. */
const holder: typeof globalThis & { sparsescopeGpu?: GPU } = globalThis;

/** The process of Node; undefined in a browser. */
const { process: node }: { readonly process?: { readonly versions?: { readonly node?: string } } } =
  globalThis as object;

/**
 * Opens the GPU of this machine: the browser's, or under Node through the package `webgpu`, which has to be installed.
 * `environment` of the result names the adapter; until `destroy()` closes the device, Node does not exit. Throws
 * NoDeviceError if there is no GPU, and SparseScopeError for an unknown or invalid option.
 */
export async function openDevice(given: OpenDeviceOptions = {}): Promise<GpuContext> {
  const { gpu, ...options } = checkedOpening(given);
  const version = node?.versions?.node;
  const runtime = version === undefined ? navigator.userAgent : `Node ${version}, Dawn`;
  if (gpu) return openOn(gpu, runtime, options);
  if (version !== undefined) return openOn(await nodeGpu(), runtime, options);
  // By its type `navigator` always has a gpu; in a browser without WebGPU it has none.
  const { gpu: browserGpu }: { readonly gpu?: GPU } = navigator;
  if (browserGpu) return openOn(browserGpu, runtime, options);
  throw new NoDeviceError('navigator.gpu: found none, expected a browser with WebGPU and a secure page');
}

function checkedOpening(given: OpenDeviceOptions): OpenDeviceOptions {
  const { gpu, without, fallback, minimum } = checkedOptions('options', given, OPTIONS);
  const isGpu = typeof (gpu as { readonly requestAdapter?: unknown } | null)?.requestAdapter === 'function';
  if (gpu !== undefined && !isGpu) throw wrong('gpu', gpu, 'a GPU, such as navigator.gpu');
  if (without !== undefined && !(Array.isArray(without) && without.every((name) => typeof name === 'string'))) {
    throw wrong('without', without, 'an array of names of features');
  }
  checkType('fallback', fallback, 'boolean');
  checkType('minimum', minimum, 'boolean');
  return given;
}

const OPTIONS: readonly (keyof OpenDeviceOptions)[] = ['gpu', 'fallback', 'without', 'minimum'];

/** The GPUs of this machine through Dawn, always the same object. Throws NoDeviceError without the package `webgpu`. */
export async function nodeGpu(): Promise<GPU> {
  try {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    return (holder.sparsescopeGpu ??= create(DAWN_FLAGS));
  } catch (error) {
    const detail = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new NoDeviceError(`Node: found no GPU (${detail}), expected the package webgpu: npm install webgpu`);
  }
}
