import type { DeviceStatus } from '../../engine/device.ts';
import { adapterName } from '../../kit/report/adapter-name.ts';
import { answeringReports, withMark } from '../../kit/words/no-card.ts';
import { useSession } from '../../kit/app-context.ts';
import { bandwidth } from '../../kit/words/rates.ts';

/** The current device, its read speed in this browser's newest run, and the date of that run. */
export function DeviceLine({ device }: { readonly device: DeviceStatus | null }) {
  const runs = useSession((s) => s.bench.runs);
  if (device === null) return null;
  if (device.kind === 'unavailable') return <p className="explore-device">no GPU here: nothing is timed on one</p>;
  const adapter = adapterName(device.environment);
  const newest = answeringReports(runs.filter((run) => run.origin === 'measured').flatMap((run) => run.reports)).find(
    (report) => adapterName(report.environment) === adapter && report.readBandwidthGBps !== null,
  );
  return (
    <p className="explore-device">
      <strong>{withMark(adapter, device.environment.isFallback ? 'software' : null)}</strong>
      {newest && (
        <>
          <span>
            reads <span className="number">{bandwidth(newest.readBandwidthGBps ?? 0)}</span>
          </span>
          <span>
            measured <time dateTime={newest.createdAt}>{dateText(newest.createdAt)}</time>
          </span>
        </>
      )}
    </p>
  );
}

/** An ISO 8601 date in local time: 2026-11-20 20:13. */
function dateText(iso: string): string {
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
