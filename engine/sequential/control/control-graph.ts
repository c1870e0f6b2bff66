/**
 * The control of one instance as a graph of control points. A control point is a continuation (what is left to do).
 * Static tests are decided here: branches not taken have no points. The edges `next`, `whenTrue`, `whenFalse` and
 * `branches` take no transition; every cycle without a step passes the entry of a `loop` or `while`.
 */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { valuesOfDomain } from '../../model/domain.js';
import type { Value } from '../../model/domain.js';
import type { Expression } from '../../model/expression.js';
import type { Control, Process, Step, Variable } from '../../model/model.js';

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

/** Decides a test whose value is known before the run. */
type IsTrueBeforeRun = (condition: Expression, binding: Binding) => boolean | undefined;

export function buildControlGraph(process: Process, instance: Binding, isTrueBeforeRun: IsTrueBeforeRun): ControlGraph {
    const headLocals = headLocalsOf(process);
    const builder = new ControlGraphBuilder(isTrueBeforeRun);
    return { initial: builder.build(process.body.slice(headLocals.length), instance), headLocals };
}

/** The locals that are declared before anything else, in order. */
export function headLocalsOf({ body, locals, template }: Process): number[] {
    const head: number[] = [];
    for (const item of body) {
        if (item.kind !== 'declare' || (template !== undefined && isChosen(locals[item.local]))) {
            break;
        }
        head.push(item.local);
    }
    return head;
}

/** Nothing is chosen where an instance is created, but before its first step; only explanations try that. */
function isChosen({ initializer }: Variable): boolean {
    return initializer.kind === 'any' || initializer.kind === 'oneOf';
}

class ControlGraphBuilder {
    private readonly isTrueBeforeRun: IsTrueBeforeRun;
    private pointCount = 0;
    private siteCount = 0;
    private readonly exit: ControlPoint = { order: Number.MAX_SAFE_INTEGER, action: { kind: 'exit' } };
    /** Where control goes no further. */
    private readonly nowhere: ControlPoint = {
        order: Number.MAX_SAFE_INTEGER,
        action: { kind: 'fork', branches: [] },
    };

    constructor(isTrueBeforeRun: IsTrueBeforeRun) {
        this.isTrueBeforeRun = isTrueBeforeRun;
    }

    build(body: readonly Control[], binding: Binding): ControlPoint {
        return this.block(body, this.exit, { binding });
    }

    /** The entry of a block whose end continues at `after`. */
    private block(items: readonly Control[], after: ControlPoint, context: Context): ControlPoint {
        const entries = items.map(newPoint);
        items.forEach((item, index) => {
            this.fill(entries[index], item, entries[index], entries[index + 1] ?? after, context);
        });
        return entries[0] ?? after;
    }

    /** Gives `point` the meaning of `item`. A loop returns to `entry`, where its labels are. */
    private fill(point: ControlPoint, item: Control, entry: ControlPoint, next: ControlPoint, context: Context): void {
        point.order = this.pointCount++;
        point.action = this.actionOf(item, entry, next, context);
    }

    private actionOf(item: Control, entry: ControlPoint, next: ControlPoint, context: Context): ControlAction {
        const { binding, breakTarget } = context;
        const inLoop = { binding, breakTarget: next };
        switch (item.kind) {
            case 'step':
                return { kind: 'step', site: { id: this.siteCount++, binding, step: item, next } };
            case 'loop':
                return jumpTo(this.block(item.body, entry, inLoop));
            case 'while':
                return this.test(item.condition, binding, outcome =>
                    outcome ? this.block(item.body, entry, inLoop) : next,
                );
            case 'if':
                return this.test(item.condition, binding, outcome =>
                    this.block(outcome ? item.then : item.otherwise, next, context),
                );
            case 'assume':
                return this.test(item.condition, binding, outcome => (outcome ? next : this.nowhere));
            case 'choose':
                return { kind: 'fork', branches: item.alternatives.map(branch => this.block(branch, next, context)) };
            case 'for': {
                const values = valuesOfDomain(item.binder.domain);
                const rounds = values.map(newPoint);
                values.forEach((value, round) => {
                    const inside = { binding: new Map(binding).set(item.binder.id, value), breakTarget: next };
                    rounds[round].order = this.pointCount++;
                    rounds[round].action = jumpTo(this.block(item.body, rounds[round + 1] ?? next, inside));
                });
                return jumpTo(rounds[0] ?? next);
            }
            case 'labeled': {
                const labeled = newPoint();
                this.fill(labeled, item.control, entry, next, context);
                return { kind: 'label', label: item.label, isEnd: item.isEnd, next: labeled };
            }
            case 'declare': {
                const { local, range } = item;
                return { kind: 'declare', site: { id: this.siteCount++, binding, local, range }, next };
            }
            case 'break':
                invariant(breakTarget !== undefined, 'break stands inside a loop');
                return jumpTo(breakTarget);
            case 'terminate':
                return jumpTo(this.exit);
            default:
                return unreachable(item);
        }
    }

    /** A test whose outcome is known before the run is a jump; the other branch has no points. */
    private test(condition: Expression, binding: Binding, branch: (outcome: boolean) => ControlPoint): ControlAction {
        const value = this.isTrueBeforeRun(condition, binding);
        if (value !== undefined) {
            return jumpTo(branch(value));
        }
        const site = { id: this.siteCount++, binding, condition, range: condition.range };
        const whenTrue = branch(true);
        const whenFalse = branch(false);
        return { kind: 'test', site, whenTrue, ...(whenFalse === this.nowhere ? {} : { whenFalse }) };
    }
}

function newPoint(): ControlPoint {
    return { order: -1, action: { kind: 'exit' } };
}

function jumpTo(next: ControlPoint): ControlAction {
    return { kind: 'jump', next };
}
