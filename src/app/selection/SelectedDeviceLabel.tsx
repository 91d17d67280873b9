import { useSelectedDevice } from './use-selected-device.ts';

/** The device in the selection bar: its name and, unless it contains that ('…, imported'), where its times are from. */
export function SelectedDeviceLabel() {
  const { device } = useSelectedDevice();
  const { kind, name, isSoftware, isImported = false } = device;
  return (
    <>
      <b className="font-medium">{name}</b>
      <span className="word-quiet text-muted">
        {' '}
        {isSoftware ? 'software' : isImported || name === SOURCES[kind] ? '' : SOURCES[kind]}
      </span>
    </>
  );
}

/** Where the times of a device are from, by its kind; for a GPU in software, the page shows 'software' instead. */
const SOURCES = {
  this: 'this device',
  recorded: 'recorded times',
  report: 'your report',
  published: 'published',
  typed: 'typed',
} as const;
