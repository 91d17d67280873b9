import { KernelError } from '../core/errors.ts';
import { quotedWords } from '../core/error-messages.ts';
import type { PassPlan } from '../core/kernel/kernel.ts';
import { type ComposedShader, compileErrors, composeShader } from './compose.ts';
import { declaredBindings } from './declared-bindings.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';

// Compiles the passes of kernels, each once per device.

/** A pass that is ready to be bound and dispatched. */
export interface CompiledPass {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /** compile time; later uses on the same device cost nothing */
  readonly compileMs: number;
}

/** Shader modules and passes that were compiled on a device, by JSON keys that begin with the kernel's label. */
interface DeviceCache {
  readonly modules: Map<string, Promise<GPUShaderModule>>;
  readonly passes: Map<string, Promise<CompiledPass>>;
}

const caches = new WeakMap<GPUDevice, DeviceCache>();

/** Compiles a pass once for each device, code and constants. Throws KernelError with 'file:line: message' of errors. */
export function compilePass(context: GpuContext, label: string, pass: PassPlan): Promise<CompiledPass> {
  const { passes } = cacheOf(context);
  const shader = composeShader(pass.files);
  const constants = Object.entries(pass.constants).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([label, shader.code, constants, pass.bindings.length]);
  const compiled = passes.get(key) ?? context.whileAlive(compile(context, label, pass, shader));
  passes.set(key, compiled);
  return compiled;
}

/** Releases everything that was compiled under a label. */
export function forgetPasses(context: GpuContext, label: string): void {
  const start = `[${JSON.stringify(label)},`;
  for (const cache of Object.values(cacheOf(context))) {
    for (const key of cache.keys()) if (key.startsWith(start)) cache.delete(key);
  }
}

function cacheOf({ device }: GpuContext): DeviceCache {
  const cache = caches.get(device) ?? { modules: new Map(), passes: new Map() };
  caches.set(device, cache);
  return cache;
}

/** The module of a WGSL text, created once for all constants that it is compiled with. */
function moduleOf(context: GpuContext, label: string, shader: ComposedShader): Promise<GPUShaderModule> {
  const { modules } = cacheOf(context);
  const key = JSON.stringify([label, shader.code]);
  const module = modules.get(key) ?? createModule(context, label, shader);
  modules.set(key, module);
  return module;
}

async function createModule({ device }: GpuContext, label: string, shader: ComposedShader): Promise<GPUShaderModule> {
  // The scope keeps a broken shader from being reported a second time as an uncaptured error.
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label, code: shader.code });
  const scope = device.popErrorScope();
  const info = await module.getCompilationInfo();
  const errors = compileErrors(shader, info.messages);
  const validation = await scope;
  if (errors !== '') throw new KernelError(errors);
  if (validation) throw new KernelError(`${label}: WebGPU rejected it (${quotedWords(validation)})`);
  return module;
}

async function compile(context: GpuContext, label: string, pass: PassPlan, shader: ComposedShader) {
  const { device } = context;
  const start = performance.now();
  const module = await moduleOf(context, label, shader);
  const entries = layoutEntries(label, pass, shader.code);
  const { result, settled } = guarded(context, label, () => {
    const bindGroupLayout = device.createBindGroupLayout({ label, entries });
    return { bindGroupLayout, layout: device.createPipelineLayout({ label, bindGroupLayouts: [bindGroupLayout] }) };
  });
  await settled;
  try {
    const pipeline = await device.createComputePipelineAsync({
      label,
      layout: result.layout,
      compute: { module, entryPoint: 'main', constants: { ...pass.constants } },
    });
    return { pipeline, layout: result.bindGroupLayout, compileMs: performance.now() - start };
  } catch (error) {
    throw new KernelError(`${label}: WebGPU compiled no pipeline (${quotedWords(error)})`);
  }
}

function layoutEntries(label: string, pass: PassPlan, code: string): GPUBindGroupLayoutEntry[] {
  const declared = declaredBindings(code);
  const last = pass.files.at(-1)?.path ?? label;
  for (const binding of declared.keys()) {
    if (binding >= pass.bindings.length) {
      throw new KernelError(
        `${last}: declares binding ${binding}, but ${label} binds ${pass.bindings.length}: ${pass.bindings.join(', ')}`,
      );
    }
  }
  return pass.bindings.map((name, binding) => {
    const type = declared.get(binding);
    if (!type) throw new KernelError(`${last}: found no declaration of binding ${binding}, expected '${name}'`);
    return { binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } };
  });
}
