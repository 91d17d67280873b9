import type { KernelSpec } from '../../core/kernel.ts';
import type { EcCsrEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<EcCsrEncoded>[] = [];
