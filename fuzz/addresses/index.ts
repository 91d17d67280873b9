// Fuzz target for addresses: hostile links are read as a valid document, with messages for their errors, and written back.

import { readLinkCells } from '../../src/core/cells/link-cells.ts';
import { ReadError } from '../../src/core/errors.ts';
import { messageOf } from '../../src/core/error-messages.ts';
import type { Random } from '../../src/core/number/random.ts';
import { formats } from '../../src/formats/registry.ts';
import { patterns } from '../../src/generate/patterns.ts';
import { parseReference } from '../../src/io/index.ts';
import { paramAccepts } from '../../src/core/format.ts';
import {
  type Catalog,
  baseOf,
  MAX_TOKENS,
  paramFields,
  decodeHash,
  encodeHash,
  reservedKeys,
} from '../../src/state/index.ts';
import type { MatrixSource } from '../../src/engine/matrix/source-types.ts';
import { mutatedText, rangesToRemove, pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../target.ts';
import { errorFault, messageFault } from '../words.ts';
import { PAGES } from '../../test/pages.ts';

const VIEWS = PAGES.map(({ id }) => id);

const CATALOG: Catalog = {
  formats,
  patterns,
  pages: PAGES,
  examples: [
    { id: 'plain', title: 'Plain', url: 'examples/plain.npy' },
    { id: 'a b&c=d#e%', title: 'Awkward', url: 'examples/awkward.mtx' },
  ],
  start: { source: { kind: 'example', id: 'plain' }, format: formats[0].id, formatB: formats[0].id },
};
const OPEN_FILES = new Set(['weights 1.mtx', 'ü/&?#%.npy']);

const KEYS = [
  ...reservedKeys(PAGES),
  ...new Set(
    formats.flatMap((f) =>
      paramFields(f.params).flatMap(([name]) => [name, `a.${name}`, `b.${name}`, `${f.id}.${name}`]),
    ),
  ),
  ...new Set(patterns.flatMap((p) => p.options.map((o) => `opt.${o.id}`))),
  '__proto__',
  'constructor',
  'toString.x',
  '',
];
const VALUES = [
  ...formats.map((f) => f.id),
  ...patterns.map((p) => `generated:${p.id}`),
  ...[...OPEN_FILES].map((name) => `file:${name}`),
  'example:plain',
  'example:a b&c=d#e%',
  'example:__proto__',
  'file:',
  'cells:1:0.5;3:-2,,0:1e-3',
  'cells:,,',
  'cells:1:0,,',
  'cells:9:1,,',
  '3x4',
  'none',
  'llama-3.1-8b',
  '128',
  '129',
  'down',
  'remote:',
  'generated:',
  'ftp://x',
  'remote:org/name',
  'remote:org/name@%25/file',
  'remote:https://huggingface.co/%25zz',
  'remote:http://[::1',
  'remote:hf://a/b@c@d',
  'remote:https://me:secret@example.org/',
  'remote:javascript:alert(1)',
  'remote:https://huggingface.co/a/b/resolve/%ff/x',
  'magnitude:0.3',
  'rows:1e-3',
  'random:0.5:7',
  'n-of-m:2:4',
  'n-of-m:9:4',
  'random:1:4294967296',
  'magnitude:NaN',
  '0,0,5,32',
  '0,0,5',
  '-1,0,1,1',
  '2147483647,0,2147483648,1',
  '1e3,0,0,0',
  '4096x64',
  '0x0',
  '2147483648x1',
  '1x1x1',
  '0',
  '-0',
  '1',
  '+1',
  '4',
  '16',
  '1e400',
  '-1e-400',
  'NaN',
  'Infinity',
  '9007199254740993',
  '00',
  '0x10',
  ' 1',
  '1_0',
  'true',
  'false',
  'null',
  'f16',
  'bf16',
  'packed',
  '',
  '%',
  '%zz',
  '%ff',
  '%00',
  '\u0000',
  '\n',
  '"',
  "'",
  '<b>',
  'ü',
  '\ud800',
];
const PIECES = [
  '#',
  '/',
  '?',
  '&',
  '=',
  ':',
  ',',
  '%',
  '%2',
  '%26',
  '%3D',
  '+',
  '1',
  '9999999999',
  '\u202e',
  ...VALUES,
];

function randomAddress(random: Random): string {
  if (random.below(30) === 0) return mutatedText(random, '', PIECES);
  const pairs = Array.from({ length: random.below(9) }, () => {
    const value = pick(random, VALUES);
    const written = random.below(2) === 0 || value.includes('\ud800') ? value : encodeURIComponent(value);
    return `${pick(random, KEYS)}=${written}`;
  });
  const start = random.below(20) === 0 ? pick(random, ['', '#2/visualize', '#/', '1/explore', '#3/']) : '#2/';
  const address = `${start}${pick(random, [...VIEWS, '', 'x'])}?${pairs.join('&')}`;
  return random.below(2) === 0 ? address : mutatedText(random, address, PIECES);
}

/** The problem with a source; null for none. */
function sourceFault(source: MatrixSource): string | null {
  const base = baseOf(source);
  if (source.kind === 'pruned') {
    const { pruning } = source;
    const isShare = pruning.way === 'n-of-m' || (pruning.density >= 0 && pruning.density <= 1);
    const isPattern =
      pruning.way !== 'n-of-m' ||
      (Number.isInteger(pruning.kept) &&
        Number.isInteger(pruning.group) &&
        pruning.kept >= 1 &&
        pruning.kept <= pruning.group);
    if (!isShare || !isPattern) return `pruning ${JSON.stringify(pruning)}`;
  }
  if (base.kind === 'example') return CATALOG.examples.some(({ id }) => id === base.id) ? null : `example ${base.id}`;
  if (base.kind === 'file') return OPEN_FILES.has(base.name) ? null : `file ${base.name}`;
  if (base.kind === 'remote') return base.link === '' ? 'remote without a link' : null;
  if (base.kind === 'model') {
    const { layer = 0 } = base;
    return isExtent(layer) && !Object.is(layer, -0) ? null : `layer ${layer}`;
  }
  if (base.kind === 'cells') {
    try {
      readLinkCells(base.cells, base.rows, base.cols);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
  const { pattern, rows, cols, density, seed, options = {} } = base.spec;
  const patternSpec = patterns.find((candidate) => candidate.id === pattern);
  if (!patternSpec) return `pattern ${pattern}`;
  if (!isExtent(rows) || !isExtent(cols)) return `shape ${rows} x ${cols}`;
  if (!(density >= 0 && density <= 1)) return `density ${density}`;
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) return `seed ${seed}`;
  const invalidOption = Object.entries(options).find(([name, value]) => {
    const option = patternSpec.options.find((option) => option.id === name);
    return !option || !(value >= option.min && value <= option.max) || (option.isInteger && !Number.isInteger(value));
  });
  return invalidOption ? `option ${invalidOption.join(' ')}` : null;
}

const isExtent = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < 2 ** 31;

function check(address: string): Fault | null {
  const { document, problems } = decodeHash(address, CATALOG, OPEN_FILES);
  const invalid = (message: string): Fault => ({ law: 'the document is valid', message });
  if (!VIEWS.includes(document.view)) return invalid(`view ${document.view}`);
  if (!formats.some((f) => f.id === document.format)) return invalid(`format ${document.format}`);
  const source = sourceFault(document.source);
  if (source !== null) return invalid(source);
  for (const format of formats) {
    for (const [name, field] of paramFields(format.params)) {
      const value = document.params[format.id]?.[name];
      if (!paramAccepts(field, value)) return invalid(`${format.id}.${name} ${String(value)}`);
    }
  }
  const { window, step, tokens, formatB } = document;
  if (!(Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_TOKENS)) return invalid(`tokens ${tokens}`);
  if (formatB) {
    const format = formats.find((f) => f.id === formatB.format);
    const wrong = paramFields(format?.params ?? {}).find(([name, field]) => !paramAccepts(field, formatB.params[name]));
    if (!format || wrong) return invalid(`against ${JSON.stringify(formatB)}`);
  }
  if (window && !Object.values(window).every(isExtent)) return invalid(`window ${JSON.stringify(window)}`);
  if (!Number.isSafeInteger(step) || step < 0 || Object.is(step, -0)) return invalid(`step ${step}`);
  for (const problem of problems) {
    const fault = messageFault(problem);
    if (fault) return fault;
    if (!problem.endsWith('.')) return { law: 'messages are sentences', message: problem };
  }
  return roundTripFault(document, address) ?? referenceFault(document.source);
}

function roundTripFault(document: ReturnType<typeof decodeHash>['document'], address: string): Fault | null {
  const law = 'what was read is read again';
  const written = encodeHash(document, CATALOG);
  if (new URL(written, 'https://example.org/').hash !== written)
    return { law, message: `a browser changes ${written}` };
  const again = decodeHash(written, CATALOG, OPEN_FILES);
  if (again.problems.length > 0) return { law, message: `${written}: ${again.problems[0]}` };
  const [found, expected] = [JSON.stringify(again.document), JSON.stringify(document)];
  return found === expected ? null : { law, message: `${address}: found ${found}, expected ${expected}` };
}

/** Checks that a link to a file on another host is parsed, or rejected with a message. */
function referenceFault(source: MatrixSource): Fault | null {
  const base = baseOf(source);
  if (base.kind !== 'remote') return null;
  try {
    parseReference(base.link);
    return null;
  } catch (error) {
    return errorFault(error, ReadError);
  }
}

export const addressesTarget = defineTarget<string>({
  id: 'addresses',
  unit: 'addresses',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate: randomAddress,
  check,
  *smaller(address) {
    for (const [from, to] of rangesToRemove(address.length)) yield address.slice(0, from) + address.slice(to);
  },
  toJson: (address) => address,
  fromJson: String,
});
