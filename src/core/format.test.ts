import { describe, expect, it } from 'vitest';
import { defaultParams, type ParamSpec, stageParams } from './format.ts';

interface Params {
  readonly lanes: number;
  readonly bits: number;
}

const spec: ParamSpec<Params> = {
  lanes: { kind: 'integer', label: 'lanes', meaning: 'Lanes.', default: 32, onStage: 2, min: 1, max: 64 },
  bits: { kind: 'integer', label: 'bits', meaning: 'Bits.', default: 8, min: 1, max: 16 },
};

describe('stageParams', () => {
  it('takes the value for the stage in the place of the default', () => {
    expect(stageParams(spec, defaultParams(spec))).toEqual({ lanes: 2, bits: 8 });
  });

  it('keeps what was chosen', () => {
    expect(stageParams(spec, { lanes: 4, bits: 16 })).toEqual({ lanes: 4, bits: 16 });
  });
});
