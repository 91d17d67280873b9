import { counted } from '../../../core/story/words.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { softwareSentence } from '../../../kit/words/no-card.ts';
import type { Compared } from './compare-row.ts';
import { memoryNote } from './memory-note.ts';
import type { WorkerFindings } from './use-comparison.ts';

interface WorkerNotesProps {
  readonly worker: WorkerFindings;
  readonly compared: Compared;
  /** measures all rows on this device */
  readonly onMeasureAll: () => void;
}

/** What the worker does for the rows of a matrix, what went wrong, and what it can do besides. */
export function WorkerNotes({ worker, compared, onMeasureAll }: WorkerNotesProps) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const busy = useSession((s) => s.bench.running !== null);
  const device = useSession((s) => s.device);
  const { looking, searching, problem } = worker;
  const { summary, comparison } = compared;
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const isWhole = summary.sampledRows === undefined;
  const memory = isWhole ? memoryNote({ formats, params, matrix: summary, deviceMemory }) : null;
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  const inSoftware = isSoftware && compared.shown.device.kind === 'this' ? softwareSentence(device.environment) : null;
  const verified = isSoftware
    ? compared.rows.filter(({ figures, measuredNs }) => measuredNs === null && figures?.verified?.row.verified.ok)
    : [];
  return (
    <div className="worker-notes">
      {memory !== null && <p>{memory}</p>}
      {inSoftware !== null && <p>{inSoftware}</p>}
      {verified.length > 0 && <p>{counted(verified.length, 'row')} verified in software, without a time.</p>}
      {problem !== null && (
        <p role="alert">
          {problem}{' '}
          <button type="button" className="text-button" onClick={worker.look}>
            look again
          </button>
        </p>
      )}
      {looking?.progress && comparison === null && <JobProgress job={looking} onCancel={worker.cancelLooking} />}
      {searching && <JobProgress job={searching} onCancel={worker.cancelSearch} />}
      {isWhole && !searching && (
        <button
          type="button"
          className="text-button"
          aria-disabled={busy}
          title="For each format, the parameters with the fewest bytes; what statistics cannot decide is encoded"
          onClick={busy ? undefined : worker.search}
        >
          find the smallest parameters by encoding
        </button>
      )}
      {compared.shown.device.kind === 'this' && !busy && (
        <button type="button" className="text-button" onClick={onMeasureAll}>
          measure all rows
        </button>
      )}
    </div>
  );
}
