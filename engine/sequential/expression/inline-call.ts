/**
 * Calls of functions, unfolded (run-function.ts): a call becomes the expression that its caller would have written
 * without it, with the same faults. Recursion must end by conditions that are known before the run; another loop is
 * unfolded once for each state of its variables. A function over few values that does not read the state becomes a
 * table, if it loops or would be longer otherwise.
 */
import { invariant } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import { domainSize, valueOfCode, valuesOfDomain } from '../../model/domain.js';
import type { Expression } from '../../model/expression.js';
import type { FunctionDeclaration } from '../../model/model.js';
import { sizeOfArray } from '../cell-layout.js';
import { measureOf } from './expression-size.js';
import type { FunctionFacts } from './function-facts.js';
import { LinearizationStopped, stop } from '../linearization-limits.js';
import type { Cell, SequentialExpression } from '../sequential-model.js';
import { constant, select } from './simplify.js';
import type { Specializer } from './specialize.js';
import { runFunction, type Values } from './run-function.js';
import { inDomain } from './substitute.js';
import { type Scope } from './scope.js';
import { mayFault, mayLeave } from './bounds.js';

/** Calls inside calls. */
const DEPTH_LIMIT = 200;

/** The nesting depth of all open calls: each level takes up to seven of some 8,000 frames of the stack. */
const LEVEL_LIMIT = 1_200;

/** The most combinations of arguments of a function that becomes a table. */
const TABLE_LIMIT = 1_024;

/** The calls that are being unfolded, and results of earlier calls. */
export class OpenCalls {
    readonly #open: FunctionDeclaration[] = [];
    #levels = 0;
    /** By function its last call: the elements of an array result are requested one after the other. */
    readonly #last = new Map<number, { readonly given: Values; readonly values: Values }>();
    /** By function and arguments the results, if all of them are known before the run. */
    readonly #constants = new Map<string, Values>();

    /** Runs a call; `depth` is the depth of its body. */
    inside<Result>(declaration: FunctionDeclaration, depth: number, range: SourceRange, run: () => Result): Result {
        if (this.#open.length >= DEPTH_LIMIT || this.#levels + depth > LEVEL_LIMIT) {
            return endlessRecursion(declaration, range);
        }
        const isRecursive = this.#open.includes(declaration);
        this.#open.push(declaration);
        this.#levels += depth;
        try {
            return run();
        } catch (error) {
            // A growing argument of a recursive call shows the same mistake earlier.
            if (
                isRecursive &&
                error instanceof LinearizationStopped &&
                ['limit/expression-size', 'limit/expression-depth'].includes(error.problem.code)
            ) {
                endlessRecursion(declaration, range);
            }
            throw error;
        } finally {
            this.#open.pop();
            this.#levels -= depth;
        }
    }

    known(call: number, given: Values): Values | undefined {
        const last = this.#last.get(call);
        return last !== undefined && areSame(last.given, given) ? last.values : this.#constants.get(keyOf(call, given));
    }

    keep(call: number, given: Values, values: Values, readsState: boolean): void {
        this.#last.set(call, { given, values });
        const isConstant = [...given, ...values].every(row => row.every(({ kind }) => kind === 'constant'));
        if (!readsState && isConstant) {
            this.#constants.set(keyOf(call, given), values);
        }
    }
}

function endlessRecursion({ name }: FunctionDeclaration, range: SourceRange): never {
    return stop(
        'function/recursion',
        `\`${name}\` calls itself too often; what ends the recursion must be known before the run`,
        range,
    );
}

function keyOf(call: number, given: Values): string {
    return `${call} ${given.map(row => row.map(value => (value.kind === 'constant' ? value.value : '?')).join()).join(' ')}`;
}

function areSame(first: Values, second: Values): boolean {
    return first.every((row, index) => row.every((value, position) => isSame(value, second[index][position])));
}

/** Whether two expressions are obviously the same. */
function isSame(first: SequentialExpression, second: SequentialExpression): boolean {
    return (
        first === second ||
        (first.kind === 'constant' && second.kind === 'constant' && first.value === second.value) ||
        (first.kind === 'cell' && second.kind === 'cell' && first.cell === second.cell)
    );
}

