import type { RefObject } from 'react';
import { saveText } from '../browser/save-blob.ts';
import { type ChartTable, tableCsv } from './chart-csv.ts';
import { FiguresTable } from './FiguresTable.tsx';
import { type Heading, standaloneSvg } from './standalone-svg.ts';
import { Drawer } from '../primitives/Boxes.tsx';
import { TextButton } from '../controls/Button.tsx';

interface ChartFootProps {
  readonly id: string;
  readonly heading: Heading;
  readonly drawing: RefObject<SVGSVGElement | null>;
  readonly table: () => ChartTable;
}

/** The drawer below a chart: its figures as a table, and buttons that save drawing and figures as SVG and CSV. */
export function ChartFoot({ id, heading, drawing, table }: ChartFootProps) {
  return (
    <div className="chart-foot">
      <Drawer title="table" about="the figures of this chart" className="chart-table in-[.sweep]:mt-2">
        {() => (
          <>
            <div className="flex gap-3">
              <TextButton
                aria-label={`Save as SVG: ${heading.title}`}
                onClick={() => {
                  if (drawing.current)
                    saveText(`sparsescope-${id}.svg`, standaloneSvg(drawing.current, heading), 'image/svg+xml');
                }}
              >
                SVG
              </TextButton>
              <TextButton
                aria-label={`Save as CSV: ${heading.title}`}
                onClick={() => saveText(`sparsescope-${id}.csv`, tableCsv(table()), 'text/csv')}
              >
                CSV
              </TextButton>
            </div>
            <FiguresTable caption={heading.title} {...table()} />
          </>
        )}
      </Drawer>
    </div>
  );
}
