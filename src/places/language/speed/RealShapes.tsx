import { Select } from '../../../kit/controls/Select.tsx';
import { DeviceLabel } from '../../../kit/devices/DeviceLabel.tsx';
import { dayText } from '../../../state/devices/devices.ts';
import type { WholeTokens } from '../../../theory/models/whole-tokens.ts';
import { LARGE_MODELS } from './fields.ts';
import { PYTORCH_VERSION } from './pytorch.ts';
import { endOf, realRows } from './real-rows.ts';
import { RealBars } from './RealBars.tsx';
import type { Large } from './use-large.ts';

interface LargeProps {
  readonly known: Large;
  /** a token of the dense model */
  readonly denseNs: number | null;
}

/** Tokens of a large model: its matrices as they were measured alone, and whole ones. */
export function RealShapes({ known, denseNs }: LargeProps) {
  const { large, choose, device, pytorch, whole } = known;
  const rows = realRows({ ...known, denseNs });
  return (
    <section aria-labelledby="speed-real">
      <div className="speed-head">
        <h3 id="speed-real" className="side-head">
          At real shapes <span className="section-caption">ms per token; pale: not matrices; tick: limit by bytes</span>
        </h3>
        <Select
          aria-label="Large model"
          value={large.name}
          options={LARGE_MODELS.map((name) => ({ value: name, label: name }))}
          onChange={(name) => choose({ large: name })}
        />
      </div>
      <RealBars rows={rows} end={endOf(rows)} />
      <p className="speed-note">
        Matrices: <DeviceLabel device={device} />, each shape alone, cold, one token, lm_head kept dense.{' '}
        {wholeWords([...whole.dense, ...whole.stored])}{' '}
        {pytorch &&
          `PyTorch: whole tokens, ${PYTORCH_VERSION}, measured on an ${pytorch.card} on ${pytorch.days.map(dayText).join(' and ')}, random weights in f16, 100 tokens.`}
      </p>
    </section>
  );
}

/** Where and when whole tokens were measured. */
function wholeWords(all: readonly WholeTokens[]): string {
  const [newest] = all.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  if (newest === undefined) return 'Whole tokens were not measured on it.';
  const { isRecorded, device, date } = newest;
  return `Whole tokens: ${isRecorded ? 'recorded' : 'measured'} on ${device}, ${dayText(date)}, 100 of them from an empty prompt; the rest is what they take besides.`;
}
