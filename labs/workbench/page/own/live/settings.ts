import type { ModuleDescription } from '../../../own/parse-answers.ts';
import type { UserParams } from '../../../own/module-messages.ts';

/** Returns every combination of the options of a format's parameters, the defaults first. O(combinations). */
export function settingsOf(params: ModuleDescription['params']): readonly UserParams[] {
  return params.reduce<readonly UserParams[]>(
    (settings, { name, options }) =>
      settings.flatMap((setting) => options.map((option) => ({ ...setting, [name]: option }))),
    [{}],
  );
}

/** A setting of the parameters in words: 'C 4, sigma 128'. */
export function settingText(params: UserParams): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
