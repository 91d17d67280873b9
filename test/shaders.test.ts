import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyFormat, EncodedMatrix } from '../src/core/format.ts';
import {
  type DeviceFacts,
  type KernelPlan,
  type KernelSpec,
  type PassPlan,
  unsuited,
} from '../src/core/kernel/kernel.ts';
import { csrMatrix } from '../src/core/matrix/index.ts';
import { defaultSizes, type Sizes } from '../src/core/operations/operation.ts';
import { operationById } from '../src/core/operations/index.ts';
import { formats } from '../src/formats/registry.ts';
import { composeShader, declaredBindings } from '../src/gpu/compose.ts';

const ROOT = new URL('../shaders/', import.meta.url);

/** Every shader file: path below shaders/ and text. */
const files = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.wgsl'))
    .toSorted()
    .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
);
const isKernel = (code: string): boolean => code.includes('fn main(');
/** Kernels of no format, with which src/gpu measures the device. */
const INSTRUMENTS = ['common/fma_peak.wgsl', 'common/null_dispatch.wgsl', 'common/read_bandwidth.wgsl'];

const kernelFiles = [...files].filter(([, code]) => isKernel(code));
const pieces = [...files].filter(([, code]) => !isKernel(code));

/** The comment lines at the top of a file, without the slashes. */
function header(code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(2).trim())
    .join('\n');
}

/** Lines that declare `word`, each with the line before it. */
function declarations(code: string, word: RegExp): { line: string; before: string }[] {
  const lines = code.split('\n');
  return lines.flatMap((line, i) => (word.test(line) ? [{ line, before: lines[i - 1] ?? '' }] : []));
}

/** A device on which everything fits. */
const DEVICE: DeviceFacts = {
  features: new Set(['subgroups']),
  limits: {
    maxStorageBufferBindingSize: 2 ** 30,
    maxBufferSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 49152,
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
    maxComputeWorkgroupsPerDimension: 65535,
    maxStorageBuffersPerShaderStage: 8,
  },
  subgroupMinSize: 32,
  subgroupMaxSize: 32,
  isFallback: false,
};

/**
 * Rows and columns that are a multiple of 4, and that are none: kernels read them four at a time, or one. More columns
 * than 16 bits can name.
 */
const MATRICES = [
  [3, 40],
  [4, 39],
  [3, 65_537],
].map(([rows, cols]) =>
  csrMatrix({
    rows,
    cols,
    indptr: Uint32Array.from({ length: rows + 1 }, (_, r) => [0, 2, 2, 5, 5][r]),
    indices: Uint32Array.of(0, cols - 1, 3, 4, 20),
    data: Float32Array.of(1, -2, 0.5, 4, 3),
  }),
);

/** Sizes of an operation: the defaults, and each of them as small and as large as it gets. */
function sizeChoices(id: string): readonly Sizes[] {
  const operation = operationById(id);
  const defaults = defaultSizes(operation);
  const extremes = Object.entries(operation.sizes).flatMap(([name, { min, max }]) => [
    { ...defaults, [name]: min },
    { ...defaults, [name]: max },
  ]);
  return [defaults, ...extremes];
}

type Fields = Record<string, { readonly options?: readonly { readonly value: unknown }[]; readonly default: unknown }>;

/** Most combinations of parameters that are tried in full. */
const FULL_PRODUCT = 16;

