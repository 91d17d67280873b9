import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/** One include line of a WGSL file: the files that it offers, of which a kernel takes one, and the names taken from it. */
export interface Include {
  /** below shaders/ */
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

const BEGIN = '// include ';
/** An include that goes on. */
const MORE = /^\/\/ {3,}(\S.*)$/;
const INCLUDE = /^(\S+\.wgsl(?: or \S+\.wgsl)*): ((?:\w+, )*\w+)$/;

/**
 * The include lines of a WGSL text, in their order: `// include common/a.wgsl: name, name`, or with a choice,
 * `// include common/a.wgsl or common/b.wgsl: name`. An include goes on in comment lines that are indented by three spaces.
 * Throws SyntaxError with file and line.
 */
export function includesOf(path: string, code: string): readonly Include[] {
  const lines = code.split(/\r?\n/);
  return lines.flatMap((line, i) => {
    if (!line.startsWith(BEGIN)) return [];
    let text = line.slice(BEGIN.length);
    for (let next = i + 1; next < lines.length; next++) {
      const more = MORE.exec(lines[next]);
      if (!more) break;
      text += ` ${more[1]}`;
    }
    const found = INCLUDE.exec(text);
    if (!found) {
      throw new SyntaxError(
        `${path}:${i + 1}: found '${text}', expected 'folder/file.wgsl: names' after '${BEGIN.trim()}'`,
      );
    }
    return [{ paths: found[1].split(' or '), names: found[2].split(', ') }];
  });
}

/**
 * Imports a `.wgsl` file below shaders/ as the ShaderModule of src/core/kernel/shader.ts: its path, its text and the modules that
 * its include lines name. With 'paths' a page that is built gets the path alone, whoever imports it: it lists kernels and
 * runs none. In development the page shares its modules with the worker, so that there, and in a build for Node, the texts
 * are given all the same.
 */
export function shaderModules(give: 'texts' | 'paths'): Plugin {
  let root = '';
  let withTexts = true;
  return {
    name: 'shader-modules',
    enforce: 'pre',
    configResolved(config) {
      root = join(config.root, 'shaders');
      withTexts = give === 'texts' || config.command === 'serve' || config.build.ssr !== false;
    },
    load(id) {
      if (!id.endsWith('.wgsl')) return null;
      const path = relative(root, id).replaceAll(sep, '/');
      return { code: moduleOf(path, withTexts ? readFileSync(id, 'utf8') : null), moduleType: 'js' };
    },
  };
}

/** The JavaScript of a module with this text, or with none. */
export function moduleOf(path: string, text: string | null): string {
  const imports = new Map<string, string>();
  const nameOf = (included: string): string => {
    const name = imports.get(included) ?? `m${imports.size}`;
    imports.set(included, name);
    return name;
  };
  const includes = text === null ? [] : includesOf(path, text);
  const named = includes.map(({ paths }) => `[${paths.map(nameOf).join(', ')}]`).join(', ');
  const lines = [...imports].map(([included, name]) => {
    const from = relative(dirname(path), included).replaceAll(sep, '/');
    return `import ${name} from ${JSON.stringify(from.startsWith('.') ? from : `./${from}`)};`;
  });
  return [
    ...lines,
    `export default { path: ${JSON.stringify(path)}, code: ${JSON.stringify(text)}, includes: [${named}] };`,
  ].join('\n');
}
