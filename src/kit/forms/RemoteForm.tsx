import { useState } from 'react';
import { Field } from '../controls/Field.tsx';
import { Drawer } from '../primitives/Boxes.tsx';

interface RemoteFormProps {
  readonly onOpen: (reference: string, token: string | null) => void;
  /** the text of the button; default: 'Open from the web' */
  readonly action?: string;
  /** text below the field of the address */
  readonly hint?: string;
  readonly initial?: string;
}

const MATRIX_HINT = 'The address of a file; or org/name, or org/name@revision/file, on the Hugging Face hub.';

/** A form for the address of a file or the name of a model on the Hugging Face hub, with an optional access token. */
export function RemoteForm(props: RemoteFormProps) {
  const { onOpen, action = 'Open from the web', hint = MATRIX_HINT, initial = '' } = props;
  const [reference, setReference] = useState(initial);
  const [token, setToken] = useState('');
  return (
    <form
      className="remote-form grid justify-items-start gap-3 mt-5 w-full"
      onSubmit={(event) => {
        event.preventDefault();
        if (reference.trim() !== '') onOpen(reference.trim(), token.trim() === '' ? null : token.trim());
      }}
    >
      <Field className="w-full" label="From the web" hint={hint}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://… or org/name"
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
        )}
      </Field>
      <Drawer title="it needs a token">
        <Field className="w-full" label="Access token" hint="Sent only to the hub, never saved.">
          {(control) => (
            <input
              {...control}
              className="input"
              type="password"
              autoComplete="off"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
            />
          )}
        </Field>
      </Drawer>
      <button type="submit" className="button button--solid" disabled={reference.trim() === ''}>
        {action}
      </button>
    </form>
  );
}
