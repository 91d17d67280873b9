// Names, comments and constants in the WGSL that is generated around a user's kernel.

import { describe, expect, test } from 'vitest';
import { localSource } from '../../test/own-runner.ts';
import { exampleDevice } from '../../../../src/gpu/example-device.ts';
import { fromRows } from '../law-cases.ts';
import type { UserArray } from '../parse-answers.ts';
import { elementType } from '../../../../src/core/declared/element-type.ts';
import type { UserEncoded } from '../user-encoding.ts';
import { userFormat } from '../user-format.ts';
import { STARTERS } from '../starters.ts';
import { arraysText, declaredInputs } from '../../../../src/core/declared/accessors.ts';
import { userKernel } from './user-kernel.ts';
import { startText } from './start-text.ts';

function arrayOf(name: string, type: string): UserArray {
  const parsedType = elementType(type);
  if (!parsedType) throw new Error(type);
  return { name, type: parsedType, byteClass: 'values' };
}

describe('names in a kernel', () => {
  test('equal the module’s names, unless WGSL or the kernel uses them', () => {
    const arrays = ['values', 'x', 'ref', 'values_at', '__a', 'main', 'C'].map((name) => arrayOf(name, 'u8'));
    const { arrays: bound, params } = declaredInputs(arrays, { C: 4, loop: 2, way: 'up' });
    expect(bound.map(({ name }) => name)).toEqual(['values', 'x_', 'ref_', 'values_at_', 'a', 'main_', 'C']);
    expect(params.map(({ name }) => name)).toEqual(['C_', 'loop_']);
    const names = [...bound.flatMap(({ name, reader, lengthField }) => [name, reader, lengthField]), 'C_', 'loop_'];
    expect(new Set(names).size).toBe(names.length);
  });

  test('a title cannot leave its comment', () => {
    const bound = declaredInputs([arrayOf('values', 'f16')], {});
    const title = 'mine\n}\r\u2028fn evil() {}';
    for (const text of [arraysText(title, bound), startText(title, bound)]) {
      expect(text.split(/[\n\r\u2028]/).filter((line) => line.includes('evil'))).toEqual([
        expect.stringMatching(/^\/\/ .*mine } fn evil/),
      ]);
    }
  });

  test('numbers become constants of a type that can represent them', () => {
    const text = arraysText('mine', declaredInputs([arrayOf('values', 'f16')], { C: 4, low: -3, share: 0.5 }));
    expect(text.match(/^override .*$/gm)).toEqual([
      'override C: u32 = 4u;',
      'override low: i32 = -3i;',
      'override share: f32 = 0.5;',
    ]);
  });
});

test('a kernel binds every array in the order of the module, and dispatches as many workgroups as its text states', async () => {
  const sell = STARTERS.find(({ id }) => id === 'sell');
  const text = sell?.kernel ?? '';
  const format = userFormat(await localSource('mine', sell?.text ?? ''));
  const rows = Array.from({ length: 130 }, (_, r): [number, number][] => [[r % 7, 1]]);
  const matrix = fromRows(rows, 7);
  const e = format.encode(matrix, { C: 8, sigma: 1 }) as UserEncoded;
  const kernel = userKernel('mine', 'SELL-C-σ', text);
  const plan = kernel.plan(e, exampleDevice(), {});
  const [pass] = plan.passes;
  expect(pass.bindings).toEqual(['params', 'values', 'columns', 'order', 'starts', 'x', 'y']);
  expect([pass.workgroups, pass.constants]).toEqual([[3, 1, 1], { C: 8, sigma: 1 }]);
  expect(pass.files.map(({ path }) => path)).toEqual(['mine:mine/arrays.wgsl', 'mine:mine/kernel.wgsl']);
  expect(plan.buffers[0]).toMatchObject({ data: Uint32Array.of(130, 7, 130, 136, 136, 130, 18) });
});
