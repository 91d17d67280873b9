import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allParams, buildMatrix, paramsTitle } from '../../test/arbitraries.ts';
import { type KernelOutcome, runKernels } from '../../test/kernels-on-device.ts';
import { scheduled } from '../../test/scheduled.ts';
import type { AnyFormat, EncodedMatrix } from '../core/format.ts';
import { type KernelSpec, unsuitedReason } from '../core/kernel/kernel.ts';
import { defaultSizes } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import { kernelSupport, type GpuContext, openDevice } from '../gpu/index.ts';
import { formatById, formats } from './registry.ts';

/**
 * The minimum of WebGPU devices: no feature, and the specification's default limits. For every operation that a format
 * has kernels for, one of them must run there.
 */

let device: GpuContext;
beforeAll(async () => {
  device = await openDevice(navigator.gpu, 'test', { minimum: true });
});
afterAll(() => device.destroy());

test('the device has the default limits of the specification and nothing else', () => {
  expect(device.facts.limits).toMatchObject({
    maxBufferSize: 2 ** 28,
    maxStorageBufferBindingSize: 2 ** 27,
    maxStorageBuffersPerShaderStage: 8,
    maxComputeWorkgroupStorageSize: 16384,
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupsPerDimension: 65535,
  });
  for (const feature of ['subgroups', 'timestamp-query', 'shader-f16']) {
    expect(device.facts.features.has(feature), feature).toBe(false);
  }
  expect(device.facts.subgroupMaxSize).toBe(0);
});

const operationsOf = (kernels: readonly { readonly operation: string }[]): readonly string[] =>
  [...new Set(kernels.map((kernel) => kernel.operation))].toSorted();

/** Formats that are always tested: EC-CSR keeps x in workgroup memory and binds the most arrays. */
const ALWAYS_TESTED = ['ec-csr'];

async function checkKernels(format: AnyFormat): Promise<void> {
  const outcomes: readonly KernelOutcome[] = await runKernels(device, format);
  expect(outcomes.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  const right = outcomes.filter(({ outcome }) => outcome === 'right');
  expect(right.length).toBeGreaterThan(0);
  expect(operationsOf(right)).toEqual(operationsOf(format.kernels));
  for (const { reason } of outcomes.filter(({ outcome }) => outcome === 'refused')) {
    expect(reason).toMatch(/^needs '|\(max\w+\)$/);
  }
}

test('the kernels of feed-forward blocks, which bind the most arrays, are correct there', async () => {
  const hybrid = formatById('hybrid');
  const kernels = kernelsOf(hybrid).filter(({ operation }) => operation === 'forward');
  await checkKernels({ ...hybrid, kernels });
});

const [always, others] = [true, false].map((isAlways) =>
  formats.filter(({ id }) => ALWAYS_TESTED.includes(id) === isAlways),
);

test.for(always.map((format) => [format.id, format] as const))(
  '%s has a correct kernel for every operation there',
  ([, format]) => checkKernels(format),
);

for (const format of others) {
  scheduled(
    'a software GPU compiles the kernels of all formats for half a minute',
    'src/formats/contract/kernels.gpu.test.ts, which runs kernels without features as well, and the test of 11008 columns here, which checks what every kernel needs',
    `${format.id} has a correct kernel for every operation there`,
    () => checkKernels(format),
  );
}

describe.for(formats.map((format) => [format.id, format] as const))('%s', ([, format]) => {
  test('has a kernel for every operation on 11008 columns as well, with every combination of parameters', () => {
    for (const params of allParams(format)) {
      const encoded = encodedLayer(format, params);
      const suited = kernelsOf(format).filter((spec) => unsuitedReason(spec, params) === null);
      const supported = suited.filter((spec) => {
        return kernelSupport(spec, encoded, device.facts, {
          ...defaultSizes(operationById(spec.operation)),
          ...spec.max,
        }).ok;
      });
      expect(operationsOf(supported), paramsTitle(params)).toEqual(operationsOf(suited));
    }
  });
});

const kernelsOf = (format: AnyFormat): readonly KernelSpec<EncodedMatrix>[] => format.kernels;

/** A few rows of a layer's width; without non-zeros if one of sixteen does not fit. */
function encodedLayer(format: AnyFormat, params: Readonly<Record<string, unknown>>): EncodedMatrix {
  const layer = (pattern: 'one of sixteen' | 'empty') =>
    buildMatrix({ shape: [16, 11_008], pattern, values: 'normal', density: 0.1, seed: 1, storage: 'entries' });
  const nonEmpty = layer('one of sixteen');
  return format.encode(format.admits(nonEmpty, params).ok ? nonEmpty : layer('empty'), params);
}
