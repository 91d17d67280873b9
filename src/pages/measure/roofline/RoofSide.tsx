import { countText, listText } from '../../../core/text/words.ts';
import { useTitleOf } from '../../../kit/report/report-labels.ts';
import { percent, shape, time } from '../../../kit/words/quantity.ts';
import { bandwidth, intensity, perSecond } from '../../../kit/words/rates.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { ridge } from '../../../theory/roofline/roofs.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
import { choiceOf, shareOfRoof } from './roof-points.ts';
import { pointTitle, tokensText } from './roof-words.ts';
import type { Roofline, RooflineProps } from './use-roofline.ts';

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

/** The kernels to choose from, as points of the roofline, each with the share of its roof that it reaches. */
function KernelSection({
  roofline: { rooflineMatrix, points, point: chosenPoint, choose, choices, rejected },
}: RooflineProps) {
  const titleOf = useTitleOf();
  return (
    <Section title="Kernels" aside="share of the roof reached">
      {rooflineMatrix !== null && points.length === 0 && (
        <p className="text-muted text-12 mt-2">No format has a kernel for {tokensText(choices.tokens)}.</p>
      )}
      <ul className="-mx-2">
        {points.map((point) => {
          const share = shareOfRoof(point);
          const isChosen = point === chosenPoint;
          return (
            <li key={point.id}>
              <button
                type="button"
                className="hover:bg-sunken grid grid-cols-[auto_minmax(0,1fr)_5rem_2.75rem] border-s-2 border-transparent aria-pressed:border-ink aria-pressed:bg-sunken items-center gap-2 text-start w-full min-h-7 px-2"
                aria-pressed={isChosen}
                title={point.kernelId}
                onClick={() => choose({ format: choiceOf(point) })}
              >
                <Swatch format={point.format} />
                <span className={isChosen ? 'font-semibold' : undefined}>{pointTitle(point, titleOf)}</span>
                {share === null ? (
                  <span className="col-[3/-1] text-muted figure text-end">{time(point.prediction.ns)}, predicted</span>
                ) : (
                  <>
                    <span className="bg-track h-[6px]" aria-hidden="true">
                      <span
                        className="block h-full"
                        style={{ inlineSize: `${Math.min(100, 100 * share)}%`, background: cssColorOf(point.format) }}
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
  const { f32, i8, 'i8-matrix': i8MatrixPeak } = roofs.peakGMAps;
  const rateOf = (peak: number | undefined): string => (peak === undefined ? 'not measured' : perSecond(peak, 'FMA'));
  const facts = [
    ['read speed', bandwidth(roofs.readGBps)],
    ['multiply-adds, f32', rateOf(f32)],
    ['multiply-adds, i8', rateOf(i8)],
    ...(i8MatrixPeak === undefined ? [] : [['i8 by matrices', perSecond(i8MatrixPeak, 'FMA')]]),
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
