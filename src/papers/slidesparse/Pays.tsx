import { useId, useMemo, useState } from 'react';
import {
  HARDWARE_2_4,
  patternText,
  PUBLISHED_A100_SPEEDUPS,
  slidingOf,
  storedShare,
} from '../../theory/sliding-windows.ts';
import { PRUNED_ACCURACY } from '../../theory/models/published-losses.ts';
import type { Device } from '../../state/devices/device.ts';
import { DeviceLabel } from '../../kit/devices/DeviceLabel.tsx';
import { useDevice } from '../../kit/devices/use-device.ts';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { percent, ratio, shape } from '../../kit/words/quantity.ts';
import { Select } from '../../kit/controls/Select.tsx';
import type { BenchReport } from '../../core/report.ts';
import { formulaOf } from '../../kit/report/operation-words.ts';
import { patternRows, restOf } from './pattern-rows.ts';
import { TableScroll } from '../../kit/primitives/Boxes.tsx';

const HALF_GROUPS = [2, 3, 4, 5, 6, 7, 8];

function hasPatterns({ reports }: Device): boolean {
  return measuredSettings(reports).length > 0;
}

/** When it pays: length, speed and bytes of each pattern on 2:4, predicted, measured, and published. */
export function Pays() {
  const { device } = useDevice(hasPatterns);
  const settings = useMemo(() => measuredSettings(device.reports), [device]);
  const [chosen, setChosen] = useState<string | null>(null);
  const setting =
    settings.find(({ title }) => title === chosen) ?? settings.find(({ speeds }) => speeds.has('2:4')) ?? settings[0];
  const measured: ReadonlyMap<string, number> = setting?.speeds ?? new Map();
  const measuredAlpha = measured.get('2:4');
  const id = useId();
  const [typed, setTyped] = useState(2);
  const alpha = measuredAlpha ?? typed;
  return (
    <section className="pays stack gap-3 one-column-grid mt-8 max-64" aria-label="When does it pay?">
      <h3 className="size-18 weight-400">When does it pay?</h3>
      <p>
        A slid row is gamma times as long. If 2:4 runs alpha times as fast as dense, a pattern runs alpha / gamma times
        as fast. Sparse tensor cores promise an alpha of 2. Here it comes from fewer bytes: at most 1.78 in f16 and 1.60
        in i8, for one vector.
      </p>
      {settings.length > 1 && (
        <div className="pays-alpha flex wrap items-end gap-4">
          <label htmlFor={id}>measured with</label>
          <Select
            id={id}
            value={setting?.title ?? ''}
            options={settings.map(({ title }) => ({ value: title, label: title }))}
            onChange={setChosen}
          />
        </div>
      )}
      {measuredAlpha === undefined ? (
        <div className="pays-alpha flex wrap items-end gap-4">
          <NumberInput label="alpha" min={0.1} max={4} value={typed} onChange={setTyped} />
          <p className="quiet">
            {device.kind === 'this' ? 'Not measured here yet' : `Not measured on ${device.name}`}: measure SlideSparse
            with pattern 2:4.
          </p>
        </div>
      ) : (
        <p>
          Measured: alpha = <strong className="number">{measuredAlpha.toFixed(2)}</strong>, the speed of 2:4 against
          dense ({setting.title}), <DeviceLabel device={device} />.
        </p>
      )}
      <TableScroll label="Patterns on 2:4">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">pattern</th>
              <th scope="col" className="number">
                gamma
              </th>
              <th scope="col" className="number">
                alpha / gamma
              </th>
              <th scope="col" className="number">
                measured
              </th>
              <th scope="col" className="number">
                algorithmic efficiency
              </th>
              <th scope="col" className="number">
                with alpha 2
              </th>
              <th scope="col" className="number">
                published, A100 int8
              </th>
              <th scope="col" className="number">
                bytes, f16
              </th>
              <th scope="col" className="number">
                bytes, i8
              </th>
            </tr>
          </thead>
          <tbody>
            {HALF_GROUPS.map((n) => {
              const sliding = slidingOf({ kept: 2 * n - 2, group: 2 * n }, HARDWARE_2_4);
              if (typeof sliding === 'string') return null;
              const pattern = patternText(sliding.pattern);
              return (
                <tr key={n}>
                  <th scope="row">{pattern}</th>
                  <td className="number">{sliding.expansion.toFixed(2)}</td>
                  <td className="number">{ratio(alpha / sliding.expansion)}</td>
                  <td className="number">{speedText(measured.get(pattern))}</td>
                  <td className="number">{efficiencyText(measured.get(pattern), measuredAlpha, sliding.expansion)}</td>
                  <td className="number">{ratio(2 / sliding.expansion)}</td>
                  <td className="number">{speedText(PUBLISHED_A100_SPEEDUPS.get(pattern))}</td>
                  <td className="number">{storedShare(sliding.pattern.group, sliding.hardware, 16).toFixed(3)}</td>
                  <td className="number">{storedShare(sliding.pattern.group, sliding.hardware, 8).toFixed(3)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
      <p className="quiet">
        Algorithmic efficiency: the measured speed over alpha / gamma. Above 100 %, part of the time does not grow with
        gamma.
      </p>
      <p className="quiet">
        Published: int8 GEMM kernels of Qwen2.5-7B at M = 16384, A100, sparse tensor cores. Accuracy of{' '}
        {PRUNED_ACCURACY.model}: {accuracies()}.
      </p>
    </section>
  );
}

/** 'dense 54.0, 6:8 51.6, 2:4 15.3' */
function accuracies(): string {
  return PRUNED_ACCURACY.points
    .map(({ density, pruning, accuracy }) => `${density === 1 ? 'dense' : pruning} ${accuracy.toFixed(1)}`)
    .join(', ');
}

function speedText(speed: number | undefined): string {
  return speed === undefined ? '–' : ratio(speed);
}

/** How much of what 2:4 promises a pattern keeps; 2:4 itself keeps all of it by definition. */
function efficiencyText(speed: number | undefined, alpha: number | undefined, gamma: number): string {
  return speed === undefined || alpha === undefined ? '–' : percent((speed * gamma) / alpha, 0);
}

/** Patterns that were measured alike: on one device, by one operation, in one value type, on matrices of one shape. */
interface MeasuredSetting {
  /** what they have in common, in a line: 'y = A x, f16, 4096 × 4096, cold' */
  readonly title: string;
  /** speed against dense by pattern ('6:8') on the GPU, each from the newest report that has it */
  readonly speeds: ReadonlyMap<string, number>;
}

/**
 * Every setting in which patterns were measured on a GPU, the newest first: when a paper's format pays is no question to a
 * software adapter. Speeds of different settings are never mixed: an alpha
 * of one says nothing about a pattern of another. `reports`: the newest first.
 */
export function measuredSettings(reports: readonly BenchReport[]): readonly MeasuredSetting[] {
  const settings = new Map<string, { readonly title: string; readonly speeds: Map<string, number> }>();
  for (const { workload, environment, ...report } of reports) {
    if (environment.isFallback) continue;
    for (const { halfGroup, row, ratio } of patternRows({ workload, environment, ...report }, 'gpu')) {
      const { operation, sizes = {}, rows, cols, memory } = workload;
      const key = JSON.stringify([operation, sizes, rows, cols, memory, environment.adapter, restOf(row)]);
      const valueType = String(row.params.valueType);
      const further = Object.entries(sizes).map(([name, value]) => `${value} ${name}`);
      const title = [formulaOf(operation), valueType, shape(rows, cols), ...further, memory].join(', ');
      const setting = settings.get(key) ?? { title, speeds: new Map<string, number>() };
      settings.set(key, setting);
      const pattern = `${2 * halfGroup - 2}:${2 * halfGroup}`;
      if (!setting.speeds.has(pattern)) setting.speeds.set(pattern, ratio);
    }
  }
  return [...settings.values()];
}
