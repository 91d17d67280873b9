import { OWN_GROUP } from '../../../core/format.ts';
import { useApp } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { Check, toggled } from '../../../kit/controls/Check.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { CHART_FIELDS, isChosen } from '../curves/curve-choices.ts';

const BESIDE = [
  ['published', 'published figures'],
  ['quantised', 'dense in fewer bits'],
  ['unstructured', 'Tiled-CSL, 4 bytes per non-zero'],
] as const;

/** Which formats the chart shows, and what it compares them with. */
export function ChartShown() {
  const { formats } = useApp();
  const [{ formats: chosen, beside }, choose] = useChoices(CHART_FIELDS);
  return (
    <details className="disclosure">
      <summary>formats in the chart</summary>
      <div className="left-shown">
        {formats.map((format) => (
          <Check
            key={format.id}
            checked={isChosen(format, chosen)}
            disabled={format.group === OWN_GROUP}
            onChange={() => choose({ formats: toggled(chosen, format.id) })}
          >
            <Swatch format={format.id} />
            {format.title}
          </Check>
        ))}
        {BESIDE.map(([name, label]) => (
          <Check key={name} checked={beside.includes(name)} onChange={() => choose({ beside: toggled(beside, name) })}>
            {label}
          </Check>
        ))}
      </div>
    </details>
  );
}
