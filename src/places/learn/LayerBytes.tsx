import { defaultParams } from '../../core/format.ts';
import { countText } from '../../core/story/words.ts';
import { baselineFormat, firstFormat, referenceFormat } from '../../formats/catalog.ts';

const SHAPE = { rows: 512, cols: 512 };
const DENSITY = 0.3;
const VALUE_BITS = 16;

/** The size of one layer in three formats, by closed forms for weights in random positions. */
export function LayerBytes() {
  const cells = SHAPE.rows * SHAPE.cols;
  const weights = cells * DENSITY * VALUE_BITS;
  const sizes = [referenceFormat, baselineFormat, firstFormat].map((format) => {
    const params: unknown = defaultParams(format.params);
    const expected = format.expectedEffectiveDensity?.(DENSITY, params, SHAPE).expected ?? 1;
    return {
      format,
      bits: Math.round((expected * cells * VALUE_BITS + (format.overheadBits?.(params, SHAPE) ?? 0)) / 8) * 8,
    };
  });
  const max = Math.max(...sizes.map(({ bits }) => bits)); // bounded: three formats
  return (
    <table className="learn-bytes">
      <caption>
        <strong>Bytes of one layer</strong>
        <span className="faint">
          {SHAPE.rows} × {SHAPE.cols}, {(1 - DENSITY) * 100} % zeros
        </span>
      </caption>
      <tbody>
        {sizes.map(({ format, bits }, i) => (
          <tr key={format.id}>
            <th scope="row">{format.title}</th>
            <td>
              <span className="learn-bar" aria-hidden="true">
                <span data-of="weights" style={{ width: `${(100 * weights) / max}%` }} />
                <span data-of={i === 0 ? 'zeros' : 'places'} style={{ width: `${(100 * (bits - weights)) / max}%` }} />
              </span>
            </td>
            <td className="number">{countText(bits / 8000)} kB</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <td colSpan={2}>
            <span className="learn-key" data-of="weights">
              weights
            </span>
            <span className="learn-key" data-of="zeros">
              zeros
            </span>
            <span className="learn-key" data-of="places">
              where they are
            </span>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
