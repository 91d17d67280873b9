import { useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Pacer } from '../../../../core/pace.ts';
import { patterns } from '../../../../generate/patterns.ts';
import type { SizeMatrix, SizesRequest } from '../../service/size-types.ts';
import { FiguresTable } from '../../../../kit/charts/FiguresTable.tsx';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { density as densityText, shape } from '../../../../kit/words/quantity.ts';
import { Segmented } from '../../../../kit/controls/Segmented.tsx';
import type { CurveChoices, FormsChoices } from '../../curves/curve-choices.ts';
import { MAP_DENSITIES, MAP_SHAPES, type MapCell, measuredCell, shapeRow } from './shape-map.ts';
import type { FormatCurves } from '../../curves/size-curves.ts';
import { type SizeQuestion, type Variant, variantName } from '../../curves/variants.ts';
import { useSizeRuns } from '../../curves/size-runs.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../../kit/format-color.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { roughDensity } from '../../../../kit/words/shares.ts';

interface WinnerMapProps {
  readonly choices: CurveChoices;
  readonly choose: (changed: Partial<FormsChoices>) => void;
  /** told of a share that is chosen */
  readonly onPick: (share: number) => void;
  readonly curves: readonly FormatCurves[];
  readonly question: SizeQuestion;
}

interface MapRow {
  readonly name: string;
  readonly cells: readonly (MapCell | null)[];
}

/**
 * The smallest format by density and shape, from closed forms, or by density and structure, from encoding small
 * matrices.
 */
export function WinnerMap(props: WinnerMapProps) {
  const { choices, choose } = props;
  const id = useId();
  return (
    <section className="winner-map" aria-labelledby={id}>
      <SectionHead
        id={id}
        title="The smallest at every density"
        caption={
          choices.map === 'shape'
            ? 'and shape, by closed forms'
            : `and structure, ${shape(SAMPLE.rows, SAMPLE.cols)}, encoded`
        }
      />
      <Segmented
        label="against"
        value={choices.map}
        options={[
          { value: 'shape', label: 'shape' },
          { value: 'structure', label: 'structure' },
        ]}
        onChange={(map) => choose({ map })}
      />
      {choices.map === 'shape' ? <ShapeMap {...props} /> : <StructureMap {...props} />}
    </section>
  );
}

function ShapeMap({ onPick, curves, question }: WinnerMapProps) {
  const [rows, setRows] = useState<readonly MapRow[]>([]);
  const { valueType, placement } = question;
  useEffect(() => {
    let wanted = true;
    const fill = async (): Promise<void> => {
      const pacer = new Pacer();
      const filled: MapRow[] = [];
      for (const [height, width] of MAP_SHAPES) {
        const cells: (MapCell | null)[] = [];
        // One variant at a time: computing overflow odds takes up to 50 ms for all variants of a format.
        const parts = curves.flatMap((c) => c.variants.map((variant) => [{ ...c, variants: [variant] }]));
        let best: readonly MapCell[] = [];
        for (const part of parts) {
          await pacer.breathe();
          if (!wanted) return;
          const row = shapeRow(part, { rows: height, cols: width, valueType, placement });
          best = row.map((cell, i) =>
            best[i] === undefined || Number.isNaN(best[i].size) || cell.size < best[i].size ? cell : best[i],
          );
        }
        cells.push(...best); // bounded: the densities of the map
        filled.push({ name: shape(height, width), cells });
      }
      setRows(filled);
    };
    void fill();
    return () => {
      wanted = false;
    };
  }, [curves, valueType, placement]);
  return <MapTable rows={rows} head="shape" onPick={onPick} />;
}

/** Large enough that rows and tiles resemble those of large matrices, small enough to encode thousands. */
const SAMPLE = { rows: 192, cols: 2048 } as const;
const STRUCTURE_DENSITIES: readonly number[] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.9];
/** Variants tried per format at most. */
const MOST_VARIANTS = 8;

