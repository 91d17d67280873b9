// Tests that this version reads what version 0.2.0 wrote: reports, recordings, tuning, addresses, question sets, files and
// browser storage.

import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { tuningFile } from '../../bench/tuning-file.ts';
import { browserTuningStore } from '../../src/engine/bench/tuning-store.ts';
import { Buffers } from '../../src/gpu/buffers.ts';
import type { Clock } from '../../src/gpu/clock.ts';
import type { TuningResult } from '../../src/gpu/index.ts';
import { Tuner } from '../../src/gpu/tuning.ts';
import { countingContext } from '../counting-gpu.ts';
import { toDense } from '../../src/core/matrix/index.ts';
import { checkDecodeReport } from '../../src/core/reports/decode-check.ts';
import { unpackRecording } from '../../src/core/reports/recording.ts';
import { checkRecording } from '../../src/core/reports/recording-check.ts';
import { checkReports, parseReports } from '../../src/core/reports/report-check.ts';
import { formatById, formats } from '../../src/formats/registry.ts';
import { createProgress } from '../../src/lessons/progress.ts';
import { questionSetText, readQuestionSet } from '../../src/lessons/question-set.ts';
import { readStored } from '../../src/lib/files.ts';
import { LEARN_FIELDS } from '../../src/pages/learn/address.ts';
import { readRequest } from '../../src/pages/embed/embedder-messages.ts';
import { readEmbedHash, embedHash } from '../../src/state/embed-address.ts';
import { type Catalog, createPreferences, decodeHash, encodeHash, pageState } from '../../src/state/index.ts';
import { reportsToJson } from '../../src/state/reports/report-export.ts';
import { browserRunStore } from '../../src/state/session/run-store.ts';
import { checkedRemainder } from '../../src/state/session/run-remainder.ts';
import type { TextStorage } from '../../src/state/text-storage.ts';
import { CATALOG } from '../offers.ts';
import { draftReports } from './stored-names.ts';
import { storedEntries, storedInBrowser, unreadNames, written, writtenBytes, writtenText } from './written.ts';

/** The catalog of the page, with the examples of the gallery. */
const catalog: Catalog = {
  ...CATALOG,
  examples: (
    JSON.parse(readFileSync(join(import.meta.dirname, '../../public/examples/index.json'), 'utf8')) as { id: string }[]
  ).map(({ id }) => ({ id, title: id, url: id })),
};

/** A run of the page as it is stored in IndexedDB; `rest` says how to continue it. */
interface StoredRun {
  readonly name: string;
  readonly text: string;
  readonly rest?: unknown;
}
const RUNS = storedEntries('runs').map(([, run]) => run as StoredRun);

/** Every list of reports, by where it was written. */
const REPORTS: readonly (readonly [name: string, text: string])[] = [
  ...['report-of-an-h200.json', 'report-of-the-command.json'].map((name) => [name, writtenText(name)] as const),
  ...draftReports().map((report) => ['the race of a draft', JSON.stringify(report)] as const),
  ...RUNS.map(({ name, text }) => [`the run '${name}' of the page`, text] as const),
];

/** Names of a format's parameters, which readers of reports pass on without looking at them. */
const isParameter = (name: string): boolean => /\bparams\.\w+$/.test(name);

/** The names in a value that its reader ignores, except parameters of formats. */
const ignoredNames = (value: unknown, accepts: (value: unknown) => unknown): readonly string[] =>
  unreadNames(value, accepts).filter((name) => !isParameter(name));

const TUNING = written('tuning.json') as Readonly<Record<string, object>>;

/** A clock that is never read in these tests. */
const CLOCK: Clock = {
  source: 'timestamp-query',
  quantumNs: 1,
  passMultiples: [1],
  time: async () => 1e6,
  run: async () => {},
};

/** A storage of texts that begins with those of 0.2.0. */
function storage(texts: Readonly<Record<string, string>>): TextStorage & { removeItem(key: string): void } {
  const all = new Map(Object.entries(texts));
  return {
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, text) => void all.set(key, text),
    removeItem: (key) => void all.delete(key),
  };
}

describe('reports of version 0.2.0', () => {
  test.each(REPORTS)('%s is read, and written with the same names', (name, text) => {
    const reports = parseReports(name, text);
    const parsed = JSON.parse(text) as unknown;
    // A list of one report is written as that report.
    const expected = Array.isArray(parsed) && parsed.length === 1 ? (parsed[0] as unknown) : parsed;
    expect(JSON.parse(reportsToJson(reports))).toEqual(expected);
    expect(ignoredNames(JSON.parse(text), (value) => checkReports(name, value))).toEqual([]);
    for (const { rows, refused: rejected } of reports) {
      for (const { format, params = {} } of [...rows, ...rejected])
        expect(Object.keys(formatById(format).params)).toEqual(expect.arrayContaining(Object.keys(params)));
    }
  });

  test('reports with rare properties are read', () => {
    type Report = Readonly<Record<string, unknown>> & Readonly<Record<'rows' | 'refused', readonly object[]>>;
    const [report] = written('report-of-the-command.json') as readonly Report[];
    const { rows, refused: rejected, ...others } = written('rare.json') as Report;
    const rare = {
      ...report,
      ...others,
      rows: [{ ...report.rows[0], ...rows[0] }, ...report.rows.slice(1)],
      refused: report.refused.map((item) => ({ ...item, ...rejected[0] })),
    };
    expect(checkReports('rare.json', [rare])).toEqual([rare]);
    expect(ignoredNames([rare], (value) => checkReports('rare.json', value))).toEqual([]);
  });
});

