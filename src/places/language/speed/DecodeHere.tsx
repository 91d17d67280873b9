import { useStore } from 'zustand';
import { countText } from '../../../core/story/words.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { keptDecodes } from '../../../kit/report/use-decodes.ts';
import { gigabytes } from '../../../kit/words/weights.ts';
import { adapterName } from '../../../state/devices/adapter-name.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { decodeMemory } from '../../../theory/models/decode-memory.ts';
import { DecodeResult } from './DecodeResult.tsx';
import { useDecode } from './use-decode.ts';
import { DENSE, type Large } from './use-large.ts';

/** Positions for the longest context, the tokens after it, and one more. */
const POSITIONS = 4101;

/** Whole tokens at real shapes, decoded on this GPU. */
export function DecodeHere({ known }: { readonly known: Large }) {
  const { large, left, format, params, isDense } = known;
  const { job, growing, error, run, cancel } = useDecode();
  const status = useSession((s) => s.device);
  const { reports, refusal } = useStore(keptDecodes().store);
  const asked = isDense
    ? { format: referenceFormat, params: format.id === referenceFormat.id ? params : DENSE, density: 1 }
    : { format, params, density: left };
  const memory = decodeMemory(large, asked, asked.density, POSITIONS);
  const problem = status === null ? null : whyNot(status, large.name, memory?.longest ?? 0);
  const isSoftware = status?.kind === 'ready' && status.environment.isFallback;
  const start = (one: typeof asked): void =>
    void run(`Decoding ${large.name} in ${titleOf(one)}`, {
      model: large,
      format: one.format.id,
      params: one.params,
      density: one.density,
    });
  const shown =
    growing ?? reports.find((one) => one.model.name === large.name && one.format === asked.format.id) ?? null;
  return (
    <section aria-labelledby="speed-decode">
      <h3 id="speed-decode" className="side-head">
        Whole tokens here{' '}
        <span className="section-caption">
          generated weights, in memory of every block’s own: 100 tokens behind 0, {countText(1000)} and{' '}
          {countText(4000)} others
        </span>
      </h3>
      {job === null ? (
        <p className="speed-run">
          <button
            type="button"
            className="button button--solid"
            aria-disabled={problem !== null}
            onClick={() => problem === null && start(asked)}
          >
            Decode 100 tokens
          </button>
          {!isDense && (
            <button
              type="button"
              className="button"
              aria-disabled={problem !== null}
              onClick={() => problem === null && start({ format: referenceFormat, params: DENSE, density: 1 })}
            >
              and dense
            </button>
          )}
          <span>
            {problem ??
              (isSoftware
                ? `${adapterName(status.environment)} is software: every stage is verified with tiny matrices, and nothing is timed`
                : `${large.name} in ${titleOf(asked)}${memory === null ? '' : ` takes ${gigabytes(memory.bytes)} of GPU memory`}`)}
          </span>
        </p>
      ) : (
        <JobProgress job={job} onCancel={cancel} />
      )}
      {[error, refusal].map(
        (sentence) =>
          sentence !== null && (
            <p key={sentence} className="speed-error" role="status">
              {sentence}
            </p>
          ),
      )}
      {shown !== null && <DecodeResult report={shown} isGrowing={shown === growing} />}
    </section>
  );
}

function titleOf({
  format,
  density,
}: {
  readonly format: { readonly title: string };
  readonly density: number;
}): string {
  return density === 1 ? format.title : `${format.title} ${density}`;
}

/** Why nothing can be decoded here, as a sentence; null where it can. What the total may be no browser tells. */
function whyNot(status: DeviceStatus, model: string, longest: number): string | null {
  if (status.kind === 'unavailable') return status.reason;
  const { limits, isFallback } = status.environment;
  const max = Math.min(limits.maxBufferSize ?? Infinity, limits.maxStorageBufferBindingSize ?? Infinity);
  if (isFallback || longest <= max) return null;
  return `${model} needs a buffer of ${gigabytes(longest)} for the keys of a block, and this GPU binds at most ${gigabytes(max)} (maxStorageBufferBindingSize).`;
}
