import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp } from '../../../../kit/app-context.ts';
import type { ChartTable } from '../../../../kit/charts/chart-csv.ts';
import { FiguresTable } from '../../../../kit/charts/ChartFoot.tsx';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { percent, ratio } from '../../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../../kit/words/rates.ts';
import { densityText } from '../../../../kit/words/shares.ts';
import { bandwidthShare, publishedRun } from '../../../../theory/models/published-models.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import { publishedCards } from '../../chart/published-cards.ts';
import { type PublishedLine, usePublished } from '../../../../kit/report/use-published.ts';
import { timedMatrixOf } from '../../../../kit/report/matrix-times.ts';
import { Ablation } from '../../../../papers/ec-spmv/Ablation.tsx';
import { RAW_RESULTS, RawResults } from '../../../../papers/RawResults.tsx';
import { papers, PaperTables } from '../../../../papers/PaperTables.tsx';

/** The columns for a run of a whole model: each has a second one, for dense in the same run. */
const RUN_COLUMNS = ['GB', 'tokens/s', 'share of the card’s bandwidth'];

/** The section 'published for other cards': speeds, bytes and runs of whole models, as published by others. */
export function PublishedDetails({ compared }: { readonly compared: ComparedFormats }) {
  const { formats } = useApp();
  const published = usePublished(formats, 'any');
  const model = compared.model?.shape ?? null;
  const runs = formats.flatMap((format) => {
    const run = model && publishedRun(format.source?.url, model.name);
    return run ? [{ format, run }] : [];
  });
  const cards = publishedCards(published);
  const sizes = published.filter(({ figures }) => figures.quantity === 'size');
  // The paper of format A comes first, and its figures are open: they answer the user's question.
  const urlOfA = compared.a?.format.source?.url;
  const [ofA, others] = [papers.filter(({ url }) => url === urlOfA), papers.filter(({ url }) => url !== urlOfA)];
  const ablation = model === null && (
    <Ablation matrix={timedMatrixOf(compared.summary, 1)} visibleDevice={compared.visibleDevice} />
  );
  const { reports, name } = compared.visibleDevice.device;
  const raw = <RawResults reports={reports} device={name} format={compared.a?.format.id ?? null} />;
  const isSlideSparse = compared.a?.format.id === RAW_RESULTS.slideSparse.format;
  return (
    <div className="published">
      <PaperTables key={urlOfA} papers={ofA} ablation={ablation} startOpen />
      {isSlideSparse && raw}
      {model && runs.length === 0 && <p className="field-hint">Nothing is published of {model.name}.</p>}
      {runs.map(({ format, run }) => (
        <section key={format.id} aria-label={`${run.model} in ${format.title}`}>
          <h3>
            {run.model} in {format.title}, {run.device}
          </h3>
          <FiguresTable
            caption={`${run.model} in ${format.title} on ${run.device}, as published`}
            head={['density', ...RUN_COLUMNS.flatMap((name) => [name, `${name}, ${referenceFormat.title}`])]}
            rows={run.points.map((point) => {
              const values = [point.gigabytes, point.denseGigabytes, point.tokensPerSecond, point.denseTokensPerSecond];
              const shares = [
                bandwidthShare(point.gigabytes, point.tokensPerSecond, run.device),
                bandwidthShare(point.denseGigabytes, point.denseTokensPerSecond, run.device),
              ];
              return {
                name: densityText(point.density),
                cells: [
                  ...values.map(oneDecimal),
                  ...shares.map((share) => (share === null ? '–' : percent(share, 0))),
                ],
                values: [point.density, ...values, ...shares],
              };
            })}
          />
          <p className="field-hint">
            Published in{' '}
            <a href={run.paper} rel="noreferrer">
              {format.source?.title ?? format.title}
            </a>
            , {run.place}: all memory of the runtime. The share of the card’s bandwidth is that of its data sheet, if
            every token reads all of it.
          </p>
        </section>
      ))}
      {cards.map((card) => (
        <Figures
          key={card}
          title={`Speed against dense f16, ${card}`}
          lines={published.filter(({ figures }) => figures.quantity !== 'size' && figures.device === card)}
        />
      ))}
      {sizes.length > 0 && <Figures title="Bytes against dense" lines={sizes} />}
      <PaperTables papers={others} ablation={ablation} />
      {!isSlideSparse && raw}
    </div>
  );
}

/** A table of published numbers by density, with their formats and sources below. */
function Figures({ title, lines }: { readonly title: string; readonly lines: readonly PublishedLine[] }) {
  const { formats } = useApp();
  const densities = new Set(lines.flatMap(({ figures }) => figures.points.map(({ density }) => density)));
  const table: ChartTable = {
    head: ['density', ...lines.map((line) => line.figures.title)],
    rows: [...densities]
      .toSorted((a, b) => a - b)
      .map((density) => {
        const values = lines.map(
          (line) => line.figures.points.find((point) => point.density === density)?.value ?? null,
        );
        return {
          name: densityText(density),
          cells: values.map((value) => (value === null ? '–' : ratio(value))),
          values: [density, ...values],
        };
      }),
  };
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <FiguresTable caption={`${title}, as published`} {...table} />
      <ul className="grid gap-1 text-12 wrap-anywhere mt-2">
        {[...new Set(lines.map((line) => line.figures.source))].map((source) => (
          <li key={source}>
            {[...new Set(lines.filter((line) => line.figures.source === source).map(({ format }) => format))].map(
              (id) => (
                <span key={id}>
                  <Swatch format={id} /> {formats.find((format) => format.id === id)?.title ?? id}{' '}
                </span>
              ),
            )}
            <span className="text-quiet">{source}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
