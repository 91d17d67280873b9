// The result of the last run of a user's kernel.

import { counted, countText } from '../../../../src/core/text/words.ts';
import type { DraftResult, StoredCheck, WrongMap as WrongMapData } from '../kernel-drafts/draft-result.ts';
import { GpuSilence } from '../../../../src/kit/controls/GpuSilence.tsx';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { percent } from '../../../../src/kit/words/quantity.ts';
import { firstLineOf } from '../editor/fixes.ts';
import { Section } from '../../../../src/kit/controls/Section.tsx';
import { Drawer } from '../../../../src/kit/primitives/Boxes.tsx';
import { type MouseEvent, useEffect, useRef } from 'react';
import { useShell } from '../../../../src/kit/frame/shell-context.ts';

/** Points in a line of the map: fewer if there are few in total, so that the map is not a thin strip. */
function pointsPerLine(points: number): number {
  return points <= 512 ? 16 : 64;
}

/** Canvas pixels per point; incorrect points get larger marks if there are few, to be visible. */
const POINT = 4;
const LARGE_MARK = 7;
const MAX_LARGE_MARKS = 200;

interface WrongMapProps {
  readonly map: WrongMapData;
  /** number of incorrect outputs, and the first one */
  readonly wrongCount: number;
  readonly first: number;
  /** shows a row of the matrix; null if outputs are not rows, or not of the open matrix */
  readonly onRow: ((row: number) => void) | null;
}

