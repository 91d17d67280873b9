import gemmByRow from '../../../shaders/macko/gemm_by_row.wgsl';
import gemmShares from '../../../shaders/macko/gemm_shares.wgsl';
import type { NamedArray } from '../../core/encoded/encoded.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { tokenQuadsKernel, type TokenQuadsKernel } from '../../core/kernel/token-quads-plan.ts';
import { tokenSharesKernel } from '../../core/kernel/token-shares-plan.ts';
import { type MackoEncoded, passedColumns } from './layout.ts';
import { panelCuts } from './panels.ts';

const SUBGROUP_LANES = 128;
const WORKGROUP_LANES = 64;
/** Four sums, and two running counts. */
const WORKGROUP_BYTES_PER_LANE = 24;

/** Y = X A^T for up to 16 tokens; `pieces`: how values and gaps of a matrix are read. */
export function gemmKernels(pieces: (e: MackoEncoded) => readonly ShaderModule[]): readonly KernelSpec<MackoEncoded>[] {
  const shared = {
    arrays: (e: MackoEncoded): readonly { readonly name: string; readonly data: NamedArray }[] => [
      { name: 'values', data: e.values },
      { name: 'deltas', data: e.deltas },
      { name: 'indptr', data: e.indptr },
    ],
    trailing: (e: MackoEncoded) => (e.valueType === 'i8' ? [{ name: 'scales', data: e.scales }] : []),
    pieces,
  };
  const bySubgroup = (id: string, title: string, xType: 'f32' | 'f16'): TokenQuadsKernel<MackoEncoded> => ({
    ...shared,
    id,
    title,
    xType,
    features: ['subgroups'],
    shader: gemmByRow.variants.subgroup,
    lanes: SUBGROUP_LANES,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => SUBGROUP_LANES / device.subgroupMaxSize,
    constants: (device) => ({ MAX_SUBGROUP_SIZE: device.subgroupMaxSize }),
  });
  const byShares = (id: string, title: string, width: 2 | 4): KernelSpec<MackoEncoded> =>
    tokenSharesKernel({
      id,
      title,
      width,
      // The width that is fastest for one token: with others, the kernels below are enough.
      only: { deltaBits: [4] },
      shader: gemmShares,
      pieces,
      arrays: ({ values, deltas }) => [
        { name: 'values', data: values },
        { name: 'deltas', data: deltas },
      ],
      trailing: shared.trailing,
      cuts: panelCuts,
      passed: passedColumns,
      constants: (device) => ({ MAX_SUBGROUP_SIZE: device.subgroupMaxSize }),
    });
  return [
    byShares('macko/gemm_pairs', 'equal shares, two tokens in workgroup memory, f16', 2),
    byShares('macko/gemm_fours', 'equal shares, four tokens in workgroup memory, f16', 4),
    tokenQuadsKernel(bySubgroup('macko/gemm_subgroup', 'subgroup per row, tokens side by side', 'f32')),
    tokenQuadsKernel(bySubgroup('macko/gemm_subgroup_x16', 'subgroup per row, tokens side by side, f16', 'f16')),
    tokenQuadsKernel({
      ...shared,
      id: 'macko/gemm_workgroup',
      title: 'workgroup per row, without subgroups',
      xType: 'f32',
      features: [],
      shader: gemmByRow.variants.workgroup,
      lanes: WORKGROUP_LANES,
      memoryBytes: WORKGROUP_LANES * WORKGROUP_BYTES_PER_LANE,
      rowsPerWorkgroup: () => 1,
    }),
  ];
}
