import { useCallback } from 'react';
import { countText } from '../../../../core/text/words.ts';
import type { matrix } from '../../../../engine/matrix-service.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { useMatrixJob } from '../../../../kit/use-job.ts';
import { bytes, nameAndShape } from '../../../../kit/words/quantity.ts';
import { densityText } from '../../../../kit/words/shares.ts';
import type { FormatParams } from '../../../../state/index.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import { StatisticCharts } from './StatisticCharts.tsx';
import { Button } from '../../../../kit/controls/Button.tsx';

/** Memory for each weight while gaps are counted: its value and its column. */
const BYTES_PER_ENTRY = 8;

const COUNTING = 'Counting non-zeros';

/** The section 'gaps, rows, groups': how non-zeros are distributed, with the limits of formats. */
export function GapsDetails({ compared }: { readonly compared: ComparedFormats }) {
  const { session, engine } = useApp();
  const { summary } = compared;
  // Random weights replace a model's file that is not open: only a sample of rows, until the user requests all.
  const areRandomWeights = summary.sampledRows !== undefined;
  const params = useDocument((doc) => doc.params);
  const counting = useMatrixJob(
    areRandomWeights ? [COUNTING] : null,
    (watch) => engine.service<typeof matrix>('matrix').compare(watch, params),
    { manual: true, cancelWhenUnmounted: true },
  );
  const onParams = useCallback(
    (format: string, changed: FormatParams) => {
      for (const [name, value] of Object.entries(changed)) session.setParam(format, name, value);
    },
    [session],
  );
  const comparison = compared.comparison ?? counting.data;
  if (comparison !== null) {
    return (
      <StatisticCharts
        comparison={comparison}
        caption={`${nameAndShape(summary)}, ${densityText(summary.density)} left`}
        onParams={onParams}
      />
    );
  }
  if (!areRandomWeights) return <p className="field-hint">{COUNTING}</p>;
  return (
    <div className="grid justify-items-start gap-3 max-w-[44rem]">
      <p>
        Counting generates all {countText(summary.nnz)} random weights, in about {bytes(summary.nnz * BYTES_PER_ENTRY)}{' '}
        of memory.
      </p>
      {counting.job ? (
        <JobProgress job={counting.job} onCancel={counting.cancel} />
      ) : (
        <Button onClick={counting.start}>Count them</Button>
      )}
      {counting.error !== null && (
        <p className="field-hint" role="alert">
          {counting.error}
        </p>
      )}
    </div>
  );
}
