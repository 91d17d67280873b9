import { Checkbox } from '../../../kit/controls/Checkbox.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { COEFFICIENTS, type RunSettings } from '../theory/run.ts';

interface SettingsProps {
  readonly settings: RunSettings;
  /** the coefficient that the slider shows */
  readonly l1: number;
  /** during a run only the coefficient can be changed, from the next point of the curves on */
  readonly isRunning: boolean;
  readonly onL1: (l1: number) => void;
  readonly onChange: (changed: Partial<Pick<RunSettings, 'seed' | 'reinitialises' | 'warmsUp'>>) => void;
}

/** The controls for the settings of a training run: L1, two switches and the seed. */
export function Settings({ settings: { seed, reinitialises, warmsUp }, l1, isRunning, onL1, onChange }: SettingsProps) {
  return (
    <>
      <div className="w-64 max-sm:w-full">
        <LiveSlider
          label={isRunning ? 'L1 from the next point' : 'L1 coefficient'}
          min={0}
          max={COEFFICIENTS.length - 1}
          step={1}
          value={COEFFICIENTS.indexOf(l1)}
          format={(index) => String(COEFFICIENTS[index])}
          onChange={(index) => onL1(COEFFICIENTS[index])}
        />
      </div>
      <Checkbox checked={reinitialises} disabled={isRunning} onChange={(value) => onChange({ reinitialises: value })}>
        reinitialise dead neurons
      </Checkbox>
      <Checkbox checked={warmsUp} disabled={isRunning} onChange={(checked) => onChange({ warmsUp: checked })}>
        warm-up
      </Checkbox>
      {!isRunning && (
        <div className="[&_.input]:w-28">
          <NumberInput
            label="seed"
            value={seed}
            min={0}
            max={2 ** 31 - 1}
            whole
            onChange={(next) => onChange({ seed: next })}
          />
        </div>
      )}
    </>
  );
}