/** A map of the incorrect outputs: a point represents `outputsPerPoint` neighbours, and is drawn if any is incorrect. */
function WrongMap({ map: { outputs, each: outputsPerPoint, points }, wrongCount, first, onRow }: WrongMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme } = useShell();
  const columns = pointsPerLine(points.length);
  const lines = Math.max(1, Math.ceil(points.length / columns));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    context.clearRect(0, 0, POINT * columns, POINT * lines);
    context.fillStyle = getComputedStyle(canvas.current).color;
    const markSize = columns > 16 && wrongCount < MAX_LARGE_MARKS ? LARGE_MARK : POINT - 1;
    const inset = (POINT - markSize) / 2;
    for (const [i, point] of points.entries()) {
      if (point === 0) continue;
      context.fillRect(POINT * (i % columns) + inset, POINT * Math.floor(i / columns) + inset, markSize, markSize);
    }
  }, [points, columns, lines, wrongCount, theme]);
  /** Shows the row of the incorrect point nearest to the pointer, since points are small. */
  const showNearest = (event: MouseEvent<HTMLCanvasElement>): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * columns - 0.5;
    const y = ((event.clientY - top) / height) * lines - 0.5;
    let nearest = -1;
    let min = Number.POSITIVE_INFINITY;
    for (const [i, point] of points.entries()) {
      const distance = Math.hypot((i % columns) - x, Math.floor(i / columns) - y);
      if (point === 0 || distance >= min) continue;
      nearest = i;
      min = distance;
    }
    if (nearest >= 0) onRow?.(nearest * outputsPerPoint);
  };
  return (
    <figure className="text-danger">
      {/* For keyboards, the first wrong rows are buttons next to it. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <canvas
        ref={canvas}
        width={POINT * columns}
        height={POINT * lines}
        role="img"
        className="w-20 min-h-1 bg-sunken data-pressable:cursor-pointer"
        data-pressable={onRow !== null || undefined}
        onClick={onRow === null ? undefined : showNearest}
        aria-label={`Map of wrong outputs: ${countText(wrongCount)} of ${countText(outputs)}, the first is ${countText(first)}`}
      />
      <figcaption className="text-muted text-12">{countText(columns * outputsPerPoint)} outputs to a line</figcaption>
    </figure>
  );
}

/** Maximum number of errors listed here; the editor shows all of them. */
const MAX_MESSAGES = 5;

interface LastRunProps {
  /** of the version that was run; absent for a text without versions */
  readonly number?: number;
  /** no later version was run */
  readonly isLast: boolean;
  readonly result: DraftResult;
  /** null if nothing runs */
  readonly onCancel: (() => void) | null;
  /** shows a line of a file */
  readonly onGo: (file: string, line: number) => void;
  /** shows a row of the open matrix in Watch; null if that is not offered */
  readonly onRow: ((row: number, matrix: Pick<StoredCheck, 'rows' | 'cols'>) => void) | null;
}

/** A run of a user's kernel, step by step: compilation, and correctness on each matrix. */
export function LastRun({ number, isLast, result, onCancel, onGo, onRow }: LastRunProps) {
  // `budget`: whether a loop exceeded its maximum of iterations in the first run, and was stopped.
  const { compiled, checks, budget, doing, ended, messages } = result;
  const openCheck = checks.find(({ isOpenMatrix }) => isOpenMatrix);
  const edgeCases = checks.filter(({ isOpenMatrix }) => !isOpenMatrix);
  const wrongCases = edgeCases.filter(({ ok, declined }) => !ok && declined === null);
  const rightCases = edgeCases.filter(({ ok, declined }) => ok && declined === null);
  const declinedChecks = checks.filter((check) => check.declined !== null);
  const errors = messages.filter(({ severity }) => severity === 'error').length;
  return (
    <Section
      className="draft-run"
      title={<>{number === undefined ? 'Last run' : `${isLast ? 'Last run, draft' : 'Draft'} ${number}`}</>}
      aside={result.on}
    >
      {compiled !== null && (
        <Line isRight={compiled}>
          {compiled ? 'compiled' : errors === 0 ? 'rejected' : `does not compile: ${counted(errors, 'error')}`}
          {messages
            .filter(({ severity }) => severity === 'error')
            .slice(0, MAX_MESSAGES)
            .map(({ text, file, line }) => (
              <p key={`${file} ${line} ${text}`} className="text-12 wrap-anywhere">
                {file !== null && <CodeLine position={{ file, line }} onGo={onGo} />} {firstLineOf(text)}
              </p>
            ))}
        </Line>
      )}
      {budget?.stopped && (
        <Line isRight={false}>
          {budget.sentence} {budget.loop !== null && <CodeLine position={budget.loop} onGo={onGo} />}
        </Line>
      )}
      {openCheck && openCheck.declined === null && (
        <Check
          check={openCheck}
          onRow={onRow !== null && openCheck.outputs === openCheck.rows ? (row) => onRow(row, openCheck) : null}
        />
      )}
      {rightCases.length > 0 && (
        <Line isRight>
          {counted(rightCases.length, 'edge case')} right
          <Drawer description="which">
            <ul>
              {rightCases.map(({ matrix, rows, cols }) => (
                <li key={matrix}>
                  {matrix}, {countText(rows)} × {countText(cols)}
                </li>
              ))}
            </ul>
          </Drawer>
        </Line>
      )}
      {wrongCases.length > 0 && (
        <Line isRight={false}>
          {counted(wrongCases.length, 'edge case')} wrong
          {(openCheck === undefined || openCheck.ok) && <WrongOutputs check={wrongCases[0]} onRow={null} />}
          <Drawer description="which">
            <ul>
              {wrongCases.map(({ matrix, wrong: count, outputs, guard }) => (
                <li key={matrix}>
                  {matrix}: {count > 0 ? `${countText(count)} of ${countText(outputs)} outputs` : guard}
                </li>
              ))}
            </ul>
          </Drawer>
        </Line>
      )}
      {declinedChecks.map((check) => (
        <p key={check.matrix} className="text-muted">
          Not tried on {check.matrix}: {check.declined}
        </p>
      ))}
      {ended === null && onCancel !== null && <GpuSilence />}
      {ended === null && onCancel !== null ? (
        <p className="draft-doing flex items-baseline gap-3 mt-2">
          <span>{doing?.what ?? 'starting'}</span>
          {doing !== null && doing.total > 0 && (
            <span className="number">
              {doing.done}/{doing.total}
            </span>
          )}
          <TextButton className="ms-auto" onClick={onCancel}>
            cancel
          </TextButton>
        </p>
      ) : (
        budget?.stopped !== true &&
        (compiled !== false || errors === 0) && (
          <p className="text-muted">{ended?.sentence ?? 'The page was left during this run.'}</p>
        )
      )}
    </Section>
  );
}

/** A step of the run, with a mark for right or wrong. */
function Line({ isRight, children }: { readonly isRight: boolean; readonly children: React.ReactNode }) {
  return (
    <div className={`verdict my-1 ${isRight ? 'verdict--good' : 'verdict--bad'}`}>
      <Icon name={isRight ? 'tick' : 'warning'} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

interface CodeLineProps {
  readonly position: { readonly file: string; readonly line: number };
  readonly onGo: LastRunProps['onGo'];
}

/** A line of a file, as a button that shows it. */
function CodeLine({ position: { file, line }, onGo }: CodeLineProps) {
  return (
    <TextButton onClick={() => onGo(file, line)}>
      {file.slice(file.indexOf('/') + 1).replace('.wgsl', '')}, line {line}
    </TextButton>
  );
}

interface WrongOutputsProps {
  readonly check: StoredCheck;
  /** shows a row of the matrix; null if outputs are not rows of the open one */
  readonly onRow: ((row: number) => void) | null;
}

/** How many outputs of the open matrix are correct, and the first incorrect ones. */
function Check({ check, onRow }: WrongOutputsProps) {
  const { ok, outputs, wrong: wrongCount, worstShare } = check;
  if (ok) {
    return (
      <Line isRight>
        {countText(outputs)} of {countText(outputs)} outputs within the bound
        <p className="text-muted">Largest error: {percent(worstShare, worstShare < 0.01 ? 3 : 1)} of its bound.</p>
      </Line>
    );
  }
  return (
    <Line isRight={false}>
      {wrongCount > 0 && `${countText(wrongCount)} of ${countText(outputs)} outputs wrong`}
      <WrongOutputs check={check} onRow={onRow} />
    </Line>
  );
}

/** The incorrect outputs of one matrix: a map, the first few, and a message about writes past the end (`guard`). */
function WrongOutputs({ check: { first, wrong: wrongCount, map, guard }, onRow }: WrongOutputsProps) {
  const mismatch = first.at(0);
  return (
    <>
      {guard !== undefined && <p>{guard}</p>}
      {mismatch && (
        <div className="flex flex-wrap gap-4 mt-2 mb-2">
          {map && <WrongMap map={map} wrongCount={wrongCount} first={mismatch.output} onRow={onRow} />}
          <table className="cells-end text-12 font-mono flex-1">
            <thead>
              <tr>
                <th scope="col">output</th>
                <th scope="col">found</th>
                <th scope="col">expected</th>
                <th scope="col">bound</th>
              </tr>
            </thead>
            <tbody>
              {first.map(({ output, got, expected, bound }) => (
                <tr key={output}>
                  <td>
                    <RowLink output={output} onRow={onRow} />
                  </td>
                  <td>{numberText(got)}</td>
                  <td>{numberText(expected)}</td>
                  <td>{numberText(bound, 2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** An output, as a button that shows its row if it has one. */
function RowLink({ output, onRow }: { readonly output: number; readonly onRow: WrongOutputsProps['onRow'] }) {
  if (onRow === null) return countText(output);
  return (
    <TextButton title="Show this row in Watch" onClick={() => onRow(output)}>
      {countText(output)}
    </TextButton>
  );
}

/** A number in `digits` significant digits. NaN and infinities are texts already. */
function numberText(value: number | string, digits = 6): string {
  if (typeof value === 'string') return value.replace('-', '−');
  return String(Number(value.toPrecision(digits))).replaceAll('-', '−');
}
