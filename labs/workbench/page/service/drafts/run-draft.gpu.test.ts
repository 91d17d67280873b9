// runDraft on a GPU: compiles a user's changed kernel, checks its outputs, stops endless loops, and times it.

import { describe, expect, it } from 'vitest';
import { draftHost, endOf, messagesIn, sparseMatrix } from '../../../test/draft-host.ts';
import { threadPace } from '../../../../../src/core/pace.ts';
import { formats } from '../../../../../src/formats/registry.ts';
import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { kernelFiles } from '../../../../../src/engine/kernel-reading/kernel-reading.ts';
import type { DraftCheck, DraftEvent, DraftRequest } from './draft-types.ts';
import { runDraft } from './run-draft.ts';

const host = draftHost(sparseMatrix(40, 90));
const { device } = host;

const KERNEL = 'csr/spmv_scalar';
const FILE = 'csr/spmv_scalar.wgsl';
const original = kernelFiles(formats).find(({ path }) => path === FILE)?.code ?? '';

/** Runs the draft with these changes, and returns its events, except those about its current activity. */
async function events(
  change: Partial<DraftRequest>,
  onEvent: (event: DraftEvent) => void = () => {},
): Promise<readonly DraftEvent[]> {
  const received: DraftEvent[] = [];
  const request = { kernel: KERNEL, params: {}, files: {}, overrides: {}, sizes: {}, time: true, ...change };
  await runDraft(host, request, new ServiceJob(threadPace, () => {}), (event) => {
    received.push(event);
    onEvent(event);
  });
  return received;
}

/** The kernel with a part of its text replaced. */
function edited(from: string, to: string): Partial<DraftRequest> {
  expect(original).toContain(from);
  return { files: { [FILE]: original.replace(from, to) } };
}

const stages = (all: readonly DraftEvent[]): readonly string[] => all.map(({ stage: name }) => name);
const checks = (all: readonly DraftEvent[]): readonly DraftCheck[] =>
  all.filter((event): event is DraftCheck => event.stage === 'checked');

