// Rules of WGSL files (headers, includes, names), and the composed shaders of every kernel against their plans.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type KernelPlan, type PassPlan } from '../src/core/kernel/kernel.ts';
import { fileOf } from '../src/core/kernel/shader.ts';
import { formats } from '../src/formats/registry.ts';
import { DEVICE, type Planned, plansOf } from '../scripts/kernel-plans.ts';
import { filesIn } from '../scripts/labs.mjs';
import { type Include, includesOf, modulesOf, shaderPath } from '../scripts/shader-modules.ts';
import { composeShader } from '../src/gpu/compose.ts';
import { declaredBindings } from '../src/gpu/declared-bindings.ts';
import { listPasses } from '../src/gpu/listing.ts';
import { declarations, usedNames } from './wgsl-names.ts';

/** Every file of shaders/, and the shaders of labs. */
const SHADERS = [
  ...filesIn(['shaders'], /\.wgsl$/),
  ...filesIn(['labs'], /\.wgsl$/).filter((file) => /^labs\/[^/]+\/shaders\//.test(file)),
];

/** Kernels without a format, with which src/gpu measures the device. */
const INSTRUMENTS = [
  'common/null_dispatch.wgsl',
  'common/peaks.wgsl#fma',
  'common/peaks.wgsl#dot',
  'common/peaks.wgsl#matrix',
  'common/read_bandwidth.wgsl',
];

/** A file, or a variant of one. */
interface ShaderText {
  /** path below shaders/; for a variant followed by '#' and its name */
  readonly path: string;
  readonly code: string;
  /** the comment lines at the top of the file, and of the variant's section, without the slashes */
  readonly header: string;
  readonly includes: readonly Include[];
  /** names that its header provides to files that include it, and names that it requires from them */
  readonly gives: readonly string[];
  readonly takes: readonly string[];
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
  const listed = (field: string): readonly string[] =>
    [...header.matchAll(new RegExp(`\\b${field}: ([^.]+)\\.`, 'g'))].flatMap(([, names]) =>
      names.split(',').map((name) => name.trim()),
    );
  return {
    path,
    code,
    header,
    includes: includesOf(path, code),
    gives: listed('Provides'),
    takes: listed('Requires'),
    declares: declarations(code).map(({ name }) => name),
    uses: usedNames(code),
  };
}

/** Every file, or its variants, by path. */
const files: ReadonlyMap<string, ShaderText> = new Map(
  SHADERS.toSorted()
    .flatMap((file) => modulesOf(shaderPath(file), readFileSync(file, 'utf8')))
    .map(({ path, code }) => [path, shaderText(path, code)]),
);

function fileAt(path: string): ShaderText {
  const file = files.get(path);
  if (!file) throw new Error(`found no shaders/${path}`);
  return file;
}

const all = [...files.values()];
const includedPaths = new Set(all.flatMap(({ includes }) => includes.flatMap(({ paths }) => paths)));
/** Files that no other file includes: kernels. */
const kernelFiles = all.filter(({ path }) => !includedPaths.has(path));
const pieces = all.filter(({ path }) => includedPaths.has(path));
/** Every name that a shader file declares. */
const declaredNames = new Set(all.flatMap(({ declares }) => declares));

/** All files below one, for every variant. Throws for one that includes itself. */
function below(file: ShaderText, open: readonly string[] = []): ReadonlySet<ShaderText> {
  if (open.includes(file.path)) throw new Error(`${file.path} includes itself`);
  const included = file.includes.flatMap(({ paths }) => paths.map(fileAt));
  return new Set(included.flatMap((f) => [f, ...below(f, [...open, file.path])]));
}

/** Names of shader files that a file uses and does not declare itself. */
function needs({ uses, declares }: ShaderText): readonly string[] {
  return [...uses].filter((name) => declaredNames.has(name) && !declares.includes(name));
}

/** The names that a file should provide: names that it or its includes declare, and that other files use through it. */
function wantedFrom(file: ShaderText): readonly string[] {
  const included = all.flatMap(({ includes }) =>
    includes.filter(({ paths: offered }) => offered.includes(file.path)).flatMap(({ names }) => names),
  );
  const own = [...file.declares, ...file.includes.flatMap(({ names }) => names)];
  const takenBelow = [...below(file)].flatMap(({ takes }) => takes).filter((name) => file.declares.includes(name));
  return [...included, ...takenBelow].filter((name) => own.includes(name));
}

/** Lines that declare `word`, each with the line before it. */
function declaringLines(code: string, word: RegExp): { line: string; before: string }[] {
  const lines = code.split('\n');
  return lines.flatMap((line, i) => (word.test(line) ? [{ line, before: lines[i - 1] ?? '' }] : []));
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

/** The passes of labs, with and without subgroups. */
const stages: readonly { readonly pass: PassPlan; readonly code: string }[] = [
  DEVICE,
  { ...DEVICE, features: new Set<string>() },
]
  .flatMap((device) => passesOfLabs.flatMap((passesFor) => passesFor(device)))
  .map((pass) => ({ pass, code: composeShader(pass.files).code }));

const composedPasses = new WeakMap<readonly Planned[], readonly ComposedPass[]>();

/** The passes of a kernel's plans with their composed code. */
function passes(plans: readonly Planned[]): readonly ComposedPass[] {
  const known = composedPasses.get(plans);
  if (known) return known;
  const composed = plans.flatMap(({ plan }) =>
    plan.passes.map((pass) => ({ plan, pass, code: composeShader(pass.files).code })),
  );
  composedPasses.set(plans, composed);
  return composed;
}

/** The texts of a plan's passes, without its numbers: plans with equal texts are listed alike. */
const textOf = ({ plan }: Planned): string =>
  JSON.stringify(
    plan.passes.map(({ files: passFiles, bindings, constants }) => [
      passFiles.map(({ path }) => path),
      bindings,
      Object.keys(constants),
    ]),
  );

/** Whether a file is generated: the bindings and accessors before the kernel of a declared format. */
const isGenerated = (path: string): boolean => path.endsWith('/arrays.wgsl') && !files.has(path);

/** By kernel files, the names that generated files before them declare. */
const generatedNames = new Map<string, Set<string>>();
for (const { pass } of kernels.flatMap(({ plans }) => passes(plans))) {
  const names = pass.files.filter(({ path }) => isGenerated(path)).flatMap(({ code }) => declarations(code));
  const path = pass.files.at(-1)?.path ?? '';
  generatedNames.set(path, new Set([...(generatedNames.get(path) ?? []), ...names.map(({ name }) => name)]));
}

/** The problems of files, each with its path. One test checks all files, since there are hundreds. */
const wrongIn = (
  checkedFiles: readonly ShaderText[],
  problemsOf: (file: ShaderText) => readonly string[],
): readonly string[] => checkedFiles.flatMap((file) => problemsOf(file).map((problem) => `${file.path}: ${problem}`));

describe('a shader file', () => {
  it('has a first line that describes it', () => {
    const wrong = wrongIn(all, ({ path, code }) => {
      const [first] = code.split('\n');
      return new RegExp(`^// ${path.replace(/\.wgsl.*/, '')}: \\S.*`).test(first) ? [] : [first];
    });
    expect(wrong).toEqual([]);
  });

  it('states lanes, dispatch, needs and workgroup memory if it is a kernel', () => {
    const wrong = wrongIn(kernelFiles, (file) => {
      const enables = [file, ...below(file)].some(({ code }) => code.includes('enable subgroups;'));
      const needed = enables ? 'subgroups' : 'nothing';
      const message = /Needs: (\w+)/.exec(file.header)?.[1];
      return [
        ...['Lanes: ', 'Dispatch: ', 'Needs: ', 'Workgroup memory: '].filter((field) => !file.header.includes(field)),
        ...(message === needed ? [] : [`needs ${needed}, says ${message}`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('includes only files of its format and common ones, and never itself', () => {
    const wrong = wrongIn(all, (file) => {
      const own = [file.path.split('/')[0], 'common'];
      return [...below(file)].filter(({ path }) => !own.includes(path.split('/')[0])).map(({ path }) => path);
    });
    expect(wrong).toEqual([]);
  });

  it('states the source of every name that it does not declare', () => {
    const wrong = wrongIn(all, (file) =>
      needs(file).filter((name) => {
        const lines = file.includes.filter(({ names }) => names.includes(name)).length;
        const generated = generatedNames.get(file.path)?.has(name) ? 1 : 0;
        return lines + generated + (file.takes.includes(name) ? 1 : 0) !== 1;
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('includes names that the included files provide, at least one of each', () => {
    const wrong = wrongIn(all, (file) =>
      file.includes.flatMap(({ paths: offered, names }) => {
        const given = offered.map((path) => names.filter((name) => fileAt(path).gives.includes(name)));
        return [
          ...offered
            .filter((_, i) => given[i].length === 0)
            .map((path) => `${path} provides none of ${names.join(', ')}`),
          ...names.filter((name) => !given.flat().includes(name)).map((name) => `nothing provides ${name}`),
        ];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('includes and requires nothing that neither it nor a file below it uses', () => {
    const wrong = wrongIn(all, (file) => {
      const needed = needs(file);
      const wanted = new Set([
        ...needed,
        ...file.gives,
        ...[...below(file)].flatMap(({ takes }) => takes),
        ...(kernelFiles.includes(file) ? ['main'] : []),
      ]);
      return [
        ...file.includes.flatMap(({ names }) => names).filter((name) => !wanted.has(name)),
        ...file.takes.filter((name) => !needed.includes(name)),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('provides only names that others use, and in each variant the same names', () => {
    const wanted = new Map(all.map((file) => [file, wantedFrom(file)]));
    const wrong = wrongIn(all, (file) => {
      const ofFile = all
        .filter(({ path }) => fileOf(path) === fileOf(file.path))
        .flatMap((one) => wanted.get(one) ?? []);
      return [
        ...(wanted.get(file) ?? [])
          .filter((name) => !file.gives.includes(name))
          .map((name) => `does not provide ${name}`),
        ...file.gives.filter((name) => !ofFile.includes(name)).map((name) => `provides ${name}, which nothing uses`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('explains every override and every storage buffer', () => {
    const wrong = wrongIn(all, ({ code }) =>
      [...declaringLines(code, /^override \w/), ...declaringLines(code, /var<storage/)]
        .filter(({ before }) => !/^\/{2,3} \S/.test(before))
        .map(({ line }) => line),
    );
    expect(wrong).toEqual([]);
  });

  it('has a different entry point in each kernel; code that several kernels share is in a separate file', () => {
    const mains = all.flatMap(({ path, code }) =>
      declarations(code)
        .filter(({ name }) => name === 'main')
        .map(({ text }) => [text.replaceAll(/\s+/g, ' '), path] as const),
    );
    const known = new Map<string, string>();
    for (const [text, path] of mains) {
      expect(known.get(text) ?? fileOf(path), path).toBe(fileOf(path));
      known.set(text, fileOf(path));
    }
  });

  it('is a kernel, or a piece without the header of one', () => {
    expect(kernelFiles.length).toBeGreaterThan(0);
    expect(pieces.filter(({ header }) => header.includes('Dispatch: ')).map(({ path }) => path)).toEqual([]);
  });
});

describe('the kernels of all formats and the passes of labs', () => {
  it('each kernel has a file with its name, or consists of passes of other kernels, whose headers name their source and the difference', () => {
    const ids = new Set(kernels.map(({ id }) => id));
    for (const { id, plans } of kernels) {
      const own = files.get(`${id}.wgsl`);
      // A kernel of several passes may have no separate file.
      const programs = passes(plans).map(({ pass }) => fileAt(pass.files.at(-1)?.path ?? ''));
      for (const { path } of own === undefined ? programs : []) {
        const isShared = ids.has(path.replace('.wgsl', '')) || path.startsWith('common/');
        expect(isShared || path.startsWith(`${id.split('/')[0]}/`), `${id}: ${path}`).toBe(true);
      }
      for (const { header } of own === undefined ? programs : [own]) {
        expect(header, id).toContain('Source: ');
        expect(header, id).toContain('Differs: ');
      }
    }
  });

  it('the kernels use every shader file, and every file that an include line lists', () => {
    const used = new Set<string>();
    for (const { pass } of [...kernels.flatMap(({ plans }) => passes(plans)), ...stages]) {
      const paths = new Set(pass.files.map(({ path }) => path));
      for (const path of paths) {
        if (isGenerated(path)) continue;
        used.add(path);
        for (const { paths: offered } of fileAt(path).includes) {
          for (const taken of offered.filter((p) => paths.has(p))) used.add(`${fileOf(path)} with ${taken}`);
        }
      }
    }
    expect([...files.keys()].filter((path) => !used.has(path))).toEqual(INSTRUMENTS);
    const choices = all
      .filter(({ path }) => !INSTRUMENTS.includes(path))
      .flatMap(({ path, includes }) => includes.flatMap(({ paths }) => paths.map((p) => `${fileOf(path)} with ${p}`)));
    expect(choices.filter((choice) => !used.has(choice))).toEqual([]);
  });

  it('every operation of a format has a kernel that needs no optional feature', () => {
    for (const format of formats.filter((f) => f.kernels.length > 0)) {
      const hasTwin = format.kernels.some((k) => k.features.length === 0);
      expect(hasTwin, format.id).toBe(true);
    }
  });
});

describe('the passes of labs', () => {
  it('passes of labs bind what the shader declares, set every override, and declare every name once', () => {
    for (const { pass, code } of stages) {
      const path = pass.files.at(-1)?.path;
      const bindings = [...declaredBindings(code).keys()].toSorted((a, b) => a - b);
      expect(bindings, path).toEqual(pass.bindings.map((_, i) => i));
      const overrides = [...code.matchAll(/^override (\w+)/gm)].map((m) => m[1]);
      expect(Object.keys(pass.constants).toSorted(), path).toEqual(overrides.toSorted());
      expect(code.match(/@compute/g)?.length, path).toBe(1);
      const names = declarations(code).map(({ name }) => name);
      expect(names, path).toEqual([...new Set(names)]);
      expect(pass.bindings.length, path).toBeLessThanOrEqual(8);
    }
  });
});

describe.each(kernels)('$id', ({ spec, plans }) => {
  it('can be planned', () => {
    expect(plans.length).toBeGreaterThan(0);
  });

  it('consists of whole files, each once, with one entry point called main', () => {
    const wrong = passes(plans).flatMap(({ pass, code }) => {
      const paths = pass.files.map(({ path }) => path);
      const kernel = paths.at(-1) ?? '';
      return [
        ...pass.files
          .filter((file) => !isGenerated(file.path) && file.code !== fileAt(file.path).code)
          .map(({ path }) => `${path}: in part`),
        ...(new Set(paths).size === paths.length ? [] : [`${paths.join(', ')}: one of them twice`]),
        ...(kernelFiles.some(({ path }) => path === kernel) ? [] : [`${kernel}: no kernel file`]),
        ...(code.match(/@compute/g)?.length === 1 && code.includes('fn main(') ? [] : [`${kernel}: not one main`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('binds what the shader declares, in its order and with its access', () => {
    const wrong = passes(plans).flatMap(({ plan, pass, code }) => {
      const path = pass.files.at(-1)?.path ?? '';
      const declared = declaredBindings(code);
      const positions = [...declared.keys()].toSorted((a, b) => a - b);
      const isInOrder = positions.length === pass.bindings.length && positions.every((position, i) => position === i);
      const unlike = pass.bindings.filter((name, i) => {
        const role = plan.buffers.find((b) => b.name === name)?.role;
        if (role === 'scratch') return false; // written in one pass, read in the next
        const access = role === 'params' ? 'uniform' : role === 'output' ? 'storage' : 'read-only-storage';
        return declared.get(i) !== access;
      });
      return [
        ...(isInOrder ? [] : [`${path}: declares ${positions.join(', ')}`]),
        ...unlike.map((name) => `${path}: ${name} has another access`),
        ...(pass.bindings.length - 1 <= 8 ? [] : [`${path}: ${pass.bindings.length} bindings`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('sets every override of the shader, and no other', () => {
    const wrong = passes(plans).flatMap(({ pass, code }) => {
      const declared = [...code.matchAll(/^override (\w+)/gm)]
        .map((m) => m[1])
        .toSorted()
        .join(', ');
      const set = Object.keys(pass.constants).toSorted().join(', ');
      return set === declared ? [] : [`${pass.files.at(-1)?.path}: found ${set}, expected ${declared}`];
    });
    expect(wrong).toEqual([]);
  });

  it('can be listed with the type of every buffer and override, and the meaning of all except sizes', () => {
    // One plan of each text: plans that differ in their numbers alone are listed alike.
    for (const plan of new Map(plans.map((one) => [textOf(one), one.plan])).values()) {
      for (const [i, { bindings, overrides }] of listPasses(plan).entries()) {
        expect(bindings.map(({ buffer }) => buffer.name)).toEqual(plan.passes[i].bindings);
        const explained = [...bindings.filter(({ access }) => access !== 'uniform'), ...overrides];
        expect(explained.filter(({ meaning, type }) => meaning === '' || type === '')).toEqual([]);
        expect(Object.fromEntries(overrides.map(({ name, value }) => [name, value]))).toEqual(plan.passes[i].constants);
      }
    }
  });

  it('declares every name once that one of its files uses', () => {
    for (const [code, { pass }] of new Map(passes(plans).map((p) => [p.code, p]))) {
      const names = declarations(code).map(({ name }) => name);
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
      const used = pass.files.flatMap(({ path }) => (isGenerated(path) ? [] : needs(fileAt(path))));
      expect(used.filter((name) => !names.includes(name))).toEqual([]);
    }
  });

  it('requires the features that its shader enables', () => {
    const enabled = passes(plans).flatMap(({ code }) => [...code.matchAll(/^enable (\w+);/gm)].map((m) => m[1]));
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
