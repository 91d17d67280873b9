import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import type { ComparedFormats } from './compare-row.ts';
import type { WorkerComparison } from './use-worker-comparison.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { FormatParams } from '../../../state/index.ts';
import { bytes } from '../../../kit/words/quantity.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** The least memory, in bytes, that a note mentions. */
const MIN_NOTED_BYTES = 1e9;

interface MemoryInput {
  readonly formats: readonly AnyListedFormat[];
  readonly params: Readonly<Record<string, FormatParams>>;
  readonly matrix: { readonly rows: number; readonly cols: number; readonly nnz: number; readonly density: number };
  /** GiB, if the browser reports it; the worker then rejects matrices that do not fit */
  readonly deviceMemory: number | undefined;
}

/** The memory that a large matrix needs with its largest encoding; null if small, or if `deviceMemory` is known. */
export function memoryNote({ formats, params, matrix, deviceMemory }: MemoryInput): string | null {
  if (deviceMemory !== undefined) return null;
  const { rows, cols, nnz, density } = matrix;
  const matrixBytes = Math.min(rows * cols * 4, nnz * 8);
  const largest = formats
    .map((format) => {
      const formatParams = params[format.id] ?? {};
      const bits = VALUE_BITS[formatParams.valueType as keyof typeof VALUE_BITS] ?? 32;
      const share = format.expectedEffectiveDensity?.(density, formatParams, matrix).expected ?? 0;
      return { title: format.title, bytes: (share * rows * cols * bits) / 8 };
    })
    .reduce((max, encoding) => (encoding.bytes > max.bytes ? encoding : max), { title: '', bytes: 0 });
  const neededBytes = matrixBytes + largest.bytes;
  if (neededBytes < MIN_NOTED_BYTES) return null;
  return `The matrix and its largest encoding, ${largest.title}, need about ${bytes(neededBytes)} of memory.`;
}

interface WorkerNotesProps {
  readonly worker: WorkerComparison;
  readonly compared: ComparedFormats;
  /** measures every format of the table on this device */
  readonly onMeasureAll: () => void;
}

/** Below the table of a matrix: the worker's progress and errors, and buttons to search parameters and to measure. */
export function WorkerNotes({ worker, compared, onMeasureAll }: WorkerNotesProps) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const busy = useSession((s) => s.bench.running !== null);
  const { comparing, searching, problem } = worker;
  const { summary, comparison } = compared;
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const isWhole = summary.sampledRows === undefined;
  const memory = isWhole ? memoryNote({ formats, params, matrix: summary, deviceMemory }) : null;
  return (
    <div className="empty:hidden underlined flex flex-wrap items-center gap-y-1 gap-x-6 text-muted">
      {memory !== null && <p>{memory}</p>}
      {problem !== null && (
        <p role="alert" className="text-danger">
          {problem} <TextButton onClick={worker.retry}>try again</TextButton>
        </p>
      )}
      {comparing?.progress && comparison === null && <JobProgress job={comparing} onCancel={worker.cancelComparing} />}
      {searching && <JobProgress job={searching} onCancel={worker.cancelSearch} />}
      {isWhole && !searching && (
        <TextButton aria-disabled={busy} onClick={busy ? undefined : worker.search}>
          find the smallest parameters
        </TextButton>
      )}
      {compared.visibleDevice.device.kind === 'this' && !busy && (
        <TextButton onClick={onMeasureAll}>measure all rows</TextButton>
      )}
    </div>
  );
}
