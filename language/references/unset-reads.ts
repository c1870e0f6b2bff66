/**
 * Where a local of a process may be read before it is written, along each way through the text of the process.
 *
 * A way takes every test for open. What is written stays written, so one pass over a loop is enough: its end knows at
 * least what its beginning knows. A write to a part of a variable reads the rest of it.
 */
import { unreachable } from '../../engine/common/assert.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { isConstructor } from './constructors.js';
import { placesGivenIn } from './places.js';

/** The variables that may hold no value at a place of the text; none where no way leads. */
type Unset = ReadonlySet<ast.Variable>;

const NOWHERE: Unset = new Set();

/** A read of a variable that may not have been written. The node is a name, perhaps one of an expression that reads it. */
export type ReportUnset = (variable: ast.Variable, node: ast.Reference) => void;

/** `begin` are the variables that hold no value where they are declared. A read may be reported several times. */
export function findUnsetReads(process: ast.Process, begin: ReadonlySet<ast.Variable>, report: ReportUnset): void {
    new UnsetReads(begin, report).block(process.body, NOWHERE);
}

class UnsetReads {
    private readonly begin: ReadonlySet<ast.Variable>;
    private readonly report: ReportUnset;
    /** What may be unset at the `break`s of each loop around the present place, the innermost last. */
    private readonly breaks: Unset[] = [];

    constructor(begin: ReadonlySet<ast.Variable>, report: ReportUnset) {
        this.begin = begin;
        this.report = report;
    }

    /** The names that may be unset behind a block. */
    block({ items }: ast.Block, before: Unset): Unset {
        return items.reduce((unset, item) => this.item(item, unset), before);
    }

    private item(item: ast.Item, unset: Unset): Unset {
        switch (item.$type) {
            case 'Labeled':
                return this.item(item.item, unset);
            case 'Variable':
                this.read([item.initializer, item.choices], unset);
                return this.begin.has(item) ? union(unset, new Set([item])) : unset;
            case 'Constant':
            case 'Let':
                // It stands for its expression where it is used.
                return unset;
            case 'Loop':
                return this.loop(item.body, unset, false);
            case 'For':
                // There may be no value to run through.
                return union(unset, this.loop(item.body, unset, true));
            case 'While':
                this.read([item.condition], unset);
                return union(unset, this.loop(item.body, unset, true));
            case 'IfControl':
                return this.ifControl(item, unset);
            case 'Choose':
                return item.alternatives
                    .map(({ where, body }) => {
                        this.read([where], unset);
                        return this.block(body, unset);
                    })
                    .reduce(union);
            case 'Break':
                this.breaks.push(union(this.breaks.pop() ?? NOWHERE, unset));
                return NOWHERE;
            case 'Terminate':
                return NOWHERE;
            case 'Step':
                return this.step(item, unset);
            default:
                return unreachable(item);
        }
    }

    private loop(body: ast.Block, unset: Unset, ends: boolean): Unset {
        this.breaks.push(NOWHERE);
        const behind = this.block(body, unset);
        const left = this.breaks.pop() ?? NOWHERE;
        return ends ? union(left, behind) : left;
    }

    private ifControl({ condition, then, otherwise, elseIf }: ast.IfControl, unset: Unset): Unset {
        this.read([condition], unset);
        const other =
            elseIf !== undefined
                ? this.ifControl(elseIf, unset)
                : otherwise !== undefined
                  ? this.block(otherwise, unset)
                  : unset;
        return union(this.block(then, unset), other);
    }

    private step(step: ast.Step, before: Unset): Unset {
        const { guard, place, value, message, pattern, body, assertion, spawn } = step;
        this.read([guard, assertion, spawn, value, message], before);
        let unset = step.call === undefined ? before : this.call(step.call, before);
        if (place !== undefined) {
            unset = value === undefined ? this.readIndices(place, unset) : this.write(place, unset);
        }
        if (pattern !== undefined) {
            unset = this.pattern(pattern, unset);
        }
        return body === undefined ? unset : this.body(body, unset);
    }

