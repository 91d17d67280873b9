import { plainWords } from '../../core/text/words.ts';
import { useEffect, useId, useMemo, useState } from 'react';
import { QUESTION_BOUNDS } from '../../core/bounds/bounds.ts';
import { lessonHash } from './copy-link.ts';
import { questionForSet, type QuestionSet, SET_LESSON, questionSetText } from '../../lessons/question-set.ts';
import { asMessage, baseOf, currentParams, type FormatParams, withPage } from '../../state/index.ts';
import { LEARN_FIELDS } from './address.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import {
  type AssembledQuestion,
  askOnMatrix,
  groupQuestions,
  loadStoryQuestions,
  loadPageQuestions,
  type PageQuestion,
  pageQuestionKey,
  type QuestionGroup,
  type StoryQuestion,
  storyQuestionKey,
} from './question-choices.ts';
import { Field } from '../../kit/controls/Field.tsx';
import { CopyButton, copyText } from '../../kit/controls/CopyButton.tsx';
import { CsrMatrix, toCsr } from '../../core/matrix/index.ts';
import { messageOf } from '../../core/error-messages.ts';
import type { FoundQuestion } from '../../lessons/question-search.ts';
import { LessonError } from '../../lessons/lesson.ts';
import { isDemo } from '../../lessons/demonstrations/index.ts';
import { readTyped, typedText } from '../../lessons/own-matrix.ts';
import { ParamForm } from '../../kit/forms/ParamForm.tsx';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { Segmented } from '../../kit/controls/Segmented.tsx';
import { answerText, workingText } from './judge.ts';
import type { PosedQuestion } from '../../story/question.ts';
import { QUESTION_SET_TITLE } from './question-set-dialog.ts';
import { Stack } from '../../kit/primitives/Layout.tsx';
import { Muted, Problem, StyledWords } from '../../kit/primitives/Text.tsx';
import { percentOf } from '../../kit/words/shares.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { whileMounted } from '../../kit/browser/while-mounted.ts';

/** Whether the matrix of a question is generated, or typed by the teacher. */
type MatrixOrigin = 'generated' | 'own';

const ADD = 'Add and copy link';

/** The questions to choose from: about stories of formats, and about figures of pages such as Compare. */
interface QuestionChoices {
  readonly storyQuestions: readonly StoryQuestion[];
  readonly pageQuestions: readonly PageQuestion[];
}

interface QuestionFormProps extends QuestionChoices {
  readonly onAdd: (question: AssembledQuestion) => void;
}

/** The cells with which a typed matrix begins, unless the user has opened a file or edited cells. */
const STARTING_CELLS = '1 0 0 2 0 0 0 3\n0 0 4 0 0 5 0 0';

/** The matrix of the questions that are added next, which stays when another question is chosen. */
interface ChosenMatrix {
  readonly origin: MatrixOrigin;
  /** the typed matrix */
  readonly text: string;
}

/** The cells of Watch, if they were edited or are of a matrix that is neither an example nor generated; else null. */
function useOwnCells(): string | null {
  const isOwn = useDocument(({ source, edited }) => {
    const { kind } = baseOf(source);
    return edited !== null || (kind !== 'example' && kind !== 'generated');
  });
  const open = useSession((s) => s.window);
  return isOwn && open ? typedText(new CsrMatrix(toCsr(open))) : null;
}

