import { describe, expect, it } from 'vitest';
import { asMessage } from './error-messages.ts';

describe('asSentence', () => {
  it.each([
    ['the GPU device was lost: driver reset', 'The GPU device was lost: driver reset.'],
    ['line 3: found 2 numbers, expected 3', 'Line 3: found 2 numbers, expected 3.'],
    ['A run is in progress.', 'A run is in progress.'],
    ['deltaBits: found 3, expected one of 1, 2, 4, 8', 'deltaBits: found 3, expected one of 1, 2, 4, 8.'],
    ['values: found NaN at row 0, column 0', 'values: found NaN at row 0, column 0.'],
    ['a.mtx: line 1: found x', 'a.mtx: line 1: found x.'],
    ['my own file.mtx: line 1: found x', 'my own file.mtx: line 1: found x.'],
    ['found 28672 × 8192', 'Found 28\u202f672 × 8\u202f192.'],
    ['  ', 'Something failed without a message.'],
    ['who knows?', 'Who knows?'],
  ])('writes %j as %j', (message, text) => {
    expect(asMessage(message)).toBe(text);
  });
});
