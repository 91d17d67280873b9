import './speed.css';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { time } from '../../../kit/words/quantity.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { tokenDispatches } from '../../../theory/models/token-dispatches.ts';
import { wholeAt, type WholeTokens } from '../../../theory/models/whole-tokens.ts';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { speedHeadline } from './headline.ts';
import { DecodeHere } from './DecodeHere.tsx';
import { OneToken, TwoWays, useToken } from './OneToken.tsx';
import { Rates } from './Rates.tsx';
import { RealShapes } from './RealShapes.tsx';
import { ShapesTable } from './ShapesTable.tsx';
import { useLarge } from './use-large.ts';

/** What a token costs: of this model, whose launches decide, and of a large one, whose bytes do. */
export function SpeedTab({ subject }: TabProps) {
  const known = useLarge();
  const token = useToken(subject, known);
  const { large, left, format, isDense, loading, problem, at, measured, readGBps, pytorch, whole, device } = known;
  const { dispatches, dispatchNs, small } = token;
  const fastest = pytorch?.ways.at(-1) ?? null;
  const words = speedHeadline({
    small,
    large: {
      model: large.name,
      device: device.name,
      denseMs: inMs(at?.denseNs ?? null),
      storedMs: isDense ? null : inMs(at?.storedNs ?? null),
      format: isDense ? null : format.title,
      density: left,
      wholeDenseMs: inMs(wholeNs(whole.dense, 1)),
      wholeStoredMs: inMs(wholeNs(whole.stored, left)),
      minDenseMs: minMs(at?.denseBytes, readGBps),
      minStoredMs: isDense ? null : minMs(at?.storedBytes, readGBps),
      pytorch: fastest && pytorch && { ms: 1000 / fastest.tokensPerSecond, card: pytorch.card },
    },
  });
  const denseNs = at?.denseNs ?? measured[0]?.denseNs ?? null;
  const others = tokenDispatches(large).filter(({ cells }) => cells === 0).length;
  return (
    <div className="speed-tab">
      <TabAside>
        {readGBps !== null && (
          <span className="speed-aside">
            reads <b className="number">{bandwidth(readGBps)}</b>
          </span>
        )}
        {dispatchNs !== null && (
          <span className="speed-aside">
            an empty dispatch <b className="number">{time(dispatchNs)}</b>
          </span>
        )}
      </TabAside>
      <AnswerLine
        words={words}
        waiting={problem ?? (loading ? 'Loading what was measured' : 'How fast this device reads is not known yet')}
        className="answer-line speed-answer"
      />
      <div className="speed-columns">
        <div className="speed-left">
          <OneToken {...{ subject, known, token }} />
          <ShapesTable
            model={large}
            at={at}
            title={format.title}
            isDense={isDense}
            left={left}
            readGBps={readGBps}
            others={others}
            denseRestNs={restNs(wholeNs(whole.dense, 1), denseNs)}
            storedRestNs={restNs(wholeNs(whole.stored, left), at?.storedNs ?? null)}
            drafts={known.drafts}
          />
          <TwoWays dispatches={dispatches} at={at} />
          <DecodeHere known={known} />
        </div>
        <div className="speed-right">
          <RealShapes known={known} denseNs={denseNs} />
          <Rates known={known} denseNs={denseNs} />
        </div>
      </div>
    </div>
  );
}

function inMs(ns: number | null): number | null {
  return ns === null ? null : ns / 1e6;
}

/** Milliseconds that reading so many bytes takes at least; null where the device reads at an unknown speed. */
function minMs(bytes: number | undefined, readGBps: number | null): number | null {
  return bytes === undefined || readGBps === null ? null : bytes / readGBps / 1e6;
}

/** Nanoseconds of a whole token at a density; null where none was measured. */
function wholeNs(all: readonly WholeTokens[], density: number): number | null {
  const found = wholeAt(all, density);
  return found && 1e9 / found.tokensPerSecond;
}

/** What a whole token takes besides its matrices alone. */
function restNs(whole: number | null, matrices: number | null): number | null {
  return whole === null || matrices === null ? null : whole - matrices;
}
