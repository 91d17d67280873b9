import type { AnyListedFormat } from '../core/format.ts';
import type { Catalog } from '../state/index.ts';
import { type Lookup, namesIn } from './expression.ts';
import {
  type AskedQuestion,
  askFrom,
  type Figure,
  figureDocument,
  lookupIn,
  makeFigure,
  ownMatrix,
  stepOf,
} from './figure.ts';
import type { Block, Lesson } from './lesson.ts';

/** A block with everything that it shows. */
export interface PreparedBlock {
  readonly block: Block;
  readonly figure: Figure;
  /** where its story stands when the block is read */
  readonly step: number;
  /** the numbers of its text */
  readonly lookup: Lookup;
  /** of a prediction: the question on its first matrix */
  readonly asked: AskedQuestion | null;
}

/**
 * Makes every figure of a lesson and asks its questions for the first time; loads the stories that it needs. Rejects
 * where one does not arrive, and with LessonError where the lesson is wrong.
 */
export async function prepareLesson(
  lesson: Lesson,
  catalog: Catalog,
  formats: readonly AnyListedFormat[],
): Promise<readonly PreparedBlock[]> {
  const figures = new Map<string, Promise<Figure>>();
  const figureOf = (address: string): Promise<Figure> => {
    const document = figureDocument(address, catalog);
    const known = figures.get(address) ?? makeFigure(document, formats, ownMatrix(address, document));
    figures.set(address, known);
    return known;
  };
  return Promise.all(
    lesson.blocks.map(async (block): Promise<PreparedBlock> => {
      const first = await figureOf(block.figure.address);
      const asked = block.kind === 'prediction' ? askFrom(first, block.question) : null;
      const figure = asked?.figure ?? first;
      const step = asked ? asked.posed.before : stepOf(figure, block.figure.step);
      return { block, figure, step, asked, lookup: lookupIn(figure, await othersOf(block, figure, formats)) };
    }),
  );
}

/** The formats that a paragraph's numbers speak of beside the figure's own, as in csr.bytes, on the same window. */
export function othersOf(
  block: Block,
  { document }: Figure,
  formats: readonly AnyListedFormat[],
): Promise<readonly Figure[]> {
  const inline = block.kind === 'paragraph' ? block.inline : [];
  const names = inline.flatMap((piece) => (piece.kind === 'number' ? namesIn(piece.expression) : []));
  const ids = new Set(names.map((name) => name.split('.')[0]));
  const others = formats.filter(({ id }) => ids.has(id) && id !== document.format);
  return Promise.all(others.map(({ id }) => makeFigure({ ...document, format: id }, formats)));
}
