import { describe, expect, it } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import { SPMV_ZEROS } from '../core/operations/index.ts';
import { formats } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import type { AnyKernelFormat, Codec } from './codec.ts';
import { csr } from './codecs/csr.ts';
import { macko } from './codecs/macko.ts';
import { slideSparse } from './codecs/slidesparse.ts';
import * as core from './core.ts';
import * as index from './index.ts';
import { FORMAT_IDS, kernelsById } from './loaders.ts';

// 'sparsescope/core' loads nothing, and 'sparsescope' what a format lacks.

// oxlint-disable-next-line typescript/no-explicit-any -- formats of different types meet here
const modules = import.meta.glob<Readonly<Record<string, any>>>(['./codecs/*.ts', './kernels/*.ts'], { eager: true });
const exported = (path: string): AnyKernelFormat => Object.values(modules[path])[0] as AnyKernelFormat;

const a = generate({ pattern: 'n-of-m', rows: 8, cols: 16, density: 0.25, seed: 1 });

describe('the formats with kernels', () => {
  it('are those of the page, in its order', () => {
    expect(FORMAT_IDS).toEqual(formats.map(({ id }) => id));
  });

  it.each(formats)('$id has the name, kernels and encoder of the whole format', async (format) => {
    const { id, title, effort, kernels } = format;
    const path = `./kernels/${id}.ts`;
    expect(exported(path)).toMatchObject({ id, title, effort });
    // The package leaves out kernels that only Measure runs.
    const ofPackage = kernels.filter(({ operation }) => operation !== SPMV_ZEROS.id);
    expect(exported(path).kernels).toEqual(ofPackage);
    expect(await kernelsById(id)).toBe(exported(path));
    expect(Object.keys(modules[path])).toEqual(Object.keys(modules[`./codecs/${id}.ts`]));
    expect(core.encode(a, exported(path)).encoded).toEqual(core.encode(a, exported(`./codecs/${id}.ts`)).encoded);
  });

  it('reject an id of no format', async () => {
    await expect(kernelsById('fly')).rejects.toThrow(`format: found 'fly', expected one of ${FORMAT_IDS.join(', ')}`);
  });
});

describe('sparsescope/core', () => {
  const { context } = countingContext();

  it('has the names of sparsescope', () => {
    expect(Object.keys(core).toSorted()).toEqual(Object.keys(index).toSorted());
  });

  // oxlint-disable-next-line typescript/no-explicit-any -- codecs of different types
  it.each([macko, slideSparse] as readonly Codec<any, any>[])('rejects what $id alone cannot do', async (format) => {
    // A copy: sparsescope may have been allowed to load what the exported one lacks.
    const stored = core.encode(a, { ...format });
    const { id } = format;
    const checks = `${id}: found a format without its checks, expected that of sparsescope/formats`;
    await expect(stored.ledger()).rejects.toThrow(checks);
    await expect(stored.validate()).rejects.toThrow(checks);
    const without = `${id}: found a format without kernels, expected that of sparsescope/${id}/kernels`;
    await expect(core.run(context, stored, new Float32Array(16))).rejects.toThrow(without);
    await expect(core.bench(context, a, [{ ...format }])).rejects.toThrow(without);
  });

  it('knows no ids', async () => {
    await expect(core.bench(context, a, ['macko'])).rejects.toThrow(
      "subjects: found 'macko', expected the format itself, of sparsescope/ID/kernels",
    );
  });

  it('has the checks of a format whose codec contains them', async () => {
    const stored = core.encode(a, { ...csr });
    expect((await stored.ledger()).totalBytes).toBe(stored.bytes);
    expect(await stored.validate()).toEqual([]);
  });

  it('stores matrices for which sparsescope loads the rest', async () => {
    const stored = index.encode(a, { ...macko });
    expect((await stored.ledger()).totalBytes).toBe(stored.bytes);
    expect(await stored.validate()).toEqual([]);
  });
});
