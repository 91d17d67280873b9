import type { KnownInputs } from '../../io/gallery.ts';
import type { LinesAs } from '../../io/index.ts';
import type { GenerateSpec } from '../../generate/generate.ts';

export type { LinesAs } from '../../io/index.ts';

// Where matrices come from: as a link names them (sources), and as the worker opens them (requests).

/** Where an unpruned matrix comes from. All but a local file can be opened again from a link. */
export type BaseSource =
  | { readonly kind: 'example'; readonly id: string }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | CellsSource
  | ModelSource
  | (InFile & { readonly kind: 'file'; readonly name: string })
  /** `link`: an address, or a reference to the Hugging Face hub with its revision pinned to a commit */
  | (InFile & { readonly kind: 'remote'; readonly link: string });

/** A small matrix by its cells: typed, edited, or read from a file that is small enough for a link. */
export interface CellsSource {
  readonly kind: 'cells';
  readonly rows: number;
  readonly cols: number;
  /** as `linkCellsText` writes them */
  readonly cells: string;
  /** the name of the file that it was read from; absent for a typed matrix */
  readonly name?: string;
}

/** A file or link, which may contain several matrices. */
export type ContainerSource = BaseSource & { readonly kind: 'file' | 'remote' };

/** Which matrix of a file, and how it is read. */
interface InFile {
  /** the matrix of a file that contains several */
  readonly tensor?: string;
  /**
   * How to read the lines of a text table. Absent: as version 0.2 did, whose links do not contain it. 'auto': by names
   * and comments, for files that the user opens; an opened source has the result of that.
   */
  readonly as?: LinesAs | 'auto';
}

/**
 * A matrix of a model; without `matrix`, the largest of the layer or model. If the weights do not come with the page,
 * random weights of the same shape replace them.
 */
export interface ModelSource {
  readonly kind: 'model';
  /** its id, such as 'llama-3.1-8b' */
  readonly model: string;
  /** the number of the layer, from 0 */
  readonly layer?: number;
  /** its name, such as 'down' */
  readonly matrix?: string;
}

/** A pruning: which entries of a matrix stay. `density` is the share of cells, from 0 to 1. */
export type Pruning =
  /** the largest magnitudes of the matrix, or of every row */
  | { readonly way: 'magnitude' | 'rows'; readonly density: number }
  /** in every row, the largest |w| times the norm of the column's activations; only where these are known */
  | { readonly way: 'wanda'; readonly density: number }
  /** of every `group` neighbours in a row, the `kept` largest magnitudes */
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number }
  | { readonly way: 'random'; readonly density: number; readonly seed: number };

/** Source of a matrix, unpruned or pruned. */
export type MatrixSource =
  | BaseSource
  | { readonly kind: 'pruned'; readonly base: BaseSource; readonly pruning: Pruning };

/** A file that may contain several matrices: which to read, and the maximum of unpacked bytes (default 4 GiB). */
export type ContainerRequest = InFile & { readonly maxDecompressedBytes?: number } &
  /** `others`: the files that an index names */
  (
    | { readonly kind: 'file'; readonly name: string; readonly file: Blob; readonly others?: readonly Blob[] }
    /** `token` is sent only to the hub and kept nowhere */
    | { readonly kind: 'remote'; readonly reference: string; readonly token: string | null }
  );

/** A small text from the web, such as a config.json. */
export interface TextRequest {
  /** an address, or a reference to the Hugging Face hub */
  readonly reference: string;
  /** sent only to the hub, and kept nowhere */
  readonly token: string | null;
  /** the file to read if only a repository is named */
  readonly main: string;
  /** a longer file is rejected before it is read */
  readonly maxBytes: number;
}

/** What the worker loads: a BaseSource with the bytes or address of its file. */
export type BaseRequest =
  | {
      readonly kind: 'example';
      readonly id: string;
      readonly name: string;
      readonly url: string;
      /** the activations that its columns are multiplied by, if they can be computed: for pruning by their norms */
      readonly inputs?: KnownInputs;
    }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | CellsSource
  | ModelRequest
  | ContainerRequest;

/** `folder`: the address of the model's files, ending in '/', if they come with the page. */
export type ModelRequest = ModelSource & { readonly folder?: string };

/** What the worker opens: a matrix, pruned or not. The unpruned matrix is read only if it is not loaded yet. */
export type OpenRequest =
  | BaseRequest
  | { readonly kind: 'pruned'; readonly base: BaseRequest; readonly pruning: Pruning };
