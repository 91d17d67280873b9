import { useId, useState } from 'react';
import { baseOf, encodeHash, type Theme } from '../../state/index.ts';
import { useApp, useCurrentFormat, useDocument } from '../../kit/app-context.ts';
import { embedCode, embedHash, originOf } from '../../state/embed-address.ts';

const SIZES = [
  [640, 480],
  [960, 600],
  [1280, 720],
] as const;

/** The element that puts the stage into another page, at this step. */
export function EmbedForm({ theme }: { readonly theme: Theme }) {
  const { announce, catalog } = useApp();
  const doc = useDocument((d) => d);
  const { title } = useCurrentFormat();
  const [size, setSize] = useState('960 600');
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
  const [width, height] = size.split(' ').map(Number);
  const origin = originOf(host);
  const link = encodeHash({ ...doc, view: catalog.places[0].id }, catalog);
  const address = new URL(embedHash(link, { theme, origin }), location.href).href;
  const code = embedCode(address, `${title}, step by step`, width, height);
  const copy = (): void => {
    navigator.clipboard.writeText(code).then(
      () => announce('Code copied to the clipboard.'),
      () => announce('The browser blocked copying: select the code and copy it.'),
    );
  };
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>In another page</h3>
      <div className="export-fields">
        <div className="field">
          <label htmlFor={`${id}-size`}>size, px</label>
          <select
            className="select"
            id={`${id}-size`}
            value={size}
            onChange={(event) => setSize(event.currentTarget.value)}
          >
            {SIZES.map(([w, h]) => (
              <option key={w} value={`${w} ${h}`}>
                {w} × {h}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-host`}>origin of the page that may steer it</label>
          <input
            className="input"
            id={`${id}-host`}
            type="text"
            inputMode="url"
            placeholder="https://example.org, or none"
            aria-invalid={host !== '' && origin === null}
            aria-describedby={`${id}-wrong`}
            value={host}
            onChange={(event) => setHost(event.currentTarget.value)}
          />
        </div>
      </div>
      <p className="field-error" id={`${id}-wrong`} role="status">
        {host !== '' && origin === null && `Found “${host}”, expected a scheme and a host, as in https://example.org.`}
      </p>
      <textarea className="export-code" aria-label="Code" readOnly rows={4} value={code} />
      <div className="export-row">
        <button type="button" className="button button--solid" onClick={copy}>
          Copy the code
        </button>
        <a className="text-button" href={address} target="_blank" rel="noreferrer">
          open it alone
        </a>
      </div>
    </section>
  );
}
