import elementTypeText from '../element-type.ts?raw';
import type { Description, OwnArray } from '../answers.ts';
import listText from '../runtime/list.ts?raw';
import rowsText from '../runtime/rows.ts?raw';
import { arraysText, boundOf } from '../kernel/arrays-text.ts';
import type { OwnParams } from '../messages.ts';
import { COMPARISON, DECODE, ENCODE, KERNELS, MODULE_TYPES, MULTIPLY, SENT_MATRIX, STORAGE, STORY } from './texts.ts';

/** A format of one's own that is to become one of the application's. */
export interface Leaving {
  /** letters, digits and hyphens: of its folder */
  readonly name: string;
  readonly text: string;
  readonly description: Description;
  readonly params: OwnParams;
  /** with these parameters */
  readonly arrays: readonly OwnArray[];
  /** of the kernel's own file; null where none was written */
  readonly kernel: string | null;
}

/** A title as the name of a folder: 'SELL-C-σ' is sell-c, and what has no letters is 'format'. */
export function homeName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? 'format' : words;
}

/** 'sell-c' as a name in code: sellC. */
function codeName(name: string): string {
  const found = name.replaceAll(/-+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase()).replaceAll('-', '');
  return /^[a-z]/i.test(found) ? found : `format${found}`;
}

/** What somebody typed, as a literal in code. */
function quoted(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

/** The files of a format by their paths in the project. What only a person can write is marked with GAP. */
export function homeFiles(leaving: Leaving): ReadonlyMap<string, string> {
  const { name, text, kernel } = leaving;
  const folder = `src/formats/${name}`;
  const files: readonly (readonly [string, string])[] = [
    [`${folder}/module.js`, text.endsWith('\n') ? text : `${text}\n`],
    [`${folder}/module.d.ts`, MODULE_TYPES],
    [`${folder}/element-type.ts`, elementTypeText.replaceAll("'../core/", "'../../core/")],
    [`${folder}/list.ts`, listText.replaceAll("'../element-type.ts'", "'./element-type.ts'")],
    [`${folder}/rows.ts`, rowsText.replace("import type { SentMatrix } from '../messages.ts';", SENT_MATRIX)],
    [`${folder}/params.ts`, paramsText(leaving)],
    [`${folder}/card.ts`, cardText(leaving)],
    [`${folder}/layout.ts`, layoutText(leaving)],
    [`${folder}/encode.ts`, ENCODE],
    [`${folder}/decode.ts`, DECODE],
    [`${folder}/multiply.ts`, MULTIPLY],
    [`${folder}/storage.ts`, STORAGE],
    [`${folder}/comparison.ts`, COMPARISON],
    [`${folder}/kernels.ts`, KERNELS],
    [`${folder}/story/index.ts`, STORY],
    [`${folder}/index.ts`, indexText(leaving)],
    [`docs/formats/${name}.md`, docsText(leaving)],
    [`GAPS.md`, gapsText(leaving)],
  ];
  const bound = boundOf(leaving.arrays, leaving.params);
  const shader =
    kernel === null
      ? []
      : ([[`shaders/${name}/spmv.wgsl`, `${arraysText(leaving.description.title, bound)}\n${kernel}`]] as const);
  return new Map([...files, ...shader]);
}

function paramsText({ description: { params }, name }: Leaving): string {
  const specs = params.map(
    ({ name: field, options, meaning }) => `  ${field}: {
    kind: 'choice',
    label: ${quoted(field)},
    meaning: ${quoted(meaning)},
    default: ${quoted(options[0])},
    options: [${options.map((value) => `{ value: ${quoted(value)}, label: ${quoted(String(value))} }`).join(', ')}],
  },`,
  );
  const type = `${capital(codeName(name))}Params`;
  return `import type { ParamSpec } from '../../core/format.ts';

/** GAP: each with its type. */
export type ${type} = Readonly<Record<string, number | string>>;

export const params: ParamSpec<${type}> = {
${specs.join('\n')}
};
`;
}

function cardText({ name, description: { title } }: Leaving): string {
  const code = codeName(name);
  return `import type { FormatCard } from '../../core/format.ts';
import { type ${capital(code)}Params, params } from './params.ts';

export const card: FormatCard<${capital(code)}Params> = {
  id: '${name}',
  title: ${quoted(title)},
  summary: 'GAP: one sentence, what it stores and for what.',
  gist: 'GAP: the summary in at most 72 characters.',
  group: 'classic', // GAP: with which formats it is listed
  source: null, // GAP: its paper
  shownBestOn: { id: 'power-law-graph', what: 'a graph' }, // GAP: the matrix that shows it best
  colors: { light: '#5B5B55', dark: '#A8A8A0' }, // GAP: far enough from every other format's, as a test says
  params,
  effort: 3, // GAP: how long encoding takes, with CSR as 1
  story: () => import('./story/index.ts').then((m) => m.story),
};
`;
}

function layoutText({ name, arrays }: Leaving): string {
  const type = `${capital(codeName(name))}Encoded`;
  return `import type { EncodedMatrix, NamedArray, Violation } from '../../core/encoded/encoded.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { bytesOf, type ElementType } from './element-type.ts';

/** An array of the module: what it holds, and how much of it there is. */
interface Stored {
  readonly name: string;
  readonly key: string;
  readonly type: ElementType;
  readonly byteClass: 'values' | 'indices' | 'metadata';
  readonly length: number;
  /** elements that only fill */
  readonly padding: number;
}

/** A matrix in the module's arrays, which are further properties by their keys. GAP: name them here, with their types. */
export interface ${type} extends EncodedMatrix {
  readonly params: Readonly<Record<string, number | string>>;
  readonly stored: readonly Stored[];
}
export type Encoded = ${type};

/** Every change is found by the checksum. GAP: the rules that locate one. */
export const rules: Readonly<Record<string, string | null>> = {
${arrays.map(({ name: own }) => `  ${keyed(own)}: null,`).join('\n')}
};

/** Properties that every encoded matrix has. */
const TAKEN: readonly string[] = ['rows', 'cols', 'nnz', 'checksums', 'params', 'stored'];

/** The property that holds an array. */
export function keyOf(name: string): string {
  return TAKEN.includes(name) ? \`\${name}_\` : name;
}

export function arrayOf(e: Encoded, key: string): NamedArray {
  return Reflect.get(e, key) as NamedArray;
}

/** Lengths, and that nothing has changed since. 'cheap' O(arrays), 'full' O(bytes). */
export function validate(e: Encoded, level: 'cheap' | 'full'): readonly Violation[] {
  const violations = new Violations();
  for (const { key, type, length } of e.stored) {
    const what = \`\${length} of \${type.name}\`;
    violations.expect(key, null, \`bytes of \${key}\`, arrayOf(e, key).byteLength, bytesOf(type, length), what);
  }
  if (level === 'full') violations.unchanged(e);
  return violations.found;
}
`;
}

/** As \`keyOf\` of the folder says. */
function keyed(own: string): string {
  return ['rows', 'cols', 'nnz', 'checksums', 'params', 'stored'].includes(own) ? `${own}_` : own;
}

function indexText({ name, description: { title } }: Leaving): string {
  const code = codeName(name);
  return `import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { type ${capital(code)}Encoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { storage } from './storage.ts';

/** ${title.replaceAll('*/', '* /')}. */
export const ${code} = defineFormat<${capital(code)}Encoded, Readonly<Record<string, number | string>>>({
  ...card,
  comparison,
  admits,
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  multiply,
  kernels,
});
`;
}

function docsText({ name, description: { title, params }, arrays }: Leaving): string {
  return `# ${title}

GAP: what it stores, for which matrices, and whose idea it is.

| array | type | holds |
| ----- | ---- | ----- |
${arrays.map(({ name: own, type, byteClass }) => `| \`${own}\` | ${type.name} | ${byteClass}: GAP |`).join('\n')}

