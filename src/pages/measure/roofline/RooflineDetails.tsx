import { capitalised } from '../../../core/text/words.ts';
import { useEffect, useId, useState } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useTitleOf } from '../../../kit/report/report-labels.ts';
import { shape, time } from '../../../kit/words/quantity.ts';
import { Boundary } from '../../../kit/frame/Boundary.tsx';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import type { MeasuredPair } from '../answer/use-measured.ts';
import { RoofChart } from './RoofChart.tsx';
import { RoofSide } from './RoofSide.tsx';
import { pointTitle, roofText, roofSteps, tokensText } from './roof-words.ts';
import { isTimed, type RooflineProps, useRoofline } from './use-roofline.ts';
import type * as Limits from '../../../formats/limits.ts';
import { limitText } from '../../../core/kernel/limit.ts';
import { minNs, type RoofPoint, timeOf } from './roof-points.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { StyledWords } from '../../../kit/primitives/Text.tsx';
import { whileMounted } from '../../../kit/browser/while-mounted.ts';

interface RooflineDetailsProps {
  readonly visibleDevice: VisibleDevice;
  /** A and B with the times that the page shows; null until a matrix is open */
  readonly measuredPair: MeasuredPair | null;
}

/** The details section 'roofline': measured or predicted kernels beneath the roofs of the current device. */
export function RooflineDetails({ visibleDevice, measuredPair }: RooflineDetailsProps) {
  const roofline = useRoofline(visibleDevice, measuredPair);
  const titleOf = useTitleOf();
  const { choices, rooflineMatrix, device, point, dense } = roofline;
  const { tokens } = choices;
  const isMeasured = isTimed(device, visibleDevice.device);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(16rem,20rem)] gap-y-6 gap-x-10 max-lg:grid-cols-[minmax(0,1fr)] items-start">
      <div className="roof-main min-w-0">
        <p className="text-muted text-12">
          {rooflineMatrix === null
            ? 'no matrix'
            : `${rooflineMatrix.title}, ${shape(rooflineMatrix.rows, rooflineMatrix.cols)} · ${tokens === 1 ? 'y = A x' : 'Y = X Aᵀ'}, ${tokensText(tokens)} · ${device.name}`}
        </p>
        <h3 className="roof-headline max-w-[60rem] text-18 font-normal">
          <StyledWords words={roofText(point, dense, { rooflineMatrix, device, isMeasured, titleOf })} />
        </h3>
        {device.id !== visibleDevice.device.id && (
          <p className="text-muted text-12 mt-2">
            {capitalised(visibleDevice.device.name)} has no measured roofs: you see those of {device.name}.
          </p>
        )}
        <Boundary name="The roof" resetKey={`${device.id} ${rooflineMatrix?.key} ${tokens}`}>
          <RoofChart roofline={roofline} />
        </Boundary>
        <TokensSlider roofline={roofline} />
      </div>
      <aside aria-label="Matrix, kernels and roofs">
        <RoofSide roofline={roofline} />
      </aside>
      <aside className="col-span-full min-w-0" aria-label="The arithmetic of one kernel">
        <RoofSteps roofline={roofline} />
      </aside>
    </div>
  );
}

