/**
 * The control of one instance as a graph of control points. A control point is a continuation (what is left to do),
 * since each block stands at one place of the text. Static tests are decided here: branches not taken have no points.
 *
 * Following `next`, `whenTrue`, `whenFalse` and `branches` takes no transition; every cycle without a step passes the
 * entry of a `loop` or `while`.
 */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { valuesOfDomain } from '../../model/domain.js';
import type { Value } from '../../model/domain.js';
import type { Expression } from '../../model/expression.js';
import type { Control, Process, Step } from '../../model/model.js';

/** A place between two steps. `order` follows the text; the exit comes last. */
export interface ControlPoint {
    order: number;
    action: ControlAction;
}

export type ControlAction =
    | { readonly kind: 'exit' }
    | { readonly kind: 'step'; readonly site: StepSite }
    | {
          readonly kind: 'test';
          readonly site: TestSite;
          readonly whenTrue: ControlPoint;
          /** Absent if only one outcome continues: the `where` of a choice. */
          readonly whenFalse?: ControlPoint;
      }
    | { readonly kind: 'fork'; readonly branches: readonly ControlPoint[] }
    | { readonly kind: 'label'; readonly label: string; readonly isEnd: boolean; readonly next: ControlPoint }
    | { readonly kind: 'declare'; readonly site: DeclareSite; readonly next: ControlPoint }
    | { readonly kind: 'jump'; readonly next: ControlPoint };

/** The values of the indices of the instance and of the `for`s around a place, by the id of the binder. */
export type Binding = ReadonlyMap<number, Value>;

/** A step of the text, in one instance and one round of the `for`s around it. */
export interface StepSite {
    readonly id: number;
    readonly binding: Binding;
    readonly step: Step;
    readonly next: ControlPoint;
}

/** A test of the text whose value is not known before the run. */
export interface TestSite {
    readonly id: number;
    readonly binding: Binding;
    readonly condition: Expression;
    readonly range: SourceRange;
}

/** A declaration that is not at the head of the body. */
export interface DeclareSite {
    readonly id: number;
    readonly binding: Binding;
    readonly local: number;
    readonly range: SourceRange;
}

export interface ControlGraph {
    /** After the declarations at the head. */
    readonly initial: ControlPoint;
    /** The locals that are declared there, in order. */
    readonly headLocals: readonly number[];
}

/** The surroundings of a part of the text. */
interface Context {
    readonly binding: Binding;
    /** Behind the innermost loop, `while` or `for`. */
    readonly breakTarget?: ControlPoint;
}

/** `isTrueBeforeRun` decides a test whose value is known before the run. */
export function buildControlGraph(
    process: Process,
    instance: Binding,
    isTrueBeforeRun: (condition: Expression, binding: Binding) => boolean | undefined,
): ControlGraph {
    let pointCount = 0;
    let siteCount = 0;
    const exit: ControlPoint = { order: Number.MAX_SAFE_INTEGER, action: { kind: 'exit' } };
    /** Where control goes no further. */
    const nowhere: ControlPoint = { order: Number.MAX_SAFE_INTEGER, action: { kind: 'fork', branches: [] } };

    /** The entry of a block whose end continues at `after`. */
    function block(items: readonly Control[], after: ControlPoint, context: Context): ControlPoint {
        if (items.length === 0) {
            return after;
        }
        const entries = items.map(newPoint);
        items.forEach((item, index) => {
            const next = index + 1 < items.length ? entries[index + 1] : after;
            fill(entries[index], item, entries[index], next, context);
        });
        return entries[0];
    }

    /** Gives `point` the meaning of `item`. A loop returns to `entry`, where its labels are. */
    function fill(point: ControlPoint, item: Control, entry: ControlPoint, next: ControlPoint, context: Context): void {
        const { binding, breakTarget } = context;
        point.order = pointCount++;
        switch (item.kind) {
            case 'step':
                point.action = { kind: 'step', site: { id: siteCount++, binding, step: item, next } };
                return;
            case 'loop':
                point.action = { kind: 'jump', next: block(item.body, entry, { binding, breakTarget: next }) };
                return;
            case 'while':
                fillTest(
                    point,
                    item.condition,
                    binding,
                    () => block(item.body, entry, { binding, breakTarget: next }),
                    () => next,
                );
                return;
            case 'if':
                fillTest(
                    point,
                    item.condition,
                    binding,
                    () => block(item.then, next, context),
                    () => block(item.otherwise, next, context),
                );
                return;
            case 'assume':
                fillTest(
                    point,
                    item.condition,
                    binding,
                    () => next,
                    () => nowhere,
                );
                return;
            case 'choose':
                point.action = {
                    kind: 'fork',
                    branches: item.alternatives.map(alternative => block(alternative, next, context)),
                };
                return;
            case 'for': {
                const values = valuesOfDomain(item.binder.domain);
                const rounds = values.map(newPoint);
                values.forEach((value, round) => {
                    const after = rounds[round + 1] ?? next;
                    const inside = new Map(binding).set(item.binder.id, value);
                    rounds[round].order = pointCount++;
                    rounds[round].action = {
                        kind: 'jump',
                        next: block(item.body, after, { binding: inside, breakTarget: next }),
                    };
                });
                point.action = { kind: 'jump', next: rounds[0] ?? next };
                return;
            }
            case 'labeled': {
                const labeled = newPoint();
                point.action = { kind: 'label', label: item.label, isEnd: item.isEnd, next: labeled };
                fill(labeled, item.control, entry, next, context);
                return;
            }
            case 'declare':
                point.action = {
                    kind: 'declare',
                    site: { id: siteCount++, binding, local: item.local, range: item.range },
                    next,
                };
                return;
            case 'break':
                invariant(breakTarget !== undefined, 'break stands inside a loop');
                point.action = { kind: 'jump', next: breakTarget };
                return;
            case 'terminate':
                point.action = { kind: 'jump', next: exit };
                return;
            default:
                unreachable(item);
        }
    }

    /** A test whose outcome is known before the run is a jump; the other branch has no points. */
    function fillTest(
        point: ControlPoint,
        condition: Expression,
        binding: Binding,
        whenTrue: () => ControlPoint,
        whenFalse: () => ControlPoint,
    ): void {
        const value = isTrueBeforeRun(condition, binding);
        if (value !== undefined) {
            point.action = { kind: 'jump', next: value ? whenTrue() : whenFalse() };
            return;
        }
        const site = { id: siteCount++, binding, condition, range: condition.range };
        const yes = whenTrue();
        const no = whenFalse();
        point.action = { kind: 'test', site, whenTrue: yes, ...(no === nowhere ? {} : { whenFalse: no }) };
    }

    const headLocals: number[] = [];
    for (const item of process.body) {
        if (item.kind !== 'declare') {
            break;
        }
        headLocals.push(item.local);
    }
    return { initial: block(process.body.slice(headLocals.length), exit, { binding: instance }), headLocals };
}

function newPoint(): ControlPoint {
    return { order: -1, action: { kind: 'exit' } };
}
