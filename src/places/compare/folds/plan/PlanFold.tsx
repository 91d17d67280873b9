import './plan.css';
import { useMemo } from 'react';
import type { Words } from '../../../../core/story/scene.ts';
import { say } from '../../../../core/story/words.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { Segmented } from '../../../../kit/controls/Segmented.tsx';
import { DeviceLabel } from '../../../../kit/devices/DeviceLabel.tsx';
import { LiveSlider } from '../../../../kit/forms/LiveSlider.tsx';
import { AnswerHead } from '../../../../kit/frame/Answer.tsx';
import { bytes as bytesText, percent, shape as shapeText } from '../../../../kit/words/quantity.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';
import { shippedId } from '../../../../theory/models/shipped-models.ts';
import { withinCost, withinLoss } from '../../../../theory/plan/plan-front.ts';
import type { FoldProps } from '../fold.ts';
import type { KnownLosses } from './known-losses.ts';
import type { Front, ModelPlan, ModelPlans } from './model-plans.ts';
import { PlanChart } from './PlanChart.tsx';
import { type Budget, ownOfPlan, planJson } from './plan-json.ts';
import { PlanTable } from './PlanTable.tsx';
import { bitsText, planWords } from './plan-words.ts';
import { PLAN_FIELDS, useLosses, usePlans } from './use-plans.ts';

/** The plan for the model of the sentence on the device that answers, matrix by matrix. */
export function PlanFold({ compared }: FoldProps) {
  const model = compared.model?.shape;
  if (!model || compared.model?.isLayer) return <p className="field-hint">A plan is for a whole model.</p>;
  return <OfModel compared={compared} model={model} />;
}

function OfModel({ compared, model }: Pick<FoldProps, 'compared'> & { readonly model: ModelShape }) {
  const losses = useLosses(model);
  if (losses === undefined) return <p className="field-hint">Loading what was measured of {model.name}.</p>;
  return <Plan compared={compared} model={model} losses={losses} />;
}

interface PlanProps extends Pick<FoldProps, 'compared'> {
  readonly model: ModelShape;
  readonly losses: KnownLosses | null;
}

