import type { Fact, Violation } from '../../../core/format.ts';
import { noteText } from '../../../core/encoded/admission.ts';
import { shareText } from '../../../core/text/rounded.ts';
import { countText, withGroups } from '../../../core/text/words.ts';
import type { EncodingSummary } from '../../../engine/matrix/matrix-types.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import type { Side } from '../use-sides.ts';
import { Fragment, Suspense } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { BYTE_CLASSES, type ByteClass, type StorageLedger } from '../../../core/encoded/ledger.ts';
import { bitsAsBytes, bytes, percent } from '../../../kit/words/quantity.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Drawer, NumberHeads, TableScroll } from '../../../kit/primitives/Boxes.tsx';
import { Button, TextButton } from '../../../kit/controls/Button.tsx';

/** Maximum length of a bar, as a multiple of the dense matrix's. */
const LONGEST_BAR = 2;

/** The bytes of an encoded matrix: a bar below the bar of the dense matrix, and tables by purpose and by array. */
function LedgerView({ title, ledger }: { readonly title: string; readonly ledger: StorageLedger }) {
  const longest = Math.min(LONGEST_BAR, Math.max(1, ledger.effectiveDensity));
  const widthOf = (effectiveDensity: number): string => `${(100 * Math.min(effectiveDensity, longest)) / longest}%`;
  const classes = BYTE_CLASSES.filter((c) => ledger.totalBits[c] > 0 || c === 'padding');
  return (
    <>
      <dl className="grid grid-cols-[minmax(3.25rem,auto)_1fr] items-center gap-y-1 gap-x-2">
        <dt className="text-muted text-12">{referenceFormat.title}</dt>
        <dd className="flex items-center gap-2 min-w-0">
          <div className="byte-bar h-[14px] min-w-px bg-track flex" style={{ width: widthOf(1) }} />
          <span className="unseen">{shareText(1)}</span>
        </dd>
        <dt className="text-ink text-12 font-semibold">{title}</dt>
        <dd className="flex items-center gap-2 min-w-0">
          <div
            className="byte-bar h-[14px] min-w-px flex *:h-full *:min-w-0"
            style={{ width: `min(${widthOf(ledger.effectiveDensity)}, 100% - 3.25rem)` }}
          >
            {BYTE_CLASSES.map((c) => (
              <span
                key={c}
                className={c === 'padding' ? 'swatch--padding' : undefined}
                style={{ flex: `${ledger.totalBits[c]} 0 0`, background: c === 'padding' ? undefined : classColour(c) }}
              />
            ))}
          </div>
          <span className="number">{shareText(ledger.effectiveDensity)}</span>
        </dd>
      </dl>
      <table className="table byte-classes mt-3">
        <thead className="unseen">
          <tr>
            <th scope="col">class</th>
            <th scope="col">bytes</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {classes.map((c) => (
            <tr key={c}>
              <th scope="row">
                <span className="flex items-center gap-2">
                  <ClassSwatch byteClass={c} />
                  {c}
                </span>
              </th>
              <td className="number">{bitsAsBytes(ledger.totalBits[c])}</td>
              <td className="number">{percent(share(ledger.totalBits[c], ledger))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <span className="flex items-center gap-2">together</span>
            </th>
            <td className="number">{bytes(ledger.totalBytes)}</td>
            <td className="number">{percent(1)}</td>
          </tr>
        </tbody>
      </table>
      <Drawer title={BY_ARRAY} className="mt-2">
        <TableScroll label={BY_ARRAY}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">array</th>
                <th scope="col">type</th>
                <NumberHeads names={['length', 'bytes', 'padding']} />
              </tr>
            </thead>
            <tbody>
              {ledger.entries.map((entry) => (
                <tr key={entry.array} title={entry.note}>
                  <th scope="row">
                    <code>{entry.array}</code>
                  </th>
                  <td>{entry.dtype}</td>
                  <td className="number">{countText(entry.length)}</td>
                  <td className="number">{bytes(entry.bytes)}</td>
                  <td className="number">{entry.bits.padding === 0 ? '–' : bitsAsBytes(entry.bits.padding)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
        <ul className="matrix-notes">
          {ledger.entries.map((entry) =>
            entry.note === undefined ? null : (
              <li key={entry.array}>
                <code>{entry.array}</code>: {entry.note}
              </li>
            ),
          )}
        </ul>
      </Drawer>
    </>
  );
}

const BY_ARRAY = 'array by array';

function ClassSwatch({ byteClass }: { readonly byteClass: ByteClass }) {
  if (byteClass === 'padding') return <Swatch padding />;
  return <Swatch color={classColour(byteClass)} />;
}

function classColour(byteClass: ByteClass): string {
  return `var(--${byteClass})`;
}

function share(bits: number, ledger: StorageLedger): number {
  return ledger.totalBytes === 0 ? 0 : bits / (ledger.totalBytes * 8);
}

/** Loaded, with the code of charts, when a format with tiles is first shown. */
const TilesSection = lazyPart(async () => (await import('./TilesSection.tsx')).TilesSection);

/** The details section 'bytes by purpose': the purposes of the visible formats' bytes, and how full tiles are. */
export function Bytes({ sides }: { readonly sides: readonly Side[] }) {
  return sides.map((side) => (
    <div key={side.side}>
      <BytesSection side={side} />
      {side.format.tiles && (
        <Suspense fallback={null}>
          <TilesSection side={side} />
        </Suspense>
      )}
    </div>
  ));
}

/** One format: its bytes, facts, and whether its arrays are valid; or why the matrix is not encoded. */
function BytesSection({ side: { name, format, encoding } }: { readonly side: Side }) {
  const { session } = useApp();
  const sampled = useSession((s) => s.summary?.sampledRows !== undefined);
  return (
    <Section title={name} label={`${name}: bytes by purpose`} level={3} aside="this matrix">
      {encoding?.kind === 'ready' && encoding.summary.ledger && (
        <>
          <LedgerView title={name} ledger={encoding.summary.ledger} />
          <FactsView facts={encoding.summary.facts} />
          <Validation violations={encoding.summary.violations} validated={encoding.summary.validated} />
        </>
      )}
      {encoding?.kind === 'ready' && !encoding.summary.support.ok && (
        <p className="text-quiet">{format.title} cannot store this matrix.</p>
      )}
      {encoding?.kind === 'ready' && encoding.summary.support.ok && encoding.summary.support.notes.length > 0 && (
        <ul className="matrix-notes">
          {encoding.summary.support.notes.map((note) => (
            <li key={note.says}>{withGroups(noteText(note))}</li>
          ))}
        </ul>
      )}
      {(encoding === undefined || encoding.kind === 'waiting' || encoding.kind === 'running') && (
        <div className="min-h-64 [&_p+p]:mt-3">
          {encoding?.kind === 'running' ? (
            <JobProgress job={encoding.job} onCancel={session.cancelEncoding} />
          ) : sampled ? (
            <Button onClick={() => session.retryEncoding(format.id)}>Encode in {format.title}</Button>
          ) : null}
        </div>
      )}
      {(encoding?.kind === 'failed' || encoding?.kind === 'cancelled') && (
        <div className="verdict verdict--bad">
          <Icon name="warning" />
          <div>
            <p>{encoding.kind === 'failed' ? encoding.reason : 'Encoding was cancelled.'}</p>
            <p>
              <TextButton onClick={() => session.retryEncoding(format.id)}>encode again</TextButton>
            </p>
          </div>
        </div>
      )}
    </Section>
  );
}

/** Maximum number of violations listed; more would only repeat these. */
const MAX_VIOLATIONS = 5;

interface ValidationProps {
  readonly violations: readonly Violation[];
  readonly validated: EncodingSummary['validated'];
}

function Validation({ violations, validated }: ValidationProps) {
  if (violations.length === 0) {
    return (
      <div className="verdict verdict--good validation">
        <Icon name="tick" />
        <p className="text-muted">
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
          {violations.slice(0, MAX_VIOLATIONS).map((v) => (
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

function FactsView({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="facts mt-3">
      {facts.map(({ label, value, note, source }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note !== undefined && (
            <dd className="font-sans text-muted text-start mb-1 col-span-full leading-[1.4]" title={source}>
              {note}
            </dd>
          )}
        </Fragment>
      ))}
    </dl>
  );
}
