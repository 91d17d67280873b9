// Vite plugin that imports WGSL files as modules, with their variants and the files that they include.

import { readFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { labNames } from './labs.mjs';

/** An include line of a WGSL file: the modules from which a kernel's plan chooses one, and the names that are used from it. */
export interface Include {
  /** paths below shaders/, of a variant with '#' and its name: common/values.wgsl#f16 */
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

/** The text of a WGSL file, or of one variant of it. */
export interface ShaderText {
  /** path below shaders/; of a variant with '#' and its name */
  readonly path: string;
  readonly code: string;
  /** for each line of `code` its number in the file */
  readonly lines: readonly number[];
}

const INCLUDE_PREFIX = '// include ';
/** A further line of an include that continues on the next line. */
const CONTINUATION = /^\/\/ {3,}(\S.*)$/;
const INCLUDE_TEXT = /^([^\s#]+\.wgsl(?:#\w+)?(?: or (?:[^\s#]+\.wgsl(?:#\w+)?|#\w+))*): ((?:\w+, )*\w+)$/;
const VARIANT_PREFIX = '// variant ';
const VARIANT_TEXT = /^(\w+(?: or \w+)*): \S/;

/**
 * The modules that a file contains: itself, or its variants. A line `// variant f16: what it is` begins lines that only the
 * variant f16 has, up to the next such line; `// variant 1 or 2: what they share` begins lines of two variants. Lines before the
 * first such line are in all variants. Throws SyntaxError with file and line.
 */
export function modulesOf(path: string, code: string): readonly ShaderText[] {
  const lines = code.trimEnd().split(/\r?\n/);
  const sections: { readonly names: readonly string[]; readonly from: number }[] = [];
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith(VARIANT_PREFIX)) continue;
    const text = line.slice(VARIANT_PREFIX.length);
    const match = VARIANT_TEXT.exec(text);
    if (!match) {
      throw new SyntaxError(
        `${path}:${i + 1}: found '${text}', expected 'name: what it is' after '${VARIANT_PREFIX.trim()}'`,
      );
    }
    sections.push({ names: match[1].split(' or '), from: i });
  }
  if (sections.length === 0) return [{ path, code, lines: lines.map((_, i) => i + 1) }];
  const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i + 1);
  const names = new Set(sections.flatMap((section) => section.names));
  return [...names].map((name) => {
    const lineNumbers = sections.flatMap((section, i) =>
      section.names.includes(name) ? numbers(section.from, sections[i + 1]?.from ?? lines.length) : [],
    );
    const allNumbers = [...numbers(0, sections[0].from), ...lineNumbers];
    const text = allNumbers.map((number) => lines[number - 1]).join('\n');
    return { path: `${path}#${name}`, code: `${text.trimEnd()}\n`, lines: allNumbers };
  });
}

/**
 * The include lines of a WGSL text, in their order: `// include common/a.wgsl: name, name`, or with a choice,
 * `// include common/a.wgsl or common/b.wgsl: name`; of a file with variants `// include common/a.wgsl#f16 or #f32: name`.
 * An include continues in comment lines that are indented by three spaces. Throws SyntaxError with file and line.
 */
export function includesOf(path: string, code: string): readonly Include[] {
  const lines = code.split(/\r?\n/);
  return lines.flatMap((line, i) => {
    if (!line.startsWith(INCLUDE_PREFIX)) return [];
    let text = line.slice(INCLUDE_PREFIX.length);
    for (let next = i + 1; next < lines.length; next++) {
      const continuation = CONTINUATION.exec(lines[next]);
      if (!continuation) break;
      text += ` ${continuation[1]}`;
    }
    const match = INCLUDE_TEXT.exec(text);
    if (!match) {
      throw new SyntaxError(
        `${path}:${i + 1}: found '${text}', expected 'folder/file.wgsl: names' after '${INCLUDE_PREFIX.trim()}'`,
      );
    }
    let file = '';
    const paths = match[1].split(' or ').map((path) => {
      // '#f32' is another variant of the file before it.
      if (path.startsWith('#')) return file + path;
      file = path.replace(/#.*/, '');
      return path;
    });
    return [{ paths, names: match[2].split(', ') }];
  });
}

/**
 * The file of a shader in the project, whose folder is `root`. The path of a shader of the lab X begins with X/; its file is in
 * labs/X/shaders.
 */
export function shaderFile(path: string, root?: string): string {
  const [folder, ...rest] = path.split('/');
  return labNames(root).includes(folder) ? ['labs', folder, 'shaders', ...rest].join('/') : `shaders/${path}`;
}

/** The path of a shader, from its file in the project: the inverse of `shaderFile`. */
export const shaderPath = (file: string): string =>
  file.replace(/^shaders\//, '').replace(/^labs\/([^/]+)\/shaders\//, '$1/');

/**
 * Imports a `.wgsl` file below shaders/, or a shader of a lab, as the ShaderSource of src/core/kernel/shader.ts: its path,
 * its text and the modules that its include lines name, or its variants. With 'paths' the built page gets no text, wherever it
 * is imported: it lists kernels and runs none. In development the page shares its modules with the worker, so there, and in a build for Node, the
 * texts are included in any case. With 'uncommented' they have no comments, and every line is at its number in the file.
 */
export function shaderModules(content: Content): Plugin {
  let root = '';
  let includedContent: Content = 'texts';
  return {
    name: 'shader-modules',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      const needsTexts = config.command === 'serve' || config.build.ssr !== false;
      includedContent = content === 'paths' && needsTexts ? 'texts' : content;
    },
    load(id) {
      if (!id.endsWith('.wgsl')) return null;
      const path = shaderPath(relative(root, id).replaceAll(sep, '/'));
      return { code: moduleOf(path, readFileSync(id, 'utf8'), includedContent), moduleType: 'js' };
    },
  };
}

/** What a build contains of a shader: its text, its text without comments, or only its path. */
type Content = 'texts' | 'uncommented' | 'paths';

/** The code of a module without comments and indentation, each line at its number in the file; other lines are empty. */
function uncommentedCode({ code, lines }: ShaderText): string {
  if (code.includes('/*')) throw new SyntaxError('found a block comment, expected comments of one line');
  const texts: (string | undefined)[] = [];
  for (const [i, text] of code.trimEnd().split(/\r?\n/).entries())
    texts[lines[i] - 1] = text.replace(/\/\/.*$/, '').trim();
  return `${Array.from(texts, (text) => text ?? '')
    .join('\n')
    .trimEnd()}\n`;
}

/** The JavaScript of the module of a file. */
export function moduleOf(path: string, code: string, content: Content): string {
  const imports = new Map<string, string>();
  const referenceTo = (included: string): string => {
    const [file, variant] = included.split('#');
    const name = imports.get(file) ?? `m${imports.size}`;
    imports.set(file, name);
    return variant === undefined ? name : `${name}.variants[${JSON.stringify(variant)}]`;
  };
  const objects = modulesOf(path, code).map((module) => {
    const { path: modulePath, code: text, lines } = module;
    const head = `path: ${JSON.stringify(modulePath)}`;
    if (content === 'paths') return { modulePath, fields: `${head}, code: null, includes: []` };
    const includes = includesOf(modulePath, text).map(({ paths }) => `[${paths.map(referenceTo).join(', ')}]`);
    const numbers = modulePath === path || content === 'uncommented' ? '' : `, lines: ${JSON.stringify(lines)}`;
    const moduleText = content === 'uncommented' ? uncommentedCode(module) : text;
    return {
      modulePath,
      fields: `${head}, code: ${JSON.stringify(moduleText)}, includes: [${includes.join(', ')}]${numbers}`,
    };
  });
  const variants = objects.map(
    ({ modulePath, fields }) => `${JSON.stringify(modulePath.slice(path.length + 1))}: { ${fields} }`,
  );
  const shader =
    objects[0].modulePath === path
      ? `${objects[0].fields}, variants: {}`
      : `path: ${JSON.stringify(path)}, code: null, includes: [], variants: { ${variants.join(', ')} }`;
  const importLines = [...imports].map(([included, name]) => {
    const from = relative(dirname(shaderFile(path)), shaderFile(included)).replaceAll(sep, '/');
    return `import ${name} from ${JSON.stringify(from.startsWith('.') ? from : `./${from}`)};`;
  });
  return [...importLines, `export default { ${shader} };`].join('\n');
}
