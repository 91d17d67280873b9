import { resolvedParams } from '../core/format.ts';
import { checkBound } from '../core/bounds/check.ts';
import { matrixBytes, type Region, type Rows, subMatrix, toCsr } from '../core/matrix/index.ts';
import type { FormatRegistration } from '../core/sandboxed-format.ts';
import { RandomWeights } from '../generate/random-weights.ts';
import type { FileContents } from '../io/index.ts';
import { transferred } from './bridge/transfer.ts';
import type { ServiceJob } from './bridge/service-job.ts';
import { defineService } from './bridge/service.ts';
import type { EngineHost } from './host.ts';
import { findBest, verdictOf } from './matrix/format-verdicts.ts';
import { type FoundRegion, highlightSteps } from './matrix/highlights.ts';
import { listContents, loadMatrix, readText } from './matrix/loading.ts';
import { type MatrixPreview, previewSteps } from './matrix/preview.ts';
import { pruningRankSteps, type Ranking } from './matrix/pruning-ranks.ts';
import type { ContainerRequest, ModelSource, OpenRequest, Pruning, TextRequest } from './matrix/source-types.ts';
import { marginals, spyTile } from './matrix/spy.ts';
import { prunedRandomWeights, sampleOf, randomWeightsFor } from './matrix/random-weights.ts';
import { tileHistogramSteps } from './matrix/tile-counts.ts';
import type {
  ArrayFile,
  Comparison,
  EncodingSummary,
  Marginals,
  MatrixFileKind,
  MatrixSummary,
  PruningRanks,
  SpyRequest,
  SpyTile,
  TileCounts,
  WindowCells,
} from './matrix/matrix-types.ts';
import type { FoundBest, Params } from './matrix/verdict-types.ts';
import { finishPaced } from './worker-pace.ts';

/** File writers are loaded on request: few users need them. */
const fileExport = () => import('./matrix/file-export.ts');

/** Maximum number of non-zeros that `cells` copies to the page: 256 MiB of columns and values. */
const MAX_COPIED = 2 ** 25;

/** Maximum number of cells that `window` copies to the page at once. */
const MAX_WINDOW_CELLS = 2 ** 20;

