import { countText, withGroups } from '../../../core/text/words.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { useApp } from '../../../kit/app-context.ts';
import { ratio as ratioText } from '../../../kit/words/quantity.ts';
import { BLOCK_LIMIT, type BlockPart, blockWords, DENSE_NAMES } from './block-parts.ts';
import { changingParams, type Gap, gapsOf } from './sweep-gaps.ts';
import { WHOLE_BLOCK } from '../../../kit/report/operation-words.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { SweepChart } from '../../../kit/report/SweepChart.tsx';
import { positionOf, type Sweep, type SweepPoint } from '../../../kit/report/sweep-series.ts';
import { useParamLabels, useTitleOf, paramWords, rejectionDetail } from '../../../kit/report/report-labels.ts';
import { Note } from '../../../kit/primitives/Text.tsx';
import { BACKWARD } from '../../../core/operations/index.ts';
import { PaperFigures } from '../../../papers/PaperTables.tsx';
import paper from '../../../papers/twell/tables.json';

/** The speeds of whole sparse models against dense ones in table 1 of the TwELL paper. */
const GAINS = paper.tables.scales.rows.flatMap(({ l1, forwardChange }) => (l1 > 0 ? [1 + forwardChange / 100] : []));

/** The figures of that table for training. */
const TRAINING = {
  ...paper.tables.scales,
  title: 'Published: whole models in training',
  columns: {
    nonZeros: 'non-zeros per token',
    training: 'training, tokens/ms',
    trainingChange: 'faster by, %',
    memory: 'peak memory, GB',
  },
};

/** The speed of a feed-forward block and of its parts by mean non-zeros per token, and published figures. */
export function BlockView({ parts }: { readonly parts: readonly BlockPart[] }) {
  const titleOf = useTitleOf();
  const has = (id: string): boolean => parts.some(({ operation }) => operation === id);
  return (
    <section className="block-speeds" aria-label="Speed by non-zeros per token">
      <div className="bench-verdict max-w-[48rem]">
        {parts.map(({ operation, sweep }) => {
          const dense = DENSE_NAMES.get(operation);
          return dense && <Narration key={operation} words={blockWords(sweep, dense, titleOf)} />;
        })}
      </div>
      {parts.map((part) => (
        <PartView key={part.operation} part={part} />
      ))}
      <Gaps parts={parts} />
      {has(WHOLE_BLOCK) && <Published />}
      {has(BACKWARD.id) && (
        <aside className="paper-tables mt-4" aria-label="Training, published by others">
          <PaperFigures source={paper} table={TRAINING} />
          <Note>The sparse 2B model had a larger micro-batch.</Note>
        </aside>
      )}
    </section>
  );
}

/** The chart of one part of a block, and the fastest parameters of each format by non-zeros per token. */
function PartView({ part: { operation, title, sweep } }: { readonly part: BlockPart }) {
  const { formats } = useApp();
  const titleOf = useTitleOf();
  const changing = new Map(sweep.series.map((series) => [series.format, changingParams(series)]));
  const valueText = (id: string, name: string, value: unknown): string => {
    const format = formats.find((known) => known.id === id);
    const words = paramWords(format, name);
    return `${words.title} ${words.valueText(value)}`;
  };
  const detailOf = (format: string, { params }: SweepPoint): string =>
    [...(changing.get(format)?.keys() ?? [])].map((name) => valueText(format, name, params[name])).join(', ');
  return (
    <div className="block-part">
      <SweepChart
        sweep={sweep}
        titleOf={titleOf}
        matrixName={title}
        furtherSeries={operation === WHOLE_BLOCK ? [limitLine(sweep)] : []}
        detailOf={detailOf}
      />
      {[...changing].map(([format, params]) =>
        [...params].map(([name, runs]) => (
          <p key={`${format} ${name}`} className="field-hint max-w-[48rem] mt-2 mb-2">
            {titleOf(format)}, the fastest:{' '}
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
function limitLine({ axis, reports }: Sweep): Series {
  const positions = reports.map((report) => positionOf(axis, report));
  return {
    kind: 'limit',
    id: 'gate alone',
    title: `${BLOCK_LIMIT}×: gate alone`,
    color: 'var(--text-muted)',
    points: [smallest(positions), largest(positions)].map((x) => ({ x, y: BLOCK_LIMIT })),
  };
}

/** Why lines of the charts end: a note for each point at which a format has no time, once for all parts. */
function Gaps({ parts }: { readonly parts: readonly BlockPart[] }) {
  const gaps = parts
    .flatMap(({ sweep }) => gapsOf(sweep))
    .filter(({ x, format }, i, all) => i === all.findIndex((gap) => gap.x === x && gap.format === format));
  if (gaps.length === 0) return null;
  return (
    <ul className="matrix-notes mt-4 max-w-[48rem]" aria-label="Points without a time">
      {gaps.map((gap) => (
        <GapNote key={`${gap.format} ${gap.x}`} gap={gap} />
      ))}
    </ul>
  );
}

/** Why a point has no time: the first reason. */
function GapNote({ gap: { x, report, format, rejections } }: { readonly gap: Gap }) {
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const [first] = rejections;
  return (
    <li>
      {titleOf(format)} was not timed at {countText(x)} non-zeros per token:{' '}
      {first ? `${rejectionDetail(first, labelsOf)}: ${withGroups(first.reason)}` : 'none of its kernels was right'}.
    </li>
  );
}

/** The speeds of whole models in the paper, as text. */
function Published() {
  return (
    <aside aria-label="Published by others">
      <Note>
        Whole models ran {ratioText(smallest(GAINS))} to {ratioText(largest(GAINS))} as fast as dense in{' '}
        <a href={paper.url} rel="noreferrer">
          its paper
        </a>
        , on {paper.tables.scales.on}. Here: one block, without tensor cores.
      </Note>
    </aside>
  );
}
