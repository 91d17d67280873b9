import { describe, expect, it } from 'vitest';
import { formats } from '../../formats/registry.ts';
import { eventually } from '../../../test/eventually.ts';
import { narrationText } from '../../story/scene.ts';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { reportsToJson } from '../reports/report-export.ts';
import { realSession, startingWith } from '../../../test/real-session.ts';
import { decodeHash, encodeHash } from '../url.ts';

const catalog = startingWith({ rows: 200, density: 0.3 }, 'macko', 'dense');
const sessionAt = (hash?: string) => realSession(catalog, hash);

describe('a session with the real engine', () => {
  it('encodes every format without violations, and builds the stories of A and B', async () => {
    const { session, player, start } = sessionAt('#2/watch?beside=1');
    await start();
    await eventually(() => {
      const { encodings } = session.store.getState();
      expect(Object.values(encodings).map((e) => e.kind)).toEqual(formats.map(() => 'ready'));
    });
    const { summary, encodings, trace, storyB, timeline, error, problems } = session.store.getState();
    expect([error, problems]).toEqual([null, []]);
    for (const encoding of Object.values(encodings)) {
      if (encoding.kind !== 'ready') throw new Error('found no encoding');
      expect(encoding.summary).toMatchObject({
        generation: summary?.generation,
        violations: [],
        // The matrix is not pruned to the pattern that SlideSparse needs, and too dense for the slots of TwELL.
        support: { ok: !['slidesparse', 'twell'].includes(encoding.summary.format) },
      });
    }
    if (trace.kind !== 'ready') throw new Error(`found no trace, but ${trace.kind}`);
    expect(trace.trace.window).toMatchObject({ rows: 5, cols: 32 });
    expect(storyB).toMatchObject({ kind: 'ready', trace: { format: 'dense', window: trace.trace.window } });
    const { stepCount } = player.store.getState();
    expect([timeline?.a[stepCount], timeline?.b?.length]).toEqual([trace.trace.steps.length, stepCount + 1]);
  });

  it('encodes a format that rejected the matrix after the matrix was pruned to its pattern', async () => {
    const { session, start } = sessionAt();
    await start();
    await session.prune({ way: 'n-of-m', kept: 6, group: 8 });
    await eventually(() => {
      expect(session.store.getState().encodings['slidesparse']).toMatchObject({
        kind: 'ready',
        summary: { support: { ok: true }, violations: [] },
      });
    });
  });

  it('opens a model at its own level with one matrix on the stage, and keeps the pruning for its other matrices', async () => {
    const { session, document, start } = sessionAt();
    await start();
    const model = { kind: 'model', model: 'qwen2.5-0.5b' } as const;
    await session.openModel(model);
    // The example was not pruned: a model is pruned to half by default.
    const half = { way: 'magnitude', density: 0.5 } as const;
    expect(document.getState().source).toEqual({ kind: 'pruned', base: model, pruning: half });
    expect(session.store.getState().summary?.location).toMatchObject({ model: 'Qwen2.5-0.5B', matrix: 'lm_head' });
    await session.prune({ way: 'n-of-m', kept: 2, group: 4 });
    const keys = { ...model, layer: 3, matrix: 'k' };
    await session.openModel(keys, { row: 7, col: 9, rows: 100, cols: 3 });
    expect(document.getState()).toMatchObject({
      source: { kind: 'pruned', base: keys, pruning: { way: 'n-of-m', kept: 2, group: 4 } },
      window: { row: 7, col: 9, rows: 64, cols: 3 },
    });
    await session.prune(null);
    await session.openModel({ ...model, layer: 4 });
    expect(document.getState().source).toEqual({ ...model, layer: 4 });
    expect(decodeHash(encodeHash(document.getState(), catalog), catalog).document.source).toEqual({
      ...model,
      layer: 4,
    });
  });

  it('chooses the index bits of a window by the columns of the whole matrix', async () => {
    for (const [i, cols] of [65_536, 65_537].entries()) {
      const indexBits = [16, 32][i];
      const { session, start } = sessionAt(`#2/watch?src=generated:uniform&shape=4x${cols}&density=0.01&seed=1&a=csr`);
      await start();
      const { trace } = session.store.getState();
      if (trace.kind !== 'ready') throw new Error(`found no trace, but ${trace.kind}`);
      expect(trace.trace).toMatchObject({ params: { indexBits }, encoded: { indexBits } });
      await eventually(() => {
        const { csr, ell } = session.store.getState().encodings;
        for (const encoding of [csr, ell]) expect(encoding).toMatchObject({ summary: { params: { indexBits } } });
      });
    }
  });

  it('builds a story for every format, and restores the window and the step of a link', async () => {
    const { session, document, player, start } = sessionAt(
      '#2/watch?src=generated:uniform&shape=70x300&density=0.2&seed=3&a=macko&a.deltaBits=2&win=3,40,4,64&moment=7',
    );
    await start();
    expect([session.store.getState().problems, player.store.getState().step]).toEqual([[], 7]);
    const link = encodeHash(document.getState(), catalog);
    for (const { id } of formats) {
      session.setFormat(id);
      expect(session.store.getState().trace).toMatchObject({ kind: 'ready', trace: { format: id } });
    }
    await session.restore(decodeHash(link, catalog).document);
    expect(document.getState()).toMatchObject({
      format: 'macko',
      formatB: { format: 'dense' },
      step: 7,
      window: { row: 3, col: 40, rows: 4, cols: 64 },
    });
    expect(player.store.getState().step).toBe(7);
  });

  it('shows in the story how a rejected window is pruned, if the format prunes', async () => {
    const { session, start } = sessionAt(
      '#2/watch?src=generated:uniform&shape=8x32&density=1&seed=3&a=slidesparse&win=0,0,5,32',
    );
    await start();
    const { trace } = session.store.getState();
    if (trace.kind !== 'ready') throw new Error(`found no trace, but ${trace.kind}`);
    expect(trace.trace.window.nnz).toBe(5 * 4 * 6);
    expect(trace.trace).toMatchObject({ rejected: { nnz: 5 * 4 * 8 } });
    expect(narrationText(trace.story.scene(trace.trace, 0))).toContain('Refused: 40 of 160 are set to zero.');
  });

  it('measures on the CPU, and imports its exported report unchanged', async () => {
    const { session, start } = sessionAt();
    await start();
    const request: BenchRequest = {
      operation: 'spmv',
      sizes: {},
      workload: { kind: 'stage' },
      entries: [{ format: 'macko', params: { deltaBits: 4 }, kernels: 'auto' }],
      memory: 'warm',
      rounds: 2,
      seed: 1,
      where: 'cpu',
    };
    await session.runBench(request);
    expect(session.store.getState().error).toBeNull();
    const [run] = session.store.getState().bench.runs;
    expect(run.reports[0].rows.map((row) => row.verified.ok)).toEqual([true, true]);
    await session.importReport(new File([reportsToJson(run.reports)], 'again.json'));
    expect(session.store.getState().error).toBeNull();
    expect(session.store.getState().bench.runs[0].reports).toEqual(
      run.reports.map((report) => ({ ...report, imported: true })),
    );
    await session.runBench({ ...request, where: 'gpu' });
    expect(session.store.getState().error).toMatch(/^This browser has no WebGPU, or it is disabled: .*\.$/);
  });
});
