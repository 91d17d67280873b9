import { scaleOf } from '../../../../kit/charts/axis.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { density as densityText } from '../../../../kit/words/quantity.ts';
import { roughDensity } from '../../../../kit/words/shares.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { DENSITY_AXES } from '../../curves/left-axis.ts';
import type { Stretch } from '../../curves/winners.ts';
import { type Side, type SpeedOf } from './sides.ts';
import { BY_WORDS, perByteText, unrankedText } from './side-words.ts';

interface TurnoverProps {
  readonly sides: readonly Side[];
  readonly scale: 'linear' | 'log';
  /** density at the cursor */
  readonly at: number;
}

/** Where two boundaries have room for their figures, in percent of the width. */
const ROOM = 7;

/** The fastest format of each device by density, on one axis: a row for each, with the densities at which it turns over. */
export function Turnover({ sides, scale, at }: TurnoverProps) {
  const axis = DENSITY_AXES[scale];
  const x = scaleOf(axis, [0, 100]);
  return (
    <div className="turnover">
      {sides.map((side, i) => (
        <div key={side.device.id} className="turnover-row">
          <p className="turnover-name">
            <span className="turnover-number">{i + 1}</span> <b>{side.device.name}</b>
            <span className="faint"> {kindText(side)}</span>
          </p>
          <div
            className="turnover-bar"
            data-by={side.lines[0]?.by}
            role="img"
            aria-label={`${side.device.name}: ${spoken(side)}`}
          >
            {side.fastest.map((stretch) => (
              <Part key={`${stretch.winner} ${stretch.from}`} side={side} stretch={stretch} x={x} />
            ))}
            {boundaries(side.fastest, x).map((density) => (
              <span key={density} className="turnover-at number" style={{ left: `${x(density)}%` }}>
                {roughDensity(density)}
              </span>
            ))}
            {side.fastest.length === 0 && <span className="turnover-none faint">{unrankedText(side)}</span>}
            <span className="turnover-cursor" style={{ left: `${x(at)}%` }} />
          </div>
        </div>
      ))}
      <div className="turnover-axis" aria-hidden="true">
        {axis.ticks
          .filter((tick) => scale === 'linear' || [1e-4, 1e-3, 0.01, 0.1, 1].includes(tick))
          .map((tick) => (
            <span key={tick} className="number" style={{ left: `${x(tick)}%` }}>
              {axis.text(tick)}
            </span>
          ))}
      </div>
      <p className="field-hint">
        density; the thin line is the cursor, {densityText(at)}
        {sides.some(({ lines }) => lines[0]?.by === 'bound') && ' · hatched: bounds, by bytes alone'}
        {sides.some(({ lines }) => lines[0]?.by === 'published') && ' · outlined: published by others'}
      </p>
    </div>
  );
}

interface PartProps {
  readonly side: Side;
  readonly stretch: Stretch<string>;
  readonly x: (density: number) => number;
}

function Part({ side, stretch: { from, to, winner }, x }: PartProps) {
  const format = side.lines.find(({ title }) => title === winner)?.format ?? referenceFormat.id;
  const left = Math.max(0, x(from));
  return (
    <span
      className="turnover-part"
      style={{ left: `${left}%`, width: `${x(to) - left}%`, color: cssColorOf(format) }}
      title={`${winner} is the fastest from ${roughDensity(from)} to ${roughDensity(to)}${BY_WORDS[side.lines[0].by]}`}
    >
      {x(to) - left >= ROOM && <span style={{ color: cssTextColorOf(format) }}>{winner}</span>}
    </span>
  );
}

/** Densities at which the fastest changes, as far as there is room for them. */
function boundaries(stretches: readonly Stretch<string>[], x: (density: number) => number): readonly number[] {
  const shown: number[] = [];
  for (const { from } of stretches.slice(1)) {
    const last = shown.at(-1);
    if (last === undefined || x(from) - x(last) >= ROOM) shown.push(from);
  }
  return shown;
}

const KINDS: Readonly<Record<SpeedOf, string>> = { measured: 'measured', published: 'published', bound: 'bounds' };

function kindText({ lines, perByte, device }: Side): string {
  const kind = lines.length === 0 ? '' : device.kind === 'recorded' ? 'recorded' : KINDS[lines[0].by];
  return [kind, ...(perByte === null ? [] : [`${perByteText(perByte)} multiply-adds per byte`])]
    .filter((part) => part !== '')
    .join(', ');
}

function spoken({ fastest, lines }: Side): string {
  if (fastest.length === 0) return unrankedText({ lines });
  return fastest
    .map(
      ({ from, to, winner }) =>
        `${winner} is the fastest from ${roughDensity(from)} to ${roughDensity(to)}${BY_WORDS[lines[0].by]}`,
    )
    .join('; ');
}
