import { useId, useState } from 'react';
import { baseOf, encodeHash, type Theme, stepsAt } from '../../state/index.ts';
import { useApp, useCurrentFormat, useDocument, useSession } from '../../kit/app-context.ts';
import { embedCode, embedHash, originOf } from '../../state/embed-address.ts';
import { usePlaceShow } from '../../kit/stage/use-place-story.ts';
import { SelectField } from '../../kit/controls/Select.tsx';
import { Field } from '../../kit/controls/Field.tsx';
import { CopyButton } from '../../kit/controls/CopyButton.tsx';

const SIZES = [
  { width: 640, height: 480 },
  { width: 960, height: 600 },
  { width: 1280, height: 720 },
];

/** The HTML element that embeds the stage in another page, at this step, or the picture of the shown place. */
export function EmbedForm({ theme }: { readonly theme: Theme }) {
  const { catalog } = useApp();
  const doc = useDocument((d) => d);
  const timeline = useSession((s) => s.timeline);
  const { title } = useCurrentFormat();
  const show = usePlaceShow();
  const [size, setSize] = useState(SIZES[1]);
  const [host, setHost] = useState('');
  const id = useId();
  if (baseOf(doc.source).kind === 'file') {
    return (
      <section aria-labelledby={`${id}-title`}>
        <h3 id={`${id}-title`}>In another page</h3>
        <p className="quiet">
          This matrix came from a file of yours, which no link can carry: choose an example, generate one, or open one
          from an address.
        </p>
      </section>
    );
  }
  const { width, height } = size;
  const origin = originOf(host);
  // Embeds show A alone, and count its steps.
  const at = show ? { step: 0 } : { view: catalog.places[0].id, step: stepsAt(timeline, doc.step).a };
  const link = encodeHash({ ...doc, ...at, against: null }, catalog);
  const address = new URL(embedHash(link, { theme, origin }), location.href).href;
  const place = catalog.places.find(({ id: own }) => own === doc.view);
  const code = embedCode(address, show && place ? place.title : `${title}, step by step`, width, height);
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>In another page</h3>
      <div className="export-fields">
        <SelectField
          label="size, px"
          value={size}
          options={SIZES.map((value) => {
            const label = `${value.width} × ${value.height}`;
            return { value, key: label, label };
          })}
          onChange={setSize}
        />
        <Field
          label="origin of the page that may steer it"
          error={
            host !== '' && origin === null
              ? `Found “${host}”, expected a scheme and a host, as in https://example.org.`
              : null
          }
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              inputMode="url"
              placeholder="https://example.org, or none"
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <textarea className="export-code" aria-label="Code" readOnly rows={4} value={code} />
      <div className="export-row">
        <CopyButton
          className="button button--solid"
          text={() => code}
          what="Code"
          otherwise="select the code and copy it"
        >
          Copy the code
        </CopyButton>
        <a className="text-button" href={address} target="_blank" rel="noreferrer">
          open it alone
        </a>
      </div>
    </section>
  );
}
