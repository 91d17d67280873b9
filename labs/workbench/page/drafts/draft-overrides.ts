import { declaredOverrides, overrideValues } from '../../../../src/core/kernel/overrides.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { VisiblePass } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import type { OverrideOrigin } from '../service/drafts/override-origins.ts';
import type { OverrideOrigins } from '../service/drafts/service.ts';

/** A WGSL override (constant of a kernel) in the current text of a draft, a kernel that the user changed. */
export interface DraftOverride {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
  /** its value unless the user sets another in its input field; null if the text leaves it unset */
  readonly value: number | null;
  /** own: declared by the draft, not by the kernel. text: computed in the text from other constants */
  readonly origin: OverrideOrigin | 'own' | 'text';
}

/** An override that a kernel from scratch may declare; its value comes from the device. */
const SUBGROUP_OVERRIDE = 'MAX_SUBGROUP_SIZE';

/**
 * The constants that a draft's text declares, each with its origin; `origins`: of constants that the kernel sets.
 * `maxSubgroupSize`: lanes of the device's largest subgroup. O(characters of the kernel).
 */
export function draftOverrides(
  passes: readonly VisiblePass[],
  { files, overrides }: Pick<Draft, 'files' | 'overrides'>,
  maxSubgroupSize: number,
  origins: OverrideOrigins,
): readonly DraftOverride[] {
  const kernelOverrides = new Map(
    passes.flatMap(({ overrides }) => overrides.map((override) => [override.name, override] as const)),
  );
  const constants = new Map<string, DraftOverride>();
  for (const pass of passes) {
    const code = pass.files.map((file) => files[file.path] ?? file.code).join('\n');
    const kernelValues = pass.overrides.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]);
    const setValues = { [SUBGROUP_OVERRIDE]: maxSubgroupSize, ...Object.fromEntries(kernelValues) };
    const textValues = overrideValues(code, setValues);
    const currentValues = overrideValues(code, { ...setValues, ...overrides });
    for (const { name, type, initial, meaning } of declaredOverrides(code)) {
      const original = kernelOverrides.get(name);
      if (original?.isSet)
        constants.set(name, { name, type, meaning, value: original.value, origin: origins[name] ?? 'free' });
      else {
        const origin = name === SUBGROUP_OVERRIDE ? 'device' : isComputed(initial) ? 'text' : original ? 'free' : 'own';
        // A computed value follows the constants that the user sets; any other is the value in the text.
        const value = (origin === 'text' ? currentValues : textValues).get(name) ?? null;
        constants.set(name, { name, type, meaning, value, origin });
      }
    }
  }
  return [...constants.values()];
}

/** Whether a value is computed from other constants. */
function isComputed(initial: string): boolean {
  return /[A-Za-z_]\w*/.test(initial.replace(/\b\d[\w.]*|\btrue\b|\bfalse\b/g, ''));
}
