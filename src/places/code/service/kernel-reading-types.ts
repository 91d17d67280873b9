/* What the place 'Code' requests from its service in the worker, and a kernel as the service returns it. */

import type { ByteClass } from '../../../core/encoded/ledger.ts';
import type { ShaderFile } from '../../../core/kernel/shader.ts';
import type { Sizes } from '../../../core/operations/operation.ts';
import type { ListedBinding, ListedPass } from '../../../gpu/index.ts';

/** A kernel to read, for the open matrix and these parameters of its format. */
export interface KernelRequest {
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** if the device cannot run it, the first of these that it can run is read; with `isNamed`, only named (`instead`) */
  readonly otherwise?: readonly string[];
  /** a person requested this kernel, so it is read in any case */
  readonly isNamed?: boolean;
}

/** A kernel that the device cannot run, with the reason as a clause. */
export interface PassedOver {
  readonly kernel: string;
  readonly refusal: string;
}

/** A buffer that a pass of the shown kernel binds, to read or to write (`access`). */
export interface ShownBinding extends Pick<ListedBinding, 'binding' | 'name' | 'type' | 'access' | 'meaning'> {
  readonly role: ListedBinding['buffer']['role'];
  /** its name in the plan: an array of the format, an input of the operation ... */
  readonly buffer: string;
  /** class of most bits of a format's array; null for other buffers */
  readonly byteClass: ByteClass | null;
  /** bytes of an array or an output; null if the operation decides */
  readonly bytes: number | null;
  /** sizes in the uniform; empty for other buffers */
  readonly numbers: readonly number[];
}

/** One pass of the shown kernel: its text, bindings and constants. */
export interface ShownPass extends Pick<ListedPass, 'path' | 'code' | 'files' | 'overrides' | 'workgroups'> {
  readonly bindings: readonly ShownBinding[];
}

/** A kernel as compiled for a matrix and a device. */
export interface KernelReading {
  /** number of the open matrix: another one has a higher number */
  readonly generation: number;
  readonly kernel: string;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  readonly rows: number;
  readonly cols: number;
  /** why it was compiled for a matrix as wide, with a 1 in each row; null if for the open matrix itself */
  readonly whyStandIn: string | null;
  /** required features */
  readonly needs: readonly string[];
  /** why the device cannot run it; null if it can, or without a device */
  readonly refusal: string | null;
  /** the requested kernel and others before this one, none of which the device can run */
  readonly passedOver: readonly PassedOver[];
  /** a kernel that the device can run, if it cannot run this one; null if none is known */
  readonly instead: string | null;
  readonly passes: readonly ShownPass[];
}

/** A WGSL file, with the kernels that contain it under some parameters. */
export interface KernelFile extends ShaderFile {
  readonly kernels: readonly string[];
}
