import gemmByRow from '../../../shaders/csr/gemm_by_row.wgsl';
import gemmShares from '../../../shaders/csr/gemm_shares.wgsl';
import type { NamedArray } from '../../core/encoded/encoded.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { tokenQuadsKernel, type TokenQuadsKernel } from '../../core/kernel/token-quads-plan.ts';
import { tokenSharesKernel } from '../../core/kernel/token-shares-plan.ts';
import type { CsrEncoded } from './layout.ts';
import { panelCuts } from './panels.ts';

const SUBGROUP_LANES = 128;
const WORKGROUP_LANES = 64;

/** Y = X A^T for up to 16 tokens; `pieces`: how values and indices of a matrix are read. */
export function gemmKernels(pieces: (e: CsrEncoded) => readonly ShaderModule[]): readonly KernelSpec<CsrEncoded>[] {
  const shared = {
    arrays: (e: CsrEncoded): readonly { readonly name: string; readonly data: NamedArray }[] => [
      { name: 'data', data: e.data },
      { name: 'indices', data: e.indices },
      { name: 'indptr', data: e.indptr },
    ],
    pieces,
  };
  const bySubgroup = (id: string, title: string, xType: 'f32' | 'f16'): TokenQuadsKernel<CsrEncoded> => ({
    ...shared,
    id,
    title,
    xType,
    features: ['subgroups'],
    shader: gemmByRow.variants.subgroup,
    lanes: SUBGROUP_LANES,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => SUBGROUP_LANES / device.subgroupMaxSize,
  });
  const byShares = (id: string, title: string, width: 2 | 4): KernelSpec<CsrEncoded> =>
    tokenSharesKernel({
      id,
      title,
      width,
      shader: gemmShares,
      pieces,
      arrays: ({ data, indices }) => [
        { name: 'data', data },
        { name: 'indices', data: indices },
      ],
      cuts: panelCuts,
      // Columns are stored as they are.
      passed: () => 0,
    });
  return [
    byShares('csr/gemm_pairs', 'equal shares, two tokens in workgroup memory, f16', 2),
    byShares('csr/gemm_fours', 'equal shares, four tokens in workgroup memory, f16', 4),
    tokenQuadsKernel(bySubgroup('csr/gemm_subgroup', 'subgroup per row, tokens side by side', 'f32')),
    tokenQuadsKernel(bySubgroup('csr/gemm_subgroup_x16', 'subgroup per row, tokens side by side, f16', 'f16')),
    tokenQuadsKernel({
      ...shared,
      id: 'csr/gemm_workgroup',
      title: 'workgroup per row, without subgroups',
      xType: 'f32',
      features: [],
      shader: gemmByRow.variants.workgroup,
      lanes: WORKGROUP_LANES,
      memoryBytes: WORKGROUP_LANES * 16,
      rowsPerWorkgroup: () => 1,
    }),
  ];
}