/** Chooses a question, with its matrix and parameters, and adds it to the set. */
function QuestionForm({ storyQuestions, pageQuestions, onAdd }: QuestionFormProps) {
  const ownCells = useOwnCells();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(storyQuestionKey(storyQuestions[0]));
  const [matrix, setMatrix] = useState<ChosenMatrix>({
    origin: ownCells === null ? 'generated' : 'own',
    text: ownCells ?? STARTING_CELLS,
  });
  const groups = useMemo(
    () => groupQuestions(storyQuestions, pageQuestions, query.trim()),
    [storyQuestions, pageQuestions, query],
  );
  const pageQuestion = pageQuestions.find((question) => pageQuestionKey(question) === chosen);
  const storyQuestion = storyQuestions.find((question) => storyQuestionKey(question) === chosen) ?? storyQuestions[0];
  /** Searches the questions. Chooses the first that matches, unless the chosen one matches, so that no press is needed. */
  const search = (text: string): void => {
    setQuery(text);
    const matches = groupQuestions(storyQuestions, pageQuestions, text.trim()).flatMap(({ questions }) => questions);
    if (matches.length > 0 && !matches.some(({ key }) => key === chosen)) setChosen(matches[0].key);
  };
  return (
    <Stack as="fieldset" gap={3} className="[&>.button]:justify-self-start border-t border-hairline pt-4">
      <legend className="legend">Add a question</legend>
      <Field label="find a question">
        {(control) => (
          <input
            {...control}
            className="input"
            type="search"
            value={query}
            onChange={(event) => search(event.currentTarget.value)}
          />
        )}
      </Field>
      <QuestionList groups={groups} chosen={chosen} onChoose={setChosen} />
      {pageQuestion ? (
        <PageQuestionForm question={pageQuestion} onAdd={onAdd} />
      ) : (
        <StoryQuestionForm
          key={chosen}
          storyQuestion={storyQuestion}
          matrix={matrix}
          onMatrix={setMatrix}
          onAdd={onAdd}
        />
      )}
    </Stack>
  );
}

