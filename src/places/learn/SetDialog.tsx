import { useEffect, useState } from 'react';
import { QUESTION_BOUNDS } from '../../core/bounds/bounds.ts';
import { lessonAddress } from './copy-link.ts';
import { type QuestionSet, SET_PLACE, setText } from '../../lessons/question-set.ts';
import { asSentence, withPlace } from '../../state/index.ts';
import { LEARNING } from './address.ts';
import { useApp } from '../../kit/app-context.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { QuestionMaker } from './QuestionMaker.tsx';
import { type Asker, loadAskers, loadOffered, type MadeQuestion, type OfferedQuestion } from './question-choices.ts';
import { Field } from '../../kit/controls/Field.tsx';
import { CopyButton } from '../../kit/controls/CopyButton.tsx';

/** What there is to choose from. */
interface Choosable {
  readonly askers: readonly Asker[];
  readonly offered: readonly OfferedQuestion[];
}

/** Assembles questions into a link. The link contains everything; nothing is stored elsewhere. */
export function SetDialog({ onClose }: { readonly onClose: () => void }) {
  const { document, catalog, formats, figures } = useApp();
  const [choosable, setChoosable] = useState<Choosable | string | null>(null);
  const [title, setTitle] = useState('');
  const [made, setMade] = useState<readonly MadeQuestion[]>([]);
  useEffect(() => {
    let gone = false;
    Promise.all([loadAskers(formats, catalog), loadOffered(catalog, figures)]).then(
      ([askers, offered]) => !gone && setChoosable({ askers, offered }),
      (error: unknown) => !gone && setChoosable(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      gone = true;
    };
  }, [formats, catalog, figures]);
  const set: QuestionSet = { title, questions: made.map(({ at }) => at) };
  const learning = { lesson: SET_PLACE, paragraph: 0, set: setText(set) };
  const link = made.length === 0 ? '' : new URL(lessonAddress(learning), location.href).href;
  return (
    <Dialog title="A set of questions" onClose={onClose}>
      <div className="dialog-body set-maker">
        <p className="quiet">
          Choose questions and hand out the link. It carries all of them; answers stay on the device of the person who
          gives them.
        </p>
        <Field label="title">
          {(control) => (
            <input
              {...control}
              className="input"
              value={title}
              placeholder="Questions"
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
          )}
        </Field>
        {made.length > 0 && (
          <ol className="set-list" aria-label="Questions of the set">
            {made.map(({ key, words }, i) => (
              <li key={key}>
                <span>{words}</span>
                <button
                  type="button"
                  className="text-button"
                  aria-label={`Remove question ${i + 1}`}
                  onClick={() => setMade(made.filter((one) => one.key !== key))}
                >
                  remove
                </button>
              </li>
            ))}
          </ol>
        )}
        {choosable === null && <p aria-busy="true">…</p>}
        {typeof choosable === 'string' && (
          <p role="alert">{asSentence(`The questions could not be loaded: ${choosable}`)}</p>
        )}
        {choosable !== null && typeof choosable !== 'string' && made.length < QUESTION_BOUNDS.questions && (
          <QuestionMaker {...choosable} onAdd={(question) => setMade([...made, question])} />
        )}
        {link !== '' && (
          <Field label="link">
            {(control) => <input {...control} className="input number" readOnly value={link} />}
          </Field>
        )}
        <div className="dialog-actions">
          <CopyButton
            className="button"
            disabled={link === ''}
            text={() => link}
            what="Link"
            otherwise="select the link in the dialog and copy it"
          >
            Copy link
          </CopyButton>
          <button
            type="button"
            className="button button--solid"
            disabled={link === ''}
            onClick={() => document.setState(withPlace(document.getState(), LEARNING, learning))}
          >
            Open the set
          </button>
        </div>
      </div>
    </Dialog>
  );
}
