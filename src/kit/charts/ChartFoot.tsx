import { type RefObject, useState } from 'react';
import { saveText } from '../browser/save-blob.ts';
import { type ChartFigures, figuresCsv } from './chart-csv.ts';
import { FiguresTable } from './FiguresTable.tsx';
import { type Heading, standaloneSvg } from './standalone-svg.ts';

interface ChartFootProps {
  readonly id: string;
  readonly heading: Heading;
  readonly drawing: RefObject<SVGSVGElement | null>;
  readonly figures: () => ChartFigures;
}

/** Below a chart: its figures as a table, and both as files. */
export function ChartFoot({ id, heading, drawing, figures }: ChartFootProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="chart-foot">
      <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>as a table</summary>
        {open && <FiguresTable caption={heading.title} {...figures()} />}
      </details>
      <div className="chart-saves">
        <button
          type="button"
          className="text-button"
          aria-label={`Save as SVG: ${heading.title}`}
          onClick={() => {
            if (drawing.current)
              saveText(`sparsescope-${id}.svg`, standaloneSvg(drawing.current, heading), 'image/svg+xml');
          }}
        >
          SVG
        </button>
        <button
          type="button"
          className="text-button"
          aria-label={`Save as CSV: ${heading.title}`}
          onClick={() => saveText(`sparsescope-${id}.csv`, figuresCsv(figures()), 'text/csv')}
        >
          CSV
        </button>
      </div>
    </div>
  );
}
