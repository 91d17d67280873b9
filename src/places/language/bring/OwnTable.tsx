import { counted, countText } from '../../../core/story/words.ts';
import type { OwnTextQuality } from '../service/own-text-types.ts';
import type { PrunedRow } from './own-rows.ts';

interface OwnTableProps {
  readonly rows: readonly PrunedRow[];
  /** one of what was measured; null: nothing was */
  readonly quality: OwnTextQuality | null;
}

/** Bits per byte of a text, by what is left of the model, as bars from 0 on. */
export function OwnTable({ rows, quality }: OwnTableProps) {
  if (quality === null) return <p className="quiet">Nothing has been measured on this text yet.</p>;
  const max = rows.reduce((found, { bitsPerByte }) => Math.max(found, bitsPerByte), 0);
  return (
    <>
      <table className="own-text-table">
        <thead>
          <tr>
            <td />
            <td />
            <th scope="col">bits per byte</th>
            <th scope="col">against dense</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, bitsPerByte, more, isDense }) => (
            <tr key={name} data-dense={isDense || undefined}>
              <th scope="row">{name}</th>
              <td className="own-text-bar" aria-hidden="true">
                <i style={{ inlineSize: `${(100 * bitsPerByte) / max}%` }} />
              </td>
              <td className="number">{bitsPerByte.toFixed(3)}</td>
              <td className="number">{more === null ? '–' : `${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(3)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">
        {counted(quality.tokens, 'token')}, {countText(quality.bytes)} bytes
        {quality.pieces > 1 && `, read in ${quality.pieces} pieces, each of which begins anew`};{' '}
        {quality.where === 'gpu' ? 'on this GPU' : 'on the CPU'}.
      </p>
    </>
  );
}
