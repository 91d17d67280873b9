import type { ReactNode } from 'react';
import { FiguresTable } from '../kit/charts/ChartFoot.tsx';
import { Drawer } from '../kit/primitives/Boxes.tsx';
import { Note } from '../kit/primitives/Text.tsx';
import { WHOLE_MODEL } from './ec-spmv/bandwidth.ts';
import ecSpmv from './ec-spmv/tables.json';
import slideSparse from './slidesparse/tables.json';
import twell from './twell/tables.json';

/** A table of numbers that a paper prints, in a table or in its text. */
interface PaperTable {
  readonly title: string;
  /** the table, figure or section of the paper; a row may name another */
  readonly place: string;
  /** what it was measured on */
  readonly on: string;
  /** the kernel or runtime that it is compared with */
  readonly rival: string;
  /** what the table shows, as a text below it */
  readonly remark?: string;
  /** titles of the columns, by key in a row */
  readonly columns: Readonly<Record<string, string>>;
  /** `name` differs from row to row; null: the paper has no number */
  readonly rows: readonly PaperRow[];
}

type PaperRow = Readonly<Record<string, string | number | boolean | null>>;

/** The tables that one paper prints. */
interface Paper {
  readonly paper: string;
  readonly url: string;
  readonly tables: Readonly<Record<string, PaperTable>>;
}

/** The tables of all papers, for display. Code that needs one number imports the JSON of its paper, which has types. */
export const papers: readonly Paper[] = [
  { ...ecSpmv, tables: { ...ecSpmv.tables, wholeModel: WHOLE_MODEL } },
  twell,
  slideSparse,
];

interface PaperTablesProps {
  /** put above the tables of EC-SpMV */
  readonly ablation: ReactNode;
  /** the papers to show */
  readonly papers: readonly Paper[];
  readonly startOpen?: boolean;
}

/** The tables of papers, in one drawer per paper. */
export function PaperTables({ ablation, papers, startOpen = false }: PaperTablesProps) {
  return (
    <>
      {papers.map(({ paper, url, tables }) => (
        <Drawer
          key={paper}
          title={`All tables of ${paper}`}
          className="paper-tables open:col-span-full"
          startsOpen={startOpen}
        >
          {paper === ecSpmv.paper && ablation}
          <div className="published">
            {Object.values(tables).map((table) => (
              <PaperFigures key={table.title} source={{ paper, url }} table={table} />
            ))}
          </div>
        </Drawer>
      ))}
    </>
  );
}

interface PaperFiguresProps {
  readonly source: Pick<Paper, 'paper' | 'url'>;
  readonly table: PaperTable;
}

/** One table of a paper, with where it is printed, what it was measured on, and what it is compared with. */
export function PaperFigures({ source: { paper, url }, table }: PaperFiguresProps) {
  const { title, place, on, rival, remark, columns, rows } = table;
  const keys = Object.keys(columns);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <FiguresTable
        caption={`${title}, as published`}
        head={['of', ...keys.map((key) => columns[key])]}
        rows={rows.map((row) => ({
          name: String(row.name),
          cells: keys.map((key) => String(row[key] ?? '–').replace(/^-/, '−')),
        }))}
      />
      <Note>
        <a href={url} rel="noreferrer">
          {paper}
        </a>
        , {place}. On {on}. Against {rival}.{remark !== undefined && ` ${remark}`}
      </Note>
    </section>
  );
}
