/**
 * The control of one instance as a graph of control points. A continuation (what is left to do) is a control point, for
 * each block stands at one place of the text. Static tests are decided here: the branches not taken have no points.
 *
 * Going along `next`, `whenTrue`, `whenFalse`, `branches` costs no transition; every cycle that does not pass a step
 * goes through the entry of a `loop` or `while`.
 */
import { invariant, unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Expression } from '../model/expression.js';
import type { Control, Process, Step } from '../model/model.js';

/** A place between two steps. `order` numbers the points as the text does; the exit comes last. */
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
          readonly whenFalse: ControlPoint;
      }
    | { readonly kind: 'fork'; readonly branches: readonly ControlPoint[] }
    | { readonly kind: 'label'; readonly label: string; readonly next: ControlPoint }
    | { readonly kind: 'declare'; readonly site: DeclareSite; readonly next: ControlPoint }
    | { readonly kind: 'jump'; readonly next: ControlPoint };

/** A step of the text, in one instance. */
export interface StepSite {
    readonly id: number;
    readonly step: Step;
    readonly next: ControlPoint;
}

/** A test of the text whose value is not known before the run. */
export interface TestSite {
    readonly id: number;
    readonly condition: Expression;
    readonly range: SourceRange;
}

/** A declaration that is not at the head of the body. */
export interface DeclareSite {
    readonly id: number;
    readonly local: number;
    readonly range: SourceRange;
}

export interface ControlGraph {
    /** After the declarations at the head. */
    readonly initial: ControlPoint;
    /** The locals that are declared there, in order. */
    readonly headLocals: readonly number[];
}

/** `isTrueBeforeRun` decides a test whose value is known before the run (static-value.ts). */
export function buildControlGraph(
    process: Process,
    isTrueBeforeRun: (condition: Expression) => boolean | undefined,
): ControlGraph {
    let pointCount = 0;
    let siteCount = 0;
    const exit: ControlPoint = { order: Number.MAX_SAFE_INTEGER, action: { kind: 'exit' } };

    /** The entry of a block whose end continues at `after`. */
    function block(
        items: readonly Control[],
        after: ControlPoint,
        breakTarget: ControlPoint | undefined,
    ): ControlPoint {
        if (items.length === 0) {
            return after;
        }
        const entries = items.map(newPoint);
        items.forEach((item, index) => {
            const next = index + 1 < items.length ? entries[index + 1] : after;
            fill(entries[index], item, entries[index], next, breakTarget);
        });
        return entries[0];
    }

    /** Gives `point` the meaning of `item`. A loop returns to `entry`, where its labels are. */
    function fill(
        point: ControlPoint,
        item: Control,
        entry: ControlPoint,
        next: ControlPoint,
        breakTarget: ControlPoint | undefined,
    ): void {
        point.order = pointCount++;
        switch (item.kind) {
            case 'step':
                point.action = { kind: 'step', site: { id: siteCount++, step: item, next } };
                return;
            case 'loop':
                point.action = { kind: 'jump', next: block(item.body, entry, next) };
                return;
            case 'while': {
                const value = isTrueBeforeRun(item.condition);
                if (value === false) {
                    point.action = { kind: 'jump', next };
                    return;
                }
                const id = siteCount++;
                const body = block(item.body, entry, next);
                point.action =
                    value === true
                        ? { kind: 'jump', next: body }
                        : {
                              kind: 'test',
                              site: { id, condition: item.condition, range: item.condition.range },
                              whenTrue: body,
                              whenFalse: next,
                          };
                return;
            }
            case 'if': {
                const value = isTrueBeforeRun(item.condition);
                if (value !== undefined) {
                    point.action = { kind: 'jump', next: block(value ? item.then : item.otherwise, next, breakTarget) };
                    return;
                }
                const id = siteCount++;
                const whenTrue = block(item.then, next, breakTarget);
                point.action = {
                    kind: 'test',
                    site: { id, condition: item.condition, range: item.condition.range },
                    whenTrue,
                    whenFalse: block(item.otherwise, next, breakTarget),
                };
                return;
            }
            case 'choose':
                point.action = {
                    kind: 'fork',
                    branches: item.alternatives.map(alternative => block(alternative, next, breakTarget)),
                };
                return;
            case 'labeled': {
                const labeled = newPoint();
                point.action = { kind: 'label', label: item.label, next: labeled };
                fill(labeled, item.control, entry, next, breakTarget);
                return;
            }
            case 'declare':
                point.action = {
                    kind: 'declare',
                    site: { id: siteCount++, local: item.local, range: item.range },
                    next,
                };
                return;
            case 'break':
                invariant(breakTarget !== undefined, 'break stands inside a loop');
                point.action = { kind: 'jump', next: breakTarget };
                return;
            default:
                unreachable(item);
        }
    }

    const headLocals: number[] = [];
    for (const item of process.body) {
        if (item.kind !== 'declare') {
            break;
        }
        headLocals.push(item.local);
    }
    return { initial: block(process.body.slice(headLocals.length), exit, undefined), headLocals };
}

function newPoint(): ControlPoint {
    return { order: -1, action: { kind: 'exit' } };
}
