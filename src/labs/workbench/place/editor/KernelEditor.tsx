import { lintGutter } from '@codemirror/lint';
import { Text } from '@codemirror/state';
import { highlightActiveLine, lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import type { ByteClass } from '../../../../core/encoded/ledger.ts';
import { changedLines } from './changed-lines.ts';
import { CodeEditor, type CodeEditorProps } from './CodeEditor.tsx';
import type { CodeKind } from './code-view.ts';
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { Tag, tags } from '@lezer/highlight';
import { KEYWORDS } from '../../../../places/code/wgsl-tokens.ts';

/** Types and address spaces that WGSL predeclares. */
const TYPES =
  /^(?:bool|[fiu](?:16|32)|vec[234][fiuh]?|mat[234]x[234][fh]?|array|atomic|ptr|function|private|workgroup|uniform|storage|read|write|read_write)$/;

const BYTES: Readonly<Record<ByteClass, Tag>> = {
  values: Tag.define(),
  indices: Tag.define(),
  metadata: Tag.define(),
  padding: Tag.define(),
};

const OPENS: ReadonlySet<string> = new Set('([{');
const CLOSES = /^[)\]}]/;

/** An open bracket; a linked list, since a text may nest as deeply as it is long. */
interface OpenBracket {
  /** indentation of its line */
  readonly indent: number;
  readonly outer: OpenBracket | null;
}

/** The context at the current position of the stream. */
interface Inside {
  /** depth of block comments, which nest */
  comments: number;
  bracket: OpenBracket | null;
}

/**
 * WGSL highlighting: keywords, types, numbers, comments, attributes, and buffers by their contents; and indentation: one step
 * more than the line with the open bracket.
 */
export function wgsl(buffers: ReadonlyMap<string, ByteClass>): LanguageSupport {
  const language = StreamLanguage.define<Inside>({
    name: 'wgsl',
    startState: () => ({ comments: 0, bracket: null }),
    copyState: ({ comments, bracket }) => ({ comments, bracket }),
    token(stream, state) {
      if (state.comments === 0 && stream.match('/*')) state.comments = 1;
      if (state.comments > 0) {
        while (state.comments > 0 && !stream.eol()) {
          if (stream.match('/*')) state.comments++;
          else if (stream.match('*/')) state.comments--;
          else stream.next();
        }
        return 'comment';
      }
      if (stream.eatSpace()) return null;
      if (stream.match('//')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (stream.match(/^@\w+/)) return 'meta';
      if (stream.match(/^(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[fhiu]?/)) return 'number';
      const found = stream.match(/^[A-Za-z_]\w*/);
      const name = found && found !== true ? found[0] : null;
      if (name === null) {
        const sign = stream.next() ?? '';
        if (OPENS.has(sign)) state.bracket = { indent: stream.indentation(), outer: state.bracket };
        else if (CLOSES.test(sign)) state.bracket = state.bracket?.outer ?? null;
        return null;
      }
      if (KEYWORDS.has(name)) return 'keyword';
      if (TYPES.test(name)) return 'typeName';
      return buffers.get(name) ?? 'variableName';
    },
    tokenTable: { ...BYTES },
    indent({ comments, bracket }, textAfter, { unit }) {
      // Comments keep their author's indentation.
      if (comments > 0) return null;
      if (bracket === null) return 0;
      return CLOSES.test(textAfter) ? bracket.indent : bracket.indent + unit;
    },
    languageData: {
      indentOnInput: /^\s*[)\]}]$/,
      commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
      closeBrackets: {},
    },
  });
  return new LanguageSupport(language, syntaxHighlighting(COLOURS));
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: '600' },
  { tag: tags.comment, color: 'var(--text-muted)' },
  { tag: [tags.meta, tags.typeName, tags.number], color: 'inherit' },
  { tag: BYTES.values, color: 'var(--values-text)' },
  { tag: BYTES.indices, color: 'var(--indices-text)' },
  { tag: BYTES.metadata, color: 'var(--metadata-text)' },
]);

export interface KernelEditorProps extends Omit<CodeEditorProps, 'kind'> {
  /** byte class of a buffer, by its name */
  readonly buffers: ReadonlyMap<string, ByteClass>;
}

/** The editor of one kernel in WGSL; another kernel needs another `key`. */
export function KernelEditor({ buffers, ...props }: KernelEditorProps) {
  const kind = useMemo(
    (): CodeKind => ({
      names: () => '',
      language: () => wgsl(buffers),
      around: ({ original }) => [
        lintGutter(),
        lineNumbers(),
        changedLines(Text.of(original.split('\n'))),
        highlightActiveLine(),
      ],
    }),
    [buffers],
  );
  return <CodeEditor kind={kind} {...props} />;
}