test('a recording is read, and unpacked into reports', () => {
  const recording = written('recording.json') as { environments: Record<string, { isFallback: boolean }> };
  expect(checkRecording('recording.json', recording)).toEqual(recording);
  expect(ignoredNames(recording, (value) => checkRecording('recording.json', value))).toEqual([]);
  const [report] = unpackRecording(checkRecording('recording.json', recording));
  expect(report.rows.map(({ kernel, medianNs, GBps }) => [kernel, medianNs !== null, GBps !== null])).toEqual([
    ['dense/spmv_workgroup', true, true],
    ['macko/spmv_subgroup', true, true],
  ]);
  expect(report.refused.map(({ format }) => format)).toEqual(['slidesparse']);
});

test('times of whole tokens are read', () => {
  for (const value of [written('decode-report.json'), ...storedEntries('decodes').map(([, report]) => report)]) {
    expect(checkDecodeReport('decode-report.json', value)).toEqual(value);
    expect(ignoredNames(value, (changed) => checkDecodeReport('decode-report.json', changed))).toEqual([]);
  }
});

test('a tuning file contains the chosen numbers of kernels', async () => {
  const memory = tuningFile(join(import.meta.dirname, 'written-by-0.2.0/tuning.json'));
  for (const [key, choice] of Object.entries(TUNING)) expect(await memory.recall(key)).toEqual(choice);
});

test('the browser’s database contains the chosen numbers of kernels', async () => {
  const entries = new Map(storedEntries('kernels', 'sparsescope-tuning'));
  /** A request of IndexedDB that succeeds at once. */
  const request = (result: unknown): object => ({
    result,
    set onsuccess(listen: () => void) {
      queueMicrotask(listen);
    },
  });
  const storeOf = (name: string) => ({
    get: (key: string) => request(name === 'kernels' ? entries.get(key) : undefined),
  });
  const database = { transaction: (name: string) => ({ objectStore: () => storeOf(name) }) };
  vi.stubGlobal('indexedDB', { open: (name: string) => request(name === 'sparsescope-tuning' ? database : null) });
  const memory = browserTuningStore();
  for (const [key, choice] of entries) {
    expect(await memory.recall(key)).toEqual(choice);
  }
  // A choice without one of its properties is not used, except without `kernel`, which only a trial of kernels writes.
  const [first] = entries.values();
  for (const name of unreadNames(first, () => true)) {
    const value = { ...(first as object) };
    Reflect.deleteProperty(value, name);
    entries.set('without', value);
    expect(await memory.recall('without'), name).toEqual(name === 'kernel' ? value : null);
  }
  vi.unstubAllGlobals();
});

test('stored numbers of kernels are used in the next run', async () => {
  const [found] = Object.values(TUNING);
  const { context } = countingContext();
  const memory = { recall: async () => found as TuningResult, keep: async () => {} };
  const job = { report: () => {}, cancelled: false };
  const tuner = new Tuner(context, new Buffers(context), { clock: CLOCK, memory, seed: 1, job, now: () => 0 });
  const lanes = { kind: 'one-of', name: 'lanes', start: 64, values: [32, 64, 128] } as const;
  expect(await tuner.recall('', [lanes])).toEqual({ ...found, start: { lanes: 64 }, remembered: true });
});

describe('addresses of version 0.2.0', () => {
  const { links } = written('links.json') as { readonly links: Readonly<Record<string, readonly string[]>> };
  // Addresses of labs' pages are read if the lab exists. Addresses with `part` are read in the tests of their lab.
  const addresses = Object.entries(links)
    .flatMap(([pageId, hashes]) => hashes.map((hash) => ({ pageId, hash })))
    .filter(({ pageId, hash }) => catalog.pages.some(({ id }) => id === pageId) && !hash.includes('&part='));

  test('exist for every page', () => {
    expect(Object.keys(links)).toEqual(expect.arrayContaining(catalog.pages.map(({ id }) => id)));
  });

  test.each(addresses)(
    'of $pageId are read without a problem, and written as the same text: $hash',
    ({ pageId, hash }) => {
      const { document, problems } = decodeHash(hash, catalog);
      expect(problems).toEqual([]);
      expect(document.view).toBe(pageId);
      expect(encodeHash(document, catalog)).toBe(hash);
    },
  );

  test('of an embedded page are read, and written as the same text', () => {
    const { link } = written('embed.json') as { readonly link: string };
    const read = readEmbedHash(`${link}&origin=https://example.org`);
    expect(read).toMatchObject({ theme: 'dark', origin: 'https://example.org', step: 2, problems: [] });
    const { document, problems } = decodeHash(read?.link ?? '', catalog);
    expect(problems).toEqual([]);
    const again = readEmbedHash(embedHash(encodeHash(document, catalog), { theme: 'dark', origin: null }));
    expect(again).toMatchObject({ theme: 'dark', origin: null, step: 2 });
  });
});

