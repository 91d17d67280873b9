import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { Tag, tags } from '@lezer/highlight';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { KEYWORDS } from '../wgsl-tokens.ts';

/** Types and the address spaces, as WGSL predeclares them. */
const TYPES =
  /^(?:bool|[fiu](?:16|32)|vec[234][fiuh]?|mat[234]x[234][fh]?|array|atomic|ptr|function|private|workgroup|uniform|storage|read|write|read_write)$/;

const BYTES: Readonly<Record<ByteClass, Tag>> = {
  values: Tag.define(),
  indices: Tag.define(),
  metadata: Tag.define(),
  padding: Tag.define(),
};

/** Whether the stream is inside of comments in slashes and stars, which nest. */
interface Depth {
  comments: number;
}

/** WGSL as far as it is coloured: keywords, types, numbers, comments, attributes, and the buffers by what they hold. */
export function wgsl(buffers: ReadonlyMap<string, ByteClass>): LanguageSupport {
  const language = StreamLanguage.define<Depth>({
    name: 'wgsl',
    startState: () => ({ comments: 0 }),
    copyState: ({ comments }) => ({ comments }),
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
        stream.next();
        return null;
      }
      if (KEYWORDS.has(name)) return 'keyword';
      if (TYPES.test(name)) return 'typeName';
      return buffers.get(name) ?? 'variableName';
    },
    tokenTable: { ...BYTES },
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: {} },
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