/** Combinations of a format's choices: all of them where they are few, else the defaults with one changed at a time. */
function paramChoices(format: AnyFormat): Record<string, unknown>[] {
  const fields = Object.entries(format.params as Fields).map(([name, field]) => ({
    name,
    field,
    values: field.options ? field.options.map((o) => o.value) : [field.default],
  }));
  const defaults = Object.fromEntries(fields.map(({ name, field }) => [name, field.default]));
  if (fields.reduce((product, { values }) => product * values.length, 1) > FULL_PRODUCT) {
    return fields.flatMap(({ name, values }) => values.map((value) => ({ ...defaults, [name]: value })));
  }
  return fields.reduce<Record<string, unknown>[]>(
    (choices, { name, values }) => choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

interface Planned {
  readonly encoded: EncodedMatrix;
  readonly sizes: Sizes;
  readonly plan: KernelPlan;
}

/** Every kernel, with its plans for different matrices, parameters and sizes. */
const kernels: readonly { id: string; spec: KernelSpec<EncodedMatrix>; plans: readonly Planned[] }[] = formats.flatMap(
  (format) => {
    const encoded = MATRICES.flatMap((matrix) =>
      paramChoices(format)
        .filter((params) => format.admits(matrix, params).ok)
        .map((params): EncodedMatrix => format.encode(matrix, params)),
    );
    return format.kernels.map((spec: KernelSpec<EncodedMatrix>) => ({
      id: spec.id,
      spec,
      plans: encoded
        .filter((e) => unsuited(spec, e) === null)
        .flatMap((e) => sizeChoices(spec.operation).map((sizes) => ({ encoded: e, sizes })))
        .filter(({ encoded: e, sizes }) => spec.fits(e, DEVICE, sizes).ok)
        .map(({ encoded: e, sizes }) => ({ encoded: e, sizes, plan: spec.plan(e, DEVICE, sizes) })),
    }));
  },
);

/** The passes of a kernel's plans with their composed code. */
function passes(plans: readonly Planned[]): { plan: KernelPlan; pass: PassPlan; code: string }[] {
  return plans.flatMap(({ plan }) => plan.passes.map((pass) => ({ plan, pass, code: composeShader(pass.files).code })));
}

describe('a shader file', () => {
  it.each([...files])('%s says in its first line what it is', (path, code) => {
    expect(code.split('\n')[0]).toMatch(new RegExp(`^// ${path.replace('.wgsl', '')}: \\S.*`));
  });

  it.each(kernelFiles)('%s names lanes, dispatch, needs and workgroup memory', (_, code) => {
    const text = header(code);
    for (const field of ['Lanes: ', 'Dispatch: ', 'Needs: ', 'Workgroup memory: ']) expect(text).toContain(field);
    expect(/Needs: (\w+)/.exec(text)?.[1]).toBe(code.includes('enable subgroups;') ? 'subgroups' : 'nothing');
  });

  it.each(pieces)('%s declares what it gives', (_, code) => {
    const given = /Gives: ([^.]+)\./.exec(header(code).replaceAll(/\([^)]*\)/g, ''))?.[1];
    expect(given).toBeDefined();
    for (const name of (given ?? '').split(',').map((n) => n.trim())) {
      expect(code).toMatch(new RegExp(`(?:fn|struct|const|alias|override|var(?:<[^>]*>)?) ${name}\\b`));
    }
  });

  it.each([...files])('%s explains every override and every storage buffer', (_, code) => {
    const declared = [...declarations(code, /^override \w/), ...declarations(code, /var<storage/)];
    for (const { line, before } of declared) expect(before, line).toMatch(/^\/{2,3} \S/);
  });

  it.each([...files])('%s has one entry point at most, called main', (_, code) => {
    const entries = code.match(/@compute/g) ?? [];
    expect(entries.length).toBe(isKernel(code) ? 1 : 0);
  });
});

describe('the kernels of all formats', () => {
  it('are kernel files of their name, or passes of other kernels, which tell their source and what differs', () => {
    const ids = new Set(kernels.map(({ id }) => id));
    for (const { id, plans } of kernels) {
      const own = files.get(`${id}.wgsl`);
      // A kernel of several passes may have none of its own.
      const mains =
        own === undefined ? passes(plans).flatMap(({ pass }) => pass.files.filter((f) => isKernel(f.code))) : [];
      for (const { path } of mains) {
        const isShared = ids.has(path.replace('.wgsl', '')) || path.startsWith('common/');
        expect(isShared || path.startsWith(`${id.split('/')[0]}/`), `${id}: ${path}`).toBe(true);
      }
      for (const text of own === undefined ? mains.map((f) => header(f.code)) : [header(own)]) {
        expect(text, id).toContain('Source: ');
        expect(text, id).toContain('Differs: ');
      }
    }
  });

  it('use every shader file', () => {
    const planned = kernels.flatMap(({ plans }) => passes(plans).map((p) => p.pass));
    const used = new Set(planned.flatMap((pass) => pass.files.map((f) => f.path)));
    expect([...files.keys()].filter((path) => !used.has(path))).toEqual(INSTRUMENTS);
  });

  it('have a twin that needs no feature', () => {
    for (const format of formats.filter((f) => f.kernels.length > 0)) {
      expect(
        format.kernels.some((k) => k.features.length === 0),
        format.id,
      ).toBe(true);
    }
  });
});

describe.each(kernels)('$id', ({ spec, plans }) => {
  it('can be planned', () => {
    expect(plans.length).toBeGreaterThan(0);
  });

  it('is made of the files that it names, each with one entry point', () => {
    for (const { pass } of passes(plans)) {
      for (const file of pass.files) expect(file.code, file.path).toBe(files.get(file.path));
      expect(new Set(pass.files.map((f) => f.path)).size).toBe(pass.files.length);
      expect(pass.files.filter((f) => isKernel(f.code)).length).toBe(1);
    }
  });

  it('binds what the shader declares, in its order and with its access', () => {
    for (const { plan, pass, code } of passes(plans)) {
      const declared = declaredBindings(code);
      expect([...declared.keys()].toSorted((a, b) => a - b)).toEqual(pass.bindings.map((_, i) => i));
      for (const [i, name] of pass.bindings.entries()) {
        const role = plan.buffers.find((b) => b.name === name)?.role;
        if (role === 'scratch') continue; // written in one pass, read in the next
        const access = role === 'params' ? 'uniform' : role === 'output' ? 'storage' : 'read-only-storage';
        expect(declared.get(i), name).toBe(access);
      }
      expect(pass.bindings.length - 1).toBeLessThanOrEqual(8);
    }
  });

  it('sets every override of the shader, and no other', () => {
    for (const { pass, code } of passes(plans)) {
      const declared = [...code.matchAll(/^override (\w+)/gm)].map((m) => m[1]);
      expect(Object.keys(pass.constants).toSorted()).toEqual(declared.toSorted());
    }
  });

  it('declares every name once', () => {
    for (const { code } of passes(plans)) {
      const names = [...code.matchAll(/^(?:fn|struct|const|alias|override) (\w+)/gm)].map((m) => m[1]);
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    }
  });

  it('asks for the features that its shader enables', () => {
    const enabled = passes(plans).flatMap(({ code }) => [...code.matchAll(/^enable (\w+);/gm)].map((m) => m[1]));
    expect(new Set(enabled)).toEqual(new Set(spec.features));
  });

  it('refuses a device whose buffers are too small, naming the limit and the need', () => {
    const small = { ...DEVICE, limits: { ...DEVICE.limits, maxStorageBufferBindingSize: 8 } };
    for (const { encoded, sizes } of plans) {
      const refusal = spec.fits(encoded, small, sizes);
      expect(refusal.ok ? 'admitted' : refusal.reason).toMatch(/\d.*\b8\b/);
    }
  });
});
