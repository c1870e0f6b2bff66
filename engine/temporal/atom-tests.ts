/**
 * Formulas of markers as tests of positions. Each atom about states is a *column*, a bit of a state that its owner keeps;
 * an atom about the step that leaves a state is looked up by the class of the step.
 */
import { invariant, unreachable } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { Compiler, type Condition } from '../sequential/expression/evaluate.js';
import type { Marker, SequentialModel, TemporalFormula } from '../sequential/sequential-model.js';
import type { AutomatonTransition } from './automaton.js';
import type { StepClasses } from './step-classes.js';

/** A formula without until and release at a position: a state, and the class of the step that leaves it. */
export type PositionTest = (state: number, stepClass: number) => boolean;

/** The meaning of the bit of a state. */
export type Column =
    | { readonly kind: 'state'; readonly marker: number; readonly holds: Condition }
    /** A step of this set can be taken. */
    | { readonly kind: 'enabled'; readonly set: number }
    /** A state that passes the test, whatever its step, can be reached: an atom of a marker. */
    | { readonly kind: 'possible'; readonly marker: number; readonly atom: number; readonly test: PositionTest };

export class AtomTests {
    readonly columns: readonly Column[];
    readonly #classes: StepClasses;
    readonly #bit: (state: number, column: number) => boolean;
    /** By marker and atom; -1 for an atom about steps. */
    readonly #columnOf: readonly (readonly number[])[];

    constructor(
        model: SequentialModel,
        classes: StepClasses,
        markers: readonly Marker[],
        bit: (state: number, column: number) => boolean,
    ) {
        this.#classes = classes;
        this.#bit = bit;
        const columns: Column[] = [];
        const add = (column: Column): number => columns.push(column) - 1;
        const compiler = new Compiler(model.cells);
        const known = new Map<unknown, number>();
        this.#columnOf = markers.map(({ atoms }, marker) => {
            const own: number[] = [];
            atoms.forEach((atom, number) => {
                switch (atom.kind) {
                    case 'taken':
                        own.push(-1);
                        break;
                    case 'state': {
                        const { expression } = atom;
                        own.push(
                            remembered(known, expression, () =>
                                add({ kind: 'state', marker, holds: compiler.condition(expression) }),
                            ),
                        );
                        break;
                    }
                    case 'enabled': {
                        const set = classes.setOf[marker][number];
                        own.push(remembered(known, `enabled ${set}`, () => add({ kind: 'enabled', set })));
                        break;
                    }
                    case 'possible':
                        own.push(
                            add({
                                kind: 'possible',
                                marker,
                                atom: number,
                                test: this.#test(atom.condition, marker, own),
                            }),
                        );
                        break;
                    default:
                        unreachable(atom);
                }
            });
            return own;
        });
        this.columns = columns;
    }

    /** The truth of a formula over the atoms of a marker. */
    test(formula: TemporalFormula, marker: number): PositionTest {
        return this.#test(formula, marker, this.#columnOf[marker]);
    }

    /** What a transition of an automaton over the atoms of a marker asks of a state, and of each class of steps. */
    testOfCube(cube: Cube, marker: number): { readonly isOpen: PositionTest; readonly takes: Uint8Array } {
        const isAboutSteps = (atom: number): boolean => this.#columnOf[marker][atom] < 0;
        const part = (of: (atom: number) => boolean): PositionTest =>
            this.test(cubeOf({ positive: cube.positive.filter(of), negative: cube.negative.filter(of) }), marker);
        const ofStep = part(isAboutSteps);
        return {
            isOpen: part(atom => !isAboutSteps(atom)),
            takes: Uint8Array.from({ length: this.#classes.count }, (_, stepClass) => (ofStep(0, stepClass) ? 1 : 0)),
        };
    }

    #test(formula: TemporalFormula, marker: number, columns: readonly number[]): PositionTest {
        switch (formula.kind) {
            case 'true':
                return () => true;
            case 'false':
                return () => false;
            case 'atom': {
                const { atom, isNegated } = formula;
                const column = columns[atom];
                if (column >= 0) {
                    const bit = this.#bit;
                    return state => bit(state, column) !== isNegated;
                }
                const { contains, setCount, setOf } = this.#classes;
                const set = setOf[marker][atom];
                return (_, stepClass) => (contains[stepClass * setCount + set] === 1) !== isNegated;
            }
            case 'and':
            case 'or': {
                const tests = formula.operands.map(operand => this.#test(operand, marker, columns));
                return formula.kind === 'and' ? allOf(tests) : anyOf(tests);
            }
            default:
                return invariant(false, 'a test has no until and no release') as never;
        }
    }
}

function allOf(tests: readonly PositionTest[]): PositionTest {
    const [first, second] = tests;
    switch (tests.length) {
        case 1:
            return first;
        case 2:
            return (state, stepClass) => first(state, stepClass) && second(state, stepClass);
        default:
            return (state, stepClass) => tests.every(test => test(state, stepClass));
    }
}

function anyOf(tests: readonly PositionTest[]): PositionTest {
    const [first, second] = tests;
    switch (tests.length) {
        case 1:
            return first;
        case 2:
            return (state, stepClass) => first(state, stepClass) || second(state, stepClass);
        default:
            return (state, stepClass) => tests.some(test => test(state, stepClass));
    }
}

/** Atoms that must be true, and others that must be false. */
type Cube = Pick<AutomatonTransition, 'positive' | 'negative'>;

export function cubeOf({ positive, negative }: Cube): TemporalFormula {
    const literal = (isNegated: boolean) => (atom: number) => ({ kind: 'atom', atom, isNegated }) as const;
    return { kind: 'and', operands: [...positive.map(literal(false)), ...negative.map(literal(true))] };
}
