// UserFormats: custom formats in the worker, with encodings from the page.

import { describe, expect, it } from 'vitest';
import { localSource, starterText } from '../test/own-runner.ts';
import { testEngine } from '../../../test/engine.ts';
import { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { generate } from '../../../src/generate/generate.ts';
import { UserFormats, type UserFormatRegistration } from './user-formats.ts';

const TEXT = starterText('csr');
const SPEC = { pattern: 'uniform', rows: 48, cols: 32, density: 0.3, seed: 5 } as const;

/** What the page sends to the worker about the open matrix. */
async function registrationOf(generation: number, text = TEXT, reason?: string): Promise<UserFormatRegistration> {
  const source = await localSource('rows', text);
  const roundTrip = source.resultOf(generate(SPEC), {}, { recorded: false });
  const outcome = reason === undefined ? roundTrip : ({ kind: 'refused', reason } as const);
  return { name: 'rows', text, description: source.description, matrix: { generation, params: {}, outcome } };
}

/** An engine in which the matrix is open. */
async function openedMatrix() {
  const engine = testEngine({ provider: new UserFormats() });
  return { engine, generation: (await engine.matrix.open({}, { kind: 'generated', spec: SPEC })).generation };
}

const rejectedFor = (reason: string) => ({ ledger: null, support: { ok: false, reason } });

describe('a custom format in the worker', () => {
  it('encodes the open matrix with the result from the page, and decodes it', async () => {
    const { engine, generation } = await openedMatrix();
    const { generation: cellsGeneration, ...cells } = await engine.matrix.cells({});
    expect(cellsGeneration).toBe(generation);
    expect(new CsrMatrix(cells)).toEqual(generate(SPEC));
    await engine.matrix.registerFormat({}, await registrationOf(generation));
    const { ledger } = await engine.matrix.encode({}, 'mine:rows', {});
    const { ledger: csrLedger } = await engine.matrix.encode({}, 'csr', {});
    expect(ledger?.totalBytes).toBeGreaterThan(0);
    // Its starts are u32, as in the built-in CSR.
    expect(ledger?.totalBits.values).toBe(csrLedger?.totalBits.values);
  });

  it('does not use a result for another matrix or other parameters', async () => {
    const { engine, generation } = await openedMatrix();
    const registration = await registrationOf(generation);
    const notRun = rejectedFor('CSR has not run on this matrix');
    await engine.matrix.registerFormat({}, { ...registration, matrix: null });
    expect(await engine.matrix.encode({}, 'mine:rows', {})).toMatchObject(notRun);
    await engine.matrix.open({}, { kind: 'generated', spec: { ...SPEC, seed: 6 } });
    await engine.matrix.registerFormat({}, registration);
    expect(await engine.matrix.encode({}, 'mine:rows', {})).toMatchObject(notRun);
  });

  it('rejects with the author’s message', async () => {
    const reason = 'Rows are too short for this.';
    const { engine, generation } = await openedMatrix();
    await engine.matrix.registerFormat({}, await registrationOf(generation, TEXT, reason));
    expect(await engine.matrix.encode({}, 'mine:rows', {})).toMatchObject(rejectedFor(reason));
  });

  it('is a new format if its text changes', async () => {
    const { engine, generation } = await openedMatrix();
    await engine.matrix.registerFormat({}, await registrationOf(generation));
    const before = await engine.matrix.encode({}, 'mine:rows', {});
    const wider = TEXT.replace("'f16 values'", "'f32 values'");
    expect(wider).not.toBe(TEXT);
    await engine.matrix.registerFormat({}, await registrationOf(generation, wider));
    const after = await engine.matrix.encode({}, 'mine:rows', {});
    expect(after.ledger?.totalBits.values).toBe(2 * (before.ledger?.totalBits.values ?? 0));
  });

  it('is timed next to the others on the CPU, and its product is verified', async () => {
    const { engine, generation } = await openedMatrix();
    await engine.matrix.registerFormat({}, await registrationOf(generation));
    const entries = [{ format: 'mine:rows', params: {}, kernels: 'auto' as const }];
    const options = { operation: 'spmv', sizes: {}, workload: { kind: 'stage' }, entries, memory: 'warm' } as const;
    const report = await engine.bench.run({}, { ...options, rounds: 2, seed: 7, where: 'cpu' }, () => {});
    const row = report.rows.find(({ format }) => format === 'mine:rows');
    expect(row?.verified.ok).toBe(true);
  });
});
