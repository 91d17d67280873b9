import { bytes, duration } from '../../../kit/words/quantity.ts';
import { useApp } from '../../../kit/app-context.ts';
import { useChoose } from './choose-row.ts';
import type { CompareRow } from './compare-row.ts';

/** Why a row takes as much, or why it cannot be stored and what there is to do about it, in one click. */
export function RowWhy({ row }: { readonly row: CompareRow }) {
  const { session } = useApp();
  const put = useChoose();
  const { why, better, remedy, state, job, format, figures, bytes: now } = row;
  return (
    <span className="row-why">
      <span>{why}</span>
      {figures?.isSound === false && <b className="row-wrong">Its arrays are wrong.</b>}
      {better && (
        <button type="button" className="text-button" onClick={() => put('a', better.stored)}>
          {better.label}
          {now !== null && state === 'known' && `: ${bytes(better.bytes)}`}
        </button>
      )}
      {state === 'refused' && remedy?.kind === 'prune' && (
        <button type="button" className="text-button" onClick={() => put('a', row.stored, remedy)}>
          prune to {remedy.kept}:{remedy.group}
        </button>
      )}
      {state === 'refused' && remedy?.kind === 'open' && (
        <button type="button" className="text-button" onClick={() => put('a', row.stored, remedy)}>
          open {remedy.what}
        </button>
      )}
      {state === 'failed' && (
        <button type="button" className="text-button" onClick={() => session.retryEncoding(format.id)}>
          try again
        </button>
      )}
      {job?.progress && typeof job.leftMs === 'number' && (
        <>
          <span>
            Encoding: {job.progress.what}, about {duration(job.leftMs)} left.
          </span>
          <button type="button" className="text-button" onClick={session.cancelEncoding}>
            cancel
          </button>
        </>
      )}
    </span>
  );
}
