import { describe, expect, it } from 'vitest';
import { formats } from '../../formats/catalog.ts';
import type { EncodingSummary, MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { ledger } from '../../core/encoded/ledger.ts';
import { withRemedy } from '../../state/document.ts';
import { type AppDocument, defaultDocument, type EncodingState } from '../../state/index.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { findRows, formatRows, remedyText } from './format-rows.ts';

const examples = [{ id: 'digits-gate-l1-3e-2', title: 'gate', url: 'gate.npz' }];
const doc: AppDocument = { ...defaultDocument({ ...CATALOG, formats }), format: 'macko' };
const ready = (format: string, changed: Partial<EncodingSummary>): EncodingState => ({
  kind: 'ready',
  params: doc.params[format],
  summary: {
    generation: 1,
    format,
    params: doc.params[format],
    support: { ok: true, notes: [] },
    ledger: ledger([], 0),
    reason: null,
    wholeFacts: [],
    facts: [],
    violations: [],
    validated: 'full',
    bounds: null,
    encodeMs: 1,
    digest: {},
    ...changed,
  },
});
const rejected = (format: string, prune?: { kept: number; group: number }): EncodingState =>
  ready(format, {
    ledger: null,
    support: { ok: false, reason: 'it is full', remedy: null, ...(prune && { prune }) },
  });

const rows = (changed: Partial<Parameters<typeof formatRows>[0]> = {}) =>
  formatRows({
    formats,
    doc,
    side: 'a',
    encodings: {
      macko: ready('macko', { ledger: { ...ledger([], 0), totalBytes: 1234 } }),
      twell: rejected('twell'),
      slidesparse: rejected('slidesparse', { kept: 6, group: 8 }),
    },
    summary: null,
    examples,
    ...changed,
  });
const row = (id: string, all = rows()) => all.find(({ format }) => format.id === id) ?? all[0];

describe('the rows of the list of formats', () => {
  it('are grouped, with the rows of a group next to each other', () => {
    const groups = rows().map(({ format }) => format.group);
    expect([...new Set(groups)]).toEqual(['baseline', 'classic', 'pruned weights', 'activations', 'N:M']);
    expect(groups).toEqual(groups.toSorted((a, b) => groups.indexOf(a) - groups.indexOf(b)));
    expect(rows()).toHaveLength(formats.length);
  });
  it('have the bytes of encoded formats', () => {
    expect(row('macko')).toMatchObject({ bytes: 1234, isExpected: false, remedy: null });
    expect(row('csr')).toMatchObject({ bytes: null, remedy: null });
  });
  it('have the parameters of B, if format B is chosen', () => {
    const formatB = { format: 'macko', params: { ...doc.params.macko, deltaBits: 8 } };
    const rowFor = (side: 'a' | 'b') => row('macko', rows({ side, doc: { ...doc, formatB } }));
    expect([rowFor('b').choice, rowFor('a').choice]).toEqual([formatB, { format: 'macko', params: doc.params.macko }]);
    expect(rowFor('b').bytes).toBeNull();
  });
  it('of a format that cannot store the matrix offer a change after which it can', () => {
    expect(remedyText(row('twell'))).toBe('opens sparse activations');
    expect(remedyText(row('slidesparse'))).toBe('prunes to 6:8 first');
    expect(remedyText(row('twell', rows({ examples: [] })))).toBe('cannot store this');
    expect(remedyText(row('macko'))).toBe('');
  });
  it('do not offer an example that is already open', () => {
    const source = { kind: 'example', id: 'digits-gate-l1-3e-2' } as const;
    expect(row('twell', rows({ doc: { ...doc, source } })).remedy).toBeNull();
  });
  it('have bytes by closed forms until the whole matrix is requested', () => {
    const { source } = doc;
    const summary = { rows: 4096, cols: 4096, density: 0.5, source, sampledRows: 64 } as unknown as MatrixSummary;
    const all = rows({ summary, encodings: {} });
    expect(row('dense', all)).toMatchObject({ bytes: 4096 * 4096 * 2, isExpected: true });
    expect(row('twell', all)).toMatchObject({ bytes: null, isRefused: true });
  });
});

describe('choosing a row', () => {
  const chosen = (side: 'a' | 'b', { choice, remedy }: ReturnType<typeof row>) => withRemedy(doc, side, choice, remedy);
  it('chooses its format as A or B and changes nothing else', () => {
    expect(chosen('a', row('csr'))).toEqual({ ...doc, format: 'csr', step: 0 });
    expect(chosen('b', row('csr')).formatB).toEqual({ format: 'csr', params: doc.params.csr });
  });
  it('opens the example, or prunes the matrix, if its format cannot store the matrix', () => {
    const open = chosen('a', row('twell'));
    expect(open).toMatchObject({
      format: 'twell',
      source: { kind: 'example', id: 'digits-gate-l1-3e-2' },
      window: null,
    });
    const pruned = chosen('b', row('slidesparse'));
    expect(pruned).toMatchObject({
      format: 'macko',
      formatB: { format: 'slidesparse' },
      source: { kind: 'pruned', base: doc.source, pruning: { way: 'n-of-m', kept: 6, group: 8 } },
    });
  });
});

describe('findRows(rows, query)', () => {
  const found = (query: string) => findRows(rows(), query).map(({ format }) => format.title);
  it('finds titles and groups, titles that begin with it first', () => {
    expect(found('  ')).toHaveLength(formats.length);
    expect([found('mac'), found('activations'), found('ell')[0]]).toEqual([['MACKO'], ['TwELL', 'hybrid'], 'ELL']);
    expect([found('ellpak'), found('padding')[0], found('xyzzy')]).toEqual([['ELL'], 'MACKO', []]);
  });
});
