import ecSpmv from './ec-spmv/tables.json';
import slideSparse from './slidesparse/tables.json';
import twell from './twell/tables.json';

/** A table of figures that a paper prints, or says in its text. */
export interface PaperTable {
  readonly title: string;
  /** the table, figure or section of the paper; a row may have a `place` of its own */
  readonly place: string;
  /** what it was measured on */
  readonly on: string;
  /** what its figures are compared with */
  readonly rival: string;
  /** the figures that are shown, by their key in a row, and the title of each */
  readonly columns: Readonly<Record<string, string>>;
  /** by `name`, which no two rows share; null where the paper has no figure */
  readonly rows: readonly PaperRow[];
}

type PaperRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Paper {
  readonly paper: string;
  readonly url: string;
  readonly tables: Readonly<Record<string, PaperTable>>;
}

/** What the papers print. A reader that wants one figure imports the JSON of its paper, whose rows have types. */
export const papers: readonly Paper[] = [ecSpmv, twell, slideSparse];
