import type { ChoiceField } from '../../kit/browser/choices.ts';
import { PRESETS } from './windows-form.ts';

/** Numbers that the page takes: of a pattern Z:L, and of hardware M:N. */
export const LIMITS = { kept: 24, group: 24, hardwareKept: 15, window: 16 } as const;

/** The texts that `boardTexts` writes. */
export const WINDOWS_FIELDS = {
  pattern: pairChoice(LIMITS.kept, LIMITS.group, [PRESETS[0].kept, PRESETS[0].group]),
  on: pairChoice(LIMITS.hardwareKept, LIMITS.window, [PRESETS[0].hardwareKept, PRESETS[0].window]),
  columns: columnsChoice(LIMITS.group),
} as const;

type Pair = readonly [kept: number, of: number];

/** Z of every L, as `6:8`. */
function pairChoice(maxKept: number, max: number, initial: Pair): ChoiceField<Pair> {
  return {
    default: initial,
    read(text) {
      const [, kept, of] = /^(\d{1,2}):(\d{1,2})$/.exec(text)?.map(Number) ?? [];
      return kept >= 1 && kept <= maxKept && of >= 2 && of <= max ? [kept, of] : null;
    },
    write: ([kept, of]) => `${kept}:${of}`,
    expected: `two whole numbers such as 6:8, up to ${maxKept} and ${max}`,
  };
}

/** Columns in ascending order with dots between them; null for those that the pattern shows at first. */
function columnsChoice(group: number): ChoiceField<readonly number[] | null> {
  return {
    default: null,
    read(text) {
      if (text === 'none') return [];
      const columns = text.split('.').map((word) => (/^\d{1,2}$/.test(word) ? Number(word) : Number.NaN));
      const isRising = columns.every((c, i) => c < group && (i === 0 || c > columns[i - 1]));
      return isRising ? columns : null;
    },
    write: (columns) => (columns === null ? '' : columns.join('.') || 'none'),
    expected: `ascending columns from 0 to ${group - 1}, with dots between them`,
  };
}
