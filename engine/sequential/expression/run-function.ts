/** Runs a function on expressions: a name stands for one, and a branch that is not decided joins both results. */
import { invariant, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { domainSize } from '../../model/domain.js';
import type { Expression, Place, Temporary } from '../../model/expression.js';
import type { FunctionDeclaration, Statement } from '../../model/model.js';
import { forEachStatement } from '../../model/walk-model.js';
import { sizeOfArray } from '../cell-layout.js';
import { stop } from '../linearization-limits.js';
import type { FaultKind, SequentialExpression } from '../sequential-model.js';
import { withinSize } from './expression-size.js';
import { emptyScope, type Scope, type TemporaryValue } from './scope.js';
import { binary, conditional, FALSE, isFalse, isTrue, TRUE } from './simplify.js';
import type { Specializer } from './specialize.js';
import { inDomain, isAtPosition } from './substitute.js';
import { mayFault } from './bounds.js';

/** The most rounds of a loop whose end is not known before the run. */
const ROUND_LIMIT = 500;

export type Values = readonly (readonly SequentialExpression[])[];

/** Whether a part of a body has returned, and the values. There are values unless `returned` is the constant false. */
interface Outcome {
    readonly returned: SequentialExpression;
    readonly values: Values;
}

const NOTHING: Outcome = { returned: FALSE, values: [] };

/** The values of each result for these arguments. */
export function runFunction(
    specializer: Specializer,
    declaration: FunctionDeclaration,
    given: Values,
    range: SourceRange,
): Values {
    const body = new FunctionBody(specializer, declaration);
    let outcome = NOTHING;
    declaration.parameters.forEach((parameter, index) => {
        outcome = either(outcome, body.declare(parameter, given[index], range), range);
    });
    outcome = either(outcome, body.run(declaration.body), range);
    invariant(isTrue(outcome.returned), 'every way through a checked function returns');
    return outcome.values.map(values => values.map(value => withinSize(value, range)));
}

class FunctionBody {
    readonly #specializer: Specializer;
    readonly #declaration: FunctionDeclaration;
    #scope: Scope = emptyScope();

    constructor(specializer: Specializer, declaration: FunctionDeclaration) {
        this.#specializer = specializer;
        this.#declaration = declaration;
    }

    /** Gives a name its values, row by row; the outcome shows whether one is a fault. */
    declare(temporary: Temporary, values: readonly SequentialExpression[], range: SourceRange): Outcome {
        const fitting = values.map(value => withinSize(this.#inElement(value, temporary, range), range));
        this.#scope.temporaries.set(temporary.id, { indices: temporary.indices, values: fitting });
        return this.#evaluated(fitting, range);
    }

    run(statements: readonly Statement[]): Outcome {
        let outcome = NOTHING;
        for (const statement of statements) {
            if (isTrue(outcome.returned)) {
                break;
            }
            outcome = either(outcome, this.#runStatement(statement), statement.range);
        }
        return outcome;
    }

    #runStatement(statement: Statement): Outcome {
        const { range } = statement;
        this.#specializer.budget.spend(1, range);
        switch (statement.kind) {
            case 'assign': {
                const writes = statement.assignments.map(({ target, value }) => ({
                    target,
                    value: this.#expression(value),
                    places: this.#indicesOf(target),
                }));
                let outcome = NOTHING;
                for (const { target, value, places } of writes) {
                    outcome = either(outcome, this.#write(target, value, places), range);
                }
                return outcome;
            }
            case 'declare': {
                const declared = statement.declarations.map(({ values }) =>
                    values.map(value => this.#expression(value)),
                );
                let outcome = NOTHING;
                statement.declarations.forEach(({ temporary }, index) => {
                    outcome = either(outcome, this.declare(temporary, declared[index], range), range);
                });
                return outcome;
            }
            case 'if': {
                const condition = this.#expression(statement.condition);
                return this.#branch(condition, range, taken => this.run(taken ? statement.then : statement.otherwise));
            }
            case 'while':
                return this.#loop(statement, 0);
            case 'for': {
                let outcome = NOTHING;
                this.#specializer.forEachValuation([statement.binder], this.#scope, range, () => {
                    outcome = either(outcome, this.run(statement.body), range);
                    return !isTrue(outcome.returned);
                });
                return outcome;
            }
            case 'return':
                return this.#return(statement.values, range);
            case 'assert':
                return this.#branch(this.#expression(statement.condition), range, taken =>
                    taken ? NOTHING : this.#fault('assert', range),
                );
            case 'spawn':
            case 'fill':
                return invariant(false, 'a function creates no instances and writes no shared arrays') as never;
            case 'skip':
                return NOTHING;
            default:
                return unreachable(statement);
        }
    }

    /** All results are evaluated, even if the caller uses only one. */
    #return(results: readonly (readonly Expression[])[], range: SourceRange): Outcome {
        const { cells } = this.#specializer.temporaries;
        const values = results.map((expressions, result) => {
            const { element } = this.#declaration.results[result];
            return expressions.map(expression => inDomain(this.#expression(expression), element, cells, range));
        });
        const outcome: Outcome = { returned: TRUE, values };
        const all = values.flat();
        return all.length === 1 ? outcome : either(this.#evaluated(all, range), outcome, range);
    }

    /** The function ends in a fault; each result is that fault. */
    #fault(fault: FaultKind, range: SourceRange): Outcome {
        const values = this.#declaration.results.map(({ indices }) =>
            Array.from({ length: sizeOfArray(indices) }, (): SequentialExpression => ({ kind: 'fault', fault, range })),
        );
        return { returned: TRUE, values };
    }

    /** Nothing has returned; but if one of the values is a fault, the function is one. */
    #evaluated(values: readonly SequentialExpression[], range: SourceRange): Outcome {
        const { cells } = this.#specializer.temporaries;
        let outcome = NOTHING;
        for (const value of values) {
            if (mayFault(value, cells)) {
                const { values: results } = this.#fault('undefined', range);
                outcome = either(outcome, { returned: binary('!=', value, value, range), values: results }, range);
            }
        }
        return outcome;
    }

    /** Runs the branch that is known to be taken, or both, and joins their results. */
    #branch(condition: SequentialExpression, range: SourceRange, run: (taken: boolean) => Outcome): Outcome {
        if (condition.kind === 'constant') {
            return run(isTrue(condition));
        }
        const before = this.#scope;
        const [then, afterThen] = this.#onCopy(before, () => run(true));
        const [otherwise, afterOtherwise] = this.#onCopy(before, () => run(false));
        for (const [id, value] of afterThen.temporaries) {
            const other = afterOtherwise.temporaries.get(id);
            // A name that only one side declares is out of scope after the branch.
            if (other !== undefined) {
                before.temporaries.set(id, {
                    indices: value.indices,
                    values: value.values.map((element, position) =>
                        joined(condition, element, other.values[position], range),
                    ),
                });
            }
        }
        this.#scope = before;
        // A faulty condition is a fault even if both branches agree.
        return either(
            this.#evaluated([condition], range),
            {
                returned: joined(condition, then.returned, otherwise.returned, range),
                values: joinedValues(condition, then.values, otherwise.values, range),
            },
            range,
        );
    }

    #onCopy(scope: Scope, run: () => Outcome): [Outcome, Scope] {
        this.#scope = { ...scope, binders: new Map(scope.binders), temporaries: new Map(scope.temporaries) };
        return [run(), this.#scope];
    }

    /** `round` counts the rounds so far. Rounds run while the condition is known; repeating a state never ends. */
    #loop(statement: Extract<Statement, { kind: 'while' }>, round: number): Outcome {
        const { range } = statement;
        const states = this.#statesOf(statement);
        let outcome = NOTHING;
        for (let rounds = round; ; rounds++) {
            this.#specializer.budget.spend(1, range);
            const condition = this.#expression(statement.condition);
            if (isFalse(condition)) {
                return outcome;
            }
            if (rounds >= states) {
                const ended = this.#branch(condition, range, taken =>
                    taken ? this.#fault('endless', range) : NOTHING,
                );
                return either(outcome, ended, range);
            }
            if (!isTrue(condition)) {
                if (rounds >= ROUND_LIMIT) {
                    stop(
                        'function/loop',
                        `the loop may go round more than ${ROUND_LIMIT.toLocaleString('en-US')} times; give what it ` +
                            'counts with a smaller type',
                        range,
                    );
                }
                const rest = this.#branch(condition, range, taken => {
                    if (!taken) {
                        return NOTHING;
                    }
                    const first = this.run(statement.body);
                    return isTrue(first.returned) ? first : either(first, this.#loop(statement, rounds + 1), range);
                });
                return either(outcome, rest, range);
            }
            outcome = either(outcome, this.run(statement.body), range);
            if (isTrue(outcome.returned)) {
                return outcome;
            }
        }
    }

    /** The number of states of the names that a loop assigns. */
    #statesOf(statement: Extract<Statement, { kind: 'while' }>): number {
        let states = 1;
        for (const { id, element, indices } of assignedIn(statement.body)) {
            if (this.#scope.temporaries.has(id) && element !== undefined) {
                states *= domainSize(element) ** sizeOfArray(indices);
            }
        }
        return states;
    }

    #expression(expression: Expression): SequentialExpression {
        return this.#specializer.expression(expression, this.#scope);
    }

    #inElement(value: SequentialExpression, { element }: Temporary, range: SourceRange): SequentialExpression {
        return element === undefined ? value : inDomain(value, element, this.#specializer.temporaries.cells, range);
    }

    /** The indices of a place that is written. */
    #indicesOf(target: Place): SequentialExpression[] {
        invariant(target.kind === 'temporary', 'a function writes nothing but what it declares');
        const { temporary, range } = target;
        const { cells } = this.#specializer.temporaries;
        return target.indices.map((index, dimension) =>
            inDomain(this.#expression(index), temporary.indices[dimension], cells, range, 'index'),
        );
    }

    /** All elements after a write to one of them, whose index may be unknown. */
    #write(target: Place, value: SequentialExpression, places: readonly SequentialExpression[]): Outcome {
        invariant(target.kind === 'temporary', 'a function writes nothing but what it declares');
        const { temporary, range } = target;
        const { indices, values } = this.#scope.temporaries.get(temporary.id) as TemporaryValue;
        const written = this.#inElement(value, temporary, range);
        const isHere = (position: number): SequentialExpression => isAtPosition(places, indices, position, range);
        this.#scope.temporaries.set(temporary.id, {
            indices,
            values: values.map((element, position) =>
                withinSize(joined(isHere(position), written, element, range), range),
            ),
        });
        return this.#evaluated([written, ...places], range);
    }
}

