import type { ReadPass } from '../../../worker/protocol.ts';
import { NumberInput } from '../../parts/NumberInput.tsx';

export interface OverrideFieldsProps {
  readonly pass: ReadPass;
  readonly overrides: Readonly<Record<string, number>>;
  /** null for the kernel's own value */
  readonly onChange: (name: string, value: number | null) => void;
}

/** What a constant of the type may be. */
const RANGES: Readonly<Record<string, { readonly min: number; readonly max: number; readonly whole: boolean }>> = {
  bool: { min: 0, max: 1, whole: true },
  u32: { min: 0, max: 2 ** 32 - 1, whole: true },
  i32: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
};
const ANY = { min: -3.4028234663852886e38, max: 3.4028234663852886e38, whole: false };

/** The constants of a pass as fields: name, value, and what it means where the pointer rests. */
export function OverrideFields({ pass, overrides, onChange }: OverrideFieldsProps) {
  if (pass.overrides.length === 0) return null;
  return (
    <div className="draft-overrides" role="group" aria-label="Constants of the draft">
      {pass.overrides.map(({ name, type, value, meaning }) => {
        const own = overrides[name];
        const changed = own !== undefined;
        return (
          <div key={name} className="draft-override">
            <NumberInput
              label={changed ? `${name}, yours` : name}
              hint={`${meaning} The kernel’s own value is ${value}.`.trim()}
              value={own ?? value}
              {...(RANGES[type] ?? ANY)}
              onChange={(next) => onChange(name, next === value ? null : next)}
            />
            {changed && (
              <button type="button" className="text-button" onClick={() => onChange(name, null)}>
                <span className="unseen">{name} </span>was {value}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}
