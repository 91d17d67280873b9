import { describe, expect, it } from 'vitest';
import type { KernelFile } from '../../engine/kernel-reading/kernel-reading-types.ts';
import { formats } from '../../formats/registry.ts';
import type { BenchReport } from '../../core/report.ts';
import { REPORT } from '../../../test/reports.ts';
import { fastestFirst, kernelToRead, missingText } from './kernel-list.ts';
import { searchFiles, verifiedKernels } from './KernelList.tsx';

const FILES = [
  { path: 'common/values.wgsl#f16', code: '// two values in a word\nfn load_value() {}', kernels: ['csr/spmv_scalar'] },
  { path: 'csr/spmv_scalar.wgsl', code: 'fn main() {\n  let v = load_value();\n}', kernels: ['csr/spmv_scalar'] },
];

describe('kernelToRead', () => {
  const idToRead = (kernel: string, file: string, format = 'macko'): string | undefined =>
    kernelToRead(formats, { kernel, file }, FILES, format)?.kernel.id;

  it('kernelToRead is the named kernel', () => {
    expect(idToRead('ell/spmv_scalar', 'csr/spmv_scalar.wgsl')).toBe('ell/spmv_scalar');
  });

  it('kernelToRead is a kernel that contains the file, or else a kernel of the format on the stage', () => {
    expect(idToRead('', 'common/values.wgsl#f16')).toBe('csr/spmv_scalar');
    expect(idToRead('', 'common/values.wgsl')).toBe('csr/spmv_scalar');
    expect(idToRead('', '')).toMatch(/^macko\//);
    expect(idToRead('nothing/here', '', 'csr')).toMatch(/^csr\//);
  });
});

describe('fastestFirst', () => {
  it('begins with the fastest on this shape, the newest first, and omits none', () => {
    const macko = formats.find(({ id }) => id === 'macko') ?? formats[0];
    const shape = { rows: 64, cols: 96 };
    const reportOf = (kernels: readonly (readonly [string, number | null, boolean])[], rows = 64): BenchReport => ({
      ...REPORT,
      workload: { ...REPORT.workload, operation: 'spmv', ...shape, rows },
      rows: kernels.map(([kernel, medianNs, ok]) => ({
        ...REPORT.rows[0],
        kernel,
        medianNs,
        verified: { ...REPORT.rows[0].verified, ok },
      })),
    });
    const newest = reportOf([
      ['macko/spmv_workgroup', 30, true],
      ['macko/spmv_rows', 20, true],
      ['macko/spmv_panels', 10, false],
      ['csr/spmv_scalar', 1, true],
    ]);
    const sortedIds = fastestFirst(macko, 'spmv', shape, [reportOf([['macko/spmv_panels', 1, true]], 65), newest]);
    expect(sortedIds.slice(0, 2)).toEqual(['macko/spmv_rows', 'macko/spmv_workgroup']);
    const all = macko.kernels.filter(({ operation }) => operation === 'spmv').map(({ id }) => id);
    expect([sortedIds.toSorted(), fastestFirst(macko, 'spmv', shape, [])]).toEqual([all.toSorted(), all]);
  });
});

describe('missingText', () => {
  const missingTextOf = (kernel: string, file: string, files = FILES): string | null => {
    const listed = kernelToRead(formats, { kernel, file }, files, 'ell');
    return listed && missingText(formats, { kernel, file }, files, listed);
  };

  it('names what a link requests in vain, and what is shown instead', () => {
    expect(missingTextOf('ell/nothing', '')).toBe(
      'Link: found no kernel or exercise ‘ell/nothing’; ell/spmv_scalar is shown.',
    );
    expect(missingTextOf('exercise/99', '')).toMatch(/^Link: found no kernel or exercise ‘exercise\/99’/);
    expect(missingTextOf('ell/spmv_scalar', 'ell/gone.wgsl')).toMatch(/^Link: found no file ‘ell\/gone\.wgsl’/);
  });

  it('missingText is null for what exists, or may still load', () => {
    expect([missingTextOf('', ''), missingTextOf('ell/scratch', '')]).toEqual([null, null]);
    expect(missingTextOf('csr/spmv_scalar', 'csr/spmv_scalar.wgsl')).toBeNull();
    expect(missingTextOf('csr/spmv_scalar', 'common/values.wgsl#f16')).toBeNull();
    expect(missingTextOf('csr/spmv_scalar', 'common/values.wgsl')).toBeNull();
    expect(missingTextOf('csr/spmv_scalar', 'common/values_f16.wgsl')).toMatch(/^Link: found no file/);
    expect(missingTextOf('csr/spmv_scalar', 'csr/spmv_scalar.wgsl', [])).toBeNull();
  });
});

describe('searchFiles', () => {
  it('finds lines and names of files, and counts the results that it does not show', () => {
    expect(searchFiles(FILES, 'LOAD_VALUE', 1)).toEqual({
      shownLines: [
        { path: 'common/values.wgsl#f16', line: 2, text: 'fn load_value() {}', kernels: ['csr/spmv_scalar'] },
      ],
      total: 2,
    });
    expect(searchFiles(FILES, 'values.wgsl#f16', 9).shownLines.map(({ path, line }) => [path, line])).toEqual([
      ['common/values.wgsl#f16', 1],
    ]);
    expect(searchFiles(FILES, '  ', 9)).toEqual({ shownLines: [], total: 0 });
  });

  it('finds a line that variants of a file share once', () => {
    const code = '// x/a: what it is.\nfn shared() {}\n';
    const variant = (name: string, thirdLine: number): KernelFile => ({
      path: `x/a.wgsl#${name}`,
      code: `${code}fn own() {}\n`,
      lines: [1, 2, thirdLine],
      kernels: [`x/${name}`],
    });
    const variants = [variant('f16', 4), variant('f32', 9)];
    const pathsWith = (text: string): readonly string[] =>
      searchFiles(variants, text, 9).shownLines.map(({ path }) => path);
    expect([pathsWith('fn shared'), pathsWith('fn own')]).toEqual([['x/a.wgsl#f16'], ['x/a.wgsl#f16', 'x/a.wgsl#f32']]);
  });
});

describe('verifiedKernels', () => {
  it('verifiedKernels are the kernels with correct results on a GPU', () => {
    const correctKernels = REPORT.rows.filter((row) => row.verified.ok && row.where === 'gpu').map((row) => row.kernel);
    expect(correctKernels.length).toBeGreaterThan(0);
    expect([...verifiedKernels([REPORT])].toSorted()).toEqual([...new Set(correctKernels)].toSorted());
    const wrongReport = {
      ...REPORT,
      rows: REPORT.rows.map((row) => ({ ...row, verified: { ...row.verified, ok: false } })),
    };
    expect(verifiedKernels([wrongReport]).size).toBe(0);
  });
});
