import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supportedRecipe, allParams, buildMatrix, paramsTitle } from '../../../test/arbitraries.ts';
import { cases } from '../../../test/scheduled.ts';
import { formatsWithStories, type FormatWithStory } from '../../../test/stories.ts';
import { elementsOf } from '../../core/declared/decode.ts';
import { declarationOf } from '../../core/declared/declarations.ts';
import { narrate } from '../../story/declared/step-texts.ts';
import type { DeclaredTrace } from '../../story/declared/trace.ts';
import { toDense, type Matrix } from '../../core/matrix/index.ts';
import { narrationText } from '../../story/scene.ts';
import { valueText } from '../../core/text/words.ts';

/**
 * Checks the text of derived steps of every format: each number is compared with the window, the arrays, and sums that
 * are added up here. Texts that an encoder passes to `narrate` are not checked.
 */

const NUMBER = /−?(?:\d[\d\u202f]*(?:\.\d+)?(?:e−?\d+)?|∞)|NaN/;
/** 'NAME[INDEX] = VALUE' */
const EQUATION = new RegExp(String.raw`(\w+)\[(\d+)\] = (${NUMBER.source}|none)(?!\d)`, 'g');
const CELL_TEXT = new RegExp(String.raw`^Row (\d+), column (\d+) holds (${NUMBER.source})`);
const PRODUCT = new RegExp(
  String.raw`column (\d+): (${NUMBER.source}) × x\[(\d+)\] = (${NUMBER.source}); y\[(\d+)\] is (${NUMBER.source})\.$`,
);
const SUM_TEXT = new RegExp(String.raw`^Row (\d+) is done: y\[(\d+)\] = (${NUMBER.source})\.$`);

const textOf = (number: number): string => (Number.isInteger(number) ? String(number) : valueText(number));

/** Faults of all texts of a window at `position` of a matrix, with indices of the matrix; empty if there are none. */
function faults({ format, story }: FormatWithStory, m: Matrix, params: object, position: { row: number; col: number }) {
  const trace = { ...(story.trace(m, params) as DeclaredTrace), origin: position };
  const declaration = declarationOf(format);
  const elements = declaration ? elementsOf(declaration, trace.encoded) : null;
  const cells = toDense(m);
  const decoded = toDense(format.decode(trace.encoded));
  const y = new Float64Array(m.rows);
  const problems: string[] = [];
  const check = (isRight: boolean, step: number, text: string): void => {
    if (!isRight) problems.push(`step ${step}: ${text}`);
  };
  const drawn = new Set<string>();
  trace.steps.forEach(({ detail }, i) => {
    const step = i + 1;
    const text = narrate(trace, detail)
      .map((words) => words.text)
      .join('');
    // A picture is slower than its text: only the first one of each kind is made.
    const kind = detail.kind === 'stored' ? detail.what : detail.kind;
    if (!drawn.has(kind)) check(narrationText(story.scene(trace, step)) === text, step, `is another one: ${text}`);
    drawn.add(kind);
    if (detail.kind === 'stored' && detail.reason !== null) return;
    for (const [equation, name, index, value] of text.matchAll(EQUATION)) {
      // Products and sums, with x and y, are checked below.
      if (name === 'x' || name === 'y') continue;
      const element = elements?.[name]?.[Number(index)];
      const isRight = element !== undefined && (value === valueText(element) || value === textOf(element));
      check(
        elements === null || isRight || (value === 'none' && element === 0xffffffff),
        step,
        `${equation}, found ${element}`,
      );
    }
    const cellText = CELL_TEXT.exec(text);
    if (cellText) {
      const [r, c] = [Number(cellText[1]) - position.row, Number(cellText[2]) - position.col];
      const index = r * m.cols + c;
      check(
        [cells[index], decoded[index]].some((value) => valueText(value) === cellText[3]),
        step,
        text,
      );
    }
    const product = PRODUCT.exec(text);
    check((detail.kind === 'product') === (product !== null), step, `is a product: ${text}`);
    if (product) {
      const [column, xIndex, yIndex] = [product[1], product[3], product[5]].map(Number);
      const [col, row] = [xIndex - position.col, yIndex - position.row];
      const value = decoded[row * m.cols + col];
      y[row] += value * trace.x[col];
      check(column === xIndex, step, `column: ${text}`);
      check(
        product[2] === valueText(value) && product[4] === valueText(value * trace.x[col]),
        step,
        `product: ${text}`,
      );
      check(product[6] === valueText(y[row]), step, `sum ${y[row]}: ${text}`);
    }
    const rowSum = SUM_TEXT.exec(text);
    check((detail.kind === 'sum') === (rowSum !== null), step, `is a sum: ${text}`);
    if (rowSum) {
      check(rowSum[1] === rowSum[2], step, `row: ${text}`);
      check(rowSum[3] === valueText(y[Number(rowSum[2]) - position.row]), step, `sum: ${text}`);
    }
  });
  return problems;
}

for (const narrated of await formatsWithStories()) {
  const { format, story } = narrated;
  describe(`step texts of ${format.id}`, () => {
    it.each(allParams(format).map((params) => [paramsTitle(params), params] as const))(
      'stores and multiplications have the numbers of the window and the arrays, with %s',
      (_, params) => {
        fc.assert(
          fc.property(supportedRecipe(format, params, 9, 40), fc.nat(500), fc.nat(500), (recipe, row, col) => {
            const m = buildMatrix(recipe);
            const isDerived = 'storedAfter' in story.trace(m, params);
            // A story written by hand has its own test.
            expect(isDerived ? faults(narrated, m, params, { row, col }) : []).toEqual([]);
          }),
          { numRuns: cases(Math.ceil(6 / allParams(format).length), 12) },
        );
      },
    );
  });
}
