import { expect, it } from 'vitest';
import { formats } from '../../formats/registry.ts';
import { kernelText } from './kernel-texts.ts';
import { kernelSource } from '../../engine/kernel-reading/kernel-reading.ts';

it('the stored text of a kernel is what the worker would send, and only for the default parameters', async () => {
  const kernel = 'macko/spmv_staged';
  const source = kernelSource({ formats }, { kernel, params: {} });
  const passes = source.passes.map((pass) => ({ ...pass, code: '' }));
  expect(await kernelText('macko', kernel, source.params)).toEqual({ ...source, passes });
  expect(await kernelText('macko', kernel, { ...source.params, valueType: 'another' })).toBeNull();
  expect(await kernelText('macko', 'macko/what', {})).toBeNull();
  expect(await kernelText('of-a-user', kernel, {})).toBeNull();
});
