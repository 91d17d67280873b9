import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Pacer } from '../../../core/pace.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { FiguresTable } from '../../../kit/charts/FiguresTable.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { percent, shape } from '../../../kit/words/quantity.ts';
import { roughLeft } from '../../../kit/words/shares.ts';
import type { FormatParams } from '../../../state/index.ts';
import { CHART_FIELDS, isChosen } from '../curves/curve-choices.ts';
import type { Left } from '../curves/left.ts';
import { LEFT_AXES } from '../curves/left-axis.ts';
import { columnNear, EMPTY_ROW, MAP_DENSITIES, MAP_SHAPES, type MapCell, withVariant } from '../curves/shape-map.ts';
import { variantName, variantsOf } from '../curves/variants.ts';
import { ChartHead } from './ChartHead.tsx';
import { Drawer } from '../../../kit/primitives/Boxes.tsx';
import { mapWords } from './chart-words.ts';

interface SmallestMapProps {
  readonly left: Left;
  /** what else can be shown */
  readonly tools: ReactNode;
  /** told of a share that is chosen */
  readonly onPick: (share: number) => void;
}

interface MapRow {
  readonly name: string;
  readonly cells: readonly MapCell[];
}

/** Which format is the smallest by what is left and by shape, with values of 16 bits, by closed forms. */
export function SmallestMap({ left, tools, onPick }: SmallestMapProps) {
  const { formats } = useApp();
  const [{ formats: chosen }] = useChoices(CHART_FIELDS);
  const params = useDocument((doc) => doc.params);
  const summary = useSession((s) => s.summary);
  const listed = useMemo(() => formats.filter((format) => isChosen(format, chosen)), [formats, chosen]);
  const [rows, cols] = [summary?.rows ?? 0, summary?.cols ?? 0];
  const map = useMapRows(listed, params, rows, cols, left.pruning?.way === 'n-of-m');
  const near = columnNear(left.at ?? 1);
  const here = MAP_DENSITIES[near];
  return (
    <>
      <ChartHead
        tools={tools}
        title="The smallest by what is left and shape"
        said={mapWords({ left: here, shapes: map.length, winners: winnersAt(map, near) })}
        note="By closed forms, with values of 16 bits; a share at the head of a column prunes to it."
      />
      <ul className="chart-legend">
        {[
          ...new Map(
            map
              .flatMap(({ cells }) => cells.flatMap(({ winner }) => (winner ? [winner.format] : [])))
              .map((f) => [f.id, f.title]),
          ),
        ].map(([id, title]) => (
          <li key={id}>
            <Swatch format={id} />
            <span>{title}</span>
          </li>
        ))}
      </ul>
      <MapTable rows={map} near={near} onPick={onPick} />
      <AsTable rows={map} />
    </>
  );
}

/** The rows of the map as they are computed; the shape of the open matrix comes first. */
function useMapRows(
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  rows: number,
  cols: number,
  isEven: boolean,
): readonly MapRow[] {
  const [filled, setFilled] = useState<readonly MapRow[]>([]);
  useEffect(() => {
    let wanted = true;
    const fill = async (): Promise<void> => {
      const pacer = new Pacer();
      const others = MAP_SHAPES.filter(([height, width]) => height !== rows || width !== cols);
      const found: MapRow[] = [];
      for (const [height, width] of [[rows, cols] as const, ...others]) {
        const question = {
          rows: height,
          cols: width,
          valueType: 'f16',
          placement: isEven ? 'even' : 'independent',
        } as const;
        let cells = EMPTY_ROW;
        for (const format of formats.filter((one) => one.expectedEffectiveDensity)) {
          // One variant at a time: the odds that a slot overflows take up to 50 ms for all variants of a format.
          for (const variant of variantsOf(format, params[format.id], question)) {
            await pacer.breathe();
            if (!wanted) return;
            cells = withVariant(cells, variant, question);
          }
        }
        found.push({ name: shape(height, width), cells });
      }
      setFilled(found);
    };
    void fill();
    return () => {
      wanted = false;
    };
  }, [formats, params, rows, cols, isEven]);
  return filled;
}

/** Of one column: for how many shapes each format is the smallest, most first. */
function winnersAt(
  rows: readonly MapRow[],
  column: number,
): readonly { readonly title: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const title = cells[column].winner?.format.title;
    if (title !== undefined) counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => ({ title, count })).toSorted((a, b) => b.count - a.count);
}

const HEAD = 'shape';
const leftTitle = (density: number): string => LEFT_AXES.linear.text(density);

interface MapTableProps {
  readonly rows: readonly MapRow[];
  /** the column of what is left now */
  readonly near: number;
  readonly onPick: (share: number) => void;
}

function MapTable({ rows, near, onPick }: MapTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="smallest-map" aria-label="The smallest by shape" tabIndex={0}>
      <table>
        <caption className="unseen">The smallest by what is left and shape</caption>
        <thead>
          <tr>
            <th scope="col">{HEAD}, % left</th>
            {MAP_DENSITIES.map((density, i) => (
              <th key={density} scope="col" className="number">
                <button
                  type="button"
                  className="smallest-map-share"
                  aria-current={i === near || undefined}
                  title={`prune to ${roughLeft(density)} left`}
                  onClick={() => onPick(density)}
                >
                  {leftTitle(density)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell) => (
                <td key={cell.density}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ cell: { winner, size } }: { readonly cell: MapCell }) {
  if (winner === null) return <span className="smallest-map-cell" data-empty="" title="no format holds it" />;
  const words = `${variantName(winner)}, ${percent(size)} of dense`;
  return (
    <span className="smallest-map-cell" title={words} style={{ background: cssColorOf(winner.format.id) }}>
      <span className="unseen">{words}</span>
    </span>
  );
}

function AsTable({ rows }: { readonly rows: readonly MapRow[] }) {
  return (
    <Drawer title="as a table">
      {() => (
        <FiguresTable
          caption="The smallest by what is left and shape, with its size"
          head={[HEAD, ...MAP_DENSITIES.map(roughLeft)]}
          rows={rows.map(({ name, cells }) => ({
            name,
            cells: cells.map(({ winner, size }) => (winner ? `${variantName(winner)}, ${percent(size)}` : '–')),
          }))}
        />
      )}
    </Drawer>
  );
}
