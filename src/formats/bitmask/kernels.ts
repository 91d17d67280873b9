import type { KernelSpec } from '../../core/kernel.ts';
import type { BitmaskEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<BitmaskEncoded>[] = [];
