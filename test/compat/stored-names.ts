// The names of properties in everything that the page stores or sends: they must not change between versions.

import { storedEntries, storedInBrowser, written } from './written.ts';

/** Objects whose names are not fixed: parameters of formats, sizes of operations, paths of files, overrides. */
const OPEN = new Set(['params', 'sizes', 'limits', 'files', 'overrides', 'start', 'chosen', 'kernels', 'environments']);

/** The names of every object in a value, by the path that leads there; '' for the value itself. */
function namesIn(value: unknown, path: string, found: Map<string, Set<string>>): void {
  if (Array.isArray(value)) {
    for (const one of value) namesIn(one, path, found);
    return;
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  const isOpen = OPEN.has(path.split('.').at(-1) ?? '');
  for (const [name, one] of Object.entries(value)) {
    if (!isOpen) found.set(path, (found.get(path) ?? new Set()).add(name));
    // The names in files and reports have separate rows.
    if (name === 'report' || name === 'file' || name === 'others') continue;
    namesIn(one, isOpen ? path : path === '' ? name : `${path}.${name}`, found);
  }
}

/** The reports of races between a draft and its original. */
export function draftReports(): readonly unknown[] {
  const drafts = values('kernel-drafts') as readonly {
    readonly versions: readonly { readonly result: { readonly timed: { readonly report: unknown } | null } | null }[];
  }[];
  return drafts.flatMap(({ versions }) => versions.flatMap(({ result }) => result?.timed?.report ?? []));
}

const values = (store: string, database?: string): readonly unknown[] =>
  storedEntries(store, database).map(([, value]) => value);

/** What is stored, where it is stored, and values that version 0.2.0 wrote. */
function stored(): readonly (readonly [what: string, where: string, values: readonly unknown[]])[] {
  const { localStorage, sessionStorage } = storedInBrowser();
  const runs = values('runs') as readonly { readonly text: string }[];
  const { encode, inspect, decode } = written('command.json') as Readonly<Record<string, object>>;
  const embed = written('embed.json') as {
    readonly talks: readonly { readonly says: unknown; readonly answers: readonly unknown[] }[];
  };
  const texts = { ...localStorage, ...sessionStorage };
  const json = (key: string): unknown => JSON.parse(texts[key]);
  return [
    [
      'report',
      'a file; `text` of a run',
      [
        written('report-of-an-h200.json'),
        written('report-of-the-command.json'),
        ...runs.map(({ text }) => JSON.parse(text) as unknown),
        ...draftReports(),
        written('rare.json'),
      ],
    ],
    ['recording', 'a file', [written('recording.json')]],
    ['whole tokens', 'a file; sparsescope-kept, decodes', [written('decode-report.json'), ...values('decodes')]],
    ['tuning', 'a file; sparsescope-tuning, kernels', values('kernels', 'sparsescope-tuning')],
    ['run', 'sparsescope-kept, runs; sparsescope.running', [...runs, json('sparsescope.running')]],
    ['file', 'sparsescope-kept, files', values('files')],
    ['draft of a kernel', 'sparsescope-kept, kernel-drafts', values('kernel-drafts')],
    ['format of one’s own', 'sparsescope-kept, formats', values('formats')],
    ['kernel for it', 'sparsescope-kept, kernels', values('kernels')],
    ['files of a tab', 'sparsescope.files', [json('sparsescope.files')]],
    ['lessons', 'sparsescope.lessons, by lesson and question', lessonsOf(json('sparsescope.lessons'))],
    ['exercises', 'sparsescope.exercises, by exercise', Object.values(json('sparsescope.exercises') as object)],
    ['texts', 'localStorage, sessionStorage', [texts]],
    ['said by a frame', 'a message', embed.talks.flatMap(({ answers }) => answers)],
    ['asked of a frame', 'a message', embed.talks.map(({ says }) => says)],
    ['command, encode', '`--json`', Object.values(encode).map((item: object) => ({ ...item, arrays: null }))],
    ['command, inspect and decode', '`--json`', [inspect, decode]],
  ];
}

function lessonsOf(lessons: unknown): readonly unknown[] {
  const all = Object.values(lessons as Readonly<Record<string, { readonly answers: object }>>);
  return all.map((lesson) => ({ ...lesson, answers: Object.values(lesson.answers) as unknown[] }));
}

/** The stored names: a row for each kind of stored object. */
export function storedNameRows(): readonly (readonly [what: string, where: string, names: string])[] {
  return stored().flatMap(([what, where, all]) => {
    const found = new Map<string, Set<string>>();
    namesIn(all, '', found);
    return [...found].map(
      ([path, names]) =>
        [path === '' ? what : `${what}: ${path}`, path === '' ? where : '', [...names].toSorted().join(', ')] as const,
    );
  });
}
