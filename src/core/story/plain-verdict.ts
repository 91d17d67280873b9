import type { StorageLedger } from '../encoded/ledger.ts';
import { density } from '../matrix/index.ts';
import { type DrawingLayout, sizeOf, type VerdictBar, verdictBars, words } from './drawing.ts';
import type { Frame, FrameContext, RecordedMatrix } from './frames.ts';
import type { DrawnMark } from './scene.ts';
import { fact, stated } from './stated.ts';
import type { Trace } from './trace.ts';
import { bytesText, shapeText, threeDigits } from './words.ts';

/** Bars of bytes where no time is known. `share`: how far they have grown at one speed, 0 to 1. */
export function bytesBars(
  layout: DrawingLayout,
  { title, dense, stored }: { readonly title: string; readonly dense: number; readonly stored: number },
  share: number,
): readonly DrawnMark[] {
  const max = Math.max(dense, stored, 1);
  const bar = (id: string, name: string, look: VerdictBar['look'], bytes: number): VerdictBar => {
    const text = max * share >= bytes ? bytesText(bytes) : '';
    return { id, title: name, look, value: Math.min(max * share, bytes), text };
  };
  const bars = [bar('reference', 'dense, 16 bits', 'reference', dense), bar('format', title, 'format', stored)];
  return verdictBars(layout, bars, { y: layout === 'wide' ? 40 : 20, max, share: 1 });
}

/** The recorded product of random weights with about as much left as the matrix; of these one with 4 bits, the largest. */
function timedLike({ window }: Trace, { recorded, whole }: FrameContext): RecordedMatrix | null {
  const far = (one: RecordedMatrix): number => Math.round(50 * Math.abs(one.density - density(whole ?? window)));
  const has4 = ({ dense4 }: RecordedMatrix): number => (dense4 ? 1 : 0);
  const products = (recorded?.matrices ?? []).filter(
    ({ pattern, operation, format, dense }) => pattern === 'uniform' && operation === 'spmv' && format && dense,
  );
  const order = (a: RecordedMatrix, b: RecordedMatrix): number =>
    far(a) - far(b) || has4(b) - has4(a) || b.rows * b.cols - a.rows * a.cols;
  return products.toSorted(order)[0] ?? null;
}

/** The last frame of a story without a script: what the format is worth. */
export function plainVerdict(title: string, own: StorageLedger, t: Trace): Frame {
  return {
    id: 'verdict',
    chapter: 'So what',
    step: t.steps.length,
    moves: [0, 900],
    sentence(context) {
      const matrix = timedLike(t, context);
      if (!matrix?.format) {
        const share = fact('share of dense', (context.whole?.ledger ?? own).effectiveDensity, 'share');
        return stated`*Not timed on this device.* It takes *${share}* of the bytes of dense.`;
      }
      const { format, dense, dense4 } = matrix;
      const rival = dense4
        ? stated` 4-bit weights, nothing pruned: *${fact('times dense of 4 bits', dense4.timesDense, 2)}*.`
        : '';
      if (format.ns === dense?.ns) return stated`*Dense is what others are compared with.*${rival}`;
      const left = fact('share left', Math.round(100 * matrix.density) / 100, 'share');
      const times = fact('times dense', format.timesDense, 2);
      return format.timesDense < 1
        ? stated`${left} left it loses: *${times} times as fast* as dense.${rival}`
        : stated`${left} left: *${times} times as fast* as dense.${rival}`;
    },
    draw(picture, context) {
      const { layout, recorded } = context;
      const { totalBytes, effectiveDensity } = context.whole?.ledger ?? own;
      const matrix = timedLike(t, context);
      const isDense = matrix?.format?.ns === matrix?.dense?.ns;
      const bars = (
        [
          ['reference', 'dense, 16 bits', 'reference', matrix?.dense],
          ['format', title, 'format', isDense ? null : matrix?.format],
          ['dense 4', '4-bit weights', 'rival', matrix?.dense4],
        ] as const
      ).flatMap(([id, name, look, time]): VerdictBar[] => {
        if (!time) return [];
        const more = id === 'reference' ? {} : { more: `${time.timesDense.toFixed(2)} times as fast` };
        return [{ id, title: name, look, value: time.ns, text: `${threeDigits(time.ns / 1000)} \u00b5s`, ...more }];
      });
      const size = sizeOf(layout);
      const [y, max] = [layout === 'wide' ? 40 : 0, bars.reduce((longest, { value }) => Math.max(longest, value), 0)];
      const sizes = { title, dense: Math.round(totalBytes / effectiveDensity), stored: totalBytes };
      const source = matrix
        ? `${shapeText(matrix.rows, matrix.cols)}, random weights, nothing in the cache; ${recorded?.device ?? ''}, ${matrix.date}.`
        : 'Bytes decide the time: what is stored is read once. Measure times it here.';
      const marks = matrix ? verdictBars(layout, bars, { y, max, share: picture }) : bytesBars(layout, sizes, picture);
      const at = { x: 0, y: layout === 'wide' ? 236 : 250, w: size.width };
      return { ...size, marks: [...marks, words('source', at, source, { size: 11 })] };
    },
  };
}
