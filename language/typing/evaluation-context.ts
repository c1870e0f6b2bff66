/**
 * The state of an evaluation of constants: the meaning of names, the limits on work and depth, the open calls, and the
 * reports of problems. A problem inside a function is shown at the call in the text.
 */
import { NONE, type Domain, type Value } from '../../engine/model/domain.js';
import type * as ast from '../generated/nodes.js';
import type { ProblemCode } from '../problems/codes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { rangeOf } from '../tree/source-text.js';
import type { Constructor } from '../references/constructors.js';
import type { ConstructorShapes, EnumerationShape } from '../representation/enumeration.js';
import { RecordShape } from '../representation/record.js';
import type { Shape, ConstantValue } from '../representation/shape.js';

/** How many operations the evaluation of one constant may take, and how many that of all of them. */
const OPERATION_LIMIT = 1_000_000;
const TOTAL_LIMIT = 2_000_000;

/** How deep expressions and statements may nest, with those of called functions: the evaluation is recursive. */
const DEPTH_LIMIT = 1200;

/** How many calls may be open at a time. */
const CALL_LIMIT = 200;

/** The meaning of the names in an expression. */
export interface ConstantNames {
    valueOf(declaration: ast.Parameter | ast.Constant): ConstantValue | undefined;
    shapeOf(type: ast.Type): Shape | undefined;
    shapeOfCases(declaration: ast.Enumeration): EnumerationShape | undefined;
    shapesOfConstructor(declaration: Constructor): ConstructorShapes | undefined;
    shapeOfTypeName(expression: ast.Expression): Shape | undefined;
    shapeOfBinder(binder: ast.ProcessIndex | ast.BinderVariable): Shape | undefined;
    domainOfBinder(binder: ast.ProcessIndex | ast.BinderVariable): Domain | undefined;
    indicesOf(channel: ast.ChannelDeclaration): readonly (Domain | undefined)[];
    readonly channels: {
        valueOf(declaration: ast.ChannelDeclaration, position: number): Value | undefined;
    };
}

/** Ends an evaluation without a value. A problem has been reported, or the type check of the expression reports one. */
class NoValue extends Error {}

/** The value itself; ends the evaluation if it is undefined. */
export function known<Item>(value: Item | undefined): Item {
    return value ?? noValue();
}

export function noValue(): never {
    throw new NoValue();
}

export class EvaluationContext {
    readonly names: ConstantNames;
    /** The calls around the present expression, the outermost first. */
    private readonly calls: { readonly call: ast.Call; readonly target: ast.FunctionDeclaration }[] = [];
    private readonly problems: ProblemCollector;
    private operationsLeft = OPERATION_LIMIT;
    private totalLeft = TOTAL_LIMIT;
    private isOver = false;
    private depth = 0;

    constructor(names: ConstantNames, problems: ProblemCollector) {
        this.names = names;
        this.problems = problems;
    }

    /** Runs a whole evaluation; undefined if it ends without a value. One inside another counts as part of it. */
    run<Result>(evaluate: () => Result): Result | undefined {
        const { depth } = this;
        const callCount = this.calls.length;
        if (depth === 0) {
            this.operationsLeft = Math.min(OPERATION_LIMIT, this.totalLeft);
        }
        const before = this.operationsLeft;
        try {
            return evaluate();
        } catch (error) {
            if (error instanceof NoValue) {
                return undefined;
            }
            throw error;
        } finally {
            this.depth = depth;
            this.calls.length = callCount;
            if (depth === 0) {
                this.totalLeft -= before - Math.max(0, this.operationsLeft);
            }
        }
    }

    /** Goes one level deeper in the text: into an expression, which counts as one operation, or into statements. */
    enter(expression?: ast.Expression): void {
        if (expression !== undefined) {
            this.spend(1, expression);
            if (this.depth >= DEPTH_LIMIT || this.calls.length > CALL_LIMIT) {
                const message = 'the calls of functions in this constant are nested too deeply';
                this.fail('type/too-large', message, expression);
            }
        }
        this.depth++;
    }

    /** Not necessary when an evaluation ends without a value. */
    leave(): void {
        this.depth--;
    }

    /** Computes the body of a function. */
    inCall<Result>(call: ast.Call, target: ast.FunctionDeclaration, compute: () => Result): Result {
        this.calls.push({ call, target });
        const result = compute();
        this.calls.pop();
        return result;
    }

    /** The function whose body is being computed. */
    get currentFunction(): ast.FunctionDeclaration | undefined {
        return this.calls.at(-1)?.target;
    }

    /** Counts operations. The first expression after the limit is the one to blame. */
    spend(operations: number, expression?: ast.Expression): void {
        this.operationsLeft -= operations;
        if (expression === undefined || this.operationsLeft >= 0) {
            return;
        }
        // If the limit for all constants is reached, no other constant can be computed: one report is enough.
        const isOver = this.totalLeft < OPERATION_LIMIT;
        const isReported = isOver && this.isOver;
        this.isOver ||= isOver;
        if (isReported) {
            throw new NoValue();
        }
        const what = isOver ? 'the constants of the model take' : 'the constant takes';
        this.fail('type/too-large', `${what} too long to compute`, expression);
    }

    /** The value as one that a place of this shape holds; `what` begins the message. */
    stored(shape: Shape, value: ConstantValue, what: string, node: ast.Expression | ast.Statement): ConstantValue {
        const typed = known(shape.constantAs(value));
        const misfit = shape.misfit(typed);
        if (misfit === undefined) {
            return typed;
        }
        const text = misfit.value === NONE ? 'none' : misfit.shape.formatValue(misfit.value);
        return this.fail(
            'type/out-of-range',
            misfit.shape instanceof RecordShape && misfit.value !== NONE
                ? `there is no ${text}: the \`where\` of \`${misfit.shape.name}\` excludes it`
                : `${what} has the type \`${misfit.shape.format()}\`, but gets ${text}`,
            node,
        );
    }

    /** Reports a problem and ends the evaluation. */
    fail(code: ProblemCode, message: string, node: ast.Expression | ast.Statement): never {
        const [outermost] = this.calls;
        if (outermost === undefined) {
            this.problems.error(code, message, rangeOf(node));
        } else {
            const innermost = (this.currentFunction ?? outermost.target).name;
            const text = code === 'type/not-constant' ? message : `in \`${innermost}\`: ${message}`;
            const related = node === outermost.call ? [] : [{ message: 'it happens here', range: rangeOf(node) }];
            this.problems.error(code, text, rangeOf(outermost.call), related);
        }
        throw new NoValue();
    }
}
