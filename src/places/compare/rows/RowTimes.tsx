import { useSession } from '../../../kit/app-context.ts';
import { percent, time } from '../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import type { Compared, CompareRow } from './compare-row.ts';

interface RowTimeProps {
  readonly row: CompareRow;
  readonly compared: Compared;
}

/** What its bytes alone allow: the least time of a matrix, the most tokens per second of a model. */
export function AtMost({ row: { atMostNs }, compared: { level } }: RowTimeProps) {
  if (atMostNs === null || atMostNs === 0) return <span className="faint">–</span>;
  return <span className="faint">{level === 'model' ? oneDecimal(1e9 / atMostNs) : time(atMostNs)}</span>;
}

/** What was measured on the device that answers, and how much that is of what bytes allow. */
export function Measured({
  row,
  compared: { level, tokens, shown },
  onMeasure,
}: RowTimeProps & { readonly onMeasure: ((row: CompareRow) => void) | null }) {
  const isRunning = useSession((s) => s.bench.running !== null);
  const { measuredNs, wholeNs, atMostNs, figures, format, detail, state } = row;
  if (wholeNs !== null) return <Whole wholeNs={wholeNs} matricesNs={measuredNs} />;
  if (measuredNs !== null) {
    const mark = figures?.verified?.row.where === 'cpu' ? 'CPU' : null;
    return (
      <>
        <b>{level === 'model' ? oneDecimal((tokens * 1e9) / measuredNs) : time(measuredNs)}</b>
        {mark !== null && <span className="row-detail">, {mark}</span>}
        {atMostNs !== null && mark === null && (
          <span className="row-detail">
            {level === 'model' && tokens === 1 && ' matrices,'} {percent(atMostNs / measuredNs, 0)} of it
          </span>
        )}
      </>
    );
  }
  if (figures?.verified && !figures.verified.row.verified.ok) return <span className="row-wrong">wrong</span>;
  if (state === 'known' && level === 'matrix' && onMeasure && shown.device.kind === 'this' && !isRunning) {
    return (
      <button
        type="button"
        className="text-button"
        aria-label={`Measure ${format.title} ${detail}`}
        onClick={() => onMeasure(row)}
      >
        measure
      </button>
    );
  }
  return <span className="faint">–</span>;
}

/** Whole tokens per second, and how many the matrices alone would allow, with what lies between them in a token. */
function Whole({ wholeNs, matricesNs }: { readonly wholeNs: number; readonly matricesNs: number | null }) {
  return (
    <>
      <b>{oneDecimal(1e9 / wholeNs)}</b>
      <span className="row-detail">
        {' '}
        whole{matricesNs !== null && `; matrices ${oneDecimal(1e9 / matricesNs)}, ${time(wholeNs - matricesNs)} less`}
      </span>
    </>
  );
}
