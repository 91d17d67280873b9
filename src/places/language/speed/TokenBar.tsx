import { useRef } from 'react';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { time } from '../../../kit/words/quantity.ts';
import { accentOf } from '../../../kit/format-color.ts';
import { bytesText } from '../../../core/story/words.ts';
import type { TokenDispatch } from '../../../theory/models/token-dispatches.ts';

interface TokenBarProps {
  readonly title: string;
  readonly format: string;
  readonly dispatches: readonly TokenDispatch[];
  /** bytes of a cell of a block's matrix, and of the head's */
  readonly bytesPerCell: number;
  readonly headBytesPerCell: number;
  readonly readGBps: number;
  readonly dispatchNs: number;
  readonly layers: number;
  readonly named: boolean;
}

const HEIGHT = 24;

/** One token as its dispatches, each as wide as a launch, with the time of its bytes to scale. */
export function TokenBar({
  title,
  format,
  dispatches,
  bytesPerCell,
  headBytesPerCell,
  readGBps,
  dispatchNs,
  layers,
  named,
}: TokenBarProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const bytesOf = ({ cells, isHead }: TokenDispatch): number => cells * (isHead ? headBytesPerCell : bytesPerCell);
  const bytes = dispatches.reduce((sum, one) => sum + bytesOf(one), 0);
  const bytesNs = bytes / readGBps;
  const launchNs = dispatches.length * dispatchNs;
  const step = width / dispatches.length;
  const top = named ? 16 : 0;
  return (
    <div className="token-bar" style={accentOf(format)}>
      <p className="token-bar-name">
        <b>{title}</b>
        <span className="number">{bytesText(bytes)}</span>
      </p>
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT + top}
            role="img"
            aria-label={`${title}: ${dispatches.length} dispatches, ${time(launchNs)} of launches and ${time(bytesNs)} of bytes`}
          >
            {named &&
              Array.from({ length: layers }, (_, layer) => (
                <text key={layer} x={(1 + 8 * (layer + 0.5)) * step} y={11} textAnchor="middle">
                  {width / layers > 56 ? `layer ${layer}` : layer}
                </text>
              ))}
            {dispatches.map((one, i) => {
              const ns = bytesOf(one) / readGBps;
              return (
                // oxlint-disable-next-line react/no-array-index-key -- dispatches are known by their place alone
                <g key={i}>
                  <rect
                    className={one.cells > 0 ? 'bar-kernel' : 'bar-rest'}
                    x={i * step}
                    y={top}
                    width={Math.max(0.5, step - 1)}
                    height={HEIGHT}
                  />
                  {ns > 0 && (
                    <rect
                      className="bar-bytes"
                      x={i * step}
                      y={top}
                      width={Math.max(1, Math.min(step - 1, (ns / dispatchNs) * step))}
                      height={HEIGHT}
                    />
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <p className="token-bar-time number">
        <b>{time(Math.max(launchNs, bytesNs))}</b>
        <span>{time(bytesNs)} of it bytes</span>
      </p>
    </div>
  );
}
