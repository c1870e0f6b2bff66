/**
 * A run that is to exist, with more than one part or with `takes`, as a search for a state: a variable counts the parts
 * that were met, and each step counts on, by the state before it. So a state is what is looked for if the parts that it
 * meets itself are the last ones.
 */
import { InvariantViolation, unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import type { StatedRun } from '../../model/meant.js';
import type { Model } from '../../model/model.js';
import type { Cell, SequentialExpression, SequentialInvariant, Summand } from '../sequential-model.js';
import {
    binary,
    conditional,
    conjunction,
    constant,
    disjunction,
    FALSE,
    negation,
    TRUE,
} from '../expression/simplify.js';
import type { Tree } from './temporal-trees.js';

/** Whether states alone show that there is such a run. */
export function isAboutOneState({ parts }: StatedRun): boolean {
    return parts.length === 1 && parts[0].kind === 'state';
}

/** The model whose only statement is that there is no such run. The name of the variable is none that a text can have. */
export function observing(model: Model, run: StatedRun): Model {
    const { range, nameRange } = run;
    return {
        ...model,
        variables: [
            ...model.variables,
            {
                name: nameOfCount(run),
                documentation: '',
                element: { kind: 'range', low: 0, high: run.parts.length },
                indices: [],
                segments: [{ text: nameOfCount(run), indices: 0 }],
                initializer: { kind: 'default' },
                range,
                nameRange,
            },
        ],
        invariants: [],
        properties: [],
        assumptions: [],
        runs: [],
        // A search for the run goes on behind faults in its parts.
        expectations: [{ kind: 'violated', name: 'faults', applies: true, range }],
        symmetryAssertions: [],
        allowsDeadlock: true,
        observed: run,
    };
}

/** The variable that counts parts, in states. */
export function nameOfCount({ name }: StatedRun): string {
    return `parts of ${name}`;
}

/** The cell of that variable, the last of the shared ones. */
export function cellOfCount(cells: readonly Cell[]): number {
    return cells.reduce((last, { kind }, cell) => (kind === 'shared' ? cell : last), -1);
}

/** `trees` has a tree for each part, `count` is the cell that counts. */
export function observe(
    { name, nameRange }: StatedRun,
    trees: readonly Tree[],
    count: number,
    summands: readonly Summand[],
): { readonly summands: readonly Summand[]; readonly invariant: SequentialInvariant } {
    const range = nameRange;
    const isAt = (part: number): SequentialExpression =>
        binary('==', { kind: 'cell', cell: count, range }, constant(part), range);
    /** The parts that are met behind a step, if so many are before it. */
    const metBy = (summand: number, part: number): SequentialExpression => {
        if (part === trees.length) {
            return constant(part);
        }
        const [tree] = trees.slice(part);
        const next = asksForStep(tree) ? constant(part + 1) : metBy(summand, part + 1);
        return conditional(conditionOf(tree, summand, range), next, constant(part), range);
    };
    const metAtEnd = (part: number): SequentialExpression =>
        part === trees.length
            ? TRUE
            : asksForStep(trees[part]) && part + 1 < trees.length
              ? FALSE
              : conjunction([conditionOf(trees[part], undefined, range), metAtEnd(part + 1)], range);
    const isFound = [...trees.keys(), trees.length].map(part => conjunction([isAt(part), metAtEnd(part)], range));
    return {
        summands: summands.map((summand, number): Summand => {
            const [first, ...others] = summand.participants;
            const next = [...trees.keys()].reduceRight(
                (otherwise, part) => conditional(isAt(part), metBy(number, part), otherwise, range),
                constant(trees.length),
            );
            // Before the path gives a local its first value: the parts are about the state before the step.
            const place = first.path.findIndex(({ kind }) => kind === 'assign');
            const path = [...first.path];
            path.splice(place < 0 ? path.length : place, 0, { kind: 'assign', cell: count, value: next, range });
            return { ...summand, participants: [{ ...first, path }, ...others] };
        }),
        invariant: { name, range: nameRange, expression: negation(disjunction(isFound, range), range), kind: 'run' },
    };
}

function asksForStep(tree: Tree): boolean {
    switch (tree.kind) {
        case 'taken':
            return true;
        case 'and':
        case 'or':
            return tree.operands.some(asksForStep);
        default:
            return false;
    }
}

/** Of the state before the summand fires; undefined if nothing does. */
function conditionOf(tree: Tree, summand: number | undefined, range: SourceRange): SequentialExpression {
    switch (tree.kind) {
        case 'state':
            return tree.isNegated ? negation(tree.expression, tree.range) : tree.expression;
        case 'taken': {
            // That a step is not taken says that another one is.
            const isTaken = summand !== undefined && tree.summands.includes(summand) !== tree.isNegated;
            return isTaken ? TRUE : FALSE;
        }
        case 'and':
        case 'or': {
            const operands = tree.operands.map(operand => conditionOf(operand, summand, range));
            return tree.kind === 'and' ? conjunction(operands, range) : disjunction(operands, range);
        }
        case 'enabled':
        case 'possible':
        case 'until':
        case 'release':
            throw new InvariantViolation('a run that is to exist has no temporal words');
        default:
            return unreachable(tree);
    }
}
