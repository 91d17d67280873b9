import { SparseScopeError } from '../../../src/core/errors.ts';
import type { EncodedMatrix } from '../../../src/core/format.ts';
import type { Chosen } from '../../../src/core/kernel/choices.ts';
import {
  type DeviceFacts,
  splitWorkgroups,
  type KernelPlan,
  type KernelSpec,
} from '../../../src/core/kernel/kernel.ts';
import type { Sizes } from '../../../src/core/operations/operation.ts';
import type { DraftMark } from '../../../src/core/report.ts';
import { programFault } from './program-bounds.ts';

/** A draft of a kernel: the user's changes to it. */
export interface DraftChange {
  /** the whole text of changed files by path */
  readonly files: Readonly<Record<string, string>>;
  /** values of WGSL overrides by name */
  readonly overrides: Readonly<Record<string, number>>;
  /** rows that a workgroup computes, so that enough workgroups run; absent: as many workgroups as in the plan */
  readonly rowsPerWorkgroup?: number;
  /** name and version of the draft in reports; absent: the kernel's id, and '(draft)' */
  readonly mark?: Omit<DraftMark, 'of'>;
}

type AnyKernel = KernelSpec<EncodedMatrix>;

/**
 * The changed kernel; its id is followed by '(draft)', or by the name and version of `mark`. Its plan throws
 * SparseScopeError if the change names an unknown file or override, or if `programFault` rejects its program. It has no
 * tuning choices for a benchmark to try: the change sets its overrides.
 */
export function draftSpec(spec: AnyKernel, change: DraftChange): AnyKernel {
  const { choices: _, ...rest } = spec;
  const { mark } = change;
  return {
    ...rest,
    id: `${spec.id} (${mark ? `${mark.name} ${mark.version}` : 'draft'})`,
    ...(mark && { title: `draft ${mark.version} of ${mark.name}`, draft: { of: spec.id, ...mark } }),
    plan: (encoded, device, sizes) => changedPlan(spec, encoded, device, sizes, change),
  };
}

function changedPlan(
  spec: AnyKernel,
  encoded: EncodedMatrix,
  device: DeviceFacts,
  sizes: Sizes,
  { files, overrides, rowsPerWorkgroup }: DraftChange,
): KernelPlan {
  const plan = spec.plan(encoded, device, sizes, choicesFor(spec, encoded, device, sizes, overrides));
  const paths = new Set(plan.passes.flatMap((pass) => pass.files.map(({ path }) => path)));
  for (const path of Object.keys(files)) {
    if (!paths.has(path)) {
      throw new SparseScopeError(`${spec.id}: found a draft of ${path}, expected one of ${[...paths].join(', ')}`);
    }
  }
  const declared = new Set<string>();
  const passes = plan.passes.map((pass) => {
    const changed = pass.files.map(({ path, code }) => ({ path, code: files[path] ?? code }));
    const fault = programFault(changed);
    if (fault !== null) throw new SparseScopeError(fault);
    const inPass = overridesOf(changed.map(({ code }) => code).join('\n'));
    for (const name of inPass) declared.add(name);
    // An override may have become a constant in the draft, and can then not be set.
    const constants = Object.entries({ ...pass.constants, ...overrides }).filter(([name]) => inPass.has(name));
    const next = { ...pass, files: changed, constants: Object.fromEntries(constants) };
    return spec.declaredPass?.(next, encoded, device) ?? next; // a kernel from scratch declares workgroups in its text
  });
  for (const name of Object.keys(overrides)) {
    if (!declared.has(name)) {
      const expectedNames = declared.size === 0 ? 'none' : `one of ${[...declared].join(', ')}`;
      throw new SparseScopeError(`${spec.id}, overrides: found '${name}', expected ${expectedNames}`);
    }
  }
  if (rowsPerWorkgroup === undefined) return { ...plan, passes };
  if (passes.length > 1) {
    throw new SparseScopeError(`${spec.id}: found rows per workgroup, expected none: it has ${passes.length} passes`);
  }
  if (!Number.isInteger(rowsPerWorkgroup) || rowsPerWorkgroup < 1) {
    throw new SparseScopeError(`rows per workgroup: found ${rowsPerWorkgroup}, expected a whole number of at least 1`);
  }
  const workgroups = splitWorkgroups(Math.ceil(encoded.rows / rowsPerWorkgroup));
  return { ...plan, passes: passes.map((pass) => ({ ...pass, workgroups })) };
}

/**
 * Choices of the unchanged kernel, such as lanes of a workgroup, with which its plan has these overrides and a dispatch
 * that fits them. Overrides that no choice controls are ignored.
 */
function choicesFor(
  spec: AnyKernel,
  encoded: EncodedMatrix,
  device: DeviceFacts,
  sizes: Sizes,
  overrides: Readonly<Record<string, number>>,
): Chosen {
  let chosen: Chosen = {};
  const has = (plan: KernelPlan, name: string, value: number): boolean =>
    plan.passes.some(({ constants }) => constants[name] === value);
  for (const [name, value] of Object.entries(overrides)) {
    for (const choice of spec.choices?.(encoded, device, sizes) ?? []) {
      if (has(spec.plan(encoded, device, sizes, chosen), name, value)) break;
      if (choice.kind === 'one-of' && !choice.values.includes(value)) continue;
      if (choice.kind === 'range' && !(value >= choice.min && value <= choice.max)) continue;
      const tried = { ...chosen, [choice.name]: value };
      if (has(spec.plan(encoded, device, sizes, tried), name, value)) chosen = tried;
    }
  }
  return chosen;
}

/** Names of the overrides that a text declares. */
function overridesOf(code: string): ReadonlySet<string> {
  const names = code.replace(/\/\/.*$/gm, '').matchAll(/\boverride\s+(\w+)/g);
  return new Set([...names].map(([, name]) => name));
}
