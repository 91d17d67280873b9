// The bytes of a custom format compared with other formats.

import { useMemo } from 'react';
import { BYTE_CLASSES, type StorageLedger } from '../../../../../src/core/encoded/ledger.ts';
import { largest } from '../../../../../src/core/number/statistics.ts';
import { countText } from '../../../../../src/core/text/words.ts';
import type { UserParams } from '../../../own/module-messages.ts';
import { useApp, useSession } from '../../../../../src/kit/app-context.ts';
import { TextButton } from '../../../../../src/kit/controls/Button.tsx';
import { Section } from '../../../../../src/kit/controls/Section.tsx';
import { bytes } from '../../../../../src/kit/words/quantity.ts';
import { densityText } from '../../../../../src/kit/words/shares.ts';
import { settingText } from '../live/settings.ts';
import { type ModuleWithPlayer, useModuleState } from '../use-live-module.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly ledger: StorageLedger;
  /** whether the format is the module in the editor */
  readonly isModule: boolean;
}

/** The bytes of the open matrix in a custom format (module) and in others, and the parameters with fewest bytes. */
export function ModuleBytes({
  live,
  onParams,
}: {
  readonly live: ModuleWithPlayer;
  readonly onParams: (params: UserParams) => void;
}) {
  const { formats } = useApp();
  const measured = useModuleState(live, (s) => s.wholeBytes);
  const title = useModuleState(live, (s) => s.description?.title ?? '');
  const params = useModuleState(live, (s) => s.params);
  const encodings = useSession((s) => s.encodings);
  const summary = useSession((s) => s.summary);
  const rows = useMemo((): readonly Row[] => {
    const others = formats.flatMap((format): Row[] => {
      const state = encodings[format.id];
      const ledger = state?.kind === 'ready' ? state.summary.ledger : null;
      return ledger ? [{ id: format.id, title: format.title, ledger, isModule: false }] : [];
    });
    const moduleRows: Row[] = measured?.ledger ? [{ id: 'mine', title, ledger: measured.ledger, isModule: true }] : [];
    return [...others, ...moduleRows].toSorted((a, b) => b.ledger.totalBytes - a.ledger.totalBytes);
  }, [formats, encodings, measured, title]);
  const nonZeros = summary?.nnz ?? 0;
  if (!measured) return null;
  const { ledger, rejection, isWholeMatrix, matrix, settings, triedSettings, settingCount } = measured;
  const [best] = settings;
  const max = Math.max(1, largest(rows.map((row) => bitsPerNonZero(row, matrix.nnz, nonZeros))));
  return (
    <Section title="Bytes" aside={summary ? `${densityText(summary.density)} left` : undefined}>
      {rejection !== null && (
        <p className="own-problem text-danger wrap-anywhere rounded-md px-3 py-2 bg-danger-ground mt-2 mb-2">
          On the whole matrix: {rejection}
        </p>
      )}
      {!isWholeMatrix && (
        <p className="text-muted">
          Bits per non-zero; {title} on the first {countText(matrix.rows)} rows.
        </p>
      )}
      <table className="cells-end text-12 w-full">
        <thead>
          <tr>
            <th scope="col">format</th>
            <td className="w-[99%]" />
            <th scope="col">bytes</th>
            <th scope="col">bits each</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.isModule ? 'font-semibold' : undefined}>
              <th scope="row">{row.title}</th>
              <td>
                <Bar ledger={row.ledger} share={bitsPerNonZero(row, matrix.nnz, nonZeros) / max} />
              </td>
              <td className="number">{bytes(row.ledger.totalBytes)}</td>
              <td className="number">{bitsPerNonZero(row, matrix.nnz, nonZeros).toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {ledger && ledger.totalBits.padding > 0 && (
        <p className="mt-2">
          <strong>{bytes(ledger.totalBits.padding / 8)}</strong> are padding.
        </p>
      )}
      {settingCount > 1 && (
        <p className="mt-2">
          {triedSettings < settingCount
            ? `Trying setting ${triedSettings + 1} of ${settingCount}.`
            : best && (
                <>
                  The smallest of {settingCount} settings,{' '}
                  <TextButton
                    className="text-ink"
                    disabled={settingText(best.params) === settingText(params)}
                    onClick={() => onParams(best.params)}
                  >
                    {settingText(best.params)}
                  </TextButton>
                  , needs {bytes(best.bytes)}.
                </>
              )}
        </p>
      )}
    </Section>
  );
}

/** Bits per non-zero: the module may be measured on the first rows only, the others on the whole matrix. */
function bitsPerNonZero({ ledger, isModule }: Row, measuredNonZeros: number, allNonZeros: number): number {
  const nonZeros = isModule ? measuredNonZeros : allNonZeros;
  return nonZeros === 0 ? 0 : (8 * ledger.totalBytes) / nonZeros;
}

function Bar({ ledger: { totalBits, totalBytes }, share }: { readonly ledger: StorageLedger; readonly share: number }) {
  const bits = Math.max(1, 8 * totalBytes);
  return (
    <span className="flex min-w-0.5 h-3" style={{ inlineSize: `${100 * share}%` }} aria-hidden="true">
      {BYTE_CLASSES.filter((byteClass) => totalBits[byteClass] > 0).map((byteClass) => (
        <i key={byteClass} className={`bytes--${byteClass}`} style={{ flexGrow: totalBits[byteClass] / bits }} />
      ))}
    </span>
  );
}