/** For each result of the function its values, row by row. */
export function inlineCall(
    specializer: Specializer,
    call: Extract<Expression, { kind: 'call' }>,
    caller: Scope,
): Values {
    const { calls, model, functions } = specializer;
    const given = call.arguments.map(values => values.map(value => specializer.expression(value, caller)));
    const known = calls.known(call.function, given);
    if (known !== undefined) {
        return known;
    }
    const declaration = model.functions[call.function];
    const facts = functions[call.function];
    const used = withoutUnread(declaration, facts, given, specializer.temporaries.cells);
    const values = valuesOfCall(specializer, declaration, facts, used, call.range);
    calls.keep(call.function, given, values, facts.readsState);
    return values;
}

/** Replaces arguments that the body does not read by any value, unless their evaluation may be a fault. */
function withoutUnread(
    { parameters }: FunctionDeclaration,
    { namesRead }: FunctionFacts,
    given: Values,
    cells: readonly Cell[],
): Values {
    return given.map((values, index) => {
        const { id, element } = parameters[index];
        if (namesRead.has(id) || element === undefined || domainSize(element) === 0) {
            return values;
        }
        const any = constant(valueOfCode(element, 0));
        return values.map(value => (mayFault(value, cells) || mayLeave(element, value, cells) ? value : any));
    });
}

function valuesOfCall(
    specializer: Specializer,
    declaration: FunctionDeclaration,
    { readsState, goesRound, depth }: FunctionFacts,
    given: Values,
    range: SourceRange,
): Values {
    const unfolded = (): Values => unfold(specializer, declaration, depth, given, range);
    if (readsState || tableSize(declaration, given) > TABLE_LIMIT) {
        return unfolded();
    }
    const tabulated = (): Values => tabulate(specializer, declaration, depth, given, range);
    if (goesRound) {
        return tabulated();
    }
    const values = unfolded();
    const size = values.flat().reduce((total, value) => total + measureOf(value).size, 0);
    return size > tableSize(declaration, given) ? tabulated() : values;
}

/** The number of combinations of the arguments that are not known before the run. */
function tableSize({ parameters }: FunctionDeclaration, given: Values): number {
    let size = 1;
    given.forEach((values, index) => {
        const { element } = parameters[index];
        for (const value of values) {
            size *= value.kind === 'constant' || element === undefined ? 1 : domainSize(element);
        }
    });
    return size;
}

/** A function that does not read the state, as a table: run for each combination of the unknown arguments. */
function tabulate(
    specializer: Specializer,
    declaration: FunctionDeclaration,
    bodyDepth: number,
    given: Values,
    range: SourceRange,
): Values {
    const { cells } = specializer.temporaries;
    const places = given.flatMap((values, parameter) =>
        values.map((value, position) => ({ parameter, position, value })),
    );
    const open = places.filter(({ value }) => value.kind !== 'constant');
    const chosen = given.map(values => values.slice());
    const table = (depth: number): Values => {
        const place = open[depth];
        if (place === undefined) {
            return unfold(specializer, declaration, bodyDepth + open.length, chosen, range);
        }
        const { parameter, position, value } = place;
        const { element } = declaration.parameters[parameter];
        invariant(element !== undefined, 'a parameter has a type');
        const rows = valuesOfDomain(element).map(constantValue => {
            specializer.budget.spend(1, range);
            chosen[parameter][position] = constant(constantValue);
            return table(depth + 1);
        });
        const index = inDomain(value, element, cells, range);
        return declaration.results.map(({ indices }, result) =>
            Array.from({ length: sizeOfArray(indices) }, (_, cell) =>
                select(
                    index,
                    element,
                    rows.map(row => row[result][cell]),
                    range,
                ),
            ),
        );
    };
    return table(0);
}

/** Runs the body on the arguments; `depth` is its depth. */
function unfold(
    specializer: Specializer,
    declaration: FunctionDeclaration,
    depth: number,
    given: Values,
    range: SourceRange,
): Values {
    return specializer.calls.inside(declaration, depth, range, () =>
        runFunction(specializer, declaration, given, range),
    );
}
