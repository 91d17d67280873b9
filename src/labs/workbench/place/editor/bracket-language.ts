import {
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import { Tag, tags } from '@lezer/highlight';
import type { ByteClass } from '../../../../core/encoded/ledger.ts';

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
  /** a number of the language for the comment or text that goes on over lines here; 0 outside of them */
  inside: number;
  bracket: OpenBracket | null;
}

/** What a language defines besides its brackets and comments to the end of a line. */
interface Language {
  readonly name: string;
  /** reads a token that is neither a word nor a bracket, and returns its kind; undefined if there is none here */
  readonly token: (stream: StringStream, state: Pick<StreamState, 'inside'>) => string | null | undefined;
  readonly word: RegExp;
  /** of a word: a kind of token, or the class of an array of that name */
  readonly kindOf: (word: string) => string;
}

/** A language with brackets for the editor: highlighting, and indentation by one step more than the line of the open bracket. */
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
      const own = token(stream, state);
      if (own !== undefined) return own;
      const found = stream.match(word);
      if (found && found !== true) return kindOf(found[0]);
      const sign = stream.next() ?? '';
      if (OPENS.has(sign)) state.bracket = { indent: stream.indentation(), outer: state.bracket };
      else if (CLOSES.test(sign)) state.bracket = state.bracket?.outer ?? null;
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

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: '600' },
  { tag: [tags.comment, tags.string], color: 'var(--text-muted)' },
  { tag: [tags.meta, tags.typeName, tags.number], color: 'inherit' },
  { tag: BYTES.values, color: 'var(--values-text)' },
  { tag: BYTES.indices, color: 'var(--indices-text)' },
  { tag: BYTES.metadata, color: 'var(--metadata-text)' },
]);
