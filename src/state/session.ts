import type { StoreApi } from 'zustand/vanilla';
import type { AnyFormat } from '../core/format.ts';
import type { CsrArrays, Region } from '../core/matrix/index.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { BenchRequest, EngineApi, SpyRequest, SpyTile } from '../worker/protocol.ts';
import type { AppDocument, Catalog, DocumentStore, ParamValue, View } from './document.ts';
import type { Player } from './player.ts';
import type { SessionState } from './session-state.ts';

/** What a session is made of; tests pass a fake engine. */
export interface SessionDependencies {
  readonly engine: EngineApi;
  readonly catalog: Catalog;
  readonly formats: readonly AnyFormat[];
  readonly document: DocumentStore;
  readonly player: Player;
  /** makes an example's address absolute, since the worker's own base is another one */
  readonly resolveUrl: (url: string) => string;
}

/**
 * The one who talks to the worker: opens matrices, follows the document (format, parameters, window), and runs
 * benchmarks. No action throws or rejects: failures are sentences in `store`'s `error`, and what was on the screen stays.
 */
export interface Session {
  readonly store: StoreApi<SessionState>;

  /** Opens the document's matrix and asks for the device; `problems` are shown. Once, at the start. */
  start(problems?: readonly string[]): Promise<void>;
  /** Brings back another document, as the URL or undo asks; its matrix is opened when it is another one. */
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;

  /** Each opens a matrix and, when that has succeeded, puts it on the screen. A newer call cancels an older one. */
  openExample(id: string): Promise<void>;
  openGenerated(spec: GenerateSpec): Promise<void>;
  openFile(file: File): Promise<void>;
  cancelOpening(): void;

  setView(view: View): void;
  setFormat(format: string): void;
  setParam(format: string, name: string, value: ParamValue): void;
  /** A window outside the matrix or above 64 x 64 is refused with a sentence. */
  setWindow(window: Region): void;
  /** Encodes a format that failed or was cancelled again. */
  retryEncoding(format: string): void;
  cancelEncoding(): void;

  /** A part of the matrix as a picture; null when the matrix has changed meanwhile or there is none. */
  spy(request: SpyRequest): Promise<SpyTile | null>;
  /** Cells of any region, for hover and the keyboard walk; null as above. */
  cells(region: Region): Promise<CsrArrays | null>;
  /** Asks again what the device is. */
  refreshDevice(): Promise<void>;

  runBench(request: BenchRequest): Promise<void>;
  /** The same for each density of a generated workload. */
  runSweep(request: BenchRequest, densities: readonly number[]): Promise<void>;
  cancelBench(): void;
  /** Reads a report that this application exported; `name` is its file's, for messages and lists. */
  importReport(name: string, text: string): void;
  removeRun(id: number): void;

  dismissError(): void;
  dismissProblems(): void;
  /** Stops following the document. */
  dispose(): void;
}
