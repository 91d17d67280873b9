// Highlighting and indentation of languages with brackets in the editor (CodeMirror), such as WGSL and JavaScript.

import {
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import { Tag, tags } from '@lezer/highlight';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';

/** Tags by which the names of arrays get the colour of their byte class. */
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

/** The state at the current position of the stream. */
interface StreamState {
  /** 0 outside comments and strings of several lines; inside, the language's number for their kind or depth */
  inside: number;
  bracket: OpenBracket | null;
}

/** A language to highlight; brackets, and comments from // to the end of a line, are common to all. */
interface Language {
  readonly name: string;
  /** reads a token that is neither a word nor a bracket, and returns its kind; undefined if there is none here */
  readonly token: (stream: StringStream, state: Pick<StreamState, 'inside'>) => string | null | undefined;
  readonly word: RegExp;
  /** the kind of token that a word is, or the byte class of the array with this name */
  readonly kindOf: (word: string) => string;
}

/** The editor's support for a language: highlighting of tokens, and one unit of indentation per open bracket. */
export function bracketLanguage({ name, token, word, kindOf }: Language): LanguageSupport {
  const language = StreamLanguage.define<StreamState>({
    name,
    startState: () => ({ inside: 0, bracket: null }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.inside === 0 && stream.eatSpace()) return null;
      if (state.inside === 0 && stream.match('//')) {
        stream.skipToEnd();
        return 'comment';
      }
      const kind = token(stream, state);
      if (kind !== undefined) return kind;
      const match = stream.match(word);
      if (match && match !== true) return kindOf(match[0]);
      const character = stream.next() ?? '';
      if (OPENS.has(character)) state.bracket = { indent: stream.indentation(), outer: state.bracket };
      else if (CLOSES.test(character)) state.bracket = state.bracket?.outer ?? null;
      return null;
    },
    tokenTable: { ...BYTES },
    indent({ inside, bracket }, textAfter, { unit }) {
      // Comments keep their author's indentation.
      if (inside > 0) return null;
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

/** The style of each kind of token. */
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: '600' },
  { tag: [tags.comment, tags.string], color: 'var(--text-muted)' },
  { tag: [tags.meta, tags.typeName, tags.number], color: 'inherit' },
  { tag: BYTES.values, color: 'var(--values-text)' },
  { tag: BYTES.indices, color: 'var(--indices-text)' },
  { tag: BYTES.metadata, color: 'var(--metadata-text)' },
]);
