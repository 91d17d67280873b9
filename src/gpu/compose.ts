import type { ShaderFile } from '../core/kernel/shader.ts';

// Joins WGSL files into one module, and finds the file and line that a compiler message is about.

/** A position in a shader file: file and line, from 1. */
interface SourcePosition {
  readonly path: string;
  readonly line: number;
}

/** One WGSL module made of several files. */
export interface ComposedShader {
  readonly code: string;
  /** The origin of a line of `code` (from 1); null for the lines between files. */
  positionOf(line: number): SourcePosition | null;
}

/**
 * A global directive on its own line; WGSL requires all of them before anything else. Not a line in which a block
 * comment begins or ends: moving that would turn other lines into comments, or comments into code.
 */
const DIRECTIVE = /^\s*(?:enable|requires|diagnostic)\b[\w\s,.()]*;\s*(?:\/\/(?!.*(?:\/\*|\*\/)).*)?$/;

/** Concatenates shader files, each after a line `// ---- path`; directives move to the top and leave an empty line. */
export function composeShader(files: readonly ShaderFile[]): ComposedShader {
  const directives = new Map<string, SourcePosition>();
  const lines: string[] = [];
  const positions: (SourcePosition | null)[] = [];
  for (const { path, code, lines: numbers } of files) {
    lines.push(`// ---- ${path}`);
    positions.push(null);
    for (const [i, text] of code.split(/\r?\n/).entries()) {
      const position = { path, line: numbers?.[i] ?? i + 1 };
      const isDirective = DIRECTIVE.test(text);
      if (isDirective) {
        const directive = text.replace(/\/\/.*$/, '').trim();
        if (!directives.has(directive)) directives.set(directive, position);
      }
      lines.push(isDirective ? '' : text);
      positions.push(position);
    }
  }
  const allPositions = [...directives.values(), ...positions];
  return {
    code: [...directives.keys(), ...lines].join('\n'),
    positionOf: (line) => allPositions[line - 1] ?? null,
  };
}

/** The part of GPUCompilationMessage that is needed here: a compiler's message about one line. */
export interface CompilerMessage {
  readonly type: string;
  readonly message: string;
  readonly lineNum: number;
}

/** The errors of a compilation as 'file:line: message', one per line; empty if there are none. */
export function compileErrors(shader: ComposedShader, messages: readonly CompilerMessage[]): string {
  return messages
    .filter((m) => m.type === 'error')
    .map((m) => {
      const position = shader.positionOf(m.lineNum);
      return position ? `${position.path}:${position.line}: ${m.message}` : m.message;
    })
    .join('\n');
}
