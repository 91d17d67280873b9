import { countText } from '../../../core/story/words.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { useApp } from '../../../kit/app-context.ts';
import { percent, ratio as ratioText } from '../../../kit/words/quantity.ts';
import { BLOCK_LIMIT, type BlockPart, blockWords, changingParams, type Gap, gapsOf } from './block.ts';
import { WHOLE } from '../../../kit/report/block-parts.ts';
import { paramWords, refusalDetail } from '../../../kit/report/param-words.ts';
import type { ChartLine } from '../../../kit/charts/RatioChart.tsx';
import { SweepChart } from '../../../kit/report/SweepChart.tsx';
import { placeOf, type Sweep, type SweepPoint } from '../../../kit/report/sweep-series.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { TableScroll } from '../../../kit/primitives/Boxes.tsx';
import { Note } from '../../../kit/primitives/Text.tsx';

/**
 * What the authors of TwELL measured with whole language models: forward passes on NVIDIA H100 PCIe, tokens per
 * millisecond, trained without and with L1 (2e-5). Source: TwELL paper, table 1; its non-zeros are in section 4.2 (39
 * and 24) and in tables 3 and 5 (29).
 */
interface PublishedForward {
  /** of the model */
  readonly parameters: string;
  readonly denseTokensPerMs: number;
  readonly sparseTokensPerMs: number;
  /** speed relative to the dense model, minus 1, as printed; the throughputs are rounded */
  readonly gain: number;
  /** mean non-zeros per token and layer; null if none is printed */
  readonly nonZeros: number | null;
}

export const PUBLISHED_FORWARD: readonly PublishedForward[] = [
  { parameters: '0.5 B', denseTokensPerMs: 410, sparseTokensPerMs: 480, gain: 0.17, nonZeros: 39 },
  { parameters: '1 B', denseTokensPerMs: 185, sparseTokensPerMs: 219, gain: 0.181, nonZeros: null },
  { parameters: '1.5 B', denseTokensPerMs: 119, sparseTokensPerMs: 141, gain: 0.188, nonZeros: 29 },
  { parameters: '2 B', denseTokensPerMs: 87.8, sparseTokensPerMs: 106, gain: 0.205, nonZeros: 24 },
];

/** Speed by sparsity: the whole block and its parts by mean non-zeros per token, and published figures. */
export function BlockView({ parts }: { readonly parts: readonly BlockPart[] }) {
  const titleOf = useTitleOf();
  const whole = parts.find(({ operation }) => operation === WHOLE);
  return (
    <section className="block-speeds" aria-label="Speed against non-zeros per token">
      {whole && (
        <div className="bench-verdict">
          <Narration words={blockWords(whole.sweep, titleOf)} />
        </div>
      )}
      {parts.map((part) => (
        <PartView key={part.operation} part={part} />
      ))}
      <Gaps parts={parts} />
      {whole && <Published />}
    </section>
  );
}

function PartView({ part: { operation, title, sweep } }: { readonly part: BlockPart }) {
  const { formats } = useApp();
  const titleOf = useTitleOf();
  const changing = new Map(sweep.series.map((series) => [series.format, changingParams(series)]));
  const valueText = (format: string, name: string, value: unknown): string => {
    const words = paramWords(
      formats.find((f) => f.id === format),
      name,
    );
    return `${words.title} ${words.valueText(value)}`;
  };
  const detailOf = (format: string, { params }: SweepPoint): string =>
    [...(changing.get(format)?.keys() ?? [])].map((name) => valueText(format, name, params[name])).join(', ');
  return (
    <div className="block-part">
      <SweepChart
        sweep={sweep}
        titleOf={titleOf}
        subject={title}
        others={operation === WHOLE ? [limitLine(sweep)] : []}
        detailOf={detailOf}
      />
      {[...changing].map(([format, params]) =>
        [...params].map(([name, runs]) => (
          <p key={`${format} ${name}`} className="field-hint chart-note">
            {titleOf(format)}, the fastest that held the matrix:{' '}
            {runs
              .map(({ value, from, to }) => {
                const at = from === to ? countText(from) : `${countText(from)} to ${countText(to)}`;
                return `${valueText(format, name, value)} at ${at}`;
              })
              .join('; ')}
            .
          </p>
        )),
      )}
    </div>
  );
}

/** The whole block's speed if up and down took no time at all. */
function limitLine({ axis, reports }: Sweep): ChartLine {
  const places = reports.map((report) => placeOf(axis, report));
  return {
    kind: 'limit',
    id: 'gate alone',
    title: `${BLOCK_LIMIT}×: gate alone`,
    color: 'var(--text-muted)',
    points: [smallest(places), largest(places)].map((x) => ({ x, y: BLOCK_LIMIT })),
  };
}

/** Why lines end: in full where others have a time, and once for all parts. */
function Gaps({ parts }: { readonly parts: readonly BlockPart[] }) {
  const seen = new Set<string>();
  const gaps = parts.flatMap(({ sweep }) =>
    gapsOf(sweep).filter(({ x, format }) => {
      const key = `${format} ${x}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  );
  if (gaps.length === 0) return null;
  return (
    <ul className="matrix-notes bench-notes" aria-label="Points without a time">
      {gaps.map((gap) => (
        <GapNote key={`${gap.format} ${gap.x}`} gap={gap} />
      ))}
    </ul>
  );
}

/** One refusal in full; the others are in the table of that point. */
function GapNote({ gap: { x, report, format, refusals } }: { readonly gap: Gap }) {
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const [first, ...more] = refusals;
  return (
    <li>
      {titleOf(format)} was not timed at {countText(x)} non-zeros per token:{' '}
      {first ? `${refusalDetail(first, labelsOf)}: ${first.reason}` : 'none of its kernels was right'}.
      {more.length > 0 && ` ${countText(more.length)} more ${more.length === 1 ? 'was' : 'were'} refused there.`}
    </li>
  );
}

/** Published measurements of whole models: listed with our figures, but not in the same chart. */
function Published() {
  return (
    <aside className="published-box" aria-label="Published by others">
      <h3>Published by the authors of TwELL, not measured here</h3>
      <Note>
        Forward passes of whole language models, attention included, on an NVIDIA H100 PCIe with tensor cores: table 1
        of the paper, non-zeros from section 4.2 and table 3. The chart above is one feed-forward block on this device,
        without tensor cores, so the two cannot be compared directly.
      </Note>
      <TableScroll label="Published forward passes">
        <table className="table">
          <caption className="unseen">Published forward passes of whole models</caption>
          <thead>
            <tr>
              <th scope="col">parameters</th>
              <th scope="col" className="number">
                non-zeros per token
              </th>
              <th scope="col" className="number">
                tokens/ms, dense → sparse
              </th>
              <th scope="col" className="number">
                speed against dense
              </th>
            </tr>
          </thead>
          <tbody>
            {PUBLISHED_FORWARD.map((p) => (
              <tr key={p.parameters}>
                <th scope="row">{p.parameters}</th>
                <td className="number">{p.nonZeros === null ? '–' : countText(p.nonZeros)}</td>
                <td className="number">
                  {p.denseTokensPerMs} → {p.sparseTokensPerMs}
                </td>
                <td className="number">
                  {ratioText(1 + p.gain)} (+{percent(p.gain)})
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </aside>
  );
}
