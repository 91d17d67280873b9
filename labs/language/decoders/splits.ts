/**
 * The regular expressions by which tokenizers split texts before merges, as in the code of the models' authors. An
 * unknown expression is rejected, since it could run practically forever, and cannot be interrupted.
 */

const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const AFTER_WORDS = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

export const LLAMA3_SPLIT = `${CONTRACTIONS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
export const QWEN2_SPLIT = LLAMA3_SPLIT.replace('\\p{N}{1,3}', '\\p{N}');

const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const THREE_DIGITS = '[0-9][0-9][0-9]';

/** The splits that llama.cpp applies, one after the other, for files that name no split. */
export const UNNAMED_SPLITS: readonly string[] = ['[\\p{P}\\$\\+<=>\\^~\\|]+', GPT2, '\\p{N}+', THREE_DIGITS];

/** The split of GPT-OSS, and of Tekken by Mistral: words in lower, upper or both cases, followed by `after`. */
const byCase = (after: string, digits: string): string =>
  `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${after}|[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${after}|${digits}|${AFTER_WORDS}`;

/** The text of all known patterns. */
export const KNOWN_PATTERNS: ReadonlySet<unknown> = new Set([
  LLAMA3_SPLIT,
  QWEN2_SPLIT,
  byCase(`${CONTRACTIONS}?`, '\\p{N}{1,3}'),
  byCase('', '\\p{N}'),
  GPT2,
  // With three digits, the last pattern of Falcon.
  ...UNNAMED_SPLITS,
  // DeepSeek, and digits of other models
  '[\r\n]',
  '\\s?\\p{L}+',
  '\\s?\\p{P}+',
  '\\p{N}',
  '\\p{N}{1,3}',
  '\\p{N}+',
  '\\d',
  '\\d+',
  '\\s+',
  ' {2,}',
  ' ',
]);