test('a set of questions is read, and written as the same text', () => {
  const { document, problems } = decodeHash(writtenText('question-set.txt'), catalog);
  const { lesson, set } = pageState(document, LEARN_FIELDS);
  expect([problems, lesson]).toEqual([[], 'set']);
  const { title, blocks } = readQuestionSet(set, catalog);
  const questions = blocks.flatMap((block) =>
    block.kind === 'prediction' ? [{ question: block.question, address: block.figure.address }] : [],
  );
  expect(questions.map(({ question }) => question)).toEqual([
    'row-start',
    'stored-gap',
    'entries-of-row',
    'bits-of-row',
  ]);
  expect(questionSetText({ title, questions })).toBe(set);
});

describe('encoded matrices of version 0.2.0', () => {
  const { encode } = written('command.json') as {
    readonly encode: Readonly<Record<string, { readonly params: object; readonly arrays: object }>>;
  };
  // The 2 × 40 matrix that the command encoded. All of its values are representable in f16 and in bf16.
  const cells = new Float32Array(80);
  cells.set([1.5], 0);
  cells.set([-2], 39);
  cells.set([0.25], 42);

  test.each([...Object.keys(encode).map((id) => `${id}.npz`), 'macko.safetensors'])(
    '%s is read and decoded as the matrix that was encoded',
    async (name) => {
      const stored = await readStored({ name, bytes: writtenBytes(`formats/${name}`) });
      const { params, arrays } = encode[name.split('.')[0]];
      expect(toDense(stored.decode())).toEqual(cells);
      expect(stored.params).toEqual(params);
      expect(Object.keys(stored.arrays).toSorted()).toEqual(Object.keys(arrays).toSorted());
    },
  );

  test('exist for every format', () => {
    expect(Object.keys(encode).toSorted()).toEqual(formats.map(({ id }) => id).toSorted());
  });
});

describe('the browser storage of version 0.2.0', () => {
  const { localStorage, sessionStorage, databases } = storedInBrowser();

  test('contains the settings', () => {
    const { theme, origins } = createPreferences(() => storage(localStorage)).store.getState();
    expect([theme, origins]).toEqual(['dark', ['https://far.example']]);
  });

  test('contains the answers to questions of lessons', () => {
    const lessons = JSON.parse(localStorage['sparsescope.lessons']) as unknown;
    expect(createProgress(() => storage(localStorage)).store.getState()).toEqual(lessons);
  });

  test('contains the interrupted run, and how to continue it and the other runs', () => {
    const running = JSON.parse(sessionStorage['sparsescope.running']) as StoredRun;
    expect(browserRunStore(() => storage(sessionStorage)).takeInterrupted()).toEqual(running);
    const rests = [running, ...RUNS].flatMap(({ rest }) => (rest === undefined ? [] : [rest]));
    expect(rests).toHaveLength(2);
    for (const rest of rests) {
      expect(checkedRemainder(rest)).toEqual(rest);
      // The name of the fastest kernel so far is a hint, which only the engine reads.
      const hints = ['request.entries.*.known', 'request.entries.*.known.kernel'];
      const ignored = ignoredNames(rest, (value) => checkedRemainder(value) !== undefined);
      expect(ignored.filter((name) => !hints.includes(name))).toEqual([]);
    }
  });

  test('contains exactly these databases and stores', () => {
    expect(databases.map(({ name, version, stores }) => [name, version, Object.keys(stores)])).toEqual([
      ['sparsescope-kept', 2, ['decodes', 'files', 'formats', 'kernel-drafts', 'kernels', 'runs']],
      ['sparsescope-tuning', 1, ['kernels']],
    ]);
  });
});

test('an embedded page accepts the requests of its embedding page', () => {
  // `says` is what the embedding page sent; null: nothing, as when the embedded page began.
  const { talks } = written('embed.json') as { readonly talks: readonly { readonly says: object | null }[] };
  const sent = talks.flatMap(({ says: message }) =>
    message === null ? [] : [{ message, request: readRequest(message) }],
  );
  const accepted = sent.filter(({ request }) => typeof request === 'object' && request !== null);
  expect(accepted).toHaveLength(8);
  for (const { message, request } of accepted) expect({ sparsescope: 1, ...(request as object) }).toEqual(message);
});
