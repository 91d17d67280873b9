// Question sets about custom formats, which contain the module of the format.

import { expect, it } from 'vitest';
import { localRunners, starterText } from '../test/own-runner.ts';
import { CATALOG } from '../../../test/offers.ts';
import { formats } from '../../../src/formats/catalog.ts';
import { loadFigure } from '../../../src/lessons/figure.ts';
import { findQuestion } from '../../../src/lessons/question-search.ts';
import { figureDocument } from '../../../src/lessons/figure-address.ts';
import { prepareLesson } from '../../../src/lessons/prepare.ts';
import {
  questionForSet,
  readQuestionSet,
  questionSetText,
  linkedFormatsIn,
} from '../../../src/lessons/question-set.ts';
import { sandboxedFormat } from './sandboxed-format.ts';

const TEXT = starterText('deltas');
const catalogWith = (available: typeof formats) => ({ ...CATALOG, formats: available });

it('a question set contains the module of a custom format, and poses its question once the module has run', async () => {
  const opened = await sandboxedFormat('gaps', TEXT, (text) => ({ ...localRunners(text), end() {} }));
  if ('why' in opened) throw new Error(opened.why);
  const formatsWithCustom = [...formats, opened.format];
  const address = '#2/watch?src=generated:uniform&shape=4x24&density=0.25&seed=3&a=mine:gaps';
  const figure = await loadFigure(figureDocument(address, catalogWith(formatsWithCustom)), formatsWithCustom);
  const foundQuestion = await findQuestion(figure, 'bytes');
  const text = questionSetText({ title: 'Gaps', questions: [questionForSet(foundQuestion)] });
  expect(text).toContain(opened.format.sandboxed?.link);

  // While the format has not run, the set lists it as required, and cannot be read.
  const [required] = linkedFormatsIn(text, catalogWith(formats));
  expect(required).toEqual({ id: 'mine:gaps', link: opened.format.sandboxed?.link });
  expect(() => readQuestionSet(text, catalogWith(formats))).toThrow('mine:gaps was not run');

  expect(linkedFormatsIn(text, catalogWith(formatsWithCustom))).toEqual([]);
  const [{ foundQuestion: again }] = await prepareLesson(
    readQuestionSet(text, catalogWith(formatsWithCustom)),
    catalogWith(formatsWithCustom),
    formatsWithCustom,
  );
  expect(again?.posed.answer).toBe(foundQuestion.posed.answer);
  expect(again?.posed.wrongAnswers.length).toBe(2);
});
