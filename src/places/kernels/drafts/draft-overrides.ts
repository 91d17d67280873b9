import { declaredOverrides, overrideValues } from '../../../core/kernel/overrides.ts';
import type { Draft } from '../draft-book/book.ts';
import type { OverrideOrigin } from '../service/override-origins.ts';
import type { ReadPass } from '../service/kernel-reading-types.ts';

/** A constant of a draft, as its text declares it now. */
export interface DraftOverride {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
  /** without a change of the field; null where the text leaves it open */
  readonly value: number | null;
  /** own: the draft declares it, the kernel does not. text: the draft works it out of others */
  readonly origin: OverrideOrigin | 'own' | 'text';
}

/** What a kernel from scratch is told where its text asks for it. */
const TOLD = 'MAX_SUBGROUP_SIZE';

/**
 * The constants of a draft: those of its texts, each with what decides it. What a text no longer declares is left out.
 * O(characters of the kernel).
 */
export function draftOverrides(
  passes: readonly ReadPass[],
  { files, overrides }: Pick<Draft, 'files' | 'overrides'>,
  subgroup: number,
): readonly DraftOverride[] {
  const known = new Map(passes.flatMap(({ overrides }) => overrides.map((one) => [one.name, one] as const)));
  const found = new Map<string, DraftOverride>();
  for (const pass of passes) {
    const code = pass.files.map((file) => files[file.path] ?? file.code).join('\n');
    const set = pass.overrides.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]);
    const told = { [TOLD]: subgroup, ...Object.fromEntries(set) };
    const said = overrideValues(code, told);
    const now = overrideValues(code, { ...told, ...overrides });
    for (const { name, type, initial, meaning } of declaredOverrides(code)) {
      const kernel = known.get(name);
      if (kernel?.isSet) found.set(name, { name, type, meaning, value: kernel.value, origin: kernel.origin });
      else {
        const origin = name === TOLD ? 'device' : isLater(initial) ? 'text' : kernel ? 'free' : 'own';
        // What is worked out follows the fields; beside a field stands what it was.
        const value = (origin === 'text' ? now : said).get(name) ?? null;
        found.set(name, { name, type, meaning, value, origin });
      }
    }
  }
  return [...found.values()];
}

/** Whether a value is worked out of other constants. */
function isLater(initial: string): boolean {
  return /[A-Za-z_]\w*/.test(initial.replace(/\b\d[\w.]*|\btrue\b|\bfalse\b/g, ''));
}
