import { useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useSession } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { time } from '../../../kit/words/quantity.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { asSentence } from '../../../state/index.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { useBrought } from '../bring/use-bringing.ts';
import { DENSE_BYTES_PER_WEIGHT, expectedBytes } from '../../../theory/models/model-bytes.ts';
import { tokenDispatches } from '../../../theory/models/token-dispatches.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { densityOf } from '../subject.ts';
import type { TabProps } from '../tab.ts';
import type { MatricesAt } from './shapes.ts';
import { TimedTokens } from './TimedTokens.tsx';
import { TokenBar } from './TokenBar.tsx';
import type { Large } from './use-large.ts';
import { useTimes } from './use-times.ts';

/** A token of the small model on that device: its launches and its bytes. */
export function useToken({ model, pruning }: TabProps['subject'], { format, params, device, readGBps }: Large) {
  const dispatches = useMemo(() => tokenDispatches(model.shape), [model]);
  const density = densityOf(pruning);
  const bytesPerCell = expectedBytes({ format, params }, density, {
    rows: model.shape.hidden,
    cols: model.shape.intermediate,
  });
  const cellBytes = bytesPerCell === null ? null : bytesPerCell / (model.shape.hidden * model.shape.intermediate);
  const dispatchNs = device.roofs?.dispatchNs || null;
  const small =
    readGBps === null || dispatchNs === null
      ? null
      : {
          bytesNs: dispatches.reduce((sum, { cells }) => sum + cells * DENSE_BYTES_PER_WEIGHT, 0) / readGBps,
          launchNs: dispatches.length * dispatchNs,
        };
  return { dispatches, density, cellBytes, dispatchNs, small };
}

type Token = ReturnType<typeof useToken>;

interface OneTokenProps extends Pick<TabProps, 'subject'> {
  readonly known: Large;
  readonly token: Token;
}

/** A token of the small model, computed, and timed when asked. */
export function OneToken({
  subject: { model, pruning },
  known: { format, params, isDense, readGBps },
  token,
}: OneTokenProps) {
  const { dispatches, density, cellBytes, dispatchNs } = token;
  const key = JSON.stringify([model.id, pruning, format.id, params]);
  const times = useTimes(key);
  const brought = useBrought(isBrought(model.id))?.find(({ id }) => id === model.id);
  const refusal = brought?.notOnGpu ?? null;
  const isWithoutGpu = useSession((s) => s.device?.kind === 'unavailable');
  const { title: dense } = referenceFormat;
  const both = isBrought(model.id) ? `${dense} and pruned, in ${format.title}` : `${dense} and as the sentence says`;
  const timed = isWithoutGpu || refusal !== null ? `${dense}, on the CPU` : isDense ? dense : both;
  const measureHere = (): void => {
    if (times.job !== null) return;
    const address = { id: model.id, url: modelUrl(model.id) };
    void times.run([
      {
        title: referenceFormat.title,
        format: referenceFormat.id,
        request: { model: address, pruning: null, format: null, params: {} },
      },
      ...(isDense
        ? []
        : [
            {
              title: `${format.title}, ${leftText(density)}`,
              format: format.id,
              request: { model: address, pruning, format: format.id, params },
            },
          ]),
    ]);
  };
  useOwnRun(measureHere);
  return (
    <section aria-labelledby="speed-token">
      <h3 id="speed-token" className="side-head">
        This model, one token{' '}
        <span className="section-caption">
          {dispatchNs === null || readGBps === null
            ? `${dispatches.length} dispatches`
            : `${dispatches.length} dispatches of ${time(dispatchNs)}, bytes at ${bandwidth(readGBps)}: arithmetic`}
        </span>
      </h3>
      {dispatchNs !== null && readGBps !== null && (
        <>
          {[
            { title: referenceFormat.title, id: referenceFormat.id, bytes: DENSE_BYTES_PER_WEIGHT },
            ...(isDense || cellBytes === null
              ? []
              : [{ title: `${format.title} ${density.toFixed(2)}`, id: format.id, bytes: cellBytes }]),
          ].map(({ title, id, bytes }, i) => (
            <TokenBar
              key={id}
              title={title}
              format={id}
              dispatches={dispatches}
              bytesPerCell={bytes}
              headBytesPerCell={DENSE_BYTES_PER_WEIGHT}
              readGBps={readGBps}
              dispatchNs={dispatchNs}
              layers={model.shape.layers}
              named={i === 0}
            />
          ))}
          <p className="token-legend">
            <span data-part="bytes">reading weights</span>
            <span data-part="kernel">launching their kernel</span>
            <span data-part="rest">launching the rest</span>
          </p>
        </>
      )}
      {refusal !== null && (
        <p className="quiet">This is arithmetic alone: {asSentence(refusal)} A token of it is timed on the CPU.</p>
      )}
      <TimedTokens tokens={times.tokens} dispatches={dispatches.length} />
      {times.error !== null && (
        <p className="speed-error" role="status">
          {times.error}
        </p>
      )}
      <p className="speed-run">
        <button type="button" className="button button--solid" aria-busy={times.job !== null} onClick={measureHere}>
          Time a token here
        </button>
        <span>
          {model.shape.name}, {timed}
        </span>
      </p>
      {times.job !== null && <JobProgress job={times.job} onCancel={times.cancel} />}
    </section>
  );
}

/** What helps where launches decide, and where bytes do. */
export function TwoWays({ dispatches, at }: Pick<Token, 'dispatches'> & Pick<Large, 'at'>) {
  return (
    <section aria-labelledby="speed-ways">
      <h3 id="speed-ways" className="side-head">
        Two ways out
      </h3>
      <div className="speed-ways">
        <p>
          <b>Launch less</b> Additions are already joined with the matrix before them, norms with the stage that reads
          them, rotary with the cache, and gate with up. That leaves {dispatches.length} dispatches,{' '}
          {dispatches.filter(({ cells }) => cells > 0).length} of them with weights.
        </p>
        <p>
          <b>Read more</b> At real shapes reading one matrix takes{' '}
          {at?.denseNs ? time(largestShape(at)) : 'far longer than launching its kernel'}, so bytes that a format saves
          are time saved.
        </p>
      </div>
    </section>
  );
}

/** The longest of the measured shapes, in nanoseconds. */
function largestShape({ shapes }: MatricesAt): number {
  return shapes.reduce((max, { denseNs, group }) => (group.keptDense ? max : Math.max(max, denseNs ?? 0)), 0);
}
