import { expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { scratchOf } from '../../core/scratch/card.ts';
import { scratchKernel } from '../../core/scratch/kernel.ts';
import { formats } from '../../formats/registry.ts';
import { compileMessages } from '../../gpu/drafts/index.ts';
import { standInMatrix } from '../../gpu/index.ts';
import { DeviceHolder } from '../device.ts';

const device = new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' });

/** A format with every value of its type of values: what decides how its arrays are packed. */
const cases = formats
  .filter((format) => scratchOf(format).length > 0)
  .flatMap((format) => {
    const field = format.params.valueType as { options?: readonly { value: string }[] } | undefined;
    const types = field?.options?.map(({ value }) => value) ?? [undefined];
    return types.map((valueType) => [`${format.id} ${valueType ?? ''}`.trim(), format, valueType] as const);
  });

it.each(cases)('the kernel from scratch of %s compiles', async (_, format, valueType) => {
  const params = { ...defaultParams<object>(format.params), ...(valueType === undefined ? {} : { valueType }) };
  const kernel = scratchKernel(format);
  const context = await device.open();
  const encoded = format.encode(standInMatrix(64, 64), params);
  expect(kernel.fits(encoded, context.facts, {})).toMatchObject({ ok: true });
  expect(await compileMessages(context, kernel.id, kernel.plan(encoded, context.facts, {}))).toEqual([]);
});
