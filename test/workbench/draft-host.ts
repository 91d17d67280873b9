import type { Matrix } from '../../src/core/matrix/index.ts';
import { threadPace } from '../../src/core/pace.ts';
import { formats } from '../../src/formats/registry.ts';
import { AWKWARD_MATRICES } from '../../src/generate/awkward/matrices.ts';
import type { BenchMatrix } from '../../src/engine/bench/bench-host.ts';
import { DeviceHolder } from '../../src/engine/device.ts';
import type { DraftHost } from '../../src/labs/workbench/place/service/drafts/run-draft.ts';
import { draftGate } from '../../src/labs/workbench/worker.ts';
import { encodeTimed } from '../../src/engine/matrix/encodings.ts';

/** The host of drafts in which `matrix` is open, with few other matrices for trials. */
export function draftHost(matrix: Matrix): DraftHost {
  const stage: BenchMatrix = {
    matrix,
    source: 'a matrix',
    encode: (format, params, job) => encodeTimed(format, matrix, params, job, threadPace),
    isEncoded: () => false,
  };
  return {
    ...threadPace,
    app: 'test 0',
    runtime: 'test',
    formats,
    device: new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' }),
    openMatrix: async () => stage,
    drafts: draftGate,
    isHidden: () => false,
    exclusively: (work) => work(),
    draftMatrices: AWKWARD_MATRICES.filter(({ name }) => /^(?:empty rows first|7 × 96 with)/.test(name)),
  };
}
