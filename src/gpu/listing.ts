import type { BufferPlan, KernelPlan, PassPlan } from '../core/kernel/kernel.ts';
import { commentAbove, declaredOverrides, overrideValues } from '../core/kernel/overrides.ts';
import type { ShaderFile } from '../core/kernel/shader.ts';
import { composeShader } from './compose.ts';
import { declaredBindings, type DeclaredBinding } from './declared-bindings.ts';

// Lists the passes of a kernel for readers: the text that is compiled, with its bindings and overrides.

/** A buffer of group 0 as a shader declares it, and the plan's buffer bound there. */
export interface ListedBinding {
  readonly binding: number;
  /** in the shader */
  readonly name: string;
  readonly type: string;
  readonly access: DeclaredBinding;
  readonly buffer: BufferPlan;
  /** the comment above the declaration; empty if there is none */
  readonly meaning: string;
}

/** An override of a shader, and its value: from the plan, or else the default in the text. */
interface ListedOverride {
  readonly name: string;
  readonly type: string;
  readonly value: number;
  /** whether the plan sets it */
  readonly isSet: boolean;
  readonly meaning: string;
}

/** One pass of a kernel, to be read. */
export interface ListedPass {
  /** of the kernel's own file, the last of `files`; below shaders/ */
  readonly path: string;
  /** the compiled text, verbatim */
  readonly code: string;
  /** the files that `code` consists of, in order */
  readonly files: readonly ShaderFile[];
  readonly bindings: readonly ListedBinding[];
  readonly overrides: readonly ListedOverride[];
  readonly workgroups: readonly [number, number, number];
}

const BINDING = /^@group\(0\) @binding\((\d+)\) var<[^>]*> (\w+): (.+);/;

/** The passes of a plan with the compiled text of each. Throws RangeError for a binding without a buffer. */
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
  const values = overrideValues(code, pass.constants);
  const overrides = declaredOverrides(code).map(({ name, type, meaning }) => ({
    name,
    type,
    value: values.get(name) ?? Number.NaN,
    isSet: Object.hasOwn(pass.constants, name),
    meaning,
  }));
  return {
    path: pass.files.at(-1)?.path ?? '',
    code,
    files: pass.files,
    bindings: bindings.toSorted((a, b) => a.binding - b.binding),
    overrides,
    workgroups: pass.workgroups,
  };
}
