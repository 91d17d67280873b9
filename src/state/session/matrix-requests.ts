import { SparseScopeError } from '../../core/errors.ts';
import type {
  BaseRequest,
  BaseSource,
  ContainerRequest,
  ContainerSource,
  MatrixSource,
  OpenRequest,
} from '../../engine/matrix/source-types.ts';
import { cellsName } from '../../core/cells/link-cells.ts';
import { shapeText } from '../../core/text/words.ts';
import { likeliestFirst } from '../../io/chosen-files.ts';
import { MAX_DECOMPRESSED_BYTES } from '../../io/archives/decompression-limit.ts';
import { shippedModel } from '../../theory/models/known-models.ts';
import type { OpenedFile } from './saved-files.ts';
import type { SessionContext } from './session-context.ts';

// Makes requests to the worker to open a matrix, from the source that an address or the user names.

/** If a file decompresses to more than the limit, this multiple of the limit is offered. */
const RAISE_FACTOR = 4;

/** Whether a source may contain several matrices. */
export function isContainer(source: BaseSource): source is ContainerSource {
  return source.kind === 'file' || source.kind === 'remote';
}

function addressOf(source: ContainerSource): string {
  return `${source.kind} ${source.kind === 'file' ? source.name : source.link}`;
}

/** Turns the sources that links name into requests, and adds what links lack: files, the token, raised limits. */
export class MatrixRequests {
  readonly #context: Pick<SessionContext, 'catalog' | 'resolveUrl'>;
  /** files opened on this page, by name, so that undo can open them again; a File is a handle, without the bytes */
  readonly #files: Map<string, OpenedFile>;
  /** raised limits on the decompressed bytes of files, by `addressOf` */
  readonly #limits = new Map<string, number>();
  /** the access token for the Hugging Face hub; lost when the page is closed, and stored nowhere else */
  hubToken: string | null = null;

  constructor(context: Pick<SessionContext, 'catalog' | 'resolveUrl' | 'files'>) {
    this.#context = context;
    this.#files = new Map(context.files);
  }

  /** The request for a source. Throws Error for a file that is not open, and RangeError for an unknown example. */
  requestFor(source: MatrixSource): OpenRequest {
    return source.kind === 'pruned'
      ? { kind: 'pruned', base: this.#base(source.base), pruning: source.pruning }
      : this.#base(source);
  }

  /** The request for a file or link. Throws like `requestFor`. */
  containerRequest(source: ContainerSource): ContainerRequest {
    const limit = this.#limits.get(addressOf(source));
    const chosen = {
      ...(source.tensor !== undefined && { tensor: source.tensor }),
      ...(source.as !== undefined && { as: source.as }),
      ...(limit !== undefined && { maxDecompressedBytes: limit }),
    };
    if (source.kind === 'remote') return { kind: 'remote', reference: source.link, token: this.hubToken, ...chosen };
    const file = this.#files.get(source.name);
    if (file) return { kind: 'file', name: source.name, ...file, ...chosen };
    throw new SparseScopeError(`'${source.name}' is closed: open the file again.`);
  }

  #base(source: BaseSource): BaseRequest {
    if (isContainer(source)) return this.containerRequest(source);
    const { catalog, resolveUrl } = this.#context;
    if (source.kind === 'model') {
      const shipped = shippedModel(source.model);
      return shipped ? { ...source, folder: resolveUrl(`models/${shipped.id}/`) } : source;
    }
    if (source.kind !== 'example') return source;
    const example = catalog.examples.find((e) => e.id === source.id);
    if (example) {
      const { title: name, url, inputs } = example;
      return { kind: 'example', id: source.id, name, url: resolveUrl(url), ...(inputs !== undefined && { inputs }) };
    }
    const known = catalog.examples.map((e) => e.id).join(', ');
    throw new RangeError(`example: found '${source.id}', expected one of ${known}`);
  }

  /**
   * Keeps files that were chosen together. Returns the file that, by its name, most likely contains the matrix; null
   * without files.
   */
  keep(chosen: readonly File[]): ContainerSource | null {
    const files = likeliestFirst(chosen);
    if (files.length === 0) return null;
    for (const file of files) {
      const { name } = file;
      this.#files.set(name, { file, others: files.filter((other) => other !== file) });
      this.#limits.delete(addressOf({ kind: 'file', name }));
    }
    return { kind: 'file', name: files[0].name, as: 'auto' };
  }

  /** An open file, with the files chosen together with it; undefined if the file is not open. */
  opened(name: string): OpenedFile | undefined {
    return this.#files.get(name);
  }

  fileNames(): ReadonlySet<string> {
    return new Set(this.#files.keys());
  }

  /** The limit of decompressed bytes to offer if the current one is too low. */
  higherLimit(source: ContainerSource): number {
    return RAISE_FACTOR * (this.#limits.get(addressOf(source)) ?? MAX_DECOMPRESSED_BYTES);
  }

  raiseLimit(source: ContainerSource, bytes: number): void {
    this.#limits.set(addressOf(source), bytes);
  }
}

/** The title of the job that opens a matrix; for a pruned source, the title for the unpruned matrix. */
export function openingTitle(request: OpenRequest): string {
  switch (request.kind) {
    case 'cells':
      return `Opening ${cellsName(request)}`;
    case 'generated':
      return `Generating ${shapeText(request.spec.rows, request.spec.cols)}`;
    case 'pruned':
      return openingTitle(request.base);
    case 'remote':
      return `Opening ${request.tensor ?? request.reference}`;
    case 'file':
      return `Opening ${request.tensor ?? request.name}`;
    case 'example':
      return `Opening ${request.name}`;
    case 'model':
      return `Opening ${shippedModel(request.model)?.shape.name ?? request.model}`;
  }
}