/** The service by which a page opens a matrix, draws it, encodes it, compares formats and writes files. */
export const matrix = defineService('matrix', (host: EngineHost) => ({
  /**
   * Opens a matrix and closes the open one, which stays after a failure; a newer call cancels an older call.
   * Rejects with TensorChoiceError when a file contains several matrices and none is named (`tensors` lists them), and
   * with DecompressionLimitError when a file unpacks to more than the request allows.
   */
  async open(job: ServiceJob, request: OpenRequest): Promise<MatrixSummary> {
    host.throwIfBusy('open another matrix');
    return host.matrix.open(request, job);
  },
  /** The number of the open matrix, with which the page checks that its results are still of this matrix. */
  generation: (_job: ServiceJob): number => host.matrix.current.generation,
  /** Lists the contents of a file; nothing is opened. */
  tensors: (job: ServiceJob, request: ContainerRequest): Promise<FileContents> =>
    listContents(request, job, host.loading),
  /** Sizes and counts of a matrix, which is read but not opened. */
  async preview(job: ServiceJob, request: ContainerRequest): Promise<MatrixPreview> {
    host.throwIfBusy('look at a tensor');
    const loaded = await loadMatrix(request, job, host.loading);
    return finishPaced(previewSteps(loaded.matrix), job, host);
  },
  /** The text of a small file; nothing is opened. */
  async text(job: ServiceJob, request: TextRequest): Promise<string> {
    host.throwIfBusy('read a file');
    return readText(request, job, host.loading);
  },
  /** The arrays of an encoding of the open matrix as a file, under their documented names. */
  async encodingFile(job: ServiceJob, formatId: string, params: Params, kind: ArrayFile): Promise<Blob> {
    host.throwIfBusy('export');
    const format = host.format(formatId);
    const { encodings, matrix: openMatrix } = await host.matrix.whole(host.matrix.current, job);
    const completeParams = resolvedParams(format.params, params, openMatrix);
    const { encoded } = await encodings.encoding(format, completeParams, job);
    const { encodingFile } = await fileExport();
    return encodingFile(format, completeParams, encoded, kind, job, host);
  },
  /** The open matrix as a file. */
  async matrixFile(job: ServiceJob, kind: MatrixFileKind): Promise<Blob> {
    host.throwIfBusy('export');
    const { matrix: openMatrix } = await host.matrix.whole(host.matrix.current, job);
    const { matrixFile } = await fileExport();
    return matrixFile(openMatrix, kind, job, host);
  },
  /** The pattern of a part of the open matrix as a picture (spy plot). */
  spy(_job: ServiceJob, request: SpyRequest): SpyTile {
    const { matrix: openMatrix, overview, generation } = host.matrix.current;
    return transferred({ generation, ...spyTile(openMatrix, overview, request) });
  },
  /** A spy plot of random weights instead of a model's; nothing is opened. Throws MatrixError. */
  spyOn(_job: ServiceJob, source: ModelSource, pruning: Pruning | null, request: SpyRequest): SpyTile {
    const { matrix: whole } = randomWeightsFor(source);
    const weights = pruning === null ? whole : prunedRandomWeights(whole, pruning);
    return transferred({ generation: 0, ...spyTile(weights, { grids: [] }, request) });
  },
  /** Density per group of rows and of columns of the open matrix. */
  marginals(_job: ServiceJob, rowBuckets: number, colBuckets: number): Marginals {
    const { overview, generation } = host.matrix.current;
    return transferred({ generation, ...marginals(overview, rowBuckets, colBuckets) });
  },
  /** All cells of the open matrix, for a format whose code runs on the page. Throws MatrixError if too many. */
  async cells(job: ServiceJob): Promise<WindowCells> {
    host.throwIfBusy('encode');
    const { current } = host.matrix;
    const { matrix: openMatrix } = await host.matrix.whole(current, job);
    checkBound('non-zeros for a custom format', openMatrix.nnz, MAX_COPIED, 'non-zeros');
    const { rows, cols, indptr, indices, data } = toCsr(openMatrix);
    const copy = { indptr: indptr.slice(), indices: indices.slice(), data: data.slice() };
    return transferred({ generation: current.generation, rows, cols, ...copy });
  },
  /** Adds a format whose code runs on the page, with its encoding of the open matrix. */
  registerFormat: (job: ServiceJob, sent: FormatRegistration): Promise<void> => host.registerFormat(sent, job),
  /** The stored cells of a region of the open matrix, for an animation, or to read cells by keyboard. */
  window(_job: ServiceJob, region: Region): WindowCells {
    const { matrix: openMatrix, generation } = host.matrix.current;
    checkRegion(region, openMatrix);
    const { rows, cols, indptr, indices, data } = subMatrix(openMatrix, region);
    return transferred({ generation, rows, cols, indptr, indices, data });
  },
  /** The cells of a region of the unpruned matrix, with their ranks in the order in which a pruning keeps cells. */
  async pruningRanks(job: ServiceJob, region: Region, ranking: Ranking): Promise<PruningRanks> {
    host.throwIfBusy('prune');
    const { base } = host.matrix.current;
    const { number: baseNumber, loaded } = base;
    checkRegion(region, loaded.matrix);
    const norms = await host.matrix.norms(base, ranking, job);
    const ranked = await finishPaced(pruningRankSteps(loaded.matrix, region, ranking, norms), job, host);
    return transferred({ baseNumber, ...ranked });
  },
  /** Histograms of non-zeros per row, and per `tileWidth` columns of a row; of random weights, from a sample. */
  async tileCounts(job: ServiceJob, tileWidth: number): Promise<TileCounts> {
    host.throwIfBusy('count');
    const { matrix: openMatrix, generation } = host.matrix.current;
    const rows = openMatrix instanceof RandomWeights ? sampleOf(openMatrix) : openMatrix;
    return transferred({ generation, ...(await finishPaced(tileHistogramSteps(rows, tileWidth), job, host)) });
  },
  /**
   * The part of the open matrix (of random weights: of the first rows) that shows best what a format is known for, or
   * else the densest row; null if the whole matrix fits such a part. `after`: instead the next part below this row.
   */
  async highlight(
    job: ServiceJob,
    formatId: string,
    params: Params,
    after: number | null,
  ): Promise<{ readonly generation: number; readonly cut: FoundRegion | null }> {
    const { matrix: openMatrix, generation } = host.matrix.current;
    const { highlight: findHighlight } = host.format(formatId);
    const { rows } = openMatrix instanceof RandomWeights ? sampleOf(openMatrix) : openMatrix;
    const first: Rows = { rows, cols: openMatrix.cols, readRow: (row, into) => openMatrix.readRow(row, into) };
    return { generation, cut: await finishPaced(highlightSteps(first, findHighlight, params, after), job, host) };
  },
  /** Encodes the open matrix: its bytes by class and other figures, or why the format rejects it. */
  async encode(job: ServiceJob, formatId: string, params: Params): Promise<EncodingSummary> {
    host.throwIfBusy('encode');
    const { current } = host.matrix;
    const format = host.format(formatId);
    const { encodings, matrix: openMatrix } = await host.matrix.whole(current, job);
    const completeParams = resolvedParams(format.params, params, openMatrix);
    return { generation: current.generation, ...(await encodings.summary(format, completeParams, job)) };
  },
  /** Statistics of the open matrix, and a verdict for each format in `params`; omitted parameters have defaults. */
  async compare(job: ServiceJob, params: Readonly<Record<string, Params>>): Promise<Comparison> {
    host.throwIfBusy('compare formats');
    const { current } = host.matrix;
    const statistics = await host.matrix.statistics(current, job);
    const { encodings, matrix: openMatrix } = await host.matrix.whole(current, job);
    const verdicts = Object.entries(params).map(([formatId, given]) => {
      const format = host.format(formatId);
      const completeParams = resolvedParams(format.params, given, openMatrix);
      const digest = encodings.cachedSummary(format, completeParams)?.digest ?? {};
      return [formatId, verdictOf(format, statistics, completeParams, digest)] as const;
    });
    return {
      generation: current.generation,
      statistics,
      matrixBytes: matrixBytes(openMatrix),
      verdicts: Object.fromEntries(verdicts),
    };
  },
  /** The parameters, with the same value type, with which a format needs the fewest bytes for the open matrix. */
  async bestParams(job: ServiceJob, formatId: string, params: Params): Promise<FoundBest> {
    host.throwIfBusy('look for parameters');
    const { current } = host.matrix;
    const format = host.format(formatId);
    const completeParams = resolvedParams(format.params, params, current.matrix);
    const statistics = await host.matrix.statistics(current, job);
    const { encodings, matrix: openMatrix } = await host.matrix.whole(current, job);
    const best = await findBest(format, openMatrix, statistics, completeParams, job, encodings);
    return { generation: current.generation, best };
  },
}));

/** Throws RangeError unless the region lies within the matrix and is not too large to be copied. */
function checkRegion({ row, col, rows, cols }: Region, m: Rows): void {
  const found = `window: found ${rows} × ${cols} cells at row ${row}, column ${col}`;
  const isInside =
    [row, col, rows, cols].every((n) => Number.isSafeInteger(n) && n >= 0) &&
    row + rows <= m.rows &&
    col + cols <= m.cols;
  if (!isInside) throw new RangeError(`${found}, expected a position within the matrix of ${m.rows} × ${m.cols}`);
  if (rows * cols > MAX_WINDOW_CELLS) throw new RangeError(`${found}, expected at most ${MAX_WINDOW_CELLS} cells`);
}
