import { describe, expect, it } from 'vitest';
import { formats } from '../../../formats/catalog.ts';
import type { DraftVariant } from '../../../state/index.ts';
import type { Tried } from '../service/try-types.ts';
import { blockFormats, draftValue, kernelChoices } from './choices.ts';
import { logitsWords, power, roundingWords } from './words.ts';

const macko = formats.find(({ id }) => id === 'macko') ?? formats[0];

function draft(changes: Partial<DraftVariant> = {}): DraftVariant {
  return {
    draft: 'd',
    format: 'csr',
    operation: 'spmv',
    params: {},
    kernel: 'csr/scratch',
    files: {},
    overrides: {},
    mark: { name: 'mine', version: 2 },
    ...changes,
  };
}

const TRIED: Tried = {
  kernel: 'macko/spmv_subgroup',
  block: null,
  blockParams: null,
  isSoftware: true,
  multiplied: { inFormat: 42, refusal: null },
  tokens: 32,
  relativeError: 3.3e-7,
  bound: 1e-4,
  ok: true,
  firstOther: null,
  draftFault: null,
  rate: 10,
  usualRate: 10,
};

describe('kernels to choose from', () => {
  it('are those of the format for one token, and drafts, the first one being none in particular', () => {
    const choices = kernelChoices(macko, { valueType: 'f16' }, [draft(), draft({ operation: 'gemm', draft: 'e' })]);
    expect(choices[0]).toMatchObject({ value: '' });
    const ids = choices.filter(({ group }) => group === macko.title).map(({ value }) => value);
    expect(ids).toContain('macko/spmv_subgroup_x16');
    expect(ids.some((id) => id.includes('gemm'))).toBe(false);
    expect(choices.at(-1)).toMatchObject({ value: 'draft d 2', label: 'draft 2 of mine' });
    expect(choices.filter((one) => one.draft)).toHaveLength(1);
    expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
  });

  it('has the same draft once, brought here and listed', () => {
    const twice = kernelChoices(macko, {}, [draft(), draft()]).filter((one) => one.draft);
    expect(twice.map(({ value }) => value)).toEqual([draftValue(draft())]);
  });

  it('has blocks of every format with a kernel for them', () => {
    expect(blockFormats(formats).map(({ id }) => id)).toEqual(['dense', 'twell', 'hybrid']);
  });
});

describe('what came of it', () => {
  it('is by how much the logits are off, and what is allowed', () => {
    expect(logitsWords(TRIED)).toBe(
      'It kept the logits: they differ from the oracle’s behind 32 tokens by 3.3 × 10⁻⁷ of their size, where 1.0 × 10⁻⁴ is allowed.',
    );
    expect(roundingWords(TRIED)).toBeNull();
    expect(roundingWords({ ...TRIED, bound: 2e-3 })).toContain('f16');
    expect(roundingWords({ ...TRIED, block: 'hybrid/forward_workgroup' })).toContain('bf16');
  });

  it('names the first word that is another one', () => {
    const firstOther = { after: ' Omar', found: ' the', expected: ' and' };
    const broken = { ...TRIED, ok: false, relativeError: 0.32, firstOther };
    expect(logitsWords(broken)).toContain('It broke the model: its logits differ');
    expect(logitsWords(broken)).toContain('Behind “Omar” it says “the” where “and” comes.');
    expect(logitsWords({ ...TRIED, ok: false, relativeError: Number.NaN })).toBe(
      'It broke the model: some logits are no numbers.',
    );
  });

  it('writes powers of ten', () => {
    expect(power(0)).toBe('0');
    expect(power(12)).toBe('1.2 × 10¹');
    expect(power(5e-10)).toBe('5.0 × 10⁻¹⁰');
    expect(power(Number.POSITIVE_INFINITY)).toBe('no number');
  });
});
