import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cheat, CHEAT_RUNS, cheatMatrix, cheats, race } from '../../test/cheats.ts';
import { openTestDevice, type ToyEncoded } from '../../test/gpu.ts';
import { cases, scheduled } from '../../test/scheduled.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import type { BenchReport } from '../core/report.ts';
import { GpuContext } from './device.ts';

// Cheats are kernels that pass verification, but skip work while they are timed. Each has a control kernel: the same code that
// never skips work.
const ALL = cheats(CHEAT_RUNS);
const TABLES = ALL.filter(({ id }) => id.startsWith('keeps a table'));
const ON_ONE_MATRIX = ALL.filter(({ matrix }) => matrix === cheatMatrix);
/** Seeds of the inputs and of the choice of samples that are compared. */
const SECRETS = Array.from({ length: cases(1, 12) }, (_, i) => 5 + i);

let context: GpuContext;
beforeEach(async () => {
  context = await openTestDevice();
});
afterEach(() => context.destroy());

const draftsOf = (chosen: readonly Cheat[]): KernelSpec<ToyEncoded>[] => chosen.map(({ draft }) => draft);

/** The verdict of a run on each kernel, by id: correct, timed samples, and compared samples (at most the timed ones). */
function verdicts(report: BenchReport): Record<string, unknown> {
  return Object.fromEntries(
    report.rows.slice(1).map(({ kernel, verified, samplesNs }) => [
      kernel,
      {
        ok: verified.ok,
        samples: samplesNs.length,
        compared: Math.min(verified.checkedWhileTimed ?? 0, samplesNs.length),
      },
    ]),
  );
}

/** The same verdict for all kernels, by id. */
function sameVerdict<V>(kernels: readonly KernelSpec<ToyEncoded>[], verdict: V): Record<string, V> {
  return Object.fromEntries(kernels.map(({ id }) => [id, verdict]));
}

const RIGHT = { ok: true, samples: 12, compared: 12 };
const CAUGHT = { ok: false, samples: 0, compared: 0 };

test('every cheat passes a verification without timing', async () => {
  const kernels = draftsOf(ON_ONE_MATRIX);
  expect(verdicts(await race(context, kernels, cheatMatrix, { verifyOnly: true }))).toEqual(
    sameVerdict(kernels, { ok: true, samples: 0, compared: 0 }),
  );
});

test('cheats that leave work out while they are timed are detected, and get no time', async () => {
  const kernels = draftsOf(ON_ONE_MATRIX.filter(({ verdict }) => verdict === 'refused'));
  for (const secret of SECRETS) {
    const report = await race(context, kernels, cheatMatrix, { secret });
    expect(verdicts(report)).toEqual(sameVerdict(kernels, CAUGHT));
    expect(report.rows[0]).toMatchObject({ kernel: 'dense/spmv_toy', verified: { ok: true } });
  }
});

scheduled(
  'every kernel is compiled for a separate race',
  'those that keep a table of answers here, which find nothing either, and those that are caught',
  'cheats that find no sign of the beginning of a sample, and no inputs that they know, compute in every run',
  async () => {
    const kernels = draftsOf(ON_ONE_MATRIX.filter(({ verdict }) => verdict === 'computes'));
    for (const secret of SECRETS) {
      expect(verdicts(await race(context, kernels, cheatMatrix, { secret }))).toEqual(sameVerdict(kernels, RIGHT));
    }
  },
);

test('cheats that look up answers of earlier runs find none, for any number of runs per sample, and compute', async () => {
  const kernels = draftsOf(TABLES);
  expect(kernels).toHaveLength(2);
  const single = await race(context, kernels, TABLES[0].matrix, { verifyOnly: true });
  expect(verdicts(single)).toEqual(sameVerdict(kernels, { ok: true, samples: 0, compared: 0 }));
  for (const secret of SECRETS) {
    const report = await race(context, kernels, TABLES[0].matrix, { secret, sampleRuns: 640 });
    expect(verdicts(report)).toEqual(sameVerdict(kernels, RIGHT));
  }
});

test('a cheat that counts runs in the signs of zeros finds no count, and computes in every run', async () => {
  const signCheats = ALL.filter((cheat) => !ON_ONE_MATRIX.includes(cheat) && !TABLES.includes(cheat));
  for (const secret of SECRETS) {
    expect(verdicts(await race(context, draftsOf(signCheats), signCheats[0].matrix, { secret }))).toEqual(
      sameVerdict(draftsOf(signCheats), RIGHT),
    );
  }
});

scheduled(
  'every kernel is compiled twice more',
  'the other tests here, whose control kernels have to be right',
  'the control kernels, which leave nothing out, are right',
  async () => {
    const controls = ON_ONE_MATRIX.map(({ control }) => control).filter((_, i) => i % cases(4, 1) === 0);
    for (const secret of SECRETS) {
      expect(verdicts(await race(context, controls, cheatMatrix, { secret }))).toEqual(sameVerdict(controls, RIGHT));
    }
  },
);

test('a kernel whose scratch memory is too large for two runs is not timed, and the report gives the reason', async () => {
  const limits = { ...context.facts.limits, maxStorageBufferBindingSize: 2 ** 24 };
  const small = new GpuContext(context.device, { ...context.facts, limits }, context.environment);
  const [{ control }] = ALL;
  const large: KernelSpec<ToyEncoded> = {
    ...control,
    plan: (...args) => {
      const plan = control.plan(...args);
      return { ...plan, buffers: [...plan.buffers, { role: 'scratch', name: 'unused', bytes: 12 * 2 ** 20 }] };
    },
  };
  const { rows, refused: rejected } = await race(small, [large, ALL[1].control], cheatMatrix);
  expect(rows.map(({ kernel }) => kernel)).toEqual(['dense/spmv_toy', ALL[1].control.id]);
  expect(rejected).toEqual([
    {
      kernel: large.id,
      format: 'toy',
      params: { valueType: 'f32' },
      reason: `${large.id}: unused of 2 runs: needs a buffer of 25165824 bytes, the limit of this GPU is 16777216`,
    },
  ]);
});
