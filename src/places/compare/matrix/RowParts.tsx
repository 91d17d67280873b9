import type { FormatParams } from '../../../state/index.ts';
import { bytes, percent, ratio, time, duration } from '../../../kit/words/quantity.ts';
import { useApp } from '../../../kit/app-context.ts';
import { type Device, isBound } from '../../../state/devices/device.ts';
import type { FormatRow } from './format-rows.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';

export interface RowActions {
  readonly onOpen: (format: string) => void;
  readonly onParams: (format: string, params: FormatParams) => void;
  readonly onMeasure: (format: string) => void;
  /** nothing can be measured now */
  readonly busy: boolean;
  /** why this adapter answers no question about speed: it is software; null if it is none */
  readonly software: string | null;
  /** the device that answers, where it is another than this one */
  readonly elsewhere: Device | null;
}

/** The name of a format, which opens it in Watch, and its parameters. */
export function RowName({ row, onOpen }: { readonly row: FormatRow } & Pick<RowActions, 'onOpen'>) {
  const { id, title } = row.format;
  return (
    <span className="compare-name">
      <Swatch format={id} />
      <span>
        <button
          type="button"
          className="compare-open"
          aria-label={`${title}: watch it being built from this matrix`}
          onClick={() => onOpen(id)}
        >
          {title}
        </button>
        <span className="compare-detail">{row.detail}</span>
      </span>
    </span>
  );
}

/** The reason for its size, and parameters for a smaller one. */
export function RowWhy({ row, onParams }: { readonly row: FormatRow } & Pick<RowActions, 'onParams'>) {
  const { format, why, better, best, bytes: now } = row;
  return (
    <>
      {why}
      <SlowEncoding job={row.job} />
      {best === null && better !== null && (
        <>
          {' '}
          <button type="button" className="text-button" onClick={() => onParams(format.id, better.params)}>
            {better.label}
          </button>{' '}
          would be enough: {bytes(better.bytes)}.
        </>
      )}
      {best !== null && (
        <span className="compare-best">
          {best.label === '' || (now !== null && best.bytes >= now) ? (
            best.tried === 1 ? (
              ' Measured: no other parameters are smaller.'
            ) : (
              ` Measured: none of ${best.tried} encodings is smaller.`
            )
          ) : (
            <>
              {best.tried === 1 ? ' Measured, the smallest: ' : ` Measured, the smallest of ${best.tried} encodings: `}
              <button type="button" className="text-button" onClick={() => onParams(format.id, best.params)}>
                {best.label}
              </button>
              , {bytes(best.bytes)}.
            </>
          )}
        </span>
      )}
    </>
  );
}

/** A slow encoder's activity, with its estimated time and a cancel button. */
function SlowEncoding({ job }: { readonly job: FormatRow['job'] }) {
  const { session } = useApp();
  if (!job?.progress || typeof job.leftMs !== 'number') return null;
  return (
    <span className="compare-best">
      {' '}
      Encoding: {job.progress.what}, about {duration(job.leftMs)} left.{' '}
      <button type="button" className="text-button" onClick={session.cancelEncoding}>
        cancel
      </button>
    </span>
  );
}

/** Remedies for a refusal: prune the matrix, change parameters, or see what the format is made for. */
export function Remedies({ row, onParams }: { readonly row: FormatRow } & Pick<RowActions, 'onParams'>) {
  const { session } = useApp();
  const { format, prune, better } = row;
  const { id, what } = format.shownBestOn;
  return (
    <span className="compare-remedies">
      {better && (
        <button type="button" className="text-button" onClick={() => onParams(format.id, better.params)}>
          {better.label}
        </button>
      )}
      {prune && (
        <button
          type="button"
          className="button"
          onClick={() => void session.prune({ way: 'n-of-m', kept: prune.kept, group: prune.group })}
        >
          Prune to {prune.kept}:{prune.group}
        </button>
      )}
      {row.state === 'refused' && !prune && (
        <button type="button" className="button" onClick={() => void session.openExample(id)}>
          Open {what}
        </button>
      )}
      {row.state === 'failed' && (
        <button type="button" className="button" onClick={() => session.retryEncoding(format.id)}>
          Try again
        </button>
      )}
    </span>
  );
}

/** The remedy behind the bytes in a refused format's row: 'once pruned to 6:8'. */
export function onceText({ prune, better }: FormatRow): string {
  if (prune) return `once pruned to ${prune.kept}:${prune.group}`;
  return better ? `with ${better.label}` : '';
}

/** Whether the format's product is right, and its largest error as a share of the bound. */
export function RowError({ row }: { readonly row: FormatRow }) {
  const verified = row.measured?.row.verified;
  if (!verified) return <span className="faint">not run</span>;
  if (!verified.ok) {
    return (
      <strong className="compare-wrong" title="The largest error, of what is allowed">
        wrong
      </strong>
    );
  }
  return (
    <span className="compare-right" title="The largest error, of what is allowed">
      <span className="compare-check" aria-hidden="true">
        ✓
      </span>
      <span className="unseen">right, largest error </span>
      {percent(verified.worstShare)}
    </span>
  );
}

/** The median speed relative to dense, or a button to measure it. */
export function RowSpeed({
  row,
  onMeasure,
  busy,
  software,
  elsewhere,
  dense,
}: { readonly row: FormatRow; readonly dense: number } & Pick<
  RowActions,
  'onMeasure' | 'busy' | 'software' | 'elsewhere'
>) {
  const { measured, format } = row;
  if (elsewhere && isBound(elsewhere)) {
    if (row.bytes === null || row.bytes === 0) return <span className="faint">–</span>;
    return (
      <span className="compare-bound" title={`No kernel on ${elsewhere.name} is faster than its bytes.`}>
        {ratio(dense / row.bytes)}
        <span className="compare-detail">at most</span>
      </span>
    );
  }
  if (measured?.speed) {
    return (
      <>
        {ratio(measured.speed.ratio)}
        {measured.ofRead !== null && <span className="compare-detail">{percent(measured.ofRead, 0)} of read</span>}
      </>
    );
  }
  if (measured?.row.verified.ok && measured.row.medianNs !== null) return <>{time(measured.row.medianNs)}</>;
  if (measured && !measured.row.verified.ok) return <span className="faint">no time</span>;
  if (measured && busy && software === null) return <span className="faint">timing</span>;
  if (measured && software !== null) {
    return (
      <span className="faint" title={software}>
        software
      </span>
    );
  }
  if (elsewhere) {
    return (
      <span className="faint" title={`This was not timed on ${elsewhere.name}.`}>
        –
      </span>
    );
  }
  return (
    <button
      type="button"
      className="text-button"
      aria-label={`Measure ${format.title}`}
      aria-disabled={busy}
      onClick={busy ? undefined : () => onMeasure(format.id)}
    >
      measure
    </button>
  );
}