function StructureMap({ choices, onPick, curves, question }: WinnerMapProps) {
  const { structures } = useSizeRuns();
  const { running, sizes, subject } = useStore(structures.store);
  const sample = useMemo<SizeQuestion>(() => ({ ...question, ...SAMPLE }), [question]);
  const variants = useMemo(
    () => curves.flatMap((f) => f.variants.slice(0, MOST_VARIANTS).map((c) => c.variant)),
    [curves],
  );
  const shown = useMemo(() => patterns.filter((p) => structureMatrix(p.id, 0.5, 1) !== null), []);
  const places = useMemo(
    () =>
      shown.flatMap((pattern) =>
        STRUCTURE_DENSITIES.flatMap((density) => {
          const matrix = structureMatrix(pattern.id, density, choices.seed);
          return matrix === null ? [] : [{ pattern: pattern.id, density, matrix }];
        }),
      ),
    [shown, choices.seed],
  );
  const wanted = `structures ${choices.seed} ${variants.map((v) => v.key).join()}`;
  const start = (): void => {
    const request: SizesRequest = {
      matrices: places.map(({ matrix }) => matrix),
      entries: variants.map(({ format, params }) => ({ format: format.id, params })),
    };
    void structures.measure(wanted, [request]);
  };
  const rows = useMemo<readonly MapRow[]>(() => {
    const isCurrent = subject === wanted;
    return shown.map((pattern) => ({
      name: pattern.title,
      cells: STRUCTURE_DENSITIES.map((density) => {
        const at = places.findIndex((p) => p.pattern === pattern.id && p.density === density);
        const own = isCurrent ? sizes.filter((s) => s.matrix === at) : [];
        const found = own.flatMap((s) => {
          const variant = variants.find((v) => v.format.id === s.format && sameParams(v, s.params));
          return variant ? [{ variant, bytes: s.bytes }] : [];
        });
        return measuredCell(found, sample, density);
      }),
    }));
  }, [shown, places, sizes, subject, wanted, variants, sample]);
  return (
    <>
      {running ? (
        <JobProgress job={running} onCancel={() => structures.cancel()} />
      ) : (
        <button type="button" className="button" onClick={start}>
          {subject === wanted && sizes.length > 0 ? 'Encode again' : `Encode ${places.length} small matrices`}
        </button>
      )}
      <MapTable rows={rows} head="structure" onPick={onPick} densities={STRUCTURE_DENSITIES} />
    </>
  );
}

function sameParams({ params }: Variant, others: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(params).every(([name, value]) => others[name] === value);
}

/** A small matrix of a pattern at a density; null if the pattern cannot have it. */
function structureMatrix(pattern: string, density: number, seed: number): SizeMatrix | null {
  const found = patterns.find((p) => p.id === pattern);
  if (!found) return null;
  const options = Object.fromEntries(found.options.map((o) => [o.id, o.default]));
  const allowed = found.densities?.(options);
  if (allowed && !allowed.some((d) => Math.abs(d - density) < 1e-9)) return null;
  return { kind: 'generated', spec: { pattern, ...SAMPLE, density, seed } };
}

interface MapTableProps {
  readonly rows: readonly MapRow[];
  readonly head: string;
  readonly onPick: (share: number) => void;
  readonly densities?: readonly number[];
}

function MapTable({ rows, head, onPick, densities = MAP_DENSITIES }: MapTableProps) {
  const [open, setOpen] = useState(false);
  const winners = new Map(
    rows.flatMap((row) =>
      row.cells.flatMap((c) => (c?.winner ? [[c.winner.format.id, c.winner.format.title] as const] : [])),
    ),
  );
  return (
    <>
      <ul className="chart-legend">
        {[...winners].map(([id, title]) => (
          <li key={id}>
            <Swatch format={id} />
            <span>{title}</span>
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
      <div className="winner-map-scroll" role="region" aria-label={`The smallest by density and ${head}`} tabIndex={0}>
        <table className="winner-map-table">
          <caption className="unseen">The smallest by density and {head}</caption>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {densities.map((d) => (
                <th key={d} scope="col" className="number">
                  <button
                    type="button"
                    className="winner-map-density"
                    title={`prune to ${densityText(d)}`}
                    onClick={() => onPick(d)}
                  >
                    {roughDensity(d)}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, i) => (
                  <td key={densities[i]}>
                    <Cell cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>as a table</summary>
        {open && (
          <FiguresTable
            caption={`The smallest by density and ${head}, with its size`}
            head={[head, ...densities.map(roughDensity)]}
            rows={rows.map(({ name, cells }) => ({
              name,
              cells: cells.map((c) => (c?.winner ? `${variantName(c.winner)}, ${densityText(c.size)}` : '–')),
            }))}
          />
        )}
      </details>
    </>
  );
}

function Cell({ cell }: { readonly cell: MapCell | null }) {
  if (!cell?.winner) return <span className="winner-map-cell" data-empty="" title="not encoded, or refused by all" />;
  const { winner, size } = cell;
  const words = `${variantName(winner)}, ${densityText(size)} of dense`;
  return (
    <span className="winner-map-cell" title={words} style={{ background: cssColorOf(winner.format.id) }}>
      <span className="unseen">{words}</span>
    </span>
  );
}
