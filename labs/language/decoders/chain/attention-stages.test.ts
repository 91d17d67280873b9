// The choice of attention kernels and workgroup sizes for one token of a chain (a decoder on the GPU).

import { describe, expect, it } from 'vitest';
import { exampleDevice } from '../../../../src/gpu/index.ts';
import { tinyConfig } from '../../test/decoders.ts';
import type { DecoderConfig } from '../decoder.ts';
import { attentionPass, mergePass, spanCount } from './attention-stages.ts';
import type { StageDevice } from './stage-device.ts';

const config = (headDim: number): DecoderConfig => tinyConfig({ heads: 32, kvHeads: 32, headDim });

/** Returns the kernels, constants and workgroups of attention of one token, whose positions are divided into spans. */
function stagesOf(headDim: number, device: StageDevice) {
  const piece = { at: 0, stride: 96 * headDim };
  const shape = {
    config: config(headDim),
    pieces: { q: piece, k: piece, v: piece },
    context: 4096,
    isBiased: false,
    tokens: 1,
    isUnscaled: false,
  };
  const stages = [attentionPass(shape, { fillsCache: true, inSpans: true }, device), mergePass(shape, device)];
  return {
    names: stages.map(({ files }) => files[files.length - 1].path),
    constants: stages[0].constants,
    workgroups: stages[0].workgroups,
  };
}

describe('attention of one token', () => {
  const gpu = exampleDevice();

  it('uses teams of eight lanes for heads of 128 columns', () => {
    const { names, constants, workgroups } = stagesOf(128, gpu);
    expect(names).toEqual(['language/attention_teams.wgsl', 'language/merge.wgsl#four']);
    expect(constants).toMatchObject({ WORKGROUP_SIZE: 512, PARTS: 8, SUBGROUPS: 16, SPANS: 4 });
    expect(workgroups).toEqual([32, 1, 4]);
  });

  it('is divided into four spans after more than 128 tokens', () => {
    expect([0, 1, 128, 129, 4096].map((positions) => spanCount(config(128), positions, gpu, 1))).toEqual([
      1, 1, 1, 4, 4,
    ]);
    expect(spanCount(config(128), 4096, gpu, 2)).toBe(8);
  });

  it.each([
    ['16 KiB of workgroup memory and subgroups of 8 to 32 lanes', 128, 16_384, 1024, 8, 128],
    ['256 lanes of a workgroup', 128, 49_152, 256, 32, 256],
    ['heads of 256 columns', 256, 49_152, 1024, 32, 512],
  ])('has as many lanes as the device’s limits allow: %s', (_, headDim, memory, maxLanes, subgroup, lanes) => {
    const limits = {
      ...gpu.limits,
      maxComputeWorkgroupStorageSize: memory,
      maxComputeInvocationsPerWorkgroup: maxLanes,
    };
    const { names, constants } = stagesOf(headDim, { ...gpu, limits, subgroupMinSize: subgroup });
    expect(names[0]).toBe('language/attention_teams.wgsl');
    expect(constants).toMatchObject({ WORKGROUP_SIZE: lanes, SUBGROUPS: lanes / subgroup });
  });

  it.each([
    ['no subgroups', 128, { ...gpu, features: new Set<string>() }],
    ['subgroups smaller than a team', 128, { ...gpu, subgroupMinSize: 4 }],
    [
      'memory for less than a subgroup',
      512,
      { ...gpu, limits: { ...gpu.limits, maxComputeWorkgroupStorageSize: 4096 } },
    ],
  ])('uses the kernel without teams: %s', (_, headDim, device) => {
    expect(stagesOf(headDim, device).names).toEqual(['language/attention.wgsl', 'language/merge.wgsl#many']);
    expect(spanCount(config(headDim), 4096, device, 1)).toBe(32);
  });
});
