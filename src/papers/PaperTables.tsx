import { FiguresTable } from '../kit/charts/FiguresTable.tsx';
import { Drawer } from '../kit/primitives/Boxes.tsx';
import { Note } from '../kit/primitives/Text.tsx';
import { papers, type PaperTable } from './paper-tables.ts';

/** The tables of all papers, each paper closed at first: beside what is measured here, and never in one order with it. */
export function PaperTables() {
  return (
    <>
      {papers.map(({ paper, url, tables }) => (
        <Drawer key={paper} title={`All tables of ${paper}`} className="paper-tables">
          {Object.values(tables).map((table) => (
            <Table key={table.title} paper={paper} url={url} table={table} />
          ))}
        </Drawer>
      ))}
    </>
  );
}

function Table({ paper, url, table }: { paper: string; url: string; table: PaperTable }) {
  const { title, place, on, rival, columns, rows } = table;
  const keys = Object.keys(columns);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <FiguresTable
        caption={`${title}, as published`}
        head={['', ...keys.map((key) => columns[key])]}
        rows={rows.map((row) => ({
          name: String(row.name),
          cells: keys.map((key) => String(row[key] ?? '–')),
        }))}
      />
      <Note>
        <a href={url} rel="noreferrer">
          {paper}
        </a>
        , {place}. On {on}. Against {rival}.
      </Note>
    </section>
  );
}
