// The chart of quality by the share of inputs that each matrix uses.

import { useApp } from '../../../../src/kit/app-context.ts';
import type { Axis } from '../../../../src/kit/charts/axis.ts';
import { Chart } from '../../../../src/kit/charts/Chart.tsx';
import { FiguresTable } from '../../../../src/kit/charts/ChartFoot.tsx';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { useJob } from '../../../../src/kit/use-job.ts';
import { percent } from '../../../../src/kit/words/quantity.ts';
import { largest } from '../../../../src/core/number/statistics.ts';
import { counted } from '../../../../src/core/text/words.ts';
import { SHIPPED_MODELS, type ShippedModel } from '../../../../src/theory/models/known-models.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { LanguageService } from '../service/service.ts';
import { ALL_SERIES, bytesRead, type InputsPoint, perByte, recordedBits, TALE_COUNT, USED_SHARES } from './inputs.ts';

/** Bits per byte measured here, on tales (short stories that these models write), by line of the chart and share. */
type MeasuredBits = ReadonlyMap<string, number>;

const NONE: MeasuredBits = new Map();
const keyOf = (id: string, used: number): string => `${id} ${used}`;

const TITLE = 'Bits per byte, by inputs used';
const X_AXIS: Axis = {
  scale: 'linear',
  domain: [0.48, 1],
  ticks: USED_SHARES,
  text: (share) => percent(share, 0),
  title: 'inputs used',
  reversed: true,
};

/** The y axis, up to the highest point in tenths of a bit. */
function bitsAxis(points: readonly InputsPoint[]): Axis {
  const tenths = Math.ceil(10 * largest(points.map(({ bits }) => bits)) + 0.2);
  const step = Math.max(1, Math.ceil(tenths / 6));
  const ticks = Array.from({ length: Math.floor(tenths / step) + 1 }, (_, i) => (i * step) / 10);
  return { scale: 'linear', domain: [0, tenths / 10], ticks, text: (y) => y.toFixed(1), title: '' };
}

const COLORS = ['var(--values)', 'var(--quality-mask)', 'var(--accent)'] as const;

/** Chart of bits per byte by the share of each matrix’s inputs (elements of x) that is used, a line for each series. */
export function InputsUsed({ model: { id, shape } }: { readonly model: ShippedModel }) {
  const { engine } = useApp();
  // Measures the points that are still missing, one after another; a stopped job continues where it was.
  const live = useJob<MeasuredBits>(
    ['Leaving out inputs', id],
    async ({ signal, onProgress, show }, { lastOfSameKey, update }) => {
      let measuredBits: MeasuredBits = lastOfSameKey ?? NONE;
      for (const { id: series, title, recipe } of ALL_SERIES) {
        for (const used of USED_SHARES) {
          if (measuredBits.has(keyOf(series, used))) continue;
          show({ title: `${title}, ${percent(used, 0)} of the inputs` });
          const request = { model: modelAddress(id), recipe, used, tales: TALE_COUNT };
          const service = engine.service<LanguageService>('language');
          const { bits, bytes } = await service.inputs({ signal, onProgress }, request);
          measuredBits = new Map(measuredBits).set(keyOf(series, used), perByte(bits, bytes));
          update(measuredBits);
        }
      }
      return measuredBits;
    },
    { manual: true, cancelWhenUnmounted: true },
  );
  const measuredBits = live.data ?? NONE;
  // Points measured here replace recorded ones, which exist for the first model only.
  const isRecorded = id === SHIPPED_MODELS[0].id;
  const points = ALL_SERIES.flatMap((series) =>
    USED_SHARES.flatMap((used): InputsPoint[] => {
      const measured = measuredBits.get(keyOf(series.id, used));
      const bits = measured ?? (isRecorded ? recordedBits(series.id, used) : null);
      return bits === null ? [] : [{ series, used, bits, isHere: measured !== undefined }];
    }),
  );
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        Every matrix reads only a token’s largest inputs, as with the threshold of TEAL. The model is not trained
        further.
      </p>
      {points.length > 0 && (
        <>
          <Chart
            id="quality-by-inputs"
            heading={{ title: TITLE, caption: `${shape.name}, ${counted(TALE_COUNT, 'tale')}` }}
            spoken={TITLE}
            x={X_AXIS}
            y={bitsAxis(points)}
            height={280}
            series={ALL_SERIES.map(({ id: series, title }, i) => ({
              id: series,
              kind: 'measured',
              title,
              color: COLORS[i],
              join: 'straight',
              points: points
                .filter((point) => point.series.id === series)
                .map(({ used, bits }) => ({ x: used, y: bits })),
            }))}
            table={() => ({
              head: ['', 'inputs used', 'bits per byte', 'bytes, relative'],
              rows: points.map(({ series, used, bits }) => {
                const values = [used, bits, bytesRead(series, used)];
                const name = `${series.title}, ${percent(used, 0)}`;
                return { name, cells: values.map((value) => value.toFixed(4)), values: [name, ...values] };
              }),
            })}
          />
          <FiguresTable
            caption="Bits per byte and bytes, by inputs used"
            head={['weights', ...USED_SHARES.map((used) => percent(used, 0))]}
            rows={ALL_SERIES.map((series) => ({
              name: series.title,
              values: [],
              cells: USED_SHARES.map((used) => {
                const point = points.find((candidate) => candidate.series === series && candidate.used === used);
                return `${point ? point.bits.toFixed(4) : '–'}, ${percent(bytesRead(series, used), 0)}`;
              }),
            }))}
          />
          <p className="text-muted text-12">
            Bits per byte, and bytes a token reads of dense f16.{' '}
            {measuredBits.size > 0 ? `${counted(measuredBits.size, 'point')} measured here.` : 'Recorded.'}
          </p>
        </>
      )}
      <p>
        Savings by fewer weights and by fewer inputs do not multiply. A row format stores a row’s weights one after
        another, and cannot skip by x. Dense columns can be skipped: with half of the inputs 0, y = A x of 14336 × 4096
        in f16 took 20.5 µs on an H200, and 29.5 µs where all columns are read (Measure, “y = A x, zeros in x”).
      </p>
      <div role="status">
        {live.job && <JobProgress job={live.job} onCancel={live.cancel} />}
        {live.error !== null && <p className="text-danger">{live.error}</p>}
        {live.job === null && measuredBits.size < ALL_SERIES.length * USED_SHARES.length && (
          <TextButton onClick={live.start}>measure it here, on {TALE_COUNT} tales</TextButton>
        )}
      </div>
    </div>
  );
}
