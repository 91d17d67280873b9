import { countText } from '../../../core/story/words.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { BYTE_CLASSES, type ByteClass, type StorageLedger } from '../../../core/encoded/ledger.ts';
import { bitsAsBytes, bytes, density, percent } from '../../../kit/words/quantity.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';

export interface LedgerViewProps {
  readonly title: string;
  readonly ledger: StorageLedger;
}

/** Longer bars are cut at this share of the longest, so that the others remain visible. */
const LONGEST_BAR = 2;

/** The purpose of every byte of an encoding: bars against dense, a table of classes, a table of arrays. */
export function LedgerView({ title, ledger }: LedgerViewProps) {
  const longest = Math.min(LONGEST_BAR, Math.max(1, ledger.effectiveDensity));
  const widthOf = (effectiveDensity: number): string => `${(100 * Math.min(effectiveDensity, longest)) / longest}%`;
  const classes = BYTE_CLASSES.filter((c) => ledger.totalBits[c] > 0 || c === 'padding');
  return (
    <>
      <dl className="byte-bars">
        <BarRow title={referenceFormat.title} effectiveDensity={1}>
          <div className="byte-bar" style={{ width: widthOf(1) }} />
        </BarRow>
        <dt data-strong>{title}</dt>
        <dd>
          <div
            className="byte-bar"
            data-filled
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
          <span className="number" title="effective density: stored bits per bit of the dense matrix">
            {density(ledger.effectiveDensity)}
          </span>
        </dd>
      </dl>
      <table className="table byte-classes">
        <caption className="unseen">Bytes by what they are for</caption>
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
                <span className="label">
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
              <span className="label">together</span>
            </th>
            <td className="number">{bytes(ledger.totalBytes)}</td>
            <td className="number">{percent(1)}</td>
          </tr>
        </tbody>
      </table>
      <details className="disclosure ledger-more">
        <summary>array by array</summary>
        <div className="table-scroll">
          <table className="table">
            <caption className="unseen">Arrays of the encoded matrix</caption>
            <thead>
              <tr>
                <th scope="col">array</th>
                <th scope="col">type</th>
                <th scope="col" className="number">
                  length
                </th>
                <th scope="col" className="number">
                  bytes
                </th>
                <th scope="col" className="number">
                  padding
                </th>
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
        </div>
        <ul className="matrix-notes">
          {ledger.entries.map((entry) =>
            entry.note === undefined ? null : (
              <li key={entry.array}>
                <code>{entry.array}</code>: {entry.note}
              </li>
            ),
          )}
        </ul>
      </details>
    </>
  );
}

function BarRow(props: {
  readonly title: string;
  readonly effectiveDensity: number;
  readonly children: React.ReactNode;
}) {
  return (
    <>
      <dt>{props.title}</dt>
      <dd title={`${props.title}: effective density ${density(props.effectiveDensity)}`}>
        {props.children}
        <span className="unseen">{density(props.effectiveDensity)}</span>
      </dd>
    </>
  );
}

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
