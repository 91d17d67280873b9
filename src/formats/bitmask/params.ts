import type { ParamSpec } from '../../core/format.ts';

export interface BitmaskParams {
  readonly valueType: 'f16' | 'f32';
}

export const params: ParamSpec<BitmaskParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'How a non-zero is stored: half or single precision.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
    ],
  },
};
