// The question about the bytes of a custom format, which its story poses.

import { expect, it } from 'vitest';
import { localSource, starterText } from '../../test/own-runner.ts';
import { Random } from '../../../../src/core/number/random.ts';
import { pose } from '../../../../src/story/question.ts';
import { CsrMatrix, toCsr } from '../../../../src/core/matrix/index.ts';
import { generate } from '../../../../src/generate/generate.ts';
import { userFormatStory } from './index.ts';

const WINDOW = new CsrMatrix(toCsr(generate({ pattern: 'uniform', rows: 5, cols: 16, density: 0.4, seed: 3 })));

it.each(['csr', 'sell', 'deltas'])(
  'the question is how many bytes %s needs, and the replies name what was forgotten',
  async (id) => {
    const source = await localSource('mine', starterText(id));
    const params = Object.fromEntries(source.description.params.map(({ name, options }) => [name, options[0]]));
    const story = userFormatStory(source);
    const trace = story.trace(WINDOW, params);
    const [bytesQuestion] = story.questions ?? [];
    const posed = pose(bytesQuestion, trace, new Random(1));
    expect(posed?.answer).toBe(story.ledger?.(trace)?.totalBytes);
    expect(posed?.wrongAnswers.map((wrong) => wrong.id)).toEqual(['indices-forgotten', 'metadata-forgotten']);
    // What was forgotten is stored before the step that shows the sum.
    for (const { falseAt } of posed?.wrongAnswers ?? []) {
      expect(falseAt).toBeGreaterThan(0);
      expect(falseAt).toBeLessThan(posed?.shows ?? 0);
    }
    expect(trace.steps[(posed?.shows ?? 0) - 1].detail).toEqual({ kind: 'encoded' });
  },
);