${params.map(({ name: own, options, meaning }) => `- \`${own}\`: ${meaning || 'GAP'} (${options.join(', ')})`).join('\n')}

GAP: symbols of the paper by name, deviations, and its errors. Its folder is \`src/formats/${name}\`.
`;
}

function gapsText({ name, kernel }: Leaving): string {
  const code = codeName(name);
  return `# What is left to write

The folder encodes, decodes, multiplies and counts as the module does, and keeps the laws of docs/own-formats.md. Search it for GAP.

1. \`src/formats/registry.ts\`: import \`${code}\` from \`./${name}/index.ts\` and add it to the list.
2. \`card.ts\`: what it is called in a list, its colours, the matrix that shows it best. In \`params.ts\`, its parameters by their types instead of as a record.
3. \`module.js\`: in TypeScript, encoding in two passes with arrays of exact size; then \`list.ts\`, \`rows.ts\` and \`module.d.ts\` can go.
4. \`layout.ts\`: rules that locate a changed element.
5. \`comparison.ts\`: its bytes from the statistics of a matrix.
6. \`story\`: trace, scene and kinds. \`docs/formats/${name}.md\`: what it is.
7. \`kernels.ts\`: ${kernel === null ? `a kernel in \`shaders/${name}\`, and its plan.` : `the plan of \`shaders/${name}/spmv.wgsl\`, which is as you wrote it behind its bindings.`}

CONTRIBUTING.md, "Adding a format", says what each of them is. Delete this file when nothing is left.
`;
}

function capital(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}
