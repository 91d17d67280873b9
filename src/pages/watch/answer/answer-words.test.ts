import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import { wordsOf } from '../../../story/frames.ts';
import { type Stated, stated } from '../../../core/text/stated.ts';
import { matrixInText } from '../../../kit/words/answer-names.ts';
import { answerWords, type SideAnswer } from './WatchAnswer.tsx';

const why = stated`why`;

const text = (output: Stated): string => plainText(output).replaceAll('\u202f', ' ');

const side = (name: string, bytes: number | null, isExpected = false): SideAnswer => ({
  name,
  key: name,
  bytes,
  isExpected,
  effectiveDensity: bytes === null ? null : 0.3802,
});

describe('the answer of Watch', () => {
  it.each([
    [side('MACKO', 199_352), side('CSR', 316_624), 'MACKO stores this matrix in 199 352 bytes, CSR in 316 624: why.'],
    [side('MACKO', 199_352), null, 'MACKO stores this matrix in 199 352 bytes, 38 % of dense: why.'],
    [side('MACKO', 73_400_000), side('CSR', 999), 'MACKO stores this matrix in 73.4 MB, CSR in 999 bytes: why.'],
    [side('MACKO', 999), side('CSR', 73_400_000), 'MACKO stores this matrix in 999 bytes, CSR in 73.4 MB: why.'],
    [side('MACKO', 73_400_000, true), null, 'MACKO stores this matrix in about 73.4 MB, 38 % of dense: why.'],
    [side('ELL', 1), side('CSR', 4), 'ELL stores this matrix in 1 byte, CSR in 4: why.'],
    [side('TwELL', null), side('CSR', 4), 'TwELL cannot store this matrix; CSR stores it in 4 bytes.'],
    [side('CSR', 4), side('TwELL', null), 'CSR stores this matrix in 4 bytes; TwELL cannot store it.'],
    [side('TwELL', null), side('hybrid', null), 'Neither TwELL nor hybrid can store this matrix.'],
    [side('TwELL', null), null, 'TwELL cannot store this matrix.'],
  ])('for %j and %j: %s', (a, b, message) => {
    expect(text(answerWords(a, b, why))).toBe(message);
  });

  it('writes a small share of dense as the details and Compare do', () => {
    const small = { ...side('MACKO', 12), effectiveDensity: 0.00512 };
    expect(text(answerWords(small, null, why))).toBe('MACKO stores this matrix in 12 bytes, 0.5 % of dense: why.');
  });

  it('emphasises the bytes, and omits an unknown reason', () => {
    const words = answerWords(side('MACKO', 12), side('CSR', 13), null);
    expect(
      wordsOf(words)
        .filter(({ strong }) => strong)
        .map((word) => word.text),
    ).toEqual(['12 bytes, CSR in 13']);
    expect(text(words)).toBe('MACKO stores this matrix in 12 bytes, CSR in 13.');
  });

  it('names the stored matrix if the selection bar names a model or a layer', () => {
    const place = { model: 'Llama-3.1-8B', layer: 16, matrix: 'down_proj', matrices: 225, inLayer: 7 };
    const model = { kind: 'model', model: 'llama-3.1-8b' } as const;
    const half = { way: 'magnitude', density: 0.5 } as const;
    const matrixText = matrixInText({ kind: 'pruned', base: model, pruning: half }, place);
    expect(text(answerWords(side('MACKO', 12), side('CSR', 13), null, matrixText))).toBe(
      'MACKO stores down_proj of layer 16 in 12 bytes, CSR in 13.',
    );
    expect(text(answerWords(side('TwELL', null), null, null, matrixText))).toBe(
      'TwELL cannot store down_proj of layer 16.',
    );
    expect(matrixInText({ ...model, layer: 16 }, place)).toBe('down_proj of layer 16');
    expect(matrixInText(model, { ...place, layer: null, matrix: 'lm_head' })).toBe('lm_head');
    expect(matrixInText({ ...model, layer: 16, matrix: 'down' }, place)).toBe('this matrix');
    expect(matrixInText({ kind: 'example', id: 'arrow' }, undefined)).toBe('this matrix');
  });
});
