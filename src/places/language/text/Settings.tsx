import { useId, useState } from 'react';

interface SettingsProps {
  readonly seed: number;
  readonly temperature: number;
  readonly onChange: (changed: { readonly seed?: number; readonly temperature?: number }) => void;
}

/** Seed and temperature of both texts. */
export function Settings({ seed, temperature, onChange }: SettingsProps) {
  return (
    <>
      <Small label="seed" value={seed} max={2 ** 32 - 1} step={1} onChange={(next) => onChange({ seed: next })} />
      <Small
        label="temperature"
        value={temperature}
        max={2}
        step={0.1}
        onChange={(next) => onChange({ temperature: next })}
      />
      <span className="settings-same">the same noise above and below</span>
    </>
  );
}

interface SmallProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

/** A number in the line of tabs: what is typed counts once the field is left, or Enter is pressed. */
function Small({ label, value, max, step, onChange }: SmallProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const accept = (): void => {
    const next = Number(typed ?? value);
    const isRight = typed !== null && typed.trim() !== '' && next >= 0 && next <= max;
    if (isRight && (step < 1 || Number.isInteger(next)) && next !== value) onChange(next);
    setTyped(null);
  };
  return (
    <span className="small-number">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="number"
        inputMode="decimal"
        value={typed ?? String(value)}
        size={Math.max(2, (typed ?? String(value)).length)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={accept}
        onKeyDown={(event) => {
          if (event.key === 'Enter') accept();
          else if (event.key === 'Escape') setTyped(null);
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            const next = value + (event.key === 'ArrowUp' ? step : -step);
            onChange(Math.min(max, Math.max(0, Math.round(10 * next) / 10)));
          }
        }}
      />
    </span>
  );
}
