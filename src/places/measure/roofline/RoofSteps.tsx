import { useEffect, useState } from 'react';
import { limitText } from '../../../core/kernel/limit.ts';
import { useTitleOf } from '../../../kit/report/use-title-of.ts';
import { time } from '../../../kit/words/quantity.ts';
import { minNs, type RoofPoint, timeOf } from './roof-points.ts';
import { pointTitle, stepsOf, tokensText } from './roof-words.ts';
import type { Roofline } from './use-roofline.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { Section } from '../../../kit/controls/Section.tsx';

/** The arithmetic of the roof in six steps, with this matrix's numbers, for the chosen kernel. */
export function RoofSteps({ roofline: { point, dense, subject, device } }: { readonly roofline: Roofline }) {
  const titleOf = useTitleOf();
  if (point === null || subject === null) return null;
  const steps = stepsOf(point, dense, subject, device.roofs);
  return (
    <Section
      className="roof-steps"
      title={
        <>
          <Swatch format={point.format} /> Why {pointTitle(point, titleOf)}{' '}
          {point.measured === null ? 'would take' : 'takes'} {time(timeOf(point))}
        </>
      }
      aside={point.tokens === null ? point.operation : tokensText(point.tokens)}
      label="The arithmetic"
    >
      <ol>
        {steps.map(({ id, title, value, formula, meaning }) => (
          <li key={id}>
            <h3>
              {title} <span className="number">{value}</span>
            </h3>
            <p className="roof-formula">{formula}</p>
            {id === 'time' && point.measured !== null && <TimeBar point={point} dense={dense} />}
            <p>{meaning}</p>
            {id === 'time' && point.measured !== null && <Rest key={point.kernel} kernel={point.kernel} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A kernel's time, broken down: its roof, an empty dispatch, and the rest. */
function TimeBar({ point, dense }: { readonly point: RoofPoint; readonly dense: RoofPoint | null }) {
  const { prediction, measured } = point;
  if (measured === null) return null;
  const min = minNs(prediction);
  const dispatch = Math.max(0, Math.min(prediction.dispatchNs, measured.ns - min));
  const rest = Math.max(0, measured.ns - min - dispatch);
  const denseNs = dense?.measured && dense.format !== point.format ? dense.measured.ns : null;
  const whole = Math.max(measured.ns, denseNs ?? 0, min);
  const share = (ns: number): string => `${(100 * ns) / whole}%`;
  return (
    <div className="roof-time">
      <div className="roof-time-bar" aria-hidden="true">
        <span style={{ inlineSize: share(min), background: cssColorOf(point.format) }} />
        <span style={{ inlineSize: share(dispatch), background: 'var(--text-quiet)' }} />
        <span style={{ inlineSize: share(rest), background: 'var(--track)' }} />
        {denseNs !== null && <i style={{ insetInlineStart: share(denseNs) }} />}
      </div>
      <dl>
        <div>
          <dt>{prediction.decides === 'bytes' ? 'bytes' : 'arithmetic'}</dt>
          <dd>{time(min)}</dd>
        </div>
        <div>
          <dt>dispatch</dt>
          <dd>{time(dispatch)}</dd>
        </div>
        <div>
          <dt>the rest</dt>
          <dd>{time(rest)}</dd>
        </div>
        {denseNs !== null && (
          <div>
            <dt>dense</dt>
            <dd>{time(denseNs)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** Experimental causes for the rest of a kernel's time, in its format's words. */
function Rest({ kernel }: { readonly kernel: string }) {
  const [limit, setLimit] = useState<string | null>(null);
  useEffect(() => {
    let left = false;
    void import('../../../formats/limits.ts').then(
      ({ limits }) => {
        const known = limits[kernel];
        if (!left)
          setLimit(
            known ? `${limitText(known)} On an NVIDIA H200.` : 'No experiment has yet shown what takes the rest.',
          );
      },
      () => {
        if (!left) setLimit('What takes the rest could not be loaded.');
      },
    );
    return () => {
      left = true;
    };
  }, [kernel]);
  return (
    <p className="roof-rest" aria-live="polite">
      {limit !== null && (
        <>
          <strong>The rest:</strong> {limit} <code>{kernel}</code>
        </>
      )}
    </p>
  );
}
