import { createContext, useCallback, useContext, useEffect, useMemo } from 'react';
import { withVisibleSigns } from '../../core/errors.ts';
import type { Choices } from '../../state/index.ts';
import { useApp } from '../app-context.ts';

/** How one choice that a user makes on a page is read from and written to the address, as `x.NAME=text`. */
export interface ChoiceField<T> {
  readonly default: T;
  /** null if the text is not valid */
  read(text: string): T | null;
  write(value: T): string;
  /** the accepted texts, in words that follow 'expected' */
  readonly expected: string;
}

/** The fields of a set of choices by name; `V` has the types of their values. */
export type ChoiceFields<V extends object> = { readonly [K in keyof V]: ChoiceField<V[K]> };

/** A choice of a number from `min` to `max`; `whole` if fractions are not allowed. */
export function numberChoice(min: number, max: number, initial: number, whole = false): ChoiceField<number> {
  return {
    default: initial,
    read(text) {
      const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max && (!whole || Number.isSafeInteger(value)) ? value : null;
    },
    write: String,
    expected: `${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`,
  };
}

/** A choice of one of several words. */
export function wordChoice<T extends string>(options: readonly T[], initial: T): ChoiceField<T> {
  return {
    default: initial,
    read: (text) => options.find((option) => option === text) ?? null,
    write: (value) => value,
    expected: `one of ${options.join(', ')}`,
  };
}

/** A choice of on or off. */
export function flagChoice(initial: boolean): ChoiceField<boolean> {
  return {
    default: initial,
    read: (text) => (text === 'yes' || text === 'no' ? text === 'yes' : null),
    write: (value) => (value ? 'yes' : 'no'),
    expected: 'yes or no',
  };
}

/** A choice of any number of words, in the order of `options`, joined with dots; 'none' for none of them. */
export function wordsChoice<T extends string>(options: readonly T[], initial: readonly T[]): ChoiceField<readonly T[]> {
  return {
    default: initial,
    read(text) {
      if (text === 'none') return [];
      const words = text.split('.');
      return words.every((word) => options.some((option) => option === word))
        ? options.filter((option) => words.includes(option))
        : null;
    },
    write: (values) => (values.length === 0 ? 'none' : values.join('.')),
    expected: `some of ${options.join(', ')}, with dots between them`,
  };
}

/** Any text of at most `maxCharacters`, such as an address. */
export function textChoice(maxCharacters: number, initial = ''): ChoiceField<string> {
  return {
    default: initial,
    read: (text) => (text.length <= maxCharacters ? text : null),
    write: (value) => value,
    expected: `a text of at most ${maxCharacters} characters`,
  };
}

/** The values of choices, each at its default if its text is missing or invalid, and a message per invalid text. */
export function readChoices<V extends object>(
  fields: ChoiceFields<V>,
  choices: Choices,
): { readonly values: V; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const entries = Object.entries<ChoiceField<unknown>>(fields).map(([name, field]): [string, unknown] => {
    const text = choices[name];
    if (text === undefined) return [name, field.default];
    const value = field.read(text);
    if (value !== null) return [name, value];
    const excerpt = text.length > 60 ? `${text.slice(0, 60)}...` : text;
    problems.push(
      `Link, x.${name}: found '${withVisibleSigns(excerpt)}', expected ${field.expected}; ${field.write(field.default) || 'nothing'} is used.`,
    );
    return [name, field.default];
  });
  return { values: Object.fromEntries(entries) as V, problems };
}

/** The texts of values: '' for a default, which the address leaves out. */
export function writeChoices<V extends object>(fields: ChoiceFields<V>, values: Partial<V>): Choices {
  const all: Readonly<Record<string, ChoiceField<unknown>>> = fields;
  return Object.fromEntries(
    Object.entries<unknown>(values).map(([name, value]) => {
      const text = all[name].write(value);
      return [name, text === all[name].write(all[name].default) ? '' : text];
    }),
  );
}

/** The texts of the choices of the current page, and how to change them. */
interface ChoiceTexts {
  readonly texts: Choices;
  readonly choose: (changed: Choices) => void;
}

/** Provided by the page whose address stores the choices. */
export const ChoiceContext = createContext<ChoiceTexts | null>(null);

/** The texts of the page's choices, and how to change them. Throws Error outside of ChoiceContext. */
export function useChoiceTexts(): ChoiceTexts {
  const choices = useContext(ChoiceContext);
  if (!choices) throw new Error('useChoiceTexts: found no page, expected a component below ChoiceContext');
  return choices;
}

/** The choices of a page, and how to change them; pass the same `fields` at every call. Invalid texts are announced. */
export function useChoices<V extends object>(fields: ChoiceFields<V>): readonly [V, (changed: Partial<V>) => void] {
  const { announce } = useApp();
  const { texts, choose } = useChoiceTexts();
  const { values, problems } = useMemo(() => readChoices(fields, texts), [fields, texts]);
  const message = problems.join(' ');
  useEffect(() => {
    if (message !== '') announce(message);
  }, [message, announce]);
  const chooseValues = useCallback((changed: Partial<V>) => choose(writeChoices(fields, changed)), [choose, fields]);
  return [values, chooseValues];
}