describe('runDraft', () => {
  it('finds an unchanged draft correct on all matrices, and does not time it on a software adapter', async () => {
    const received = await events({});
    const names = ['a matrix', '7 × 96 with 333 non-zeros', 'empty rows first', 'x[0] = NaN', 'x[0] = Infinity'];
    expect(checks(received).map(({ matrix: name, ok, declined }) => [name, ok, declined])).toEqual(
      names.map((name) => [name, true, null]),
    );
    expect(stages(received)).toEqual(['compiled', ...names.map(() => 'checked'), 'budget', 'ended']);
    expect(endOf(received)).toMatch(/^true The draft is right on all 5 matrices\. This is a software adapter/);
  });

  it('reports compiler errors at the lines of the draft’s file', async () => {
    const received = await events(edited('var sum = 0.0;', 'var sum = 0.0; let a = wrong_name;'));
    const line = original.split('\n').findIndex((text) => text.includes('var sum = 0.0;')) + 1;
    expect(messagesIn(received)).toMatchObject([{ severity: 'error', file: FILE, line, length: 'wrong_name'.length }]);
    expect(messagesIn(received)[0].text).toContain('wrong_name');
    expect(stages(received)).toEqual(['compiled', 'ended']);
    expect(endOf(received)).toContain(`false It does not compile: ${FILE}, line ${line}: `);
  });

  it('reports one error for a changed binding, for too many lanes, and for an unknown override', async () => {
    const writes = await events(edited('var<storage, read> x', 'var<storage, read_write> x'));
    const line = original.split('\n').findIndex((text) => text.includes('var<storage, read> x')) + 1;
    expect(messagesIn(writes)).toMatchObject([{ severity: 'error', file: FILE, line }]);
    expect(endOf(writes)).toContain('binding 4, x: found var<storage, read_write>, expected var<storage, read>');
    const huge = await events({ overrides: { WORKGROUP_SIZE: 1_000_000 } });
    expect(messagesIn(huge)).toMatchObject([{ severity: 'error', file: 'csr/spmv_scalar.wgsl' }]);
    expect(endOf(huge)).toMatch(/^false It does not compile: .*1000000/);
    expect(endOf(await events({ overrides: { LANES: 3 } }))).toBe(
      "false csr/spmv_scalar, overrides: found 'LANES', expected one of WORKGROUP_SIZE.",
    );
  });

  it('reports the wrong outputs of a draft, and does not time it', async () => {
    const received = await events(edited('y[row] = sum;', 'y[row] = select(sum, sum + 1.0, row % 4u == 1u);'));
    const [open] = checks(received);
    expect(open).toMatchObject({ ok: false, wrong: 10, outputs: 40 });
    expect(open.first.map(({ output }) => output)).toEqual([1, 5, 9, 13, 17, 21, 25, 29, 33, 37]);
    expect([...(open.wrongOutputs ?? [])].flatMap((wrong, i) => (wrong ? [i] : []))).toEqual(
      open.first.map(({ output }) => output),
    );
    expect(endOf(received)).toBe(
      'false Wrong, so not timed: on a matrix, 10 of 40 outputs are wrong, and 4 more of 5 matrices are wrong.',
    );
  });

  it('detects a draft that writes past the end of its output', async () => {
    const received = await events(
      edited('y[row] = sum;', 'y[row] = sum; if (row == 0u) { y[params.rows + 2u] = 1.0; }'),
    );
    expect(checks(received)[0]).toMatchObject({ ok: false, wrong: 0 });
    expect(checks(received)[0].guard).toBe('1 word was written past the end of y, the first 8 bytes behind its end.');
    expect(endOf(received)).toContain('false Wrong, so not timed');
  });

  it('detects a draft that is correct only if guard words follow its output, which a benchmark does not bind', async () => {
    const received = await events(
      edited('y[row] = sum;', 'y[row] = select(0.0, sum, arrayLength(&y) > params.rows + 3u);'),
    );
    expect(checks(received).slice(0, 5)).toMatchObject(Array.from({ length: 5 }, () => ({ ok: true })));
    expect(endOf(received)).toMatch(/^false Right with limited loops, wrong as written/);
    expect(stages(received)).not.toContain('timed');
  });

  it.each([
    ['a loop without an end', 'var sum = 0.0;', 'var sum = 0.0; while (sum >= 0.0) { sum += 1.0; }'],
    [
      'an endless loop with barriers',
      'let row =',
      'var i = 1u; for (; i > 0u; i |= 1u) { workgroupBarrier(); } let row =',
    ],
  ])('stops a draft with %s, and runs the next draft', async (_, from, to) => {
    const received = await events(edited(from, to));
    const line = original.split('\n').findIndex((text) => text.includes(from)) + 1;
    expect(received.find((event) => event.stage === 'budget')).toMatchObject({
      stopped: true,
      loop: { file: FILE, line },
    });
    expect(stages(received)).toEqual(['compiled', 'budget', 'ended']);
    expect(endOf(received)).toMatch(
      /^false On a matrix, the loop in line \d+ of csr\/spmv_scalar\.wgsl took more than [\d,]+ turns: stopped\.$/,
    );
    expect(endOf(await events({ time: false }))).toBe('true The draft is right on all 5 matrices.');
  });

  it.each([
    [
      'redeclares the counter of its loop',
      'var sum = 0.0;',
      'var sum = 0.0; let sparsescope_iterations_0 = 1u; loop { }',
    ],
    ['has more loops than any kernel', 'var sum = 0.0;', `var sum = 0.0; ${'loop { break; } '.repeat(300)}`],
  ])('rejects a draft that %s before compiling it, with one message', async (_, from, to) => {
    const received = await events(edited(from, to));
    expect(stages(received)).toEqual(['ended']);
    expect(endOf(received)).toMatch(/^false csr\/spmv_scalar\.wgsl.*: found .*, expected .*\.$/);
  });

  it('ends a run with a message when the device is lost, and runs the next draft', async () => {
    const context = await device.open();
    const received = await events({}, (event) => {
      if (event.stage === 'compiled') context.destroy();
    });
    expect(endOf(received)).toMatch(/^false The GPU device was .*The next run opens it again\.$/);
    expect(endOf(await events({ time: false }))).toBe('true The draft is right on all 5 matrices.');
  });
});
