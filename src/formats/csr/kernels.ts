import type { KernelSpec } from '../../core/kernel.ts';
import type { CsrEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<CsrEncoded>[] = [];