    private pattern(pattern: ast.Pattern, unset: Unset): Unset {
        switch (pattern.$type) {
            case 'WildcardPattern':
                return unset;
            case 'RecordPattern':
            case 'CasePattern':
                return pattern.parts.reduce((rest, part) => this.pattern(part, rest), unset);
            case 'ExpressionPattern':
                if (pattern.equal) {
                    this.read([pattern.value], unset);
                    return unset;
                }
                return this.matched(pattern.value, unset);
            default:
                return unreachable(pattern);
        }
    }

    private matched(expression: ast.Expression, unset: Unset): Unset {
        if (ast.isCall(expression) && isConstructor(expression.function.ref)) {
            return expression.arguments.reduce<Unset>((rest, part) => this.matched(part, rest), unset);
        }
        return this.write(expression, unset);
    }

    private body({ statements }: ast.Body, before: Unset): Unset {
        return statements.reduce((unset, statement) => this.statement(statement, unset), before);
    }

    private statement(statement: ast.Statement, unset: Unset): Unset {
        switch (statement.$type) {
            case 'Assignment':
                this.read([statement.value], unset);
                return this.write(statement.target, unset);
            case 'IfStatement': {
                this.read([statement.condition], unset);
                const { then, otherwise, elseIf } = statement;
                const other =
                    elseIf !== undefined
                        ? this.statement(elseIf, unset)
                        : otherwise !== undefined
                          ? this.body(otherwise, unset)
                          : unset;
                return union(this.body(then, unset), other);
            }
            case 'WhileStatement':
                this.read([statement.condition], unset);
                return union(unset, this.body(statement.body, unset));
            case 'ForStatement':
                this.read([statement.where], unset);
                return union(unset, this.body(statement.body, unset));
            case 'Spawn':
                this.read([statement], unset);
                return unset;
            case 'ProcedureCall':
                return this.call(statement, unset);
            case 'Variable':
                this.read([statement.initializer], unset);
                return unset;
            case 'Let':
            case 'Return':
                this.read([statement.value], unset);
                return unset;
            case 'Assertion':
                this.read([statement.condition], unset);
                return unset;
            case 'Skip':
                return unset;
            default:
                return unreachable(statement);
        }
    }

    /** What is given as a place is written, whether the procedure does so or not. */
    private call(call: ast.ProcedureCall, unset: Unset): Unset {
        const places = placesGivenIn(call);
        this.read(
            call.arguments.filter(argument => !places.includes(argument)),
            unset,
        );
        return places.reduce((rest, place) => this.write(place, rest), unset);
    }

    /** A place that is written. The name itself is not read, but its indices are. */
    private write(place: ast.Expression, unset: Unset): Unset {
        const variable = ast.isReference(place) && place.indices.length === 0 ? place.target.ref : undefined;
        if (ast.isVariable(variable) && this.begin.has(variable)) {
            return new Set([...unset].filter(other => other !== variable));
        }
        this.read([place], unset);
        return unset;
    }

    private readIndices(place: ast.Expression, unset: Unset): Unset {
        this.read(ast.isReference(place) ? place.indices : [place], unset);
        return unset;
    }

    private read(expressions: readonly (ast.Expression | undefined)[], unset: Unset): void {
        if (unset.size === 0) {
            return;
        }
        for (const expression of expressions) {
            for (const node of expression === undefined ? [] : nodesOf(expression)) {
                if (ast.isReference(node)) {
                    unsetIn(node, unset).forEach(variable => {
                        this.report(variable, node);
                    });
                }
            }
        }
    }
}

/** The unset variables that a name reads, directly or through the names of expressions. */
function unsetIn(reference: ast.Reference, unset: Unset): readonly ast.Variable[] {
    const target = reference.target.ref;
    if (ast.isVariable(target)) {
        return unset.has(target) ? [target] : [];
    }
    const isName = (ast.isLet(target) || ast.isConstant(target)) && ast.isBlock(target.$container);
    return isName
        ? nodesOf(target.value).flatMap(node =>
              ast.isReference(node) && node.target.ref !== target ? unsetIn(node, unset) : [],
          )
        : [];
}

function union(first: Unset, second: Unset): Unset {
    return first.size === 0 ? second : second.size === 0 ? first : new Set([...first, ...second]);
}
