import { useMemo, useRef, useState } from 'react';
import {
  type Device,
  DEVICE_KINDS,
  type DeviceKind,
  deviceSearchText,
  F32_SPEEDS,
  READ_SPEEDS,
  enteredSpeeds,
  typedId,
} from '../../state/index.ts';
import { useApp } from '../../kit/app-context.ts';
import { pickFiles } from '../../kit/browser/pick-files.ts';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { NewerKernelsNote } from '../../kit/devices/DeviceBar.tsx';
import { DeviceLabel } from '../../kit/devices/DeviceLabel.tsx';
import { useRecordingsList } from '../../kit/devices/use-device.ts';
import { type Findable, wordSearch } from '../../kit/word-search.ts';
import { Muted } from '../../kit/primitives/Text.tsx';
import { bandwidth } from '../../kit/words/rates.ts';
import { onChoiceKey } from './choice-keys.ts';
import { useTypeAhead } from '../../kit/browser/TypeAheadBuffer.tsx';
import { FindHead, useFocusOnChosen } from './FindHead.tsx';
import { useSelectedDevice } from './use-selected-device.ts';
import type { PopoverProps } from './selection-item.ts';
import { TextButton } from '../../kit/controls/Button.tsx';

/** Headings of the list, by kind of device. */
const GROUP_NAMES: Readonly<Record<DeviceKind, string>> = {
  this: 'here',
  recorded: 'recorded',
  report: 'your reports',
  published: 'published',
  typed: 'typed',
};

/** The words by which the list finds a device. */
function findableOf(device: Device): Findable {
  return { title: device.label, searchWords: `${GROUP_NAMES[device.kind]} ${deviceSearchText(device)}` };
}

/** The list of devices whose times can be shown: this device, recorded, reported, published and typed ones. */
export function DevicePopover({ isNarrow, onClose }: PopoverProps) {
  const { session } = useApp();
  const { device, devices, isChosen, choose } = useSelectedDevice();
  const [query, setQuery] = useState(useTypeAhead());
  const element = useRef<HTMLDivElement>(null);
  useRecordingsList();
  useFocusOnChosen(element, isNarrow);
  const orderedDevices = useMemo(
    () => DEVICE_KINDS.flatMap((kind) => devices.filter((listed) => listed.kind === kind)),
    [devices],
  );
  const find = useMemo(() => wordSearch(orderedDevices, findableOf), [orderedDevices]);
  const matchingDevices = query.trim() === '' ? orderedDevices : find(query).named;
  const select = (id: string): void => {
    choose(id);
    onClose();
  };
  return (
    // The keys belong to the buttons and the field inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={element}
      className="w-[min(40rem,calc(100vw-2rem))] in-data-list:w-full"
      onKeyDown={(event) => {
        const isField = event.target instanceof HTMLInputElement && event.target.dataset.find !== undefined;
        if (event.key !== 'Enter' || !isField) return onChoiceKey(event);
        event.preventDefault();
        if (matchingDevices[0]) select(matchingDevices[0].id);
      }}
    >
      <FindHead title="Show times of" label="Find a device" hint="search" query={query} onQuery={setQuery} />
      <ul className="px-6 pb-2 in-data-list:px-4">
        {matchingDevices.map((listed, i) => (
          <li
            key={listed.id}
            className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 items-center border-hairline data-group:pt-[2px] not-first:data-group:mt-[2px] not-first:data-group:border-t in-data-list:grid-cols-[minmax(0,1fr)]"
            data-group={listed.kind === matchingDevices[i - 1]?.kind ? undefined : GROUP_NAMES[listed.kind]}
          >
            <span className="text-muted in-data-list:not-empty:pt-2 in-data-list:not-empty:text-12">
              {listed.kind !== matchingDevices[i - 1]?.kind && GROUP_NAMES[listed.kind]}
            </span>
            <button
              type="button"
              className="hover:bg-sunken focus-visible:-outline-offset-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 items-center min-h-[2.125rem] text-start cursor-pointer rounded-md px-2 aria-pressed:bg-word in-data-list:min-h-11 in-data-list:grid-cols-1 in-data-list:px-0 in-data-list:py-1 in-data-list:aria-pressed:px-2"
              data-choice={listed.id}
              aria-pressed={listed.id === device.id}
              onClick={() => select(listed.id)}
            >
              <b className="font-medium">{listed.isSoftware ? listed.name : listed.label}</b>
              <Muted small>{deviceDetail(listed)}</Muted>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-muted not-empty:px-6 not-empty:pb-4" role="status">
        {matchingDevices.length === 0 ? `No device: “${query}”.` : ''}
      </p>
      <div className="grid gap-2 text-muted text-12 border-t border-hairline py-3 mx-6 in-data-list:mx-4">
        <p>
          <DeviceLabel device={device} />
        </p>
        {device.changed !== undefined && device.changed.size > 0 && <NewerKernelsNote changed={[...device.changed]} />}
        {device.kind === 'typed' && <TypedDeviceFields id={device.id} onChoose={choose} />}
      </div>
      <div className="underlined flex items-center gap-5 sticky bg-sunken border-t border-hairline bottom-0 py-2 px-6 in-data-list:static in-data-list:bg-transparent in-data-list:px-4">
        {device.kind !== 'typed' && (
          <TextButton className="text-13" onClick={() => choose(typedId({ readGBps: 1000, f32Tflops: 50 }))}>
            type a read speed
          </TextButton>
        )}
        <TextButton
          className="text-13"
          onClick={() =>
            pickFiles({ accept: '.json', multiple: false }, ([file]) => void (file && session.importReport(file)))
          }
        >
          open a report
        </TextButton>
        {isChosen && (
          <TextButton className="text-13" onClick={() => select('')}>
            automatic
          </TextButton>
        )}
      </div>
    </div>
  );
}

/** Number fields for a device that the user describes by its speeds; its id consists of these numbers. */
function TypedDeviceFields({ id, onChoose }: { readonly id: string; readonly onChoose: (id: string) => void }) {
  const figures = enteredSpeeds(id);
  if (!figures) return null;
  return (
    <div className="fields-2 max-w-88">
      <NumberInput
        label="reads, GB/s"
        {...READ_SPEEDS}
        value={figures.readGBps}
        onChange={(readGBps) => onChoose(typedId({ ...figures, readGBps }))}
      />
      {figures.f32Tflops !== null && (
        <NumberInput
          label="f32, Tflop/s"
          {...F32_SPEEDS}
          value={figures.f32Tflops}
          onChange={(f32Tflops) => onChoose(typedId({ ...figures, f32Tflops }))}
        />
      )}
    </div>
  );
}

/** The text after a device's name: how fast it reads, or that it is software. */
export function deviceDetail({ isSoftware, roofs, kind }: Device): string {
  if (isSoftware) return 'software: not the speed of a card';
  if (roofs === null) return '';
  return `${kind === 'published' || kind === 'typed' ? 'at most ' : 'reads '}${bandwidth(roofs.readGBps)}`;
}
