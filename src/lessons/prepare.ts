import { Pacer } from '../core/pace.ts';
import type { AnyListedFormat } from '../core/format.ts';
import type { FigureFacts } from '../story/figure-facts.ts';
import type { PosedQuestion } from '../story/question.ts';
import { messageOf } from '../core/error-messages.ts';
import { type AppDocument, asMessage, type Catalog, decodeHash } from '../state/index.ts';
import { type Lookup, namesIn } from './expression.ts';
import { type Figure, formatOf, lookupIn, loadFigure, ownCellsOf, stepOf } from './figure.ts';
import { type FoundQuestion, findQuestion } from './question-search.ts';
import { type Block, type Lesson, LessonError } from './lesson.ts';
import { isPageAddress, figureDocument, userMatrix } from './figure-address.ts';

/** A block of a lesson that can be shown. */
interface Prepared {
  readonly block: Block;
  /** returns the number for a name in the block's text */
  readonly lookup: Lookup;
}

/** A block next to the steps of a format or demonstration. */
export interface StoryBlock extends Prepared {
  readonly figure: Figure;
  /** the step that is shown when the block is read */
  readonly step: number;
  /** a prediction's question, on the matrix that was found for it first; null for a paragraph */
  readonly foundQuestion: FoundQuestion | null;
}

/** A block next to a figure of a page of the app, such as Compare. */
export interface PageBlock extends Prepared {
  readonly figure: null;
  /** the document (page state) in the figure's address */
  readonly document: AppDocument;
  readonly caption: string;
  /** whose answers to the figure's questions count as right, as the page names it: 'the model' */
  readonly answeredBy: string;
  /** a prediction's question; null for a paragraph */
  readonly posed: PosedQuestion | null;
  readonly foundQuestion: null;
}

export type PreparedBlock = StoryBlock | PageBlock;

/** The pages that offer figures, by id; `facts` returns the facts about the figure in a document. */
export type FactsByPage = ReadonlyMap<string, { readonly facts: (document: AppDocument) => Promise<FigureFacts> }>;

/**
 * Makes every figure of a lesson and finds a matrix for each question. Loads the stories, and the facts about figures
 * of other pages. Yields the thread in between. Rejects if a story cannot be loaded, and with LessonError if the
 * lesson is wrong. If a block that `mayFail` is wrong, it is replaced by the reason, unless no block can be shown.
 */
export async function prepareLesson(
  lesson: Lesson,
  catalog: Catalog,
  formats: readonly AnyListedFormat[],
  offers: FactsByPage = new Map(),
): Promise<readonly PreparedBlock[]> {
  const addresses = new Set(lesson.blocks.map(({ figure }) => figure.address).filter((one) => !isPageAddress(one)));
  await Promise.all([...addresses].map((address) => formatOf(figureDocument(address, catalog), formats).story()));
  const pacer = new Pacer();
  const figures = new Map<string, Figure>();
  const figureOf = async (address: string): Promise<Figure> => {
    const document = figureDocument(address, catalog);
    const figure = figures.get(address) ?? (await loadFigure(document, formats, userMatrix(address, document)));
    figures.set(address, figure);
    return figure;
  };
  const prepare = async (block: Block): Promise<PreparedBlock> => {
    if (isPageAddress(block.figure.address)) return prepareOffered(block, catalog, offers);
    const first = await figureOf(block.figure.address);
    await pacer.pauseIfDue();
    const foundQuestion = block.kind === 'prediction' ? await findQuestion(first, block.question) : null;
    const figure = foundQuestion?.figure ?? first;
    await pacer.pauseIfDue();
    const step = foundQuestion ? foundQuestion.posed.before : stepOf(figure, block.figure.step);
    return {
      block,
      figure,
      step,
      foundQuestion,
      lookup: lookupIn(figure, await comparedFigures(block, figure, formats)),
    };
  };
  const results: (PreparedBlock | { readonly block: Block; readonly error: unknown })[] = [];
  for (const block of lesson.blocks) {
    await pacer.pauseIfDue();
    try {
      results.push(await prepare(block));
    } catch (error) {
      if (!block.mayFail) throw error;
      results.push({ block, error });
    }
  }
  const shownBlocks = results.filter((result) => 'figure' in result);
  return results.map((result) => {
    if ('figure' in result) return result;
    const { block, error } = result;
    if (shownBlocks.length === 0) throw error;
    // The reason is shown next to the figure of an earlier block.
    const before = shownBlocks.findLast((other) => other.block.n < block.n) ?? shownBlocks[0];
    return { ...before, foundQuestion: null, posed: null, block: reasonBlock(block, error) };
  });
}

/** A block next to a figure of another page. Rejects with LessonError. */
async function prepareOffered(block: Block, catalog: Catalog, offers: FactsByPage): Promise<PageBlock> {
  const { address } = block.figure;
  const { document, problems } = decodeHash(address, catalog);
  if (problems.length > 0) throw new LessonError(problems.join(' '));
  const offer = offers.get(document.view);
  if (!offer) throw new LessonError(`figure: found '${address}', expected an address of a page that offers figures`);
  const drag = block.kind === 'paragraph' ? block.inline.find((piece) => piece.kind === 'drag') : undefined;
  if (drag) {
    throw new LessonError(
      `{${drag.name} from ...}: found it next to '${address}', expected a figure of a format, whose numbers can be dragged`,
    );
  }
  const facts = await offer.facts(document);
  const lookup: Lookup = (name) => {
    const value = facts.number(name);
    if (value === null) throw new LessonError(`{${name}}: found no such number in the figure of '${address}'`);
    return value;
  };
  const posed = block.kind === 'prediction' ? facts.questionOf(block.question) : null;
  if (block.kind === 'prediction' && posed === null)
    throw new LessonError(`question: found '${block.question}', expected a question of the figure of '${address}'`);
  const { caption, answeredBy } = facts;
  return { block, figure: null, document, caption, answeredBy, posed, foundQuestion: null, lookup };
}

/** The block of a question that failed, as a paragraph with the reason. */
function reasonBlock(block: Block, error: unknown): Block {
  if (block.kind === 'paragraph') return block;
  const { n, heading, appendixTitle, figure } = block;
  const inline = [{ kind: 'text', text: leftOutText(n, error) }] as const;
  return { kind: 'paragraph', n, heading, appendixTitle, figure, inline };
}

/** The message why question `n` of a set was left out. */
export function leftOutText(n: number, error: unknown): string {
  const reason = messageOf(error);
  return asMessage(`Question ${n} is left out: ${reason}`);
}

/** Figures of the other formats that a paragraph's numbers name, as in csr.bytes, on the same window. */
export function comparedFigures(
  block: Block,
  figure: Figure,
  formats: readonly AnyListedFormat[],
): Promise<readonly Figure[]> {
  const inline = block.kind === 'paragraph' ? block.inline : [];
  const names = inline.flatMap((piece) => (piece.kind === 'number' ? namesIn(piece.expression) : []));
  const ids = new Set(names.map((name) => name.split('.')[0]));
  const others = formats.filter(({ id }) => ids.has(id) && id !== figure.document.format);
  const { document } = figure;
  return Promise.all(others.map(({ id }) => loadFigure({ ...document, format: id }, formats, ownCellsOf(figure))));
}
