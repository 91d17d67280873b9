import type { BufferPlan, KernelPlan, PassPlan } from '../core/kernel/kernel.ts';
import type { ShaderFile } from '../core/kernel/shader.ts';
import { composeShader, declaredBindings, type DeclaredBinding } from './compose.ts';

/** A buffer of group 0 as a shader declares it, and what the plan binds there. */
export interface ListedBinding {
  readonly binding: number;
  /** in the shader */
  readonly name: string;
  readonly type: string;
  readonly access: DeclaredBinding;
  readonly buffer: BufferPlan;
  /** the comment above the declaration; empty where there is none */
  readonly meaning: string;
}

/** An override of a shader, and what the plan sets it to. */
export interface ListedOverride {
  readonly name: string;
  readonly type: string;
  readonly value: number;
  readonly meaning: string;
}

/** One pass of a kernel for people to read. */
export interface ListedPass {
  /** of the kernel's own file, below shaders/ */
  readonly path: string;
  /** what is compiled, to the letter */
  readonly code: string;
  /** the files that it is made of, in order */
  readonly files: readonly ShaderFile[];
  readonly bindings: readonly ListedBinding[];
  readonly overrides: readonly ListedOverride[];
  readonly workgroups: readonly [number, number, number];
}

const BINDING = /^@group\(0\) @binding\((\d+)\) var<[^>]*> (\w+): (.+);/;
const OVERRIDE = /^override (\w+): (\w+)/;

/** The passes of a plan with the text that is compiled of each. Throws RangeError for a binding without a buffer. */
export function listPasses(plan: KernelPlan): readonly ListedPass[] {
  return plan.passes.map((pass) => listPass(plan, pass));
}

function listPass(plan: KernelPlan, pass: PassPlan): ListedPass {
  const { code } = composeShader(pass.files);
  const lines = code.split('\n');
  const declared = declaredBindings(code);
  const bindings = lines.flatMap((line, i) => {
    const [, number, name, type] = BINDING.exec(line) ?? [];
    const binding = Number(number);
    const access = declared.get(binding);
    if (access === undefined) return [];
    const buffer = plan.buffers.find((b) => b.name === pass.bindings[binding]);
    if (!buffer) throw new RangeError(`binding ${binding}: found no buffer '${pass.bindings[binding]}' in the plan`);
    return [{ binding, name, type, access, buffer, meaning: commentAbove(lines, i) }];
  });
  const overrides = lines.flatMap((line, i) => {
    const [, name, type] = OVERRIDE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, type, value: pass.constants[name], meaning: commentAbove(lines, i) }];
  });
  return {
    path: pass.files.at(-1)?.path ?? '',
    code,
    files: pass.files,
    bindings: bindings.toSorted((a, b) => a.binding - b.binding),
    overrides,
    workgroups: pass.workgroups,
  };
}

/** The comment lines right above a line, as one text. */
function commentAbove(lines: readonly string[], line: number): string {
  let first = line;
  while (first > 0 && /^\/\/(?! ----)/.test(lines[first - 1])) first--;
  return lines
    .slice(first, line)
    .map((text) => text.replace(/^\/+\s*/, ''))
    .join(' ');
}
