import stagedX from '../../../shaders/common/staged_x.wgsl';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { Chosen } from './choices.ts';
import { shareChoices } from './equal-shares.ts';
import { type DeviceFacts, splitWorkgroups, type KernelPlan, type KernelSpec, type PassPlan } from './kernel.ts';
import { input, output, partsFit, partsPlan, scratch, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { panelChoice, type PanelSplits, panelShares, sumPanelsPass, withPanelShares } from './panel-shares.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

const F16_BYTES = 2;
const WORD_BYTES = 4;

/** A format's part of kernels for two or four tokens, whose subgroups multiply equal shares of the entries. */
interface TokenShares<E extends EncodedMatrix> {
  readonly shader: ShaderModule;
  /** supported values of the format's parameters; absent: all */
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
  /** values and columns in the order of their bindings, before the row starts */
  arrays(e: E): StoredArrays;
  /** arrays bound after the outputs */
  trailing?(e: E): StoredArrays;
  pieces(e: E): readonly ShaderModule[];
  /** the rows, split at the edges of `panels` panels of columns; workgroup memory stores the x of one panel */
  splits(e: E, panels: number): PanelSplits;
  /** the sum of the column gaps from entry `begin` up to `entry`; 0 for formats that store columns */
  passed(e: E, begin: number, entry: number): number;
  constants?(device: DeviceFacts): Readonly<Record<string, number>>;
}

/** The least number of panels such that the x of a panel, f16, for all tokens fits into workgroup memory. */
function minPanelsOf(cols: number, maxTokens: number, { limits }: DeviceFacts): number {
  return Math.max(1, Math.ceil((F16_BYTES * maxTokens * cols) / limits.maxComputeWorkgroupStorageSize));
}

/** Workgroups, panels and workgroup memory of a kernel that stages the x of all tokens, a panel at a time. */
function stagingOf(cols: number, maxTokens: number, device: DeviceFacts, chosen?: Chosen) {
  const staged = panelShares(cols, device, chosen, minPanelsOf(cols, maxTokens, device));
  // Each share writes, for every token, the sums of its first and its last row if those are split; then the last row,
  // and whether it is split.
  const wordsPerShare = 2 * maxTokens + 2;
  const xBytes = F16_BYTES * maxTokens * staged.panelCols;
  return { ...staged, memoryBytes: Math.max(xBytes, WORD_BYTES * wordsPerShare * staged.counts.shares) };
}

/** Kernels of a format that divide its entries equally among subgroups: for up to two tokens, and for up to four. */
export function tokenSharesKernels<E extends EncodedMatrix>(
  format: string,
  kernel: TokenShares<E>,
): readonly KernelSpec<E>[] {
  return [tokenSharesKernel(format, 2, kernel), tokenSharesKernel(format, 4, kernel)];
}

/** One pass, and a second that adds up the panels if there are several. */
function tokenSharesKernel<E extends EncodedMatrix>(
  format: string,
  maxTokens: 2 | 4,
  kernel: TokenShares<E>,
): KernelSpec<E> {
  return {
    id: `${format}/gemm_${maxTokens === 2 ? 'pairs' : 'fours'}`,
    title: `equal shares, ${maxTokens === 2 ? 'two' : 'four'} tokens in workgroup memory, f16`,
    operation: 'gemm',
    extraRoundings: 2,
    roundsInputs: true,
    features: ['subgroups'],
    max: { tokens: maxTokens },
    ...(kernel.only ? { only: kernel.only } : {}),
    fits(e, device, { tokens }) {
      const staging = stagingOf(e.cols, maxTokens, device);
      const arrays = storedParts([...kernel.arrays(e), ...(kernel.trailing?.(e) ?? [])]);
      const partials = scratch('partials', 4 * staging.panels * tokens * e.rows);
      return partsFit([...arrays, input('x', tokens * e.cols, 'f32'), partials], staging, device);
    },
    choices: (e, device) => [
      ...shareChoices(device),
      panelChoice(e.cols, device, minPanelsOf(e.cols, maxTokens, device)),
    ],
    plan(e, device, { tokens }, chosen): KernelPlan {
      const { counts, constants, panels } = stagingOf(e.cols, maxTokens, device, chosen);
      const indptr = withPanelShares(kernel.splits(e, panels), counts, (begin, entry) =>
        kernel.passed(e, begin, entry),
      );
      const arrays = [...kernel.arrays(e), { name: 'indptr', data: indptr }];
      const trailing = kernel.trailing?.(e) ?? [];
      const outputBytes = 4 * tokens * e.rows;
      const isSplit = panels > 1;
      const sums = isSplit ? 'partials' : 'y';
      const files = shaderFiles(kernel.shader, [
        ...kernel.pieces(e),
        stagedX.variants[maxTokens === 2 ? 'pairs' : 'fours'],
      ]);
      const product: PassPlan = {
        files,
        constants: { ...constants, ...kernel.constants?.(device), TOKENS: Math.max(1, tokens) },
        bindings: ['params', ...arrays.map(({ name }) => name), 'x', sums, ...trailing.map(({ name }) => name)],
        workgroups: splitWorkgroups(counts.workgroups),
      };
      const addPanels = sumPanelsPass(tokens * e.rows, panels, ['sizes', 'partials', 'y']);
      const params = { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols) } as const;
      const sizes = { role: 'params', name: 'sizes', data: Uint32Array.of(tokens * e.rows, e.cols) } as const;
      return partsPlan(
        isSplit ? [params, sizes] : [params],
        [
          ...storedParts([...arrays, ...trailing]),
          input('x', tokens * e.cols, 'f32'),
          ...(isSplit ? [scratch('partials', panels * outputBytes)] : []),
          output('y', outputBytes),
        ],
        isSplit ? [product, addPanels] : [product],
      );
    },
  };
}
