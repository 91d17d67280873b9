import { useMemo, useState } from 'react';
import { type VisibleDevice, useRecordings, useRecordingsList } from '../../../kit/devices/use-device.ts';
import { substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { time } from '../../../kit/words/quantity.ts';
import { boundText, productBytes, timeBound } from '../../../kit/report/time-bound.ts';
import { bandwidth } from '../../../kit/words/rates.ts';
import { type Device, hasOnlyBounds, dayText } from '../../../state/index.ts';
import { crossoverText, crossoverOf } from '../../../kit/report/crossover-text.ts';
import { speedText } from '../../../kit/words/speed-of.ts';
import { type TimedRow, speedsOnShape } from '../../../kit/report/matrix-times.ts';
import { type DeviceTimes, mayHaveTimes, type MeasuredPair, type MeasuredSide } from './use-measured.ts';
import { NumberHeads, TableScroll } from '../../../kit/primitives/Boxes.tsx';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** Cards with published speeds that are listed at first: of a data centre, a desktop and a laptop. */
const FIRST_CARDS = ['h100', 'rtx-4090', 'm1-max'];

interface DeviceTableProps {
  readonly measuredPair: MeasuredPair;
  readonly visibleDevice: VisibleDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
}

/** The section 'other devices': the same product on every device, with measured times and, separately, lower bounds. */
export function DeviceTable({ measuredPair, visibleDevice, timesOf }: DeviceTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  useRecordingsList();
  const { device: currentDevice, devices, choose } = visibleDevice;
  const { matrix } = measuredPair;
  useRecordings(devices.filter((device) => mayHaveTimes(device, matrix)).map(({ id }) => id));
  const [, b] = measuredPair.sides;
  const listedDevices = devices.filter(
    (device) =>
      device.id === currentDevice.id || device.kind !== 'published' || showsAll || FIRST_CARDS.includes(device.id),
  );
  const unlistedCount = devices.length - listedDevices.length;
  return (
    <section aria-label="The same product on other devices">
      <p className="text-quiet text-12">“At least” is the time to read the bytes, or the time of an empty dispatch.</p>
      <TableScroll label="Times on other devices">
        <table className="table devices-table">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                device
              </th>
              <th scope="col" rowSpan={2} className="number">
                reads
              </th>
              <th scope="colgroup" colSpan={b ? 4 : 1} className="ps-3 border-b border-hairline text-end">
                measured
              </th>
              <th scope="colgroup" colSpan={b ? 2 : 1} className="ps-3 border-b border-hairline text-end">
                at least
              </th>
            </tr>
            <tr>
              <NumberHeads names={b ? ['A', 'B', 'A against B', 'density where A passes B'] : ['A']} />
              <NumberHeads names={b ? ['A', 'B'] : ['A']} />
            </tr>
          </thead>
          <tbody>
            {listedDevices.map((device) => (
              <tr
                key={device.id}
                data-answers={device.id === currentDevice.id || undefined}
                className="data-answers:bg-sunken data-software:[&_td]:text-quiet"
                data-software={device.isSoftware || undefined}
              >
                <th scope="row" className="whitespace-nowrap">
                  <button
                    type="button"
                    className="devices-name hover:underline hover:underline-offset-[0.2em] rounded-[3px] text-ink text-start cursor-pointer min-h-6 min-w-6"
                    aria-pressed={device.id === currentDevice.id}
                    onClick={() => choose(device.id)}
                  >
                    {device.name}
                  </button>
                  <span className="kernel-detail block in-[.number]:font-sans in-[.number]:leading-[1.2] text-quiet text-12">
                    {sourceOf(device, timesOf(device).pair)}
                  </span>
                </th>
                <DeviceCells device={device} times={timesOf(device)} measuredPair={measuredPair} />
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {unlistedCount > 0 && (
        <TextButton className="mt-3" onClick={() => setShowsAll(true)}>
          {unlistedCount} more published cards
        </TextButton>
      )}
    </section>
  );
}

/** Where a device's figures are from, with 'software' or 'CPU' if not from a graphics card. */
function sourceOf(
  { kind, name, recorded, published, reports, isSoftware, isImported }: Device,
  { a, b }: DeviceTimes['pair'],
): string {
  if (recorded) return `recorded ${dayText(recorded.date)}`;
  if (kind === 'published') return published?.by === 'measured' ? 'read speed measured' : 'published speed';
  if (kind === 'typed') return 'typed speed';
  const report = (a ?? b)?.report ?? reports.at(0);
  const substitute = isSoftware ? 'software' : report ? substituteOf(report) : null;
  const source = kind === 'this' ? 'this device' : isImported ? 'your file' : 'your report';
  // A device without a name is called 'this device' or 'your report' in the line above, so the text is not repeated.
  return name === source ? (substitute ?? '') : withSubstitute(source, substitute);
}

interface DeviceCellsProps {
  readonly device: Device;
  readonly times: DeviceTimes;
  readonly measuredPair: MeasuredPair;
}

/** The cells of one device: its read speed, measured times, and lower bounds. */
function DeviceCells({ device, times: { pair, speed }, measuredPair }: DeviceCellsProps) {
  const { sides, matrix, queryA, queryB } = measuredPair;
  const [a, b = null] = sides;
  const { reports, isSoftware } = device;
  const crossover = useMemo(
    // The density at which A passes B on a CPU that simulates a GPU means nothing.
    () => (queryB && !isSoftware ? crossoverText(crossoverOf(speedsOnShape(reports, matrix, queryA, queryB))) : '–'),
    [reports, isSoftware, matrix, queryA, queryB],
  );
  const readGBps = device.roofs?.readGBps ?? null;
  const boundSign = hasOnlyBounds(device) ? '≤ ' : '';
  const minText = ({ matrixBytes }: MeasuredSide, timedRow: TimedRow | null): string =>
    boundText(timeBound(productBytes(timedRow, matrixBytes, matrix), device.roofs));
  const timeText = (timedRow: TimedRow | null): string => (timedRow?.row.medianNs ? time(timedRow.row.medianNs) : '–');
  const areTwoRuns = pair.a !== null && pair.b !== null && pair.a.report !== pair.b.report;
  return (
    <>
      <td className="number">{readGBps === null ? '–' : `${boundSign}${bandwidth(readGBps)}`}</td>
      {mayHaveTimes(device, matrix) ? (
        <td colSpan={b ? 4 : 1} className="text-quiet text-12 text-end">
          not loaded yet
        </td>
      ) : (
        <>
          <td className="number devices-measured">{timeText(pair.a)}</td>
          {b && (
            <>
              <td className="number devices-measured">{timeText(pair.b)}</td>
              <td className="number devices-measured">
                {speed ? `${speedText(speed)}${areTwoRuns ? ', two runs' : ''}` : '–'}
              </td>
              <td className="number devices-measured min-w-16 whitespace-normal">{crossover}</td>
            </>
          )}
        </>
      )}
      <td className="number text-muted">{minText(a, pair.a)}</td>
      {b && <td className="number text-muted">{minText(b, pair.b)}</td>}
    </>
  );
}
