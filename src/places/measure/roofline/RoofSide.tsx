import { countText, listText } from '../../../core/story/words.ts';
import { ridge } from '../../../theory/roofline/roofs.ts';
import { useTitleOf } from '../../../kit/report/use-title-of.ts';
import { percent, shape, time } from '../../../kit/words/quantity.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { choiceOf, shareOfRoof } from './roof-points.ts';
import { pointTitle, tokensText } from './roof-words.ts';
import type { Roofline } from './use-roofline.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
import { bandwidth, intensity, perSecond } from '../../../kit/words/rates.ts';

interface RoofSideProps {
  readonly roofline: Roofline;
}

/** The column beside the roofline: its matrix, its kernels, and the device whose roofs are drawn. */
export function RoofSide({ roofline }: RoofSideProps) {
  return (
    <>
      <MatrixSection roofline={roofline} />
      <KernelSection roofline={roofline} />
      <RoofSection roofline={roofline} />
    </>
  );
}

function MatrixSection({ roofline: { subjects, subject, choose, point } }: { readonly roofline: Roofline }) {
  return (
    <Section title="Matrix">
      <Select
        aria-label="Matrix"
        disabled={subjects.length === 0}
        value={subject?.key ?? ''}
        options={subjects.map(({ key, title, rows, cols }) => ({
          value: key,
          label: `${title}, ${shape(rows, cols)}`,
        }))}
        onChange={(matrix) => choose({ matrix })}
      />
      {subject && (
        <dl className="mt-3">
          <Fact name="non-zeros" value={countText(subject.nnz)} />
          <Fact name="left" value={leftText(subject.nnz / Math.max(1, subject.rows * subject.cols))} />
          {typeof point?.params.valueType === 'string' && <Fact name="values" value={point.params.valueType} />}
        </dl>
      )}
    </Section>
  );
}

function KernelSection({
  roofline: { subject, shown, point, choose, choices, refused },
}: {
  readonly roofline: Roofline;
}) {
  const titleOf = useTitleOf();
  return (
    <Section title="Kernels" aside="of what their roof allows">
      {subject !== null && shown.length === 0 && (
        <p className="text-muted text-12 mt-2">No format has a kernel for {tokensText(choices.tokens)}.</p>
      )}
      <ul className="-mx-2">
        {shown.map((one) => {
          const share = shareOfRoof(one);
          return (
            <li key={one.id}>
              <button
                type="button"
                className="hover:bg-sunken grid grid-cols-[auto_minmax(0,1fr)_5rem_2.75rem] border-s-2 border-transparent aria-pressed:border-ink aria-pressed:bg-sunken items-center gap-2 text-start w-full min-h-7 px-2"
                aria-pressed={one === point}
                title={one.kernel}
                onClick={() => choose({ format: choiceOf(one) })}
              >
                <Swatch format={one.format} />
                <span className={one === point ? 'font-semibold' : undefined}>{pointTitle(one, titleOf)}</span>
                {share === null ? (
                  <span className="col-[3/-1] text-muted figure text-end">{time(one.prediction.ns)}, predicted</span>
                ) : (
                  <>
                    <span className="bg-track h-[6px]" aria-hidden="true">
                      <span
                        className="block h-full"
                        style={{
                          inlineSize: `${Math.min(100, 100 * share)}%`,
                          background: cssColorOf(one.format),
                        }}
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
      {refused.length > 0 && (
        <p className="text-muted text-12 mt-2">
          {listText(refused.map(titleOf))} {refused.length === 1 ? 'does' : 'do'} not hold this matrix.
        </p>
      )}
    </Section>
  );
}

function RoofSection({ roofline: { device } }: RoofSideProps) {
  const { roofs } = device;
  const at = ridge(roofs, 'f32');
  const source = sourceSentence(device);
  const { f32, i8, 'i8-matrix': matrices } = roofs.peakGMAps;
  const rateOf = (peak: number | undefined): string => (peak === undefined ? 'not measured' : perSecond(peak, 'FMA'));
  const facts = [
    ['read speed', bandwidth(roofs.readGBps)],
    ['multiply-adds, f32', rateOf(f32)],
    ['multiply-adds, i8', rateOf(i8)],
    ...(matrices === undefined ? [] : [['i8 by matrices', perSecond(matrices, 'FMA')]]),
    ['ridge', at === null ? 'not known' : intensity(at)],
    ['empty dispatch', roofs.dispatchNs > 0 ? time(roofs.dispatchNs) : 'not known'],
  ];
  return (
    <Section title={`Roofs of ${device.by === 'measured here' ? 'this GPU' : device.name}`}>
      <dl className="mt-3">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {source !== null && <p className="text-muted text-12 mt-2">{source}</p>}
    </Section>
  );
}

/** Source of the roofs, as a sentence; null if they were measured here. */
function sourceSentence({ by, source }: Roofline['device']): string | null {
  if (by === 'recorded') return `Recorded: ${source}.`;
  if (by === 'measured') return `Measured elsewhere: ${source}.`;
  return by === 'data sheet' ? `Data sheet: ${source}.` : null;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="py-[0.2rem] flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}