/** The slider for the number of tokens in one product. */
function TokensSlider({ roofline: { choices, choose, stops } }: RooflineProps) {
  const id = useId();
  const stopIndex = Math.max(0, stops.indexOf(choices.tokens));
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3">
      <label htmlFor={id} className="font-semibold">
        tokens <span className="block text-muted text-12 font-normal">at once</span>
      </label>
      {/* The figures at both ends are wider than the thumb above them. */}
      <div className="px-2">
        <input
          id={id}
          className="w-full accent-ink"
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={stopIndex}
          aria-valuetext={tokensText(choices.tokens)}
          onChange={(event) => choose({ tokens: stops[Number(event.currentTarget.value)] })}
        />
        <div className="flex justify-between text-muted text-12 font-mono" aria-hidden="true">
          {stops.map((stop) => (
            // As wide as the thumb; wider text overflows equally on both sides.
            <span
              className="flex justify-center w-4 whitespace-nowrap data-current:text-ink data-current:font-semibold"
              key={stop}
              data-current={stop === choices.tokens || undefined}
            >
              {stop}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The time of the chosen kernel, computed in six steps with this matrix's numbers. */
export function RoofSteps({ roofline: { point, dense, rooflineMatrix, device, storedBytes } }: RooflineProps) {
  const titleOf = useTitleOf();
  if (point === null || rooflineMatrix === null) return null;
  const steps = roofSteps(point, dense, rooflineMatrix, device.roofs, storedBytes);
  return (
    <Section
      title={
        <>
          <Swatch format={point.format} /> Why {pointTitle(point, titleOf)}{' '}
          {point.measured === null ? 'would take' : 'takes'} {time(timeOf(point))}
        </>
      }
      aside={point.tokens === null ? point.operation : tokensText(point.tokens)}
      label="The arithmetic"
    >
      <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-y-4 gap-x-8">
        {steps.map(({ id, title, value, formula, meaning }) => (
          <li className="border-t border-hairline py-3" key={id}>
            <h3 className="flex justify-between gap-3">
              {title} <span className="number">{value}</span>
            </h3>
            <p className="font-mono text-muted text-12 mt-1">{formula}</p>
            {id === 'time' && point.measured !== null && <TimeBar point={point} dense={dense} />}
            {meaning !== '' && <p className="text-muted text-12 mt-1">{meaning}</p>}
            {id === 'time' && point.measured !== null && <RestOfTime key={point.kernelId} kernelId={point.kernelId} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A kernel's time in three parts: the minimum by its roof, an empty dispatch, and the rest. */
export function TimeBar({ point, dense }: { readonly point: RoofPoint; readonly dense: RoofPoint | null }) {
  const { prediction, measured } = point;
  if (measured === null) return null;
  const leastNs = minNs(prediction);
  const dispatchNs = Math.max(0, Math.min(prediction.dispatchNs, measured.ns - leastNs));
  const restNs = Math.max(0, measured.ns - leastNs - dispatchNs);
  const denseNs = dense?.measured && dense.format !== point.format ? dense.measured.ns : null;
  const maxNs = Math.max(measured.ns, denseNs ?? 0, leastNs);
  const share = (ns: number): string => `${(100 * ns) / maxNs}%`;
  const parts = [
    { name: prediction.decides, ns: leastNs, background: cssColorOf(point.format) },
    { name: 'dispatch', ns: dispatchNs, background: 'var(--text-quiet)' },
    { name: 'the rest', ns: restNs, background: 'var(--track)' },
  ];
  return (
    <div className="mt-2">
      <div className="flex relative h-3" aria-hidden="true">
        {parts.map(({ name, ns, background }) => (
          <span key={name} style={{ inlineSize: share(ns), background }} />
        ))}
        {denseNs !== null && (
          <i className="absolute -inset-y-1 w-0.5 -ms-0.5 bg-muted" style={{ insetInlineStart: share(denseNs) }} />
        )}
      </div>
      <dl className="flex justify-between gap-2 text-12 mt-1">
        {[...parts, ...(denseNs === null ? [] : [{ name: referenceFormat.title, ns: denseNs }])].map(({ name, ns }) => (
          <div key={name}>
            <dt className="text-ink">{name}</dt>
            <dd className="text-muted font-mono">{time(ns)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Why a kernel takes longer than its roof allows, according to an experiment. */
function RestOfTime({ kernelId }: { readonly kernelId: string }) {
  const [limit, setLimit] = useState<string | null>(null);
  useEffect(() => {
    const show = ({ limits: { [kernelId]: kernelLimit } }: typeof Limits): void =>
      setLimit(kernelLimit ? `${limitText(kernelLimit)} On an NVIDIA H200.` : 'Not known yet.');
    return whileMounted(import('../../../formats/limits.ts'), show, () => setLimit('Could not be loaded.'));
  }, [kernelId]);
  return (
    <p aria-live="polite">
      {limit !== null && (
        <>
          <strong>The rest:</strong> {limit} <code className="text-12">{kernelId}</code>
        </>
      )}
    </p>
  );
}