interface QuestionListProps {
  readonly groups: readonly QuestionGroup[];
  /** the key of the chosen question */
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** The questions to choose from, by lessons. */
function QuestionList({ groups, chosen, onChoose }: QuestionListProps) {
  const name = useId();
  if (groups.length === 0) return <p role="status">No question contains these words.</p>;
  return (
    <div
      className="max-h-48 overflow-y-auto rounded-md border border-control-border px-3 py-2"
      role="radiogroup"
      aria-label="question"
    >
      {groups.map(({ title, questions }) => (
        <section key={title} className="mb-3 last:mb-0" aria-label={title}>
          <h3 className="mb-1 text-12 text-muted">{title}</h3>
          {questions.map(({ key, words, source }) => (
            <label key={key} className="flex cursor-pointer items-baseline gap-2 py-1">
              <input type="radio" name={name} checked={key === chosen} onChange={() => onChoose(key)} />
              <span>
                {source !== '' && <Muted>{source}: </Muted>}
                {words}
              </span>
            </label>
          ))}
        </section>
      ))}
    </div>
  );
}

function answerMessage(answer: Parameters<typeof answerText>[0]): string {
  return `The answer is ${answerText(answer)}.`;
}

/** The form for a question about a figure of a page such as Compare, unchanged from its lesson. */
function PageQuestionForm({ question, onAdd }: Pick<QuestionFormProps, 'onAdd'> & { readonly question: PageQuestion }) {
  const { lesson, entry, posed } = question;
  const words = plainWords(posed.ask);
  return (
    <>
      <p>
        <StyledWords words={posed.ask} /> <Muted>{answerMessage(posed.answer)}</Muted>
      </p>
      <Button
        onClick={() => onAdd({ key: `${pageQuestionKey(question)} ${Date.now()}`, entry, words: `${lesson} ${words}` })}
      >
        {ADD}
      </Button>
    </>
  );
}

interface StoryQuestionFormProps extends Pick<QuestionFormProps, 'onAdd'> {
  readonly storyQuestion: StoryQuestion;
  readonly matrix: ChosenMatrix;
  readonly onMatrix: (matrix: ChosenMatrix) => void;
}

/** The form for a question about a story: its parameters, and a matrix that is generated or typed. */
function StoryQuestionForm({ storyQuestion, matrix, onMatrix, onAdd }: StoryQuestionFormProps) {
  const { storySource, start } = storyQuestion;
  const { catalog } = useApp();
  const [params, setParams] = useState<FormatParams>(currentParams(start));
  const [spec, setSpec] = useState(() => (start.source.kind === 'generated' ? start.source.spec : null));
  const [added, setAdded] = useState(0);
  /** the question, or why there is none; null until the first is found */
  const [foundQuestion, setFoundQuestion] = useState<FoundQuestion | string | null>(null);
  const hasParams = Object.keys(storySource.params as object).length > 0;
  /** the seed alone determines what the question is about */
  const isBySeed = hasParams && isDemo(storySource.id);
  const canBeOwn = hasParams && !isBySeed;
  const source = canBeOwn ? matrix.origin : 'generated';
  const { text } = matrix;
  useEffect(() => {
    const ask = async (): Promise<FoundQuestion> => {
      if (!spec) throw new LessonError('matrix: found none');
      return askOnMatrix(storyQuestion, { spec, params, typed: source === 'own' ? readTyped(text) : null });
    };
    return whileMounted(ask(), setFoundQuestion, (error) => setFoundQuestion(messageOf(error)));
  }, [storyQuestion, spec, params, source, text]);
  if (!spec) return null;
  const numberField = (name: 'rows' | 'cols' | 'seed', label: string, min: number, max: number) => (
    <NumberInput
      label={label}
      value={spec[name]}
      min={min}
      max={max}
      isInteger
      onChange={(value) => setSpec({ ...spec, [name]: value })}
    />
  );
  return (
    <>
      {hasParams && (
        <ParamForm
          format={catalog.formats.find((f) => f.id === storySource.id) ?? storySource}
          params={params}
          shape={spec}
          onChange={(name, value) => setParams({ ...params, [name]: value })}
        />
      )}
      {canBeOwn && (
        <Segmented
          label="matrix"
          value={source}
          options={[
            { value: 'generated', label: 'generated' },
            { value: 'own', label: 'my own' },
          ]}
          onChange={(origin) => onMatrix({ ...matrix, origin })}
        />
      )}
      {source === 'own' && <TypedCells text={text} onChange={(typed) => onMatrix({ ...matrix, text: typed })} />}
      {source === 'generated' && (
        <div className="fields-2">
          {!isBySeed && numberField('rows', 'rows', 1, 64)}
          {!isBySeed && numberField('cols', 'columns', 1, 64)}
          {!isBySeed && (
            <NumberInput
              label="% left"
              value={percentOf(spec.density)}
              min={0}
              max={100}
              onChange={(left) => setSpec({ ...spec, density: left / 100 })}
            />
          )}
          {numberField('seed', 'seed', 0, 2 ** 32 - 1)}
        </div>
      )}
      {foundQuestion === null ? null : typeof foundQuestion === 'string' ? (
        <Problem>{asMessage(foundQuestion)}</Problem>
      ) : (
        <>
          <p>
            <StyledWords words={foundQuestion.posed.ask} />{' '}
            <Muted>
              {answerMessage(foundQuestion.posed.answer)}
              {seedNote(foundQuestion, source, spec.seed)}
            </Muted>
          </p>
          <WrongAnswers posed={foundQuestion.posed} />
        </>
      )}
      <Button
        disabled={foundQuestion === null || typeof foundQuestion === 'string'}
        onClick={() => {
          if (foundQuestion === null || typeof foundQuestion === 'string') return;
          const words = plainWords(foundQuestion.posed.ask);
          onAdd({
            key: `${storyQuestionKey(storyQuestion)} ${added} ${Date.now()}`,
            entry: questionForSet(foundQuestion),
            words: `${storySource.title}: ${words}`,
          });
          setAdded(added + 1);
          // The next question gets another matrix by default.
          setSpec({ ...spec, seed: (foundQuestion.figure.spec.seed + 1) % 2 ** 32 });
        }}
      >
        {ADD}
      </Button>
    </>
  );
}

/** The usual wrong answers, to which a student gets a reply, and the mistake behind each. */
function WrongAnswers({ posed }: { readonly posed: PosedQuestion }) {
  return (
    <ul className="grid gap-1 text-muted" aria-label="Usual wrong answers">
      {posed.wrongAnswers.map((wrong) => (
        <li key={wrong.id}>
          <b className="text-ink">{answerText(wrong.answer)}</b> if {wrong.title}
          {workingText(wrong)}
        </li>
      ))}
    </ul>
  );
}

function TypedCells({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const open = useSession((s) => s.window);
  return (
    <Field
      label="one row of numbers per line"
      foot={
        open && (
          <TextButton onClick={() => onChange(typedText(new CsrMatrix(toCsr(open))))}>
            copy the {open.rows} × {open.cols} cells of Watch
          </TextButton>
        )
      }
    >
      {(control) => (
        <textarea
          {...control}
          className="input number h-auto resize-y whitespace-pre"
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A note that seeds were skipped, since two answers would have been the same. */
function seedNote({ figure }: FoundQuestion, source: MatrixOrigin, seed: number): string {
  if (source === 'own' || figure.spec.seed === seed) return '';
  return ` With seed ${seed} two answers would be equal, so seed ${figure.spec.seed} is used.`;
}

/** What the user can do if the browser does not allow copying. */
const OTHERWISE = 'select the link';

/** The dialog in which a teacher makes a set of questions: a link that contains them, copied after each addition. */
export function QuestionSetDialog({ onClose }: { readonly onClose: () => void }) {
  const { document, catalog, formats, pageFigures, announce } = useApp();
  const [choices, setChoices] = useState<QuestionChoices | string | null>(null);
  const [title, setTitle] = useState('');
  const [questions, setQuestions] = useState<readonly AssembledQuestion[]>([]);
  useEffect(() => {
    return whileMounted(
      Promise.all([loadStoryQuestions(formats, catalog), loadPageQuestions(catalog, pageFigures)]),
      ([storyQuestions, pageQuestions]) => setChoices({ storyQuestions, pageQuestions }),
      (error) => setChoices(messageOf(error)),
    );
  }, [formats, catalog, pageFigures]);
  const learnStateOf = (linked: readonly AssembledQuestion[]) => {
    const set: QuestionSet = { title, questions: linked.map(({ entry }) => entry) };
    return { lesson: SET_LESSON, paragraph: 0, set: questionSetText(set) };
  };
  const linkTo = (linked: readonly AssembledQuestion[]): string =>
    linked.length === 0 ? '' : new URL(lessonHash(learnStateOf(linked)), location.href).href;
  const link = linkTo(questions);
  const add = (question: AssembledQuestion): void => {
    const extended = [...questions, question];
    setQuestions(extended);
    const what = `Question ${extended.length} added. Link`;
    void copyText(announce, linkTo(extended), { what, otherwise: OTHERWISE });
  };
  return (
    <Dialog title={QUESTION_SET_TITLE} onClose={onClose}>
      <Stack gap={3} className="dialog-body w-[min(40rem,100%)]">
        <Muted as="p">Answers stay on the reader’s device.</Muted>
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
        {questions.length > 0 && (
          <ol className="pl-5 list-decimal grid gap-1" aria-label="Questions">
            {questions.map(({ key, words }, i) => (
              <li key={key}>
                <span className="mr-3">{words}</span>
                <TextButton
                  aria-label={`Remove question ${i + 1}`}
                  onClick={() => setQuestions(questions.filter((question) => question.key !== key))}
                >
                  remove
                </TextButton>
              </li>
            ))}
          </ol>
        )}
        {choices === null && <p aria-busy="true">…</p>}
        {typeof choices === 'string' && <Problem>{asMessage(`The questions could not be loaded: ${choices}`)}</Problem>}
        {choices !== null && typeof choices !== 'string' && questions.length < QUESTION_BOUNDS.questions && (
          <QuestionForm {...choices} onAdd={add} />
        )}
        {link !== '' && (
          <Field label="link">
            {(control) => <input {...control} className="input number" readOnly value={link} />}
          </Field>
        )}
        {/* Stays in view however long the question is. */}
        <div className="dialog-actions flex flex-wrap justify-end gap-2 -mx-5 -mb-5 px-5 py-3 sticky bottom-0 border-t border-hairline bg-ground">
          <CopyButton className="button" disabled={link === ''} text={() => link} what="Link" otherwise={OTHERWISE}>
            Copy link
          </CopyButton>
          <Button
            kind="solid"
            disabled={link === ''}
            onClick={() => document.setState(withPage(document.getState(), LEARN_FIELDS, learnStateOf(questions)))}
          >
            Open the set
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
