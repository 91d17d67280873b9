/* A format that a user wrote: its code runs in a sandbox, and its results are sent to the engine. */

import type { CsrArrays, Matrix } from './matrix/index.ts';

/** The part of an AbortSignal that cancellable work needs. */
export interface AbortsWork {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * The data that the engine, the page's worker, receives for a format whose code runs in a sandbox: the format, and its
 * encoding of a matrix. Only the code that provides the format knows the further fields.
 */
export interface FormatRegistration {
  /** the matrix that was encoded, by its `generation`; null if none was */
  readonly matrix: { readonly generation: number } | null;
}

/** The part of the engine that a sandboxed format needs. */
interface EngineForSandbox<Signal extends AbortsWork = AbortsWork> {
  /** The open matrix; `generation` counts the matrices that were opened. */
  cells(watch: { readonly signal?: Signal }): Promise<CsrArrays & { readonly generation: number }>;
  /** Registers the format, or its encoding of a matrix. */
  registerFormat(watch: { readonly signal?: Signal }, sent: FormatRegistration): Promise<void>;
}

/** A format whose code runs in a sandbox, outside the page and the engine. */
export interface SandboxedFormat {
  /** its code as a link contains it */
  readonly link: string;
  /** Whether its story of this window is ready. */
  hasResult(window: Matrix, params: Readonly<Record<string, unknown>>): boolean;
  /** Encodes a window in the sandbox. If that fails, its story shows the error. */
  encodeWindow(window: Matrix, params: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Registers the format with the engine; with parameters, also its encoding of the open matrix. Rejects if the
   * engine does, or once `signal` aborts.
   */
  registerWith<S extends AbortsWork>(
    engine: EngineForSandbox<S>,
    params: Readonly<Record<string, unknown>> | null,
    signal?: S,
  ): Promise<void>;
  /** Encodes any other matrix for the engine. Rejects once `signal` aborts. */
  encode(matrix: CsrArrays, params: Readonly<Record<string, unknown>>, signal?: AbortsWork): Promise<unknown>;
}
