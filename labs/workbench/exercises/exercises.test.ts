// The kernel exercises: their parser, and the fields, addresses and matrices of the shipped ones.

import { describe, expect, it } from 'vitest';
import { findKernelCard } from '../../../src/core/scratch/card.ts';
import { formats } from '../../../src/formats/catalog.ts';
import { decodeHash, paramFields } from '../../../src/state/index.ts';
import { exerciseIdOf, exercisePath, exercises } from './index.ts';
import { parseExercise } from './parse-exercise.ts';
import { CATALOG } from '../../../test/offers.ts';

const HEAD = '---\ntitle: A\nabout: b\nkernel: k\nparams: a=1\nmatrix: m\ngoal: 0.5\nunfinished: u\n---\n';
const CODE = 'fn f() {\n  // START\n  // // Your turn\n  // a;\n  // SOLUTION\n  b;\n  // END\n}\n';

describe('parseExercise', () => {
  it('reads fields, task, hints and solution', () => {
    const text = `${HEAD}\nDo\nit.\n\nMore.\n\n@hint\n\nOne.\n\n@hint\n\nTwo.\n\n@solution\n\nSo.\n`;
    const exercise = parseExercise('3-a-b.md', text, CODE);
    expect(exercise).toMatchObject({ id: '3', title: 'A', params: { a: '1' }, goal: 0.5, needs: '' });
    expect(exercise.start).toBe('fn f() {\n  // Your turn\n  a;\n}\n');
    expect(exercise.solution).toBe('fn f() {\n  b;\n}\n');
    const words = (paragraphs: typeof exercise.task): readonly string[] =>
      paragraphs.map(([piece]) => (piece.kind === 'text' ? piece.text : piece.kind));
    expect(words(exercise.task)).toEqual(['Do it.', 'More.']);
    expect([exercise.hints.map(words), words(exercise.aboutSolution)]).toEqual([[['One.'], ['Two.']], ['So.']]);
  });

  it.each([
    ['a.md', HEAD, "exercise: found 'a.md', expected a name such as"],
    ['1-a.md', HEAD.replace('goal: 0.5\n', ''), "1-a.md: found no goal, expected 'goal: ...'"],
    ['1-a.md', HEAD.replace('0.5', '50'), "1-a.md: found goal '50', expected a share such as 0.5"],
    ['1-a.md', HEAD.replace('a=1', 'a'), "1-a.md: found params 'a', expected name=value"],
    ['1-a.md', `${HEAD}Do it.\n\n@tip\n\nx`, '1-a.md: found @tip, expected @hint or @solution'],
    ['1-a.md', `${HEAD}Do it.`, '1-a.md: expected a task, at least one @hint, and @solution'],
  ])('rejects %s with %j: %s', (file, text, message) => {
    expect(() => parseExercise(file, text, CODE)).toThrow(message);
  });

  it('rejects a kernel without a part to write', () => {
    expect(() => parseExercise('1-a.md', HEAD, 'fn f() {}')).toThrow('1-a.md: found no part to write');
  });
});

describe('the exercises', () => {
  it('are numbered 1 to 4, with rising goals', () => {
    expect(exercises.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(exercises.map(({ goal }) => goal)).toEqual(exercises.map(({ goal }) => goal).toSorted((a, b) => a - b));
  });

  it.each(exercises.map((exercise) => [exercise.title, exercise] as const))(
    'name an existing kernel, parameters and a matrix: %s',
    (_, exercise) => {
      const card = findKernelCard(formats, exercise.kernel);
      expect(card).not.toBeNull();
      const fields = new Map(paramFields(card?.format.params ?? {}));
      for (const [name, value] of Object.entries(exercise.params)) {
        const field = fields.get(name);
        const options = field?.kind === 'choice' ? field.options.map((option) => String(option.value)) : [];
        expect(options).toContain(value);
      }
      const { document, problems } = decodeHash(exercise.matrix, CATALOG);
      expect([problems, document.source.kind]).toEqual([[], 'generated']);
      expect(exercise.start).not.toBe(exercise.solution);
      expect(exercise.start).toContain('Your turn');
      for (const kernel of [exercise.start, exercise.solution]) expect(kernel).not.toMatch(/START|SOLUTION|END$/m);
    },
  );

  it('have paths in addresses that differ from ids of kernels', () => {
    expect([exerciseIdOf(exercisePath('2')), exerciseIdOf('csr/spmv_scalar')]).toEqual(['2', null]);
  });
});
