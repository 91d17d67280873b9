// Errors and warnings of a kernel's WGSL: from the compiler, from wrong bindings, and from the creation of the
// pipeline.

import { DRAFT_BOUNDS } from '../theory/bounds.ts';
import { KernelError } from '../../../src/core/errors.ts';
import type { KernelPlan, PassPlan } from '../../../src/core/kernel/kernel.ts';
import {
  type ComposedShader,
  composeShader,
  declaredBindings,
  type DeclaredBinding,
  DeviceLostError,
  type GpuContext,
  compilePass,
} from '../../../src/gpu/index.ts';

/** A compiler's message about a kernel's WGSL, with its position in a file. */
export interface CompileMessage {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  /** path of the file; null for messages about no particular line, such as the limits of a pipeline */
  readonly file: string | null;
  /** from 1; 0 without a file */
  readonly line: number;
  /** in UTF-16 units, from 1; 0 if it is about the whole line */
  readonly column: number;
  /** in UTF-16 units; 0 if unknown */
  readonly length: number;
}

/**
 * Compiles every pass of a plan and returns all messages, including those about bindings and the creation of pipelines;
 * errors come first if only some of them can be shown. Without errors the plan can be prepared under the same label.
 * Throws DeviceLostError.
 */
export async function compileMessages(
  context: GpuContext,
  label: string,
  plan: KernelPlan,
): Promise<readonly CompileMessage[]> {
  const messages = new Map<string, CompileMessage>();
  for (const pass of plan.passes) {
    for (const message of await passMessages(context, label, plan, pass)) {
      messages.set(JSON.stringify(message), message);
    }
  }
  const distinct = [...messages.values()];
  if (distinct.length <= DRAFT_BOUNDS.messages) return distinct;
  return distinct.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, DRAFT_BOUNDS.messages);
}

/** The rank of a message: errors come before warnings, and these before infos. */
function rankOf({ severity }: CompileMessage): number {
  return ['error', 'warning', 'info'].indexOf(severity);
}

/** The messages about a pass: of its shader, of its bindings, and of its pipeline. */
async function passMessages(
  context: GpuContext,
  label: string,
  plan: KernelPlan,
  pass: PassPlan,
): Promise<readonly CompileMessage[]> {
  const shader = composeShader(pass.files);
  const compiled = await moduleMessages(context, label, shader);
  if (compiled.some(({ severity }) => severity === 'error')) return compiled;
  const binding = bindingMessages(plan, pass, shader);
  if (binding.length > 0) return [...compiled, ...binding];
  try {
    await compilePass(context, label, pass);
    return compiled;
  } catch (error) {
    if (error instanceof DeviceLostError || !(error instanceof KernelError)) throw error;
    return [...compiled, pipelineMessage(error.message, label, pass)];
  }
}

/** The messages of the shader compiler, with their lines in the pass's files. */
async function moduleMessages(
  context: GpuContext,
  label: string,
  shader: ComposedShader,
): Promise<readonly CompileMessage[]> {
  const { device } = context;
  // The scope keeps a broken shader from being reported a second time as an uncaptured error.
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ label, code: shader.code });
  const scope = device.popErrorScope();
  const [{ messages }] = await context.whileAlive(Promise.all([module.getCompilationInfo(), scope]));
  return messages.map(({ type, message, lineNum, linePos, length }): CompileMessage => {
    const position = shader.positionOf(lineNum);
    const inFile = position && { file: position.path, line: position.line, column: linePos, length };
    return { severity: type, text: message, ...(inFile ?? NOWHERE) };
  });
}

/** The position of a message that is about no particular line. */
const NOWHERE = { file: null, line: 0, column: 0, length: 0 } as const;

/** How a buffer may be declared. A kernel must not change buffers that others read later: they are bound read-only. */
const ALLOWED: Readonly<Record<KernelPlan['buffers'][number]['role'], readonly DeclaredBinding[]>> = {
  params: ['uniform'],
  sparse: ['read-only-storage'],
  input: ['read-only-storage'],
  output: ['storage', 'read-only-storage'],
  scratch: ['storage', 'read-only-storage'],
};

const DECLARATIONS: Readonly<Record<DeclaredBinding, string>> = {
  uniform: 'var<uniform>',
  'read-only-storage': 'var<storage, read>',
  storage: 'var<storage, read_write>',
};

/** Bindings that the program declares differently from the plan, each at its declaration. */
function bindingMessages(plan: KernelPlan, pass: PassPlan, shader: ComposedShader): readonly CompileMessage[] {
  const declared = declaredBindings(shader.code);
  const messages: CompileMessage[] = [];
  const error = (binding: number | null, text: string): void => {
    messages.push({ severity: 'error', text, ...declarationOf(shader, pass, binding) });
  };
  for (const [binding, kind] of declared) {
    const name = pass.bindings[binding];
    if (name === undefined) {
      const available = pass.bindings.map((bound, i) => `${i} ${bound}`).join(', ');
      error(binding, `found binding ${binding}, expected one of ${available}`);
      continue;
    }
    const role = plan.buffers.find((buffer) => buffer.name === name)?.role;
    if (role === undefined || ALLOWED[role].includes(kind)) continue;
    const why = role === 'params' ? 'it contains the sizes' : 'other runs read it after this one';
    error(
      binding,
      `binding ${binding}, ${name}: found ${DECLARATIONS[kind]}, expected ${DECLARATIONS[ALLOWED[role][0]]}: ${why}`,
    );
  }
  for (const [binding, name] of pass.bindings.entries()) {
    if (!declared.has(binding)) error(null, `found no declaration of binding ${binding}, expected one of ${name}`);
  }
  return messages;
}

/** The position of a binding's declaration; without one, the beginning of the kernel's main file. */
function declarationOf(
  shader: ComposedShader,
  pass: PassPlan,
  binding: number | null,
): Pick<CompileMessage, 'file' | 'line' | 'column' | 'length'> {
  const pattern = new RegExp(`@binding\\s*\\(\\s*${binding}\\s*\\)`);
  const lines = shader.code.split('\n');
  const line = binding === null ? -1 : lines.findIndex((text) => pattern.test(text));
  const start = shader.positionOf(line + 1);
  if (line >= 0 && start) {
    const match = pattern.exec(lines[line]);
    return { file: start.path, line: start.line, column: (match?.index ?? -1) + 1, length: match?.[0].length ?? 0 };
  }
  const main = pass.files.at(-1);
  return main ? { file: main.path, line: 1, column: 0, length: 0 } : NOWHERE;
}

/**
 * An error of creating a pipeline, without the label: at the override that it names; an error about the workgroup
 * size, at the declaration of that size.
 */
function pipelineMessage(message: string, label: string, pass: PassPlan): CompileMessage {
  const text = message.startsWith(`${label}: `) ? message.slice(label.length + 2) : message;
  const override = Object.keys(pass.constants).find((name) => new RegExp(`\\b${name}\\b`).test(text));
  const patterns = [
    ...(override === undefined ? [] : [new RegExp(`\\boverride\\s+${override}\\b`)]),
    ...(/workgroup[_ ](?:size|invocations)/i.test(text) ? [/@workgroup_size\b/] : []),
  ];
  for (const pattern of patterns) {
    for (const { path, code } of pass.files) {
      const line = code.split('\n').findIndex((text) => pattern.test(text));
      if (line >= 0) return { severity: 'error', text, file: path, line: line + 1, column: 0, length: 0 };
    }
  }
  return { severity: 'error', text, ...NOWHERE };
}
