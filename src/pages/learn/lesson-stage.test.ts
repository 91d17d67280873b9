import { expect, test } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { formats } from '../../formats/catalog.ts';
import { patterns } from '../../generate/patterns.ts';
import { loadFigure } from '../../lessons/figure.ts';
import { figureDocument } from '../../lessons/figure-address.ts';
import { readTyped } from '../../lessons/own-matrix.ts';
import { createLessonStage, TYPED_CELLS } from './lesson-stage.ts';

test('a presentation labels a matrix typed cell by cell as such, without a pattern', async () => {
  const app = fakeApp();
  const stage = createLessonStage(app);
  const catalog = { ...app.catalog, formats, patterns };
  const address = '#2/watch?src=generated:uniform&shape=2x3&density=0.5&seed=1&a=csr';
  const document = figureDocument(address, catalog);
  stage.show(await loadFigure(document, formats), 0);
  expect(stage.app.typedMatrixCaption?.()).toBeNull();
  stage.show(await loadFigure(document, formats, readTyped('1 0 2\n0 3 0')), 0);
  expect(stage.app.typedMatrixCaption?.()).toBe(TYPED_CELLS);
});
