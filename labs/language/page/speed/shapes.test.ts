// The times of a large model's matrices, as sums of recorded times by shape, and the headline about them.

import { describe, expect, test } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import { readFileSync } from 'node:fs';
import { checkRecording } from '../../../../src/core/reports/recording-check.ts';
import { fullDeviceReports } from '../../../../src/core/reports/recording.ts';
import { defaultParams } from '../../../../src/core/format.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { formats, referenceFormat } from '../../../../src/formats/catalog.ts';
import { KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';
import { speedHeadline } from './speed-words.ts';
import { pytorchOn } from './pytorch.ts';
import { matrixTimesAt, fullyMeasuredDensities } from './shapes.ts';

const NAME = 'h200@2026-11-26.json';
const recording = checkRecording(NAME, JSON.parse(readFileSync(`public/recordings/${NAME}`, 'utf8')));
const reports = fullDeviceReports(recording);
const large = KNOWN_MODELS[0];
// The one whose paper measured whole models.
const format = formats.find(({ source }) => source?.url.endsWith('2511.13061')) ?? referenceFormat;
const params = defaultParams(format.params);
const stored = { format, params, fusion: 'separate', keepHead: true } as const;
const query = {
  operation: SPMV.id,
  tokens: 1,
  stored: { format: format.id, params },
  dense: { format: referenceFormat.id, params: defaultParams(referenceFormat.params) },
  hasKernel: true,
  device: 'NVIDIA H200',
};

describe('the matrices of a large model', () => {
  test('take the sum of the times of its shapes, with lm_head dense in both formats', () => {
    const times = matrixTimesAt(large, stored, 0.5, reports, query);
    const sum = (128 * 11_097 + 64 * 23_558 + 32 * 24_886 + 60_888) / 1e6;
    expect((times?.denseNs ?? 0) / 1e6).toBeCloseTo(sum, 2);
    const inFormat = (128 * 9881.3 + 64 * 20_139 + 32 * 18_545 + 60_888) / 1e6;
    expect((times?.storedNs ?? 0) / 1e6).toBeCloseTo(inFormat, 2);
  });

  test('have a sum only if every shape was measured', () => {
    expect(fullyMeasuredDensities(large, stored, reports, query)).toEqual([0.5, 0.3, 0.1]);
    const times = matrixTimesAt(large, stored, 0.7, reports, query);
    expect(times?.storedNs).toBeNull();
    expect(times?.denseNs).toBeGreaterThan(0);
    expect(times?.shapes.some(({ storedNs }) => storedNs !== null)).toBe(true);
  });

  test('have no time without reports, but a number of bytes', () => {
    const times = matrixTimesAt(large, stored, 0.5, [], query);
    expect(times).toMatchObject({ denseNs: null, storedNs: null });
    expect(times?.storedBytes).toBeLessThan(times?.denseBytes ?? 0);
  });
});

test('PyTorch’s time is of the same device if it was measured there', () => {
  expect(pytorchOn('NVIDIA H200', 'Llama-2-7B')?.card).toBe('H200');
  expect(pytorchOn('GeForce RTX 3090', 'Llama-2-7B')).toMatchObject({
    card: 'H100',
    ways: [{ tokensPerSecond: 30 }, { tokensPerSecond: 58 }, { tokensPerSecond: 141 }, { tokensPerSecond: 146 }],
  });
  expect(pytorchOn('NVIDIA H200', 'GPT-2')).toBeNull();
});

test('the headline compares matrices unless whole tokens were measured for both formats', () => {
  const named = { model: 'L', device: 'D', format: 'F', density: 0.5, pytorch: { ms: 7.09, card: 'H100' } };
  const times = { denseMs: 4.94, storedMs: 3.79, minDenseMs: 3.94, minStoredMs: 2.51, wholeDenseMs: 5.85 };
  const model = { ...named, ...times, wholeStoredMs: null };
  expect(plainText(speedHeadline({ small: null, model }))).toBe(
    'L’s matrices alone take 4.9\u202fms dense and 3.8 in F with 50\u202f% left.',
  );
});
