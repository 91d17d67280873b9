import { Suspense } from 'react';
import { baselineFormat } from '../../../formats/catalog.ts';
import type { ParamValue } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { compareOptions, type ParamComparison, sizeCurve } from '../../../kit/report/density-curves.ts';
import type { Side } from '../sides.ts';
import { density } from '../../../kit/words/quantity.ts';

/** Charts load with their scales, into space reserved for them. */
const DensityChart = lazyPart(async () => (await import('./DensityChart.tsx')).DensityChart);
const TilesSection = lazyPart(async () => (await import('./TilesSection.tsx')).TilesSection);

/** How the size depends on the density, on tiles and on parameters, in each format. */
export function Size({ sides }: { readonly sides: readonly Side[] }) {
  return sides.map((side, i) => (
    <div key={side.side}>
      <CurveSection of={side} other={sides[1 - i] ?? null} />
      {side.format.tiles && (
        <Suspense fallback={null}>
          <TilesSection of={side} />
        </Suspense>
      )}
      <OptionsSection of={side} />
    </div>
  ));
}

/** The size by density, against that of the other format or of the usual one. */
function CurveSection({ of, other }: { readonly of: Side; readonly other: Side | null }) {
  const { format, encoding, name } = of;
  const { params } = of.stored;
  const usual = useDocument((doc) => doc.params[baselineFormat.id]);
  const summary = useSession((s) => s.summary);
  if (!summary) return null;
  const curve = sizeCurve(format, params, summary);
  if (!curve) return null;
  const cells = summary.rows * summary.cols;
  const isUsual = other === null && format.id !== baselineFormat.id;
  const reference = other
    ? { title: other.name, curve: sizeCurve(other.format, other.stored.params, summary) }
    : { title: baselineFormat.title, curve: isUsual && usual ? sizeCurve(baselineFormat, usual, summary) : null };
  const measured = encoding?.kind === 'ready' && cells > 0 ? (encoding.summary.ledger?.effectiveDensity ?? null) : null;
  return (
    <Section title={name} label={`${name}: size against density`} level={3} aside={String(params.valueType ?? '')}>
      <Suspense fallback={<div className="chart-room" />}>
        <DensityChart
          title={name}
          curve={curve}
          reference={reference.curve && { title: reference.title, curve: reference.curve }}
          here={{ density: summary.density, effectiveDensity: measured }}
        />
      </Suspense>
    </Section>
  );
}

/** For every parameter that changes the size: its best option at this density. */
function OptionsSection({ of: { side, name, format, stored, encoding } }: { readonly of: Side }) {
  const { session } = useApp();
  const { params } = stored;
  const summary = useSession((s) => s.summary);
  if (!summary) return null;
  const measured = encoding?.kind === 'ready' ? (encoding.summary.ledger?.effectiveDensity ?? null) : null;
  const refused = encoding?.kind === 'ready' && !encoding.summary.admission.ok;
  return (
    <>
      {compareOptions(format, params, summary, summary.density, refused).map((comparison) => (
        <Section
          key={comparison.name}
          title={`Best ${comparison.label} here`}
          label={`${name}: best ${comparison.label} here`}
          aside="effective density"
        >
          <OptionComparison
            comparison={comparison}
            measured={measured}
            onChoose={(value) => {
              const changed = { ...stored, params: { ...params, [comparison.name]: value as ParamValue } };
              if (side === 'a') session.setStored(changed);
              else session.setAgainst(changed);
            }}
          />
        </Section>
      ))}
    </>
  );
}

interface OptionComparisonProps {
  readonly comparison: ParamComparison;
  /** measured on this matrix with the current option; null while it is being encoded */
  readonly measured: number | null;
  readonly onChoose: (value: unknown) => void;
}

/** The size of this matrix with each option of one parameter, the best marked, each one click away. */
function OptionComparison({ comparison, measured, onChoose }: OptionComparisonProps) {
  return (
    <table className="table">
      <caption className="unseen">Expected effective density by {comparison.label}</caption>
      <thead>
        <tr>
          <th scope="col">{comparison.label}</th>
          <th scope="col" className="number">
            expected
          </th>
          <th scope="col" className="number">
            measured
          </th>
          <th scope="col">
            <span className="unseen">choice</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {comparison.options.map((option) => (
          <tr key={option.label} aria-current={option.current ? 'true' : undefined}>
            <th scope="row">
              {option.label}
              {option.best && <span className="best-mark"> best</span>}
            </th>
            <td className="number">{density(option.expected)}</td>
            <td className="number">{option.current && measured !== null ? density(measured) : ''}</td>
            <td className="number">
              {option.current ? (
                <span className="faint">set</span>
              ) : (
                <button
                  type="button"
                  className="text-button"
                  aria-label={`use ${comparison.label} ${option.label}`}
                  onClick={() => onChoose(option.value)}
                >
                  use
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
