import { useMemo } from 'react';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { matrix } from '../../../engine/matrix-service.ts';
import type { Comparison } from '../../../engine/matrix/matrix-types.ts';
import type { BestEncoding, FormatVerdict } from '../../../engine/matrix/verdict-types.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useMatrixJob } from '../../../kit/use-job.ts';
import { encodingOf, type EncodingState, failureText, type FormatParams, isCancelled } from '../../../state/index.ts';
import type { StoredVariant } from './stored-variants.ts';

/** Values by the key of a row. */
type ByRow<T> = Readonly<Record<string, T>>;

interface MatrixVerdicts {
  readonly verdicts: ByRow<FormatVerdict>;
  readonly generation: number; // number of the opened matrix
  readonly comparison: Comparison;
}

/** What the worker has computed for the rows of Compare's table, and its current jobs. */
export type WorkerComparison = ReturnType<typeof useWorkerComparison>;

/**
 * What the worker computes for the table's rows, `variants` (memoized): statistics of the matrix once, and the
 * verdict on each format whenever parameters or encodings change. Nothing if only part of the matrix was generated.
 */
export function useWorkerComparison(variants: readonly StoredVariant[]) {
  const { engine } = useApp();
  const service = serviceOf(engine);
  const isWhole = useSession((s) => s.summary?.sampledRows === undefined);
  const params = useDocument((doc) => doc.params);
  const digests = useSession((s) =>
    JSON.stringify(Object.values(s.encodings).map((state) => (state.kind === 'ready' ? state.summary.digest : null))),
  );
  // Without formats, `compare` only counts the statistics. It is a separate job, so that changed parameters do not start it again.
  const counting = useMatrixJob(isWhole ? ['Counting non-zeros'] : null, (watch) => service.compare(watch, {}));
  const rowKeys = useMemo(() => variants.map(({ key }) => key), [variants]);
  const comparing = useMatrixJob<MatrixVerdicts>(
    counting.data && ['Checking the formats', rowKeys, params, digests],
    async (watch, { lastOfAnyKey, update }) => {
      // Statistics with a verdict for the chosen parameters of each format; then verdicts for the rows' parameters.
      const comparison = await service.compare(watch, params);
      const { generation } = comparison;
      let verdicts: ByRow<FormatVerdict> = {};
      for (const batch of batchesOf(variants)) {
        const batchParams = Object.fromEntries(batch.map(({ stored }) => [stored.format, stored.params]));
        const { verdicts: byFormat } = watch.current(await service.compare(watch, batchParams));
        const byRow = batch.map(({ key, stored }) => [key, byFormat[stored.format]] as const);
        verdicts = { ...verdicts, ...Object.fromEntries(byRow) };
        // Each finished encoding starts this job again; until it is done, rows keep their last verdicts.
        update({ generation, comparison, verdicts: { ...lastOfAnyKey?.verdicts, ...verdicts } });
      }
      return { generation, comparison, verdicts };
    },
  );
  const search = useSearch(isWhole);
  return {
    /** statistics of the matrix; null until they are counted */
    comparison: comparing.latest?.comparison ?? null,
    /** by the key of a row: the verdict on its bytes from statistics */
    verdicts: comparing.latest?.verdicts ?? NONE,
    /** encodings of rows with other parameters than the chosen ones */
    otherEncodings: useOtherEncodings(variants, isWhole),
    best: search.data?.best ?? NO_SEARCH,
    comparing: counting.job ?? comparing.job,
    searching: search.job,
    problem:
      counting.isCancelled || comparing.isCancelled
        ? 'Counting was cancelled.'
        : (counting.error ?? comparing.error ?? search.error),
    /** finds the parameters with the fewest bytes for each format, encoding where statistics are not enough */
    search: search.start,
    cancelSearch: search.cancel,
    cancelComparing() {
      counting.cancel();
      comparing.cancel();
    },
    /** starts again what was cancelled or has failed: the counting, the comparison, or else the search */
    retry: [counting, comparing].find((job) => job.error !== null || job.isCancelled)?.start ?? search.start,
  };
}

const NONE: ByRow<never> = {};
const NO_SEARCH: SearchedParams['best'] = {};

/** The rows as lists with each format at most once, as the worker takes one set of parameters per format. */
function batchesOf(variants: readonly StoredVariant[]): readonly (readonly StoredVariant[])[] {
  const batches: StoredVariant[][] = [];
  for (const variant of variants) {
    const batchWithoutFormat = batches.find((batch) => batch.every(({ format }) => format !== variant.format));
    if (batchWithoutFormat) batchWithoutFormat.push(variant);
    else batches.push([variant]);
  }
  return batches;
}

interface OtherEncodings {
  readonly generation: number;
  readonly states: ByRow<EncodingState>;
}

/** The session encodes rows with the chosen parameters; this encodes the others, the quickest format first. */
function useOtherEncodings(variants: readonly StoredVariant[], isWhole: boolean): ByRow<EncodingState> {
  const { engine } = useApp();
  const encodings = useSession((s) => s.encodings);
  const missing = useMemo(
    () =>
      variants
        .filter(({ stored }) => encodingOf(encodings, stored) === undefined)
        .toSorted((a, b) => a.format.effort - b.format.effort),
    [variants, encodings],
  );
  const key =
    isWhole && missing.length > 0 ? (['Encoding other rows', missing.map((variant) => variant.key)] as const) : null;
  const job = useMatrixJob<OtherEncodings>(key, async ({ signal, current, generation }, { lastOfAnyKey, update }) => {
    const previous: ByRow<EncodingState> = lastOfAnyKey?.states ?? NONE;
    let states: ByRow<EncodingState> = Object.fromEntries(
      variants.flatMap(({ key: row }) => (previous[row]?.kind === 'ready' ? [[row, previous[row]]] : [])),
    );
    for (const { key: row, stored } of missing) {
      if (states[row] !== undefined) continue;
      const { format, params } = stored;
      let state: EncodingState;
      try {
        state = { kind: 'ready', params, summary: current(await serviceOf(engine).encode({ signal }, format, params)) };
      } catch (error) {
        if (isCancelled(error)) throw error;
        state = { kind: 'failed', params, reason: failureText(error, 'Encoding') };
      }
      states = { ...states, [row]: state };
      update({ generation, states });
    }
    return { generation, states };
  });
  return job.latest?.states ?? NONE;
}

interface SearchedParams {
  readonly generation: number;
  /** the smallest encoding of each format, by its id; `paramsThen`: the format's parameters at the search */
  readonly best: Readonly<Record<string, { readonly paramsThen: FormatParams; readonly best: BestEncoding | null }>>;
}

const SEARCHING = 'Smallest parameters';

/** Finds the parameters with the fewest bytes for each format, the quickest format first. */
function useSearch(isWhole: boolean) {
  const { engine, document, formats } = useApp();
  return useMatrixJob<SearchedParams>(
    isWhole ? [SEARCHING] : null,
    async ({ signal, onProgress, show, current, generation }, { lastOfSameKey, update }) => {
      let best = lastOfSameKey?.best ?? {};
      for (const format of formats.toSorted((a, b) => a.effort - b.effort)) {
        show({ title: `${SEARCHING} of ${format.title}` });
        const params = document.getState().params[format.id];
        const { best: found } = current(await serviceOf(engine).bestParams({ signal, onProgress }, format.id, params));
        best = { ...best, [format.id]: { paramsThen: params, best: found } };
        update({ generation, best });
      }
      return { generation, best };
    },
    { manual: true },
  );
}

function serviceOf(engine: App['engine']): ServiceOf<typeof matrix> {
  return engine.service<typeof matrix>('matrix');
}