/** Bits that may be lost, as the slider offers them. */
const BITS = [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

const TYPES = ['f16', 'i8', 'i4'] as const;

function Plan({ compared, model, losses }: PlanProps) {
  const { session, formats } = useApp();
  const [asked, choose] = useChoices(PLAN_FIELDS);
  const { plan: goal, planlost, planleft, planroom, planvalues: values } = asked;
  const { device } = compared.shown;
  const plans = usePlans({ model, device, losses, goal, values });
  const budget = useMemo((): Budget => {
    if (goal === 'bytes') return { of: 'bytes', shareOfF16: planroom };
    return losses ? { of: 'loss', bitsATale: planlost } : { of: 'left', least: planleft };
  }, [goal, losses, planlost, planleft, planroom]);
  const chosen = useMemo(() => within(plans, budget, plans.denseBytes), [plans, budget]);
  const sure = useMemo(() => within(plans.sure, budget, plans.denseBytes), [plans, budget]);
  const isTimed = chosen !== null && chosen.ns !== null;
  const own = useMemo(
    () =>
      chosen && shippedId(model) !== null
        ? ownOfPlan(
            chosen,
            model,
            formats.map(({ id }) => id),
          )
        : null,
    [chosen, model, formats],
  );
  const save = (): void => {
    if (!chosen) return;
    const context = { model, plans, losses, budget, device: isTimed ? device : null, own };
    const text = JSON.stringify(planJson(chosen, context, new Date().toISOString()), null, 2);
    saveText(`sparsescope-plan-${model.name.replace(/[^\w.-]+/g, '-')}.json`, `${text}\n`, 'application/json');
  };
  const words: readonly Words[] = chosen
    ? planWords(chosen, { model: model.name, denseBytes: plans.denseBytes, device: isTimed ? device.name : null, sure })
    : say`No plan keeps to this: the smallest one takes ${bytesText(Math.round(plans.plans[0]?.bytes ?? 0))}.`;
  const bitsAt = BITS.findIndex((bits) => bits >= planlost);
  return (
    <div className="plan">
      <AnswerHead
        about={`${model.name} · ${aboutBudget(budget, plans, losses !== null)}`}
        words={words}
        exports={chosen ? [{ label: 'JSON', title: 'Save the plan as JSON', save }] : []}
      />
      <div className="plan-asked">
        <Segmented
          label="Given"
          value={goal}
          options={[
            { value: 'loss', label: losses ? 'a loss' : 'what is left' },
            { value: 'bytes', label: 'bytes' },
          ]}
          onChange={(plan) => choose({ plan })}
        />
        <Segmented
          label="Values"
          value={losses || values !== 'any' ? values : 'f16'}
          options={[
            ...(losses ? [{ value: 'any' as const, label: 'any' }] : []),
            ...TYPES.map((value) => ({ value, label: value })),
          ]}
          onChange={(planvalues) => choose({ planvalues })}
        />
        {budget.of === 'loss' && (
          <LiveSlider
            label="Loss, at most"
            value={bitsAt < 0 ? BITS.length - 1 : bitsAt}
            min={0}
            max={BITS.length - 1}
            step={1}
            format={(at) => (BITS[at] === 1 ? '1 bit a tale' : `${BITS[at]} bits a tale`)}
            onChange={(at) => choose({ planlost: BITS[at] })}
          />
        )}
        {budget.of === 'left' && (
          <LiveSlider
            label="Left of every matrix, at least"
            value={Math.round(100 * planleft)}
            min={5}
            max={100}
            step={5}
            format={(at) => leftText(at / 100)}
            onChange={(at) => choose({ planleft: at / 100 })}
          />
        )}
        {budget.of === 'bytes' && (
          <LiveSlider
            label="Bytes, at most"
            value={Math.round(100 * planroom)}
            min={5}
            max={100}
            step={1}
            format={(at) => `${percent(at / 100, 0)} of f16, ${bytesText(Math.round((at / 100) * plans.denseBytes))}`}
            onChange={(at) => choose({ planroom: at / 100 })}
          />
        )}
      </div>
      <PlanChart model={model.name} plans={plans} chosen={chosen} budget={budget} />
      <PlanNotes model={model} losses={losses} plans={plans} device={device.name} values={values} />
      {chosen && (
        <>
          <p className="plan-use">
            {own === null ? (
              <span className="field-hint">
                No weights of {model.name} are here, so the plan cannot write: take it along as JSON.
              </span>
            ) : (
              <button type="button" className="button button--solid" onClick={() => session.follow('planned', own)}>
                Use it
              </button>
            )}
            {isTimed && <DeviceLabel device={device} />}
          </p>
          <PlanTable model={model.name} plan={chosen} plans={plans} />
        </>
      )}
    </div>
  );
}

/** The best plan that keeps to a budget; null where none does. */
function within({ plans, front }: Front, budget: Budget, denseBytes: number): ModelPlan | null {
  const point =
    budget.of === 'bytes'
      ? withinCost(front, budget.shareOfF16 * denseBytes)
      : withinLoss(front, (budget.of === 'loss' ? budget.bitsATale : 1 - budget.least) + 1e-9);
  return point && plans[Number(point.choices[0])];
}

function aboutBudget(budget: Budget, { cost }: ModelPlans, isLossKnown: boolean): string {
  if (budget.of === 'bytes')
    return `${isLossKnown ? 'least loss' : 'most left'} in ${percent(budget.shareOfF16, 0)} of the bytes of f16`;
  const best = cost === 'us' ? 'most tokens a second' : 'fewest bytes';
  if (budget.of === 'left') return `${best} with at least ${leftText(budget.least)} left of every matrix`;
  return `${best} for at most ${bitsText(budget.bitsATale)} bits a tale`;
}

interface PlanNotesProps extends Omit<PlanProps, 'compared'> {
  readonly plans: ModelPlans;
  readonly device: string;
  readonly values: string;
}

/** Bytes in f16 below which a matrix takes about as long as it takes to start a kernel. */
const SMALL_BYTES = 4e6;

/** What is known, and what is not. */
function PlanNotes({ model, losses, plans, device, values }: PlanNotesProps) {
  const { session, document } = useApp();
  const rows = plans.plans[0]?.rows ?? [];
  const isSmall = rows.length > 0 && rows.every((row) => 2 * row.rows * row.cols < SMALL_BYTES);
  const untimed = rows.find(({ way }) => way.ns === null);
  const parts = losses?.parts;
  const sum =
    parts &&
    rows.reduce(
      (all, { name, layers }) => all + layers.reduce((one, layer) => one + parts.matrix({ layer, name }), 0),
      0,
    );
  return (
    <div className="plan-notes">
      {losses === null && (
        <p>
          Nobody has measured what {model.name} loses, so the plan asks how much every matrix has to keep and says
          nothing about quality. All layers are alike to it.
        </p>
      )}
      {losses && (
        <p>
          Losses were measured on {losses.tales} tales on {losses.date}: of {losses.wholes.length} ways that treat all
          matrices alike
          {parts ? `, and of each matrix, layer and kind pruned alone to ${leftText(densityOf(parts))} by Wanda` : ''}.
          Nothing in between is estimated.
        </p>
      )}
      {parts && parts.whole !== null && sum !== undefined && (values === 'any' || values === 'f16') && (
        <p>
          Losses do not add up: the matrices pruned alone lose {bitsText(sum ?? 0)} bits in sum, all of them together{' '}
          {bitsText(parts.whole)}. So a plan that mixes has “at least” and “at most” as its loss, and what it really
          loses has to be measured: Language shows it on a text.
        </p>
      )}
      {untimed && isSmall && (
        <p>
          No kernel was measured on {shapeText(untimed.rows, untimed.cols)} on {device}, so plans go by bytes. Matrices
          as small as these take about as long as starting a kernel in any format;{' '}
          <button
            type="button"
            className="text-button"
            onClick={() => {
              const doc = document.getState();
              void session.restore({ ...doc, source: { kind: 'model', model: 'llama-2-7b' }, window: null, step: 0 });
            }}
          >
            see Llama-2-7B
          </button>
          , where the format decides.
        </p>
      )}
      {untimed && !isSmall && (
        <p>
          Not every matrix was measured on {device}
          {plans.cost === 'bytes' &&
            `, such as ${shapeText(untimed.rows, untimed.cols)} in ${untimed.way.format.title}`}
          : plans without all times go by bytes.
        </p>
      )}
      {!plans.isExact && <p>Mixes were thinned to 400: one in between may be slightly better.</p>}
    </div>
  );
}

function densityOf({ pruning }: NonNullable<KnownLosses['parts']>): number {
  return 'density' in pruning ? pruning.density : 1;
}
