// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { defaultParams } from '../../../core/format.ts';
import type { BenchReport } from '../../../core/report.ts';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import type { Device } from '../../../state/devices/device.ts';
import { AnswerHead, RecordedTimes } from './AnswerHead.tsx';
import { TimeBars } from './TimeBars.tsx';
import { type DeviceTimes, hasTimesOrRuns, type MeasuredPair, type MeasuredSide } from './use-measured.ts';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ schema: 1, recordings: [] })));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** This device with one report, or none. */
function deviceOf(reports: readonly BenchReport[], isSoftware: boolean): Device {
  return { id: 'this', kind: 'this', name: 'SwiftShader', label: '', reports, roofs: null, isSoftware };
}

const ROW_A = rowOf('macko');
const ROW_B = rowOf('dense');

function rowOf(format: string) {
  const row = REPORT.rows.find((row) => row.format === format);
  if (!row) throw new Error(`the report has no row of ${format}`);
  return row;
}

const CARD: Device = { ...deviceOf([], false), id: 'card@2026-01-31', kind: 'recorded', name: 'Made Up 1' };

function shownOf(device: Device, choose: VisibleDevice['choose'] = () => {}): VisibleDevice {
  return {
    device,
    choose,
    devices: [device, CARD],
    isChosen: false,
    dropDeviceChoice: () => {},
    loading: null,
    problem: null,
    retry: null,
    canMeasure: false,
  };
}

/** The rows of a report as A and B. */
function measuredOf(report: BenchReport): MeasuredPair {
  const { workload, rows } = report;
  const { formats } = fakeApp();
  const sideOf = (side: 'a' | 'b', name: string): MeasuredSide => {
    const format = formats.find(({ id }) => id === name) ?? formats[0];
    const row = rows.find((row) => row.format === name) ?? rows[0];
    return {
      side,
      format,
      stored: { format: name, params: {} },
      name,
      matrixBytes: 1,
      isCounted: true,
      rejection: null,
      notes: [],
      bytes: 1,
      bound: null,
      timedRow: { row, report },
      runRejection: null,
    };
  };
  const queryOf = (name: string) => {
    const spec = formats.find(({ id }) => id === name)?.params ?? {};
    return { format: name, params: defaultParams(spec), spec };
  };
  const query = { ...workload, tokens: 1, names: [workload.source], isEstimated: false, isEven: false };
  return {
    matrix: query,
    sides: [sideOf('a', 'macko'), sideOf('b', 'dense')],
    speed: { ratio: 1.78, rounds: { ratio: 1.78, p10: 1.74, p90: 1.82 } },
    byBytes: null,
    points: [],
    queryA: queryOf('macko'),
    queryB: queryOf('dense'),
    summary: { ...workload, name: workload.source },
  } as unknown as MeasuredPair;
}

describe('times of a software adapter', () => {
  const device = deviceOf([TIMED_SOFTWARE_REPORT], true);

  it('times of a software adapter are the headline, in grey, with their device', () => {
    renderInApp(
      <AnswerHead measuredPair={measuredOf(TIMED_SOFTWARE_REPORT)} visibleDevice={shownOf(device)} all={null} />,
    );
    const heading = screen.getByRole('heading');
    expect(heading.textContent).toMatch(
      /^On this computer’s software GPU, macko multiplies this matrix in .* 1\.78 times/,
    );
    expect(heading.className).toContain('answer-line--no-gpu');
    cleanup();
    renderInApp(
      <AnswerHead measuredPair={measuredOf(REPORT)} visibleDevice={shownOf(deviceOf([REPORT], false))} all={null} />,
    );
    expect(screen.getByRole('heading').textContent).toMatch(/^On this GPU, macko multiplies/);
    expect(screen.getByRole('heading').className).not.toContain('no-gpu');
  });

  it('times of a software adapter are shown with a card’s recorded times, which are not shown next to times of a card', () => {
    const timesOf = ({ id }: Device): DeviceTimes =>
      id === CARD.id
        ? {
            pair: { a: { row: ROW_A, report: REPORT }, b: { row: ROW_B, report: REPORT } },
            speed: { ratio: 2, rounds: { ratio: 2, p10: 2, p90: 2 } },
          }
        : { pair: { a: null, b: null }, speed: null };
    const neighbour = (report: BenchReport) => {
      const view = renderInApp(
        <RecordedTimes measuredPair={measuredOf(report)} visibleDevice={shownOf(device)} timesOf={timesOf} />,
      );
      return view.container.textContent;
    };
    expect(neighbour(TIMED_SOFTWARE_REPORT)).toMatch(/Made Up 1.*MACKO multiplies .*2\.00 times as fast/);
    cleanup();
    expect(neighbour(REPORT)).toBe('');
  });

  it('times of a software adapter are the bars, in one grey, each with the label, and without a bound', () => {
    const { container } = renderInApp(
      <TimeBars measuredPair={measuredOf(TIMED_SOFTWARE_REPORT)} device={device} isRunning={false} />,
    );
    expect(screen.getAllByText(/, software$/)).toHaveLength(2);
    const colors = [...container.querySelectorAll<HTMLElement>('.time-bar')].map(({ style }) => style.color);
    expect(new Set(colors).size).toBe(1);
    expect(container.querySelector('.time-bar-strong')).toBeNull();
    expect(container.textContent).not.toContain('read speed');
  });

  it('come with a line on their meaning, and a button to the recorded card', () => {
    const chosen: string[] = [];
    renderInApp(<DeviceBar visibleDevice={shownOf(device, (id) => chosen.push(id))} />);
    expect(screen.getAllByText(/its times do not apply to graphics cards\./)).toHaveLength(1);
    screen.getByRole('button', { name: 'Show Made Up 1, recorded' }).click();
    expect(chosen).toEqual([CARD.id]);
  });

  it('times of a software adapter are not mentioned if a card’s times are shown, or nothing was timed', () => {
    for (const other of [CARD, deviceOf([REPORT], false), deviceOf([], true)]) {
      renderInApp(<DeviceBar visibleDevice={shownOf(other)} />);
      expect(screen.queryByText(/graphics cards/)).toBeNull();
      cleanup();
    }
  });

  it('times of a software adapter are shown only for the timed matrix, since they bound no other', () => {
    const [row] = TIMED_SOFTWARE_REPORT.rows;
    const timed = { row, report: TIMED_SOFTWARE_REPORT };
    const none = { a: null, b: null };
    expect(hasTimesOrRuns(device, { pair: none, speed: null })).toBe(false);
    for (const side of ['a', 'b'])
      expect(hasTimesOrRuns(device, { pair: { ...none, [side]: timed }, speed: null })).toBe(true);
    expect(hasTimesOrRuns(deviceOf([REPORT], false), { pair: none, speed: null })).toBe(true);
  });
});
