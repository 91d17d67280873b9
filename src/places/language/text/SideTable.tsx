import type { RecordedQuality } from '../../../language/quality/recorded.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { threeDigits } from '../../../core/story/words.ts';
import type { Rates, Written } from '../service/types.ts';
import { lostBitsPerTale } from '../../../kit/models/use-quality.ts';
import type { Measured } from '../use-measured.ts';

interface SideTableProps {
  /** whether the model writes tales, which others are held to */
  readonly areTales: boolean;
  /** the text that is shown, where figures are of it alone; null: they are of many tales */
  readonly text: Written | null;
  readonly quality: RecordedQuality | null;
  readonly dense: Measured | null;
  readonly pruned: Measured | null;
  readonly density: number;
  /** what matrices have of their own, in place of the share; null: nothing */
  readonly own: string | null;
  /** id of the format whose colour the pruned model has */
  readonly format: string;
  readonly matrices: number;
  /** bytes of all matrices of the blocks; null while they are not known */
  readonly denseBytes: number;
  readonly bytes: number | null;
  readonly rates: Rates | null;
  /** 'on the CPU' */
  readonly where: string | null;
}

/** Figures of both models, side by side. */
export function SideTable(props: SideTableProps) {
  const { areTales, text, quality, dense, pruned, density, own, format, matrices, denseBytes, bytes, rates, where } =
    props;
  const lost = (measured: Measured | null): string =>
    quality && measured ? lostBitsPerTale(quality, measured.bitsPerByte).toFixed(1) : '–';
  type Row = readonly [name: string, a: string, b: string];
  const ofTales: readonly Row[] = [
    ['bits per byte', dense?.bitsPerByte.toFixed(4) ?? '–', pruned?.bitsPerByte.toFixed(4) ?? '–'],
    ['lost bits a tale', lost(dense), lost(pruned)],
    [
      `unbroken of ${dense?.judged ?? pruned?.judged ?? 200}`,
      dense?.unbroken?.toString() ?? '–',
      pruned?.unbroken?.toString() ?? '–',
    ],
  ];
  const perByte = (bits: number | undefined): string =>
    text === null || bits === undefined || text.bytes === 0 ? '–' : (bits / text.bytes).toFixed(3);
  const ofText: readonly Row[] = [['bits per byte, this text', perByte(text?.denseBits), perByte(text?.prunedBits)]];
  const rows: readonly Row[] = [
    ...(areTales ? ofTales : ofText),
    [`${matrices} matrices, MB`, (denseBytes / 1e6).toFixed(2), bytes === null ? '–' : (bytes / 1e6).toFixed(2)],
    [
      `tokens/s${where === null ? '' : ` ${where}`}`,
      rates?.dense == null ? 'not yet' : threeDigits(rates.dense),
      rates?.pruned == null ? 'not yet' : threeDigits(rates.pruned),
    ],
  ];
  return (
    <table className="side-table">
      <thead>
        <tr>
          <td />
          <th scope="col">dense</th>
          <th scope="col" style={{ color: cssTextColorOf(format) }}>
            {own ?? leftText(density)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, a, b]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number" data-waiting={a === 'not yet' || undefined}>
              <span>{a}</span>
            </td>
            <td className="number" data-waiting={b === 'not yet' || undefined}>
              <span>{b}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
