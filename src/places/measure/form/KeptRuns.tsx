import { useState } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { bytes } from '../../../kit/words/quantity.ts';
import { Dialog } from '../../../kit/frame/Dialog.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { Button, TextButton } from '../../../kit/controls/Button.tsx';

/** How many runs this browser keeps, or why it cannot, and a button to delete them. */
export function KeptRuns() {
  const { session } = useApp();
  const kept = useSession((s) => s.bench.kept);
  const [asking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  if (kept.runs === 0 && kept.refusal === null) return null;
  const results = kept.runs === 1 ? '1 result' : `${kept.runs} results`;
  return (
    <Section className="kept-runs" label="Kept results">
      {kept.refusal !== null && <p role="alert">{kept.refusal}</p>}
      {kept.runs > 0 && (
        <p className="field-hint">
          This browser keeps {results}, {bytes(kept.bytes)}.{' '}
          <TextButton aria-haspopup="dialog" onClick={() => setAsking(true)}>
            clear
          </TextButton>
        </p>
      )}
      {asking && (
        <Dialog title={`Clear ${results}?`} onClose={close}>
          <div className="dialog-body">
            <p>Deletes all results here. Saved files stay.</p>
            <div className="dialog-actions flex wrap justify-end gap-2 mt-5 sticky bottom-0 line-above ground">
              <Button onClick={close}>Keep</Button>
              <Button
                look="solid"
                onClick={() => {
                  close();
                  void session.clearRuns();
                }}
              >
                Clear
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Section>
  );
}
