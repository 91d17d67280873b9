import { describe, expect, it } from 'vitest';
import { SparseScopeError } from '../../../core/errors.ts';
import { defaultParams, storyParams, type AnyFormat, type AnyListedFormat } from '../../../core/format.ts';
import { fileOf } from '../../../core/kernel/shader.ts';
import { formats } from '../../../formats/registry.ts';
import { testEngine } from '../../../../test/engine.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import { exampleDevice, exampleMatrix } from '../../../gpu/index.ts';
import { loadStory } from '../../../story/format-story.ts';
import { kernelWords } from '../KernelCode.tsx';
import type { ListedKernel } from '../kernel-list.ts';
import type { KernelReading } from '../../../engine/kernel-reading/kernel-reading-types.ts';
import { readKernel } from '../../../engine/kernel-reading/kernel-reading.ts';
import { cases } from '../../../../test/scheduled.ts';
import { everyKernelFile } from '../../../../test/kernel-files.ts';

const SPEC = { pattern: 'uniform', rows: 96, cols: 64, density: 0.5, seed: 1 } as const;

async function opened(): Promise<ReturnType<typeof testEngine>> {
  const engine = testEngine();
  await engine.matrix.open({}, { kind: 'generated', spec: SPEC });
  return engine;
}

describe('reading a kernel', () => {
  it('reading a kernel returns its compiled text, and its bindings and constants for the open matrix', async () => {
    const engine = await opened();
    const { passes, whySubstitute, rows, cols } = await engine.kernels.read(
      {},
      { kernel: 'csr/spmv_scalar', params: {} },
    );
    expect({ rows, cols, whySubstitute }).toEqual({ rows: 96, cols: 64, whySubstitute: null });
    expect(passes).toHaveLength(1);
    const [{ path, files, bindings, workgroups }] = passes;
    expect(path).toBe('csr/spmv_scalar.wgsl');
    expect(files.at(-1)?.path).toBe(path);
    expect(files.at(-1)?.code).toContain('@compute');
    expect(workgroups.every((n) => n >= 1)).toBe(true);
    const classes = Object.fromEntries(bindings.map(({ buffer, byteClass }) => [buffer, byteClass]));
    expect(classes).toMatchObject({ data: 'values', indices: 'indices', indptr: 'metadata', x: null });
  });

  it('kernels of every format can be read, on any matrix and without a GPU', async () => {
    const engine = await opened();
    for (const { kernels } of formats) {
      // test/plans.test.ts checks that every kernel has a correct plan.
      for (const { id } of kernels.filter((_, i) => i % cases(4, 1) === 0)) {
        const { passes, rejection } = await engine.kernels.read({}, { kernel: id, params: {} });
        expect(rejection, id).toBeNull();
        expect(passes.at(-1)?.bindings.length, id).toBeGreaterThan(1);
      }
    }
  });

  it('a kernel is planned for a substitute matrix if its format rejects the open one, with the reason', async () => {
    const engine = await opened();
    const { whySubstitute } = await engine.kernels.read({}, { kernel: 'slidesparse/spmv_subgroup', params: {} });
    expect(whySubstitute).toMatch(/more than the 6 that 6:8 allows/);
  });

  it('reading a kernel that the device cannot run returns another one, and the page explains it in whole sentences', async () => {
    const matrix = exampleMatrix(16, 14_336);
    const benchMatrix = {
      matrix,
      encode: async (format: AnyFormat, params: object) => ({ encoded: format.encode(matrix, params) }),
    } as unknown as BenchMatrix;
    const device = exampleDevice();
    const limits = { ...device.limits, maxComputeWorkgroupStorageSize: 32_768 };
    const read = (otherwise: readonly string[], features = device.features, isNamed = false) =>
      readKernel(
        { formats },
        { kernel: 'macko/spmv_staged', params: {}, otherwise, isNamed },
        benchMatrix,
        { ...device, limits, features },
        { report: () => {}, cancelled: false },
      );
    const reason = 'a workgroup needs 57344 bytes of memory for 14336 columns, but this device has 32768';
    const reasonOnPage = 'a workgroup needs 57.3\u202fkB, it has 32.8\u202fkB';
    const rejection = `${reason} (maxComputeWorkgroupStorageSize)`;
    const instead = await read(['macko/spmv_staged_x16', 'macko/spmv_subgroup', 'macko/spmv_workgroup']);
    expect(instead).toMatchObject({ kernel: 'macko/spmv_staged_x16', rejection: null });
    expect(instead.passedOver[0]).toEqual({ kernel: 'macko/spmv_staged', rejection });
    const withoutOthers = await read([]);
    expect(withoutOthers).toMatchObject({ kernel: 'macko/spmv_staged', rejection, passedOver: [] });
    const withoutSubgroups = await read([], new Set());
    expect(withoutSubgroups.rejection).toBe('it needs subgroups, which this device does not have');
    const macko = formats.find(({ id }) => id === 'macko') as unknown as AnyListedFormat;
    const pageText = (reading: Omit<KernelReading, 'generation'>): string =>
      kernelWords({ format: macko, kernel: { operation: 'spmv' } as ListedKernel['kernel'] }, reading)
        .map(({ text }) => text)
        .join('');
    // The page does not mention the kernel that cannot run, and shows one that can.
    expect(pageText(instead)).toBe('MACKO’s kernel for y = A x needs ‘subgroups’.');
    expect(pageText(withoutOthers).endsWith(` cannot run on this device: ${reasonOnPage}.`)).toBe(true);
    // If the user requests that kernel by name, the page shows it, with the name of a kernel that can run.
    const named = await read(['macko/spmv_panels', 'macko/spmv_subgroup', 'macko/spmv_workgroup'], undefined, true);
    expect(named).toMatchObject({ kernel: 'macko/spmv_staged', rejection, passedOver: [] });
    expect(pageText(named)).toContain(` cannot run on this device: ${reasonOnPage}.`);
    expect((await read([named.instead ?? ''], undefined)).kernel).toBe(named.instead);
    expect(pageText(withoutSubgroups)).toContain(
      ' cannot run on this device: it needs subgroups, which this device does not have.',
    );
  });

  it('a kernel can be read before the matrix is open, with the same text', async () => {
    const engine = await opened();
    const early = await engine.kernels.source({}, { kernel: 'csr/spmv_scalar', params: {} });
    const read = await engine.kernels.read({}, { kernel: 'csr/spmv_scalar', params: {} });
    expect(early.passes.map(({ code }) => code)).toEqual(read.passes.map(({ code }) => code));
    expect(early).toMatchObject({ rejection: null, instead: null, whySubstitute: 'the matrix is not open yet' });
  });

  it('reading a kernel that does not exist is rejected', async () => {
    const engine = await opened();
    const requested = engine.kernels.read({}, { kernel: 'csr/nothing', params: {} });
    await expect(requested).rejects.toThrow(/^kernel: found 'csr\/nothing', expected one of dense\//);
    await expect(requested).rejects.toBeInstanceOf(SparseScopeError);
  });
});

describe('files of kernels', () => {
  it('the files of all kernels are listed once each, with every kernel that contains them', async () => {
    const files = await testEngine().kernels.files({});
    const paths = files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const kernels = formats.flatMap((format) => format.kernels.map(({ id }) => id));
    expect(new Set(files.flatMap((file) => file.kernels))).toEqual(new Set(kernels));
    const values = files.find(({ path }) => path === 'macko/deltas.wgsl#2');
    expect(values?.kernels).toContain('macko/spmv_subgroup');
    expect(values?.code).toContain('fn ');
  });
});

describe('stories', () => {
  const files = everyKernelFile();

  it.each(formats.map((format) => [format.title, format] as const))(
    'stories of %s quote the kernel where it multiplies, and name only files that its kernels have',
    async (_, format) => {
      const story = await loadStory(format);
      const trace = story.trace(exampleMatrix(8, 16), storyParams<object>(format.params, defaultParams(format.params)));
      const quoted = new Set<string>();
      for (let step = 1; step <= trace.steps.length; step++) {
        const file = story.scene(trace, step).code?.file ?? '';
        if (file.endsWith('.wgsl')) quoted.add(file);
      }
      // The story of a declaration alone quotes nothing.
      if (!story.quotes) return expect([...quoted]).toEqual([]);
      const holdersOf = (file: string): readonly string[] =>
        files.filter(({ path }) => fileOf(path) === file).flatMap(({ kernels }) => kernels);
      const isOwn = (file: string): boolean =>
        holdersOf(file).some((id) => format.kernels.some((kernel) => kernel.id === id));
      // A story may also quote kernels of other formats; they do not link back to it.
      expect([...quoted].filter((file) => holdersOf(file).length === 0)).toEqual([]);
      const ownFiles = [...quoted].filter(isOwn);
      expect(ownFiles.length).toBeGreaterThan(0);
      expect([story.quotes, story.quotes.filter((file) => !isOwn(file))]).toEqual([
        expect.arrayContaining(ownFiles),
        [],
      ]);
    },
  );

  it('at least ten stories quote their kernels', async () => {
    const stories = await Promise.all(formats.map((format) => loadStory(format)));
    expect(stories.filter(({ quotes }) => quotes !== undefined).length).toBeGreaterThanOrEqual(10);
  });
});
