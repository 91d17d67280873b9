import type { KernelSpec } from '../../core/kernel.ts';
import type { DenseEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<DenseEncoded>[] = [];
