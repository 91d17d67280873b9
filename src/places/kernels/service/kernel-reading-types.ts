import type { ByteClass } from '../../../core/encoded/ledger.ts';
import type { ShaderFile } from '../../../core/kernel/shader.ts';
import type { Sizes } from '../../../core/operations/operation.ts';
import type { ListedBinding, ListedOverride, ListedPass } from '../../../gpu/index.ts';
import type { OverrideOrigin } from './override-origins.ts';

/** Which kernel to read: as it is on the open matrix with these parameters of its format. */
export interface KernelRequest {
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A buffer that a pass binds. */
export interface ReadBinding extends Pick<ListedBinding, 'binding' | 'name' | 'type' | 'access' | 'meaning'> {
  readonly role: ListedBinding['buffer']['role'];
  /** what the plan calls it: an array of the format, an input of the operation ... */
  readonly buffer: string;
  /** what most bits of a format's array are for; null for every other buffer */
  readonly byteClass: ByteClass | null;
  /** bytes of an array or of an output; null where the operation decides */
  readonly bytes: number | null;
  /** the sizes that the uniform holds; empty for every other buffer */
  readonly numbers: readonly number[];
}

export interface ReadPass extends Pick<ListedPass, 'path' | 'files' | 'workgroups'> {
  readonly bindings: readonly ReadBinding[];
  readonly overrides: readonly ReadOverride[];
}

/** A constant of a pass. */
interface ReadOverride extends ListedOverride {
  readonly origin: OverrideOrigin;
}

/** A kernel as it is compiled, and what it was planned for. */
export interface KernelReading {
  readonly generation: number;
  readonly kernel: string;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  readonly rows: number;
  readonly cols: number;
  /** why it was not planned for the open matrix but for one as wide with a 1 in each row; null where it was */
  readonly standIn: string | null;
  /** what it cannot do without */
  readonly needs: readonly string[];
  /** why the device cannot run it; null where it can, and where there is none */
  readonly refusal: string | null;
  readonly passes: readonly ReadPass[];
}

/** A file of WGSL, with the kernels that contain it under some parameters. */
export interface KernelFile extends ShaderFile {
  readonly kernels: readonly string[];
}
