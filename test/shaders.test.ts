// Checks the rules of WGSL files (headers, includes, names), and compares the composed shader of every kernel with its plans.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type KernelPlan, type PassPlan } from '../src/core/kernel/kernel.ts';
import { fileOf } from '../src/core/kernel/shader.ts';
import { formats } from '../src/formats/registry.ts';
import { DEVICE, type PlanForMatrix, plansOf } from '../scripts/kernel-plans.ts';
import { filesIn } from '../scripts/labs.mjs';
import { type Include, includesOf, modulesOf, shaderPath } from '../scripts/shader-modules.ts';
import { composeShader } from '../src/gpu/compose.ts';
import { declaredBindings } from '../src/gpu/declared-bindings.ts';
import { listPasses } from '../src/gpu/listing.ts';
import { declarations, usedNames } from './wgsl-names.ts';

/** Paths of all files of shaders/ and of the labs' shaders. */
const SHADER_PATHS = [
  ...filesIn(['shaders'], /\.wgsl$/),
  ...filesIn(['labs'], /\.wgsl$/).filter((file) => /^labs\/[^/]+\/shaders\//.test(file)),
];

/** Kernels without a format, with which src/gpu measures the device. */
const DEVICE_KERNELS = [
  'common/null_dispatch.wgsl',
  'common/peaks.wgsl#fma',
  'common/peaks.wgsl#dot',
  'common/peaks.wgsl#matrix',
  'common/read_bandwidth.wgsl',
];

/** A shader file, or one variant of it. */
interface ShaderText {
  /** path below shaders/; for a variant followed by '#' and its name */
  readonly path: string;
  readonly code: string;
  /** the comment lines at the top of the file, and of the variant's section, without the slashes */
  readonly header: string;
  readonly includes: readonly Include[];
  /** names that its header provides to files that include it, and names that it requires from them */
  readonly provides: readonly string[];
  readonly requires: readonly string[];
  /** names that its code declares, and names that its code uses */
  readonly declares: readonly string[];
  readonly uses: ReadonlySet<string>;
}

function shaderText(path: string, code: string): ShaderText {
  const lines = code.split('\n');
  const header = lines
    .flatMap((line, i) => (i === 0 || line.startsWith('// variant ') ? [i] : []))
    .flatMap((from) => {
      const rest = lines.slice(from);
      return rest.slice(
        0,
        rest.findIndex((line) => !line.startsWith('//')),
      );
    })
    .map((line) => line.slice(2).trim())
    .join('\n');
  const namesAfter = (field: string): readonly string[] =>
    [...header.matchAll(new RegExp(`\\b${field}: ([^.]+)\\.`, 'g'))].flatMap(([, names]) =>
      names.split(',').map((name) => name.trim()),
    );
  return {
    path,
    code,
    header,
    includes: includesOf(path, code),
    provides: namesAfter('Provides'),
    requires: namesAfter('Requires'),
    declares: declarations(code).map(({ name }) => name),
    uses: usedNames(code),
  };
}

/** All shader files, by path; a file with variants is replaced by its variants. */
const files: ReadonlyMap<string, ShaderText> = new Map(
  SHADER_PATHS.toSorted()
    .flatMap((file) => modulesOf(shaderPath(file), readFileSync(file, 'utf8')))
    .map(({ path, code }) => [path, shaderText(path, code)]),
);

function fileAt(path: string): ShaderText {
  const file = files.get(path);
  if (!file) throw new Error(`found no shaders/${path}`);
  return file;
}

const allFiles = [...files.values()];
const includedPaths = new Set(allFiles.flatMap(({ includes }) => includes.flatMap(({ paths }) => paths)));
/** Kernels are the files that no other file includes; the others are pieces. */
const kernelFiles = allFiles.filter(({ path }) => !includedPaths.has(path));
const pieces = allFiles.filter(({ path }) => includedPaths.has(path));
/** Every name that a shader file declares. */
const declaredNames = new Set(allFiles.flatMap(({ declares }) => declares));

/** The files that a file includes, directly or through others. Throws an error if a file includes itself. */
function includedFiles(file: ShaderText, includingPaths: readonly string[] = []): ReadonlySet<ShaderText> {
  if (includingPaths.includes(file.path)) throw new Error(`${file.path} includes itself`);
  const included = file.includes.flatMap(({ paths }) => paths.map(fileAt));
  return new Set(included.flatMap((f) => [f, ...includedFiles(f, [...includingPaths, file.path])]));
}

/** Names of shader files that a file uses and does not declare itself. */
function undeclaredNames({ uses, declares }: ShaderText): readonly string[] {
  return [...uses].filter((name) => declaredNames.has(name) && !declares.includes(name));
}

/** The names that a file should provide: names that it or its includes declare, and that other files use through it. */
function namesToProvide(file: ShaderText): readonly string[] {
  const included = allFiles.flatMap(({ includes }) =>
    includes.filter(({ paths }) => paths.includes(file.path)).flatMap(({ names }) => names),
  );
  const available = [...file.declares, ...file.includes.flatMap(({ names }) => names)];
  const requiredByIncluded = [...includedFiles(file)]
    .flatMap(({ requires }) => requires)
    .filter((name) => file.declares.includes(name));
  return [...included, ...requiredByIncluded].filter((name) => available.includes(name));
}

/** The lines that match `pattern`, each with the line before it. */
function matchingLines(code: string, pattern: RegExp): { line: string; previousLine: string }[] {
  const lines = code.split('\n');
  return lines.flatMap((line, i) => (pattern.test(line) ? [{ line, previousLine: lines[i - 1] ?? '' }] : []));
}

const kernels = plansOf(formats);

interface ComposedPass {
  readonly plan: KernelPlan;
  readonly pass: PassPlan;
  readonly code: string;
}

/** The passes that labs dispatch besides the kernels of formats: `passes` of labs/X/test/passes.ts. */
const passesOfLabs = Object.values(
  import.meta.glob<(device: typeof DEVICE) => readonly PassPlan[]>('../labs/*/test/passes.ts', {
    eager: true,
    import: 'passes',
  }),
);

/** The passes of labs, planned for a device with and without subgroups. */
const labPasses: readonly { readonly pass: PassPlan; readonly code: string }[] = [
  DEVICE,
  { ...DEVICE, features: new Set<string>() },
]
  .flatMap((device) => passesOfLabs.flatMap((passesFor) => passesFor(device)))
  .map((pass) => ({ pass, code: composeShader(pass.files).code }));

const composedPasses = new WeakMap<readonly PlanForMatrix[], readonly ComposedPass[]>();

/** The passes of a kernel's plans with their composed code. */
function composedPassesOf(plans: readonly PlanForMatrix[]): readonly ComposedPass[] {
  const cached = composedPasses.get(plans);
  if (cached) return cached;
  const composed = plans.flatMap(({ plan }) =>
    plan.passes.map((pass) => ({ plan, pass, code: composeShader(pass.files).code })),
  );
  composedPasses.set(plans, composed);
  return composed;
}

/** The files, bindings and overrides of a plan's passes, as a key. Plans with equal keys differ only in numbers, so that one of them is tested. */
const passesKey = ({ plan }: PlanForMatrix): string =>
  JSON.stringify(
    plan.passes.map(({ files: passFiles, bindings, constants }) => [
      passFiles.map(({ path }) => path),
      bindings,
      Object.keys(constants),
    ]),
  );

/** Whether a file is generated: it contains the bindings and accessors of a declared format. */
const isGenerated = (path: string): boolean => path.endsWith('/arrays.wgsl') && !files.has(path);

/** The names that the generated files of a kernel declare, by the path of the kernel's file. */
const generatedNames = new Map<string, Set<string>>();
for (const { pass } of kernels.flatMap(({ plans }) => composedPassesOf(plans))) {
  const names = pass.files.filter(({ path }) => isGenerated(path)).flatMap(({ code }) => declarations(code));
  const path = pass.files.at(-1)?.path ?? '';
  generatedNames.set(path, new Set([...(generatedNames.get(path) ?? []), ...names.map(({ name }) => name)]));
}

/** Returns the problems of all files, each after the file's path. One test checks all files, since there are hundreds. */
const problemsIn = (
  checkedFiles: readonly ShaderText[],
  problemsOf: (file: ShaderText) => readonly string[],
): readonly string[] => checkedFiles.flatMap((file) => problemsOf(file).map((problem) => `${file.path}: ${problem}`));

describe('a shader file', () => {
  it('has a first line that describes it', () => {
    const problems = problemsIn(allFiles, ({ path, code }) => {
      const [first] = code.split('\n');
      return new RegExp(`^// ${path.replace(/\.wgsl.*/, '')}: \\S.*`).test(first) ? [] : [first];
    });
    expect(problems).toEqual([]);
  });

  it('states lanes, dispatch, needs and workgroup memory if it is a kernel', () => {
    const problems = problemsIn(kernelFiles, (file) => {
      const usesSubgroups = [file, ...includedFiles(file)].some(({ code }) => code.includes('enable subgroups;'));
      const needed = usesSubgroups ? 'subgroups' : 'nothing';
      const stated = /Needs: (\w+)/.exec(file.header)?.[1];
      return [
        ...['Lanes: ', 'Dispatch: ', 'Needs: ', 'Workgroup memory: '].filter((field) => !file.header.includes(field)),
        ...(stated === needed ? [] : [`needs ${needed}, its header states ${stated}`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('includes only files of its format and common ones, and never itself', () => {
    const problems = problemsIn(allFiles, (file) => {
      const allowedFolders = [file.path.split('/')[0], 'common'];
      return [...includedFiles(file)]
        .filter(({ path }) => !allowedFolders.includes(path.split('/')[0]))
        .map(({ path }) => path);
    });
    expect(problems).toEqual([]);
  });

  it('states exactly one source of every name that it does not declare: an include, a generated file or "Requires"', () => {
    const problems = problemsIn(allFiles, (file) =>
      undeclaredNames(file).filter((name) => {
        const includeLines = file.includes.filter(({ names }) => names.includes(name)).length;
        const generated = generatedNames.get(file.path)?.has(name) ? 1 : 0;
        const required = file.requires.includes(name) ? 1 : 0;
        return includeLines + generated + required !== 1;
      }),
    );
    expect(problems).toEqual([]);
  });

  it('includes only names that one of the included files provides, and at least one name of each of these files', () => {
    const problems = problemsIn(allFiles, (file) =>
      file.includes.flatMap(({ paths, names }) => {
        const provided = paths.map((path) => names.filter((name) => fileAt(path).provides.includes(name)));
        return [
          ...paths
            .filter((_, i) => provided[i].length === 0)
            .map((path) => `${path} provides none of ${names.join(', ')}`),
          ...names.filter((name) => !provided.flat().includes(name)).map((name) => `nothing provides ${name}`),
        ];
      }),
    );
    expect(problems).toEqual([]);
  });

  it('includes and requires only names that it uses or provides, or that an included file requires', () => {
    const problems = problemsIn(allFiles, (file) => {
      const needed = undeclaredNames(file);
      const mayInclude = new Set([
        ...needed,
        ...file.provides,
        ...[...includedFiles(file)].flatMap(({ requires }) => requires),
        ...(kernelFiles.includes(file) ? ['main'] : []),
      ]);
      return [
        ...file.includes.flatMap(({ names }) => names).filter((name) => !mayInclude.has(name)),
        ...file.requires.filter((name) => !needed.includes(name)),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('provides the names that other files use from it, and none that they use from no variant of it', () => {
    const neededNames = new Map(allFiles.map((file) => [file, namesToProvide(file)]));
    const problems = problemsIn(allFiles, (file) => {
      const neededFromAnyVariant = allFiles
        .filter(({ path }) => fileOf(path) === fileOf(file.path))
        .flatMap((variant) => neededNames.get(variant) ?? []);
      return [
        ...(neededNames.get(file) ?? [])
          .filter((name) => !file.provides.includes(name))
          .map((name) => `does not provide ${name}`),
        ...file.provides
          .filter((name) => !neededFromAnyVariant.includes(name))
          .map((name) => `provides ${name}, which nothing uses`),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('has a comment before every override and every storage buffer', () => {
    const problems = problemsIn(allFiles, ({ code }) =>
      [...matchingLines(code, /^override \w/), ...matchingLines(code, /var<storage/)]
        .filter(({ previousLine }) => !/^\/{2,3} \S/.test(previousLine))
        .map(({ line }) => line),
    );
    expect(problems).toEqual([]);
  });

  it('has an entry point that no other file repeats', () => {
    const entryPoints = allFiles.flatMap(({ path, code }) =>
      declarations(code)
        .filter(({ name }) => name === 'main')
        .map(({ text }) => ({ text: text.replaceAll(/\s+/g, ' '), path })),
    );
    const fileByText = new Map<string, string>();
    for (const { text, path } of entryPoints) {
      expect(fileByText.get(text) ?? fileOf(path), path).toBe(fileOf(path));
      fileByText.set(text, fileOf(path));
    }
  });

  it('has no "Dispatch" in its header if it is a piece', () => {
    expect(kernelFiles.length).toBeGreaterThan(0);
    expect(pieces.filter(({ header }) => header.includes('Dispatch: ')).map(({ path }) => path)).toEqual([]);
  });
});

describe('the kernels of all formats and the passes of labs', () => {
  /** The files of a kernel: the one with its name or, for a kernel of several passes without one, those of its passes. */
  const programs = kernels.map(({ id, plans }) => {
    const fileOfName = files.get(`${id}.wgsl`);
    return {
      id,
      hasFile: fileOfName !== undefined,
      programFiles: fileOfName
        ? [fileOfName]
        : composedPassesOf(plans).map(({ pass }) => fileAt(pass.files.at(-1)?.path ?? '')),
    };
  });

  it('a kernel without a file of its name consists of passes of other kernels, of common/ or of its format', () => {
    const ids = new Set(kernels.map(({ id }) => id));
    for (const { id, programFiles } of programs.filter(({ hasFile }) => !hasFile)) {
      for (const { path } of programFiles) {
        const isShared = ids.has(path.replace('.wgsl', '')) || path.startsWith('common/');
        expect(isShared || path.startsWith(`${id.split('/')[0]}/`), `${id}: ${path}`).toBe(true);
      }
    }
  });

  it('the header of each kernel states its source and how it differs from it', () => {
    for (const { id, programFiles } of programs) {
      for (const { header } of programFiles) {
        expect(header, id).toContain('Source: ');
        expect(header, id).toContain('Differs: ');
      }
    }
  });

  it('the kernels use every shader file, and every file that an include line lists', () => {
    const usedFiles = new Set<string>();
    const usedIncludes = new Set<string>();
    for (const { pass } of [...kernels.flatMap(({ plans }) => composedPassesOf(plans)), ...labPasses]) {
      const composedPaths = new Set(pass.files.map(({ path }) => path));
      for (const path of composedPaths) {
        if (isGenerated(path)) continue;
        usedFiles.add(path);
        for (const { paths } of fileAt(path).includes) {
          // An include line may list several files, of which a plan chooses one.
          for (const chosen of paths.filter((p) => composedPaths.has(p)))
            usedIncludes.add(`${fileOf(path)} with ${chosen}`);
        }
      }
    }
    expect([...files.keys()].filter((path) => !usedFiles.has(path))).toEqual(DEVICE_KERNELS);
    const listedIncludes = allFiles
      .filter(({ path }) => !DEVICE_KERNELS.includes(path))
      .flatMap(({ path, includes }) => includes.flatMap(({ paths }) => paths.map((p) => `${fileOf(path)} with ${p}`)));
    expect(listedIncludes.filter((include) => !usedIncludes.has(include))).toEqual([]);
  });

  it('every format with kernels has one that needs no optional feature', () => {
    for (const format of formats.filter((f) => f.kernels.length > 0)) {
      expect(
        format.kernels.some((k) => k.features.length === 0),
        format.id,
      ).toBe(true);
    }
  });
});

describe('the passes of labs', () => {
  const shaderOf = ({ pass }: { readonly pass: PassPlan }): string | undefined => pass.files.at(-1)?.path;

  it('bind what their shaders declare, at most eight buffers', () => {
    for (const { pass, code } of labPasses) {
      const bindings = [...declaredBindings(code).keys()].toSorted((a, b) => a - b);
      expect(bindings, shaderOf({ pass })).toEqual(pass.bindings.map((_, i) => i));
      expect(pass.bindings.length, shaderOf({ pass })).toBeLessThanOrEqual(8);
    }
  });

  it('set every override of their shaders, and no other', () => {
    for (const { pass, code } of labPasses) {
      const overrides = [...code.matchAll(/^override (\w+)/gm)].map((m) => m[1]);
      expect(Object.keys(pass.constants).toSorted(), shaderOf({ pass })).toEqual(overrides.toSorted());
    }
  });

  it('have one entry point, and declare every name once', () => {
    for (const { pass, code } of labPasses) {
      expect(code.match(/@compute/g)?.length, shaderOf({ pass })).toBe(1);
      const names = declarations(code).map(({ name }) => name);
      expect(names, shaderOf({ pass })).toEqual([...new Set(names)]);
    }
  });
});

describe.each(kernels)('$id', ({ spec, plans }) => {
  it('can be planned', () => {
    expect(plans.length).toBeGreaterThan(0);
  });

  it('consists of whole files, each once, with one entry point called main', () => {
    const problems = composedPassesOf(plans).flatMap(({ pass, code }) => {
      const paths = pass.files.map(({ path }) => path);
      const kernel = paths.at(-1) ?? '';
      return [
        ...pass.files
          .filter((file) => !isGenerated(file.path) && file.code !== fileAt(file.path).code)
          .map(({ path }) => `${path}: only a part of the file`),
        ...(new Set(paths).size === paths.length ? [] : [`${paths.join(', ')}: a file occurs twice`]),
        ...(kernelFiles.some(({ path }) => path === kernel) ? [] : [`${kernel}: no kernel file`]),
        ...(code.match(/@compute/g)?.length === 1 && code.includes('fn main(')
          ? []
          : [`${kernel}: expected one entry point, main`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('binds what the shader declares, in its order and with its access', () => {
    const problems = composedPassesOf(plans).flatMap(({ plan, pass, code }) => {
      const path = pass.files.at(-1)?.path ?? '';
      const declared = declaredBindings(code);
      const positions = [...declared.keys()].toSorted((a, b) => a - b);
      const isInOrder = positions.length === pass.bindings.length && positions.every((position, i) => position === i);
      const withOtherAccess = pass.bindings.filter((name, i) => {
        const role = plan.buffers.find((b) => b.name === name)?.role;
        if (role === 'scratch') return false; // written in one pass, read in the next
        const access = role === 'params' ? 'uniform' : role === 'output' ? 'storage' : 'read-only-storage';
        return declared.get(i) !== access;
      });
      return [
        ...(isInOrder ? [] : [`${path}: declares ${positions.join(', ')}`]),
        ...withOtherAccess.map((name) => `${path}: ${name} has another access`),
        // One binding is the uniform buffer; WebGPU guarantees eight storage buffers.
        ...(pass.bindings.length - 1 <= 8 ? [] : [`${path}: ${pass.bindings.length} bindings`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('sets every override of the shader, and no other', () => {
    const problems = composedPassesOf(plans).flatMap(({ pass, code }) => {
      const declared = [...code.matchAll(/^override (\w+)/gm)]
        .map((m) => m[1])
        .toSorted()
        .join(', ');
      const assigned = Object.keys(pass.constants).toSorted().join(', ');
      return assigned === declared ? [] : [`${pass.files.at(-1)?.path}: found ${assigned}, expected ${declared}`];
    });
    expect(problems).toEqual([]);
  });

  it('can be listed with the type of every buffer and override, and the meaning of all except sizes', () => {
    for (const plan of new Map(plans.map((planned) => [passesKey(planned), planned.plan])).values()) {
      for (const [i, { bindings, overrides }] of listPasses(plan).entries()) {
        expect(bindings.map(({ buffer }) => buffer.name)).toEqual(plan.passes[i].bindings);
        const explained = [...bindings.filter(({ access }) => access !== 'uniform'), ...overrides];
        expect(explained.filter(({ meaning, type }) => meaning === '' || type === '')).toEqual([]);
        expect(Object.fromEntries(overrides.map(({ name, value }) => [name, value]))).toEqual(plan.passes[i].constants);
      }
    }
  });

  it('declares every name that its files use, and none twice', () => {
    for (const [code, { pass }] of new Map(composedPassesOf(plans).map((p) => [p.code, p]))) {
      const names = declarations(code).map(({ name }) => name);
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
      const used = pass.files.flatMap(({ path }) => (isGenerated(path) ? [] : undeclaredNames(fileAt(path))));
      expect(used.filter((name) => !names.includes(name))).toEqual([]);
    }
  });

  it('requires the features that its shader enables', () => {
    const enabled = composedPassesOf(plans).flatMap(({ code }) =>
      [...code.matchAll(/^enable (\w+);/gm)].map((m) => m[1]),
    );
    expect(new Set(enabled.map((name) => name.replaceAll('_', '-')))).toEqual(new Set(spec.features));
  });

  it('rejects a device whose buffers are too small, naming the limit and the need', () => {
    const small = { ...DEVICE, limits: { ...DEVICE.limits, maxStorageBufferBindingSize: 8 } };
    for (const { encoded, sizes } of plans) {
      const rejection = spec.fits(encoded, small, sizes);
      expect(rejection.ok ? 'admitted' : rejection.reason).toMatch(/\d.*\b8\b/);
    }
  });
});
