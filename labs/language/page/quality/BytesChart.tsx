import { useMemo } from 'react';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import type { Series } from '../../../../src/kit/charts/series.ts';
import { bytes as bytesText } from '../../../../src/kit/words/quantity.ts';
import { aboveFloor } from '../curve/above-floor.ts';
import { ABOVE_AXIS, BYTES_AXIS } from './axes.ts';
import { pointText } from './DensityChart.tsx';
import { type Mark, markColor, Marks, PointButtons } from './Marks.tsx';
import { curveOf, pointName, type QualityPoint } from './points.ts';
import { bytesWords, QUALITY_TITLE } from './quality-words.ts';

interface BytesChartProps {
  /** the model, and where its quality was measured; for saved pictures */
  readonly caption: string;
  readonly points: readonly QualityPoint[];
  /** bytes of the blocks' matrices in f16 */
  readonly denseBytes: number;
  /** mean length of a tale, a generated short story */
  readonly bytesPerTale: number;
  /** whether a click on a point opens something */
  readonly hasTarget: (point: QualityPoint) => boolean;
  readonly onPick: (point: QualityPoint) => void;
}

const TITLE = `${QUALITY_TITLE} (bits per byte), by bytes`;
const MASK = 'var(--quality-mask)';

/** Bits per byte above the floor (the least that any model needs) by bytes, for every pruning and value type. */
export function BytesChart({ caption, points, denseBytes, bytesPerTale, hasTarget, onPick }: BytesChartProps) {
  const curve = useMemo(
    () => curveOf(points, 'wanda').filter((p) => p.bytesShare < 1 || p.method === 'none'),
    [points],
  );
  const series = useMemo((): readonly Series[] => {
    const line: Series = {
      id: 'wanda',
      kind: 'measured',
      title: null,
      color: MASK,
      join: 'straight',
      points: curve.map((p) => ({ x: p.bytesShare, y: aboveFloor(p.excessBits) })),
    };
    return curve.length > 1 ? [line] : [];
  }, [curve]);
  const marks = useMemo(
    () =>
      points
        .filter((p) => p.valueType !== 'f16' || (p.pattern !== null && p.method === 'wanda') || p.trained > 0)
        .map((point): Mark => ({
          point,
          x: point.bytesShare,
          y: aboveFloor(point.excessBits),
          text: null,
        })),
    [points],
  );
  const last = curve.at(-1);
  const middle = curve.find((p) => p.density === 0.3) ?? last;
  const axis = useMemo(
    () => ({ ...BYTES_AXIS, title: `${BYTES_AXIS.title} (${bytesText(denseBytes)})` }),
    [denseBytes],
  );
  return (
    <Chart
      id="quality-by-bytes"
      heading={{ title: TITLE, caption }}
      spoken={`${TITLE}. ${bytesWords(points)}`.trim()}
      x={axis}
      y={ABOVE_AXIS}
      height={372}
      series={series}
      rules={[{ id: 'floor', position: 0, title: null, kind: 'solid', color: 'var(--text)' }]}
      labels={
        middle
          ? [{ x: middle.bytesShare + 0.2, y: aboveFloor(middle.excessBits), text: 'Wanda as a bitmask', color: MASK }]
          : []
      }
      notes={marks.map(({ point, x, y }) => ({ x, y, text: nameOf(point), color: markColor(point) }))}
      table={() => ({
        head: ['', 'bytes, relative', 'above best possible', 'bits per tale'],
        rows: points.map((p) => ({
          name: pointName(p),
          cells: [p.bytesShare.toFixed(3), p.excessBits.toFixed(4), (p.excessBits * bytesPerTale).toFixed(1)],
          values: [pointName(p), p.bytesShare, p.excessBits, p.excessBits * bytesPerTale],
        })),
      })}
      controls={(plot) => (
        <PointButtons
          points={marks.map(({ point }) => point).filter(hasTarget)}
          at={(p) => [plot.x(p.bytesShare), plot.y(aboveFloor(p.excessBits))]}
          titleOf={(p) => pointText(p, points, bytesPerTale)}
          onPick={onPick}
        />
      )}
    >
      {(plot) => (
        <>
          <Marks plot={plot} marks={marks} />
          {ABOVE_AXIS.ticks.slice(1).map((tick) => (
            <text key={tick} x={plot.right + 22} y={plot.y(tick) - 4} textAnchor="end">
              {bitsText(bitsPerByteAt(tick) * bytesPerTale)}
            </text>
          ))}
          <text className="font-sans" x={plot.right + 22} y={10} textAnchor="end">
            bits per tale
          </text>
        </>
      )}
    </Chart>
  );
}

/** The bits per byte above the floor at a tick: the inverse of `aboveFloor` from 1 (0.001 bits) on. */
function bitsPerByteAt(tick: number): number {
  return 10 ** (tick - 4);
}

function bitsText(bits: number): string {
  return bits < 9.95 ? bits.toFixed(1) : bits.toFixed(0);
}

/** The name of a point, as short as a mark allows; the mark's colour shows further training. */
function nameOf({ method, density, pattern, valueType }: QualityPoint): string {
  const densityName = pattern ?? (method === 'none' ? '' : String(density).replace(/^0/, ''));
  const type = valueType === 'f16' ? '' : valueType;
  return [type, densityName].filter((part) => part !== '').join(' + ');
}
