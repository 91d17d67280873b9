/* What the page 'Code' requests from its service in the worker, and the code of a kernel that the service returns. */

import type { ByteClass } from '../../core/encoded/ledger.ts';
import type { ShaderFile } from '../../core/kernel/shader.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { ListedBinding, ListedPass } from '../../gpu/index.ts';

/** A request for the code of a kernel, for the open matrix and these parameters of its format. */
export interface KernelRequest {
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** if the device cannot run the kernel, the first of these that can run replaces it; with `isNamed`, see `instead` */
  readonly otherwise?: readonly string[];
  /** the user requested this kernel, so no other replaces it */
  readonly isNamed?: boolean;
}

/** A kernel that the device cannot run, with the reason as a clause. */
export interface PassedOver {
  readonly kernel: string;
  readonly rejection: string;
}

/** A buffer that a pass of the shown kernel binds, to read or to write (`access`). */
export interface VisibleBinding extends Pick<ListedBinding, 'binding' | 'name' | 'type' | 'access' | 'meaning'> {
  readonly role: ListedBinding['buffer']['role'];
  /** its name in the plan: an array of the format, an input of the operation ... */
  readonly buffer: string;
  /** class of most bits of a format's array; null for other buffers */
  readonly byteClass: ByteClass | null;
  /** bytes of an array or an output; null if the operation decides */
  readonly bytes: number | null;
  /** the sizes in the uniform buffer; empty for other buffers */
  readonly numbers: readonly number[];
}

/** One pass of the shown kernel: its text, bindings and constants. */
export interface VisiblePass extends Pick<ListedPass, 'path' | 'code' | 'files' | 'overrides' | 'workgroups'> {
  readonly bindings: readonly VisibleBinding[];
}

/** The code of a kernel, with bindings and sizes as planned for a matrix and a device. */
export interface KernelReading {
  /** number of the open matrix; each matrix that is opened gets a higher one */
  readonly generation: number;
  readonly kernel: string;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  readonly rows: number;
  readonly cols: number;
  /** why a substitute (as many columns, a 1 in each row) replaces the open matrix; null if it does not */
  readonly whySubstitute: string | null;
  /** WebGPU features that the kernel requires */
  readonly needs: readonly string[];
  /** why the device cannot run it; null if it can, or without a device */
  readonly rejection: string | null;
  /** the requested kernel and others before this one; the device can run none of them */
  readonly passedOver: readonly PassedOver[];
  /** another kernel, which the device can run, if it cannot run this one; null if none is known */
  readonly instead: string | null;
  readonly passes: readonly VisiblePass[];
}

/** A kernel's code for a small substitute matrix, as the build stores it: with the paths of its files instead of their texts. */
export interface StoredReading extends Omit<KernelReading, 'generation' | 'passes'> {
  readonly passes: readonly (Omit<VisiblePass, 'files'> & { readonly files: readonly string[] })[];
}

/** A WGSL file, with the kernels that contain it under some parameters. */
export interface KernelFile extends ShaderFile {
  readonly kernels: readonly string[];
}
