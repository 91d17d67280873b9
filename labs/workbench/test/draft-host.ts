// For tests: the host in which drafts run, and the events of their runs.

import { buildMatrix } from '../../../test/arbitraries.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { threadPace } from '../../../src/core/pace.ts';
import { formats } from '../../../src/formats/registry.ts';
import { AWKWARD_MATRICES } from '../../../src/generate/awkward/matrices.ts';
import type { BenchMatrix } from '../../../src/engine/bench/bench-host.ts';
import { DeviceHolder } from '../../../src/engine/device.ts';
import type { DraftHost } from '../page/service/drafts/run-draft.ts';
import type { DraftEvent } from '../page/service/drafts/draft-types.ts';
import { draftGate } from '../worker.ts';
import { encodeTimed } from '../../../src/engine/matrix/encodings.ts';

/** For tests: a host for drafts (users' kernels) in which `matrix` is open, with two other matrices for trials. */
export function draftHost(matrix: Matrix): DraftHost {
  const openMatrix: BenchMatrix = {
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
    openMatrix: async () => openMatrix,
    drafts: draftGate,
    isHidden: () => false,
    exclusively: (work) => work(),
    draftMatrices: AWKWARD_MATRICES.filter(({ name }) => /^(?:empty rows first|7 × 96 with)/.test(name)),
  };
}

/** A random matrix with density 0.2. */
export const sparseMatrix = (rows: number, cols: number): Matrix =>
  buildMatrix({ shape: [rows, cols], pattern: 'uniform', values: 'normal', density: 0.2, seed: 1, storage: 'entries' });

/** Returns the compiler's messages in the events of a run. */
export const messagesIn = (events: readonly DraftEvent[]) =>
  events.flatMap((event) => (event.stage === 'compiled' ? event.messages : []));

/** Returns 'true' or 'false', whether the draft was correct, and the last message of a run. */
export function endOf(events: readonly DraftEvent[]): string {
  const last = events.at(-1);
  return last?.stage === 'ended' ? `${last.ok} ${last.sentence}` : `${last?.stage}`;
}