/** The names that statements assign, each once. */
function assignedIn(statements: readonly Statement[]): Set<Temporary> {
    const assigned = new Set<Temporary>();
    forEachStatement(statements, statement => {
        const targets = statement.kind === 'assign' ? statement.assignments.map(({ target }) => target) : [];
        targets.forEach(target => target.kind === 'temporary' && assigned.add(target.temporary));
    });
    return assigned;
}

/** The outcome of the branch that returned first. */
function either(first: Outcome, second: Outcome, range: SourceRange): Outcome {
    if (isFalse(first.returned)) {
        return second;
    }
    return {
        returned: joined(first.returned, TRUE, second.returned, range),
        values: joinedValues(first.returned, first.values, second.values, range),
    };
}

/** A side that has not returned has no values. */
function joinedValues(condition: SequentialExpression, then: Values, otherwise: Values, range: SourceRange): Values {
    if (then.length === 0 || otherwise.length === 0) {
        return then.length === 0 ? otherwise : then;
    }
    return then.map((values, result) =>
        values.map((value, position) => joined(condition, value, otherwise[result][position], range)),
    );
}

/** A choice; none where both sides are the same. */
function joined(
    condition: SequentialExpression,
    then: SequentialExpression,
    otherwise: SequentialExpression,
    range: SourceRange,
): SequentialExpression {
    const same =
        then === otherwise ||
        (then.kind === 'constant' && otherwise.kind === 'constant' && then.value === otherwise.value);
    return same ? then : conditional(condition, then, otherwise, range);
}
