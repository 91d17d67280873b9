import { countText } from '../../../core/story/words.ts';
import { Suspense } from 'react';
import { useStore } from 'zustand';
import type { Violation } from '../../../core/format.ts';
import { baselineFormat } from '../../../formats/catalog.ts';
import { currentParams } from '../../../state/index.ts';
import type { EncodingSummary } from '../../../engine/matrix/types.ts';
import { useApp, useCurrentFormat, useDocument, useFirstOpening, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { useScene } from '../../../kit/stage/use-scene.ts';
import { CodeView, lineNumber } from './CodeView.tsx';
import { FactsView } from './FactsView.tsx';
import { Refusal } from './Refusal.tsx';
import { LedgerView, type ReferenceBar } from './LedgerView.tsx';
import { OptionComparison } from './OptionComparison.tsx';
import { compareOptions, sizeCurve } from '../../../kit/report/density-curves.ts';
import { Section } from '../../../kit/controls/Section.tsx';

/** Charts load with their scales shortly after the first picture, into space reserved for them. */
const DensityChart = lazyPart(async () => (await import('./DensityChart.tsx')).DensityChart);

const TilesSection = lazyPart(async () => (await import('./TilesSection.tsx')).TilesSection);

/** The bytes by class, this matrix on the density curve, and the line that runs now. */
export function Inspector() {
  const waiting = useFirstOpening();
  return (
    <>
      <BytesSection />
      {!waiting && (
        <>
          <CurveSection />
          <TileStatistics />
          <StepSection />
          <OptionsSection />
          <PointerSection />
        </>
      )}
    </>
  );
}

function BytesSection() {
  const { session } = useApp();
  const format = useCurrentFormat();
  const encoding = useSession((s) => s.encodings[format.id]);
  const sampled = useSession((s) => s.summary?.sampledRows !== undefined);
  const reference = useReference();
  return (
    <Section title="What the bytes are for" aside="this matrix">
      {encoding?.kind === 'ready' && encoding.summary.ledger && (
        <>
          <LedgerView title={format.title} ledger={encoding.summary.ledger} references={reference.bars} />
          <FactsView facts={encoding.summary.facts} />
          <Validation violations={encoding.summary.violations} validated={encoding.summary.validated} />
        </>
      )}
      {encoding?.kind === 'ready' && !encoding.summary.admission.ok && (
        <Refusal
          refusal={encoding.summary.admission}
          onPrune={({ kept, group }) => void session.prune({ way: 'n-of-m', kept, group })}
        />
      )}
      {encoding?.kind === 'ready' && encoding.summary.admission.ok && encoding.summary.admission.notes.length > 0 && (
        <ul className="matrix-notes">
          {encoding.summary.admission.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {(encoding === undefined || encoding.kind === 'waiting' || encoding.kind === 'running') && (
        <div className="ledger-room">
          {encoding?.kind === 'running' ? (
            <JobProgress job={encoding.job} onCancel={session.cancelEncoding} />
          ) : sampled ? (
            <>
              <p className="faint">
                Stand-in weights are computed where they are looked at. Bytes are counted over all of them.
              </p>
              <p>
                <button type="button" className="button" onClick={() => session.retryEncoding(format.id)}>
                  Encode in {format.title}
                </button>
              </p>
            </>
          ) : (
            <p className="faint">Open a matrix to encode it in {format.title}.</p>
          )}
        </div>
      )}
      {(encoding?.kind === 'failed' || encoding?.kind === 'cancelled') && (
        <div className="verdict verdict--bad">
          <Icon name="warning" />
          <div>
            <p>{encoding.kind === 'failed' ? encoding.reason : `Encoding as ${format.title} was cancelled.`}</p>
            <p>
              <button type="button" className="text-button" onClick={() => session.retryEncoding(format.id)}>
                encode again
              </button>
            </p>
          </div>
        </div>
      )}
    </Section>
  );
}

/** Violations listed at most; more would only repeat these. */
const SHOWN_VIOLATIONS = 5;

interface ValidationProps {
  readonly violations: readonly Violation[];
  readonly validated: EncodingSummary['validated'];
}

function Validation({ violations, validated }: ValidationProps) {
  if (violations.length === 0) {
    return (
      <div className="verdict verdict--good validation">
        <Icon name="tick" />
        <p className="quiet">
          {validated === 'full' ? 'Valid: every element checked.' : 'Valid: every length checked.'}
        </p>
      </div>
    );
  }
  return (
    <div className="verdict verdict--bad validation">
      <Icon name="warning" />
      <div>
        <p>
          {countText(violations.length)} {violations.length === 1 ? 'rule is' : 'rules are'} broken.
        </p>
        <ul>
          {violations.slice(0, SHOWN_VIOLATIONS).map((v) => (
            <li key={`${v.array} ${v.index} ${v.message}`}>
              <code>
                {v.array}
                {v.index === null ? '' : `[${v.index}]`}
              </code>{' '}
              {v.message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function useReference(): { readonly bars: readonly ReferenceBar[]; readonly curve: ReturnType<typeof sizeCurve> } {
  const current = useCurrentFormat();
  const summary = useSession((s) => s.summary);
  const reference = baselineFormat;
  const params = useDocument((doc) => doc.params[reference.id]);
  if (!summary || !params) return { bars: [], curve: null };
  const curve = sizeCurve(reference, params, summary);
  const bars =
    curve && reference.id !== current.id
      ? [{ title: reference.title, effectiveDensity: curve(summary.density).expected }]
      : [];
  return { bars, curve };
}

function CurveSection() {
  const format = useCurrentFormat();
  const params = useDocument(currentParams);
  const summary = useSession((s) => s.summary);
  const encoding = useSession((s) => s.encodings[format.id]);
  const reference = useReference();
  if (!summary) return null;
  const curve = sizeCurve(format, params, summary);
  if (!curve) return null;
  const cells = summary.rows * summary.cols;
  const measured = encoding?.kind === 'ready' && cells > 0 ? (encoding.summary.ledger?.effectiveDensity ?? null) : null;
  return (
    <Section title="Size against density" aside={String(params.valueType ?? '')}>
      <Suspense fallback={<div className="chart-room" />}>
        <DensityChart
          title={format.title}
          curve={curve}
          reference={
            reference.curve && format.id !== baselineFormat.id
              ? { title: baselineFormat.title, curve: reference.curve }
              : null
          }
          here={{ density: summary.density, effectiveDensity: measured }}
        />
      </Suspense>
    </Section>
  );
}

/** For formats that cut rows into tiles: how full tiles get. */
function TileStatistics() {
  const format = useCurrentFormat();
  const hasMatrix = useSession((s) => s.summary !== null);
  if (!hasMatrix || !format.tiles) return null;
  return (
    <Suspense fallback={null}>
      <TilesSection />
    </Suspense>
  );
}

/** For every parameter that changes the size: its best option at this density. */
function OptionsSection() {
  const { session } = useApp();
  const format = useCurrentFormat();
  const params = useDocument(currentParams);
  const summary = useSession((s) => s.summary);
  const encoding = useSession((s) => s.encodings[format.id]);
  if (!summary) return null;
  const measured = encoding?.kind === 'ready' ? (encoding.summary.ledger?.effectiveDensity ?? null) : null;
  const refused = encoding?.kind === 'ready' && !encoding.summary.admission.ok;
  return (
    <>
      {compareOptions(format, params, summary, summary.density, refused).map((comparison) => (
        <Section key={comparison.name} title={`Best ${comparison.label} here`} aside="effective density">
          <OptionComparison
            comparison={comparison}
            measured={measured}
            onChoose={(value) => session.setParam(format.id, comparison.name, value as string | number | boolean)}
          />
        </Section>
      ))}
    </>
  );
}

function StepSection() {
  const { session } = useApp();
  const code = useScene()?.code ?? null;
  return (
    <Section
      title="This step"
      aside={
        code && (
          <span className="number">
            {code.file}:{lineNumber(code)}
          </span>
        )
      }
    >
      {code ? <CodeView code={code} /> : <p className="faint">No code runs in this step.</p>}
      {code?.file.endsWith('.wgsl') && (
        <button
          type="button"
          className="text-button"
          onClick={() => session.follow('code', { file: code.file, line: lineNumber(code) })}
        >
          Read the whole kernel
        </button>
      )}
    </Section>
  );
}

function PointerSection() {
  const { hover } = useApp();
  const mark = useStore(hover, (state) => state.mark);
  return (
    <Section title="Under the pointer">
      <p className={mark ? 'under-pointer' : 'under-pointer faint'}>
        {mark?.label ?? 'Point at a cell, slot, bit or byte to see everywhere it is stored.'}
      </p>
    </Section>
  );
}
