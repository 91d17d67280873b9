import { expect, it } from 'vitest';
import { defaultDocument, withSource } from '../document.ts';
import { CATALOG, FakeEngine, fakeSession, settle } from '../../../test/fake-engine.ts';

/** The row of the highlight of each format. */
const ROWS: Readonly<Record<string, number>> = { csr: 1, macko: 4 };

it('choosing another format moves the window to its highlight, but an address with another format keeps its window', async () => {
  for (const change of ['choice', 'address']) {
    const engine = new FakeEngine();
    engine.matrix.highlight = async (_: unknown, format: string) => ({
      generation: engine.generation,
      cut: { region: { row: ROWS[format], col: 0, rows: 2, cols: 8 }, hasCase: true },
    });
    const { session, document } = fakeSession(engine);
    const wide = withSource(defaultDocument(CATALOG), { kind: 'example', id: 'wide' });
    document.setState({ ...wide, format: 'csr', formatB: null });
    await session.start();
    await settle();
    const { window } = document.getState();
    if (change === 'choice') session.setFormat('macko');
    else await session.restore({ ...document.getState(), format: 'macko', frame: 4, step: 0 });
    await settle();
    const now = document.getState();
    expect(window?.row).toBe(1);
    expect([change, now.format, now.window?.row]).toEqual([change, 'macko', change === 'choice' ? 4 : 1]);
  }
});
