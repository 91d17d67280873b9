import type { Description } from '../../../own/parse-answers.ts';
import type { OwnParams } from '../../../own/module-messages.ts';

/** Every combination of the options, the defaults first; one without parameters. O(combinations). */
export function settingsOf(params: Description['params']): readonly OwnParams[] {
  return params.reduce<readonly OwnParams[]>(
    (all, { name, options }) => all.flatMap((one) => options.map((option) => ({ ...one, [name]: option }))),
    [{}],
  );
}

/** 'C 4, sigma 128' */
export function settingText(params: OwnParams): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
