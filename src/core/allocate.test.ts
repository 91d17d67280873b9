import { describe, expect, it } from 'vitest';
import { allocate, allocateIndices, lengthProblem, MAX_ARRAY_BYTES } from './allocate.ts';
import { FormatError } from './errors.ts';

describe('allocate', () => {
  it('returns a zeroed array of the type', () => {
    expect(allocate('data', Uint16Array, 3)).toEqual(new Uint16Array(3));
    expect(allocateIndices('indices', 16, 2)).toEqual(new Uint16Array(2));
    expect(allocateIndices('indices', 32, 2)).toEqual(new Uint32Array(2));
  });

  it('rejects a length that needs more than the largest array, and names both sizes', () => {
    expect(() => allocate('data', Float32Array, 2 ** 31)).toThrow(FormatError);
    expect(() => allocate('data', Float32Array, 2 ** 31)).toThrow(
      'data: needs 8.59 GB, one array holds at most 4.29 GB',
    );
  });

  it('allows exactly MAX_ARRAY_BYTES', () => {
    expect(lengthProblem('mask', MAX_ARRAY_BYTES, 1)).toBeNull();
    expect(lengthProblem('mask', MAX_ARRAY_BYTES + 1, 1)).not.toBeNull();
  });

  it('throws FormatError with the size if the memory is not available', () => {
    class Exhausted {
      static readonly BYTES_PER_ELEMENT = 4;
      constructor(_length: number) {
        throw new RangeError('Array buffer allocation failed');
      }
    }
    expect(() => allocate('data', Exhausted, 10 ** 9)).toThrow('data: needs 4.00 GB, which could not be allocated');
  });
});
