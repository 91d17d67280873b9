import { capitalised, countText, listText } from '../../../core/text/words.ts';
import { useEffect, useId, useState } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useTitleOf } from '../../../kit/report/report-labels.ts';
import { percent, shape, time } from '../../../kit/words/quantity.ts';
import { bandwidth, intensity, perSecond } from '../../../kit/words/rates.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { ridge } from '../../../theory/roofline/roofs.ts';
import { Boundary } from '../../../kit/frame/Boundary.tsx';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import type { MeasuredPair } from '../answer/use-measured.ts';
import { RoofChart } from './RoofChart.tsx';
import { pointTitle, roofText, roofSteps, tokensText } from './roof-words.ts';
import { isTimed, type Roofline, useRoofline } from './use-roofline.ts';
import type * as Limits from '../../../formats/limits.ts';
import { limitText } from '../../../core/kernel/limit.ts';
import { choiceOf, minNs, type RoofPoint, shareOfRoof, timeOf } from './roof-points.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
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

interface RooflineProps {
  readonly roofline: Roofline;
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
            {id === 'time' && point.measured !== null && <RestOfTime key={point.kernel} kernel={point.kernel} />}
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
function RestOfTime({ kernel }: { readonly kernel: string }) {
  const [limit, setLimit] = useState<string | null>(null);
  useEffect(() => {
    const show = ({ limits: { [kernel]: kernelLimit } }: typeof Limits): void =>
      setLimit(kernelLimit ? `${limitText(kernelLimit)} On an NVIDIA H200.` : 'Not known yet.');
    return whileMounted(import('../../../formats/limits.ts'), show, () => setLimit('Could not be loaded.'));
  }, [kernel]);
  return (
    <p aria-live="polite">
      {limit !== null && (
        <>
          <strong>The rest:</strong> {limit} <code className="text-12">{kernel}</code>
        </>
      )}
    </p>
  );
}

/** The column next to the roofline: its matrix, its kernels, and the device whose roofs are drawn. */
export function RoofSide({ roofline }: RooflineProps) {
  return (
    <>
      <MatrixSection roofline={roofline} />
      <KernelSection roofline={roofline} />
      <RoofSection roofline={roofline} />
    </>
  );
}

/** The choice of the matrix, and its figures. */
function MatrixSection({ roofline: { matrices, rooflineMatrix, choose, point } }: RooflineProps) {
  return (
    <Section title="Matrix">
      <Select
        aria-label="Matrix"
        disabled={matrices.length === 0}
        value={rooflineMatrix?.key ?? ''}
        options={matrices.map(({ key, title, rows, cols }) => ({
          value: key,
          label: `${title}, ${shape(rows, cols)}`,
        }))}
        onChange={(matrix) => choose({ matrix })}
      />
      {rooflineMatrix && (
        <dl className="mt-3">
          <Fact name="non-zeros" value={countText(rooflineMatrix.nnz)} />
          <Fact
            name="density"
            value={densityText(rooflineMatrix.nnz / Math.max(1, rooflineMatrix.rows * rooflineMatrix.cols))}
          />
          {typeof point?.params.valueType === 'string' && <Fact name="values" value={point.params.valueType} />}
        </dl>
      )}
    </Section>
  );
}

/** The kernels to choose from, each with the share of its roof that it reaches. */
function KernelSection({
  roofline: { rooflineMatrix, visiblePoints, point, choose, choices, rejected },
}: RooflineProps) {
  const titleOf = useTitleOf();
  return (
    <Section title="Kernels" aside="share of the roof reached">
      {rooflineMatrix !== null && visiblePoints.length === 0 && (
        <p className="text-muted text-12 mt-2">No format has a kernel for {tokensText(choices.tokens)}.</p>
      )}
      <ul className="-mx-2">
        {visiblePoints.map((kernel) => {
          const share = shareOfRoof(kernel);
          const isChosen = kernel === point;
          return (
            <li key={kernel.id}>
              <button
                type="button"
                className="hover:bg-sunken grid grid-cols-[auto_minmax(0,1fr)_5rem_2.75rem] border-s-2 border-transparent aria-pressed:border-ink aria-pressed:bg-sunken items-center gap-2 text-start w-full min-h-7 px-2"
                aria-pressed={isChosen}
                title={kernel.kernel}
                onClick={() => choose({ format: choiceOf(kernel) })}
              >
                <Swatch format={kernel.format} />
                <span className={isChosen ? 'font-semibold' : undefined}>{pointTitle(kernel, titleOf)}</span>
                {share === null ? (
                  <span className="col-[3/-1] text-muted figure text-end">{time(kernel.prediction.ns)}, predicted</span>
                ) : (
                  <>
                    <span className="bg-track h-[6px]" aria-hidden="true">
                      <span
                        className="block h-full"
                        style={{ inlineSize: `${Math.min(100, 100 * share)}%`, background: cssColorOf(kernel.format) }}
                      />
                    </span>
                    <span className="figure text-end">{percent(share, 0)}</span>
                  </>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {rejected.length > 0 && (
        <p className="text-muted text-12 mt-2">{listText(rejected.map(titleOf))} cannot store this matrix.</p>
      )}
    </Section>
  );
}

/** The roofs as figures, and where they are from. */
function RoofSection({ roofline: { device } }: RooflineProps) {
  const { roofs } = device;
  const ridgeIntensity = ridge(roofs, 'f32');
  const source = sourceText(device);
  const { f32, i8, 'i8-matrix': matrices } = roofs.peakGMAps;
  const rateOf = (peak: number | undefined): string => (peak === undefined ? 'not measured' : perSecond(peak, 'FMA'));
  const facts = [
    ['read speed', bandwidth(roofs.readGBps)],
    ['multiply-adds, f32', rateOf(f32)],
    ['multiply-adds, i8', rateOf(i8)],
    ...(matrices === undefined ? [] : [['i8 by matrices', perSecond(matrices, 'FMA')]]),
    ['ridge', ridgeIntensity === null ? 'not known' : intensity(ridgeIntensity)],
    ['empty dispatch', roofs.dispatchNs > 0 ? time(roofs.dispatchNs) : 'not known'],
  ];
  return (
    <Section title={`Roofs of ${device.origin === 'measured here' ? 'this GPU' : device.name}`}>
      <dl className="mt-3">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {source !== null && <p className="text-muted text-12 mt-2">{source}</p>}
    </Section>
  );
}

/** Source of the roofs, as text; null if they were measured here, typed, or are from a report. */
function sourceText({ origin, source }: Roofline['device']): string | null {
  if (origin === 'recorded') return `Recorded: ${source}.`;
  if (origin === 'measured') return `Measured elsewhere: ${source}.`;
  return origin === 'data sheet' ? `Data sheet: ${source}.` : null;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="py-[0.2rem] flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}
