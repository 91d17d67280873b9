import './gaps.css';
import { useCallback, useEffect, useRef, useState } from 'react';
import { countText } from '../../../../core/story/words.ts';
import type { Comparison } from '../../../../engine/matrix/types.ts';
import type { matrix } from '../../../../engine/matrix-service.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { bytes, density, nameAndShape } from '../../../../kit/words/quantity.ts';
import { type FormatParams, newJob, type RunningJob } from '../../../../state/index.ts';
import type { FoldProps } from '../fold.ts';
import { StatisticCharts } from './StatisticCharts.tsx';

/** Bytes that a weight takes while it is looked at: its value and its column. */
const BYTES_PER_ENTRY = 8;

/** How the non-zeros of the matrix lie, with the limits of formats. Of stand-in weights all have to be made first. */
export function GapsFold({ compared }: FoldProps) {
  const { session } = useApp();
  const { summary } = compared;
  const isStandIn = summary.sampledRows !== undefined;
  const asked = useCounted(isStandIn ? summary.generation : null);
  const onParams = useCallback(
    (format: string, changed: FormatParams) => {
      for (const [name, value] of Object.entries(changed)) session.setParam(format, name, value);
    },
    [session],
  );
  const comparison = compared.comparison ?? asked.comparison;
  if (comparison !== null) {
    return (
      <StatisticCharts
        comparison={comparison}
        caption={`${nameAndShape(summary)}, density ${density(summary.density)}`}
        onParams={onParams}
      />
    );
  }
  if (!isStandIn) return <p className="field-hint">Counting the non-zeros of this matrix</p>;
  return (
    <div className="gaps-ask">
      <p>
        Stand-in weights are computed where they are looked at. Counting looks at all {countText(summary.nnz)} of them,
        which takes about {bytes(summary.nnz * BYTES_PER_ENTRY)} of memory.
      </p>
      {asked.job ? (
        <JobProgress job={asked.job} onCancel={asked.cancel} />
      ) : (
        <button type="button" className="button" onClick={asked.count}>
          Make and count them
        </button>
      )}
      {asked.problem !== null && (
        <p className="field-hint" role="alert">
          {asked.problem}
        </p>
      )}
    </div>
  );
}

interface Counting {
  /** of this generation */
  readonly comparison: Comparison | null;
  readonly job: RunningJob | null;
  readonly problem: string | null;
  readonly count: () => void;
  readonly cancel: () => void;
}

/** Statistics of weights that are counted only when a person asks; `generation` null: nothing is to be asked. */
function useCounted(generation: number | null): Counting {
  const { engine } = useApp();
  const params = useDocument((doc) => doc.params);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [job, setJob] = useState<RunningJob | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), [generation]);
  const count = useCallback(() => {
    const own = new AbortController();
    abort.current = own;
    const title = newJob('Counting non-zeros');
    setJob(title);
    setProblem(null);
    const run = async (): Promise<void> => {
      try {
        const found = await engine.service<typeof matrix>('matrix').compare(
          {
            signal: own.signal,
            onProgress: (progress) => {
              if (!own.signal.aborted) setJob({ ...title, progress });
            },
          },
          params,
        );
        if (!own.signal.aborted) setComparison(found);
      } catch (error) {
        if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      } finally {
        setJob(null);
      }
    };
    void run();
  }, [engine, params]);
  return {
    comparison: comparison?.generation === generation ? comparison : null,
    job,
    problem,
    count,
    cancel: () => abort.current?.abort(),
  };
}
