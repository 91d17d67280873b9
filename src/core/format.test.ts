import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  defaultParams,
  distinctOptions,
  type ParamField,
  paramsKey,
  type ParamSpec,
  resolvedParams,
  storyParams,
  storedKey,
} from './format.ts';

interface Params {
  readonly lanes: number;
  readonly bits: number;
}

const spec: ParamSpec<Params> = {
  lanes: { kind: 'integer', label: 'lanes', meaning: 'Lanes.', default: 32, storyDefault: 2, min: 1, max: 64 },
  bits: { kind: 'integer', label: 'bits', meaning: 'Bits.', default: 8, min: 1, max: 16 },
};

describe('storyParams', () => {
  it('replaces a default by `storyDefault`', () => {
    expect(storyParams(spec, defaultParams(spec))).toEqual({ lanes: 2, bits: 8 });
  });

  it('keeps values other than the default', () =>
    expect(storyParams(spec, { lanes: 4, bits: 16 })).toEqual({ lanes: 4, bits: 16 }));
});

describe('a parameter whose default depends on the shape', () => {
  const width: ParamField<string | number> = {
    kind: 'choice',
    label: 'width',
    meaning: 'Width.',
    default: 'auto',
    auto: ({ cols }) => (cols > 10 ? 2 : 1),
    options: ['auto', 1, 2].map((value) => ({ value, label: String(value) })),
  };
  const specWithWidth = { other: { ...spec.lanes, default: 2 }, width } as unknown as ParamSpec<
    Record<string, string | number>
  >;

  it('a parameter whose default depends on the shape is resolved from auto by the shape, and kept if chosen', () => {
    const resolved = (cols: number, chosen = {}): unknown => resolvedParams(specWithWidth, chosen, { rows: 1, cols });
    expect(resolved(10)).toEqual({ other: 2, width: 1 });
    expect(resolved(11)).toEqual({ other: 2, width: 2 });
    expect(resolved(11, { width: 1, other: 1 })).toEqual({ other: 1, width: 1 });
    expect(Object.keys(resolved(11, { width: 1 }) as object), 'in the order of the format').toEqual(['other', 'width']);
  });

  it('a parameter whose default depends on the shape has distinct options without auto, which equals one of the others', () => {
    expect(distinctOptions(width).map(({ value }) => value)).toEqual([1, 2]);
    expect(distinctOptions({ options: width.options }).map(({ value }) => value)).toEqual(['auto', 1, 2]);
  });
});

const PARAMS = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));

test('parameters have the same key in any order, and different parameters have different keys', () => {
  fc.assert(
    fc.property(PARAMS, fc.string(), (params, name) => {
      expect(paramsKey(Object.fromEntries(Object.entries(params).toReversed()))).toBe(paramsKey(params));
      expect(paramsKey({ ...params, [name]: 'another' })).not.toBe(paramsKey({ ...params, [name]: 'one' }));
    }),
  );
  expect(paramsKey({ deltaBits: 4 })).not.toBe(paramsKey({ deltaBits: '4' }));
});

test('a key names the format first', () => {
  expect(storedKey('macko', { valueType: 'f16', deltaBits: 4 })).toBe('macko [["deltaBits",4],["valueType","f16"]]');
});
