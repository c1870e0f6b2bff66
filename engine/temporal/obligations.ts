/**
 * `exists i: eventually always p(i)` is violated by a run on which each p(i) is false infinitely often. These are fairness
 * constraints, which symmetries exchange; in the formula each atom would have to stay where it is.
 */
import { NOWHERE } from '../common/source-range.js';
import type {
    FairnessConstraint,
    PropertyMember,
    SequentialModel,
    TemporalAtom,
    TemporalFormula,
} from '../sequential/sequential-model.js';
import { markerOf } from '../sequential/runs/temporal-trees.js';
import { negationOf } from './automaton.js';

/** A model and a member that is violated by the same runs of it. */
export interface Obliged {
    readonly model: SequentialModel;
    readonly member: PropertyMember;
}

/** Undefined where the member has fewer than two such alternatives: then nothing is gained. */
export function withObligations(model: SequentialModel, member: PropertyMember): Obliged | undefined {
    const { formula, atoms, values } = member;
    const alternatives = formula.kind === 'or' ? formula.operands : [];
    const settled = alternatives.flatMap(alternative => settledIn(alternative) ?? []);
    if (settled.length < 2) {
        return undefined;
    }
    const others = alternatives.filter(alternative => settledIn(alternative) === undefined);
    const rest = restrictedTo({ kind: 'or', operands: others }, atoms);
    const fairness = [...model.fairness, ...settled.map(condition => obligation(condition, member))];
    return {
        model: { ...model, fairness },
        member: { ...markerOf('property', [rest.formula], rest.atoms), values, formula: rest.formula },
    };
}

/** The condition of `eventually always`, if it is about atoms that are known at once. */
function settledIn(formula: TemporalFormula): TemporalFormula | undefined {
    return formula.kind === 'until' &&
        formula.left.kind === 'true' &&
        formula.right.kind === 'release' &&
        formula.right.left.kind === 'false' &&
        isTimeless(formula.right.right)
        ? formula.right.right
        : undefined;
}

function isTimeless(formula: TemporalFormula): boolean {
    switch (formula.kind) {
        case 'until':
        case 'release':
            return false;
        case 'and':
        case 'or':
            return formula.operands.every(isTimeless);
        default:
            return true;
    }
}

function obligation(condition: TemporalFormula, { atoms }: PropertyMember): FairnessConstraint {
    const { formula: met, atoms: own } = restrictedTo(negationOf(condition), atoms);
    const asked: TemporalFormula = { kind: 'true' };
    return {
        ...markerOf('obligation', [asked, met], own),
        kind: 'obligation',
        name: '',
        range: NOWHERE,
        asked,
        met,
    };
}

/** A formula with the atoms that it names, numbered in the order of their first use. */
function restrictedTo(
    formula: TemporalFormula,
    atoms: readonly TemporalAtom[],
): { readonly formula: TemporalFormula; readonly atoms: readonly TemporalAtom[] } {
    const own: TemporalAtom[] = [];
    const numbers = new Map<number, number>();
    const numberOf = (atom: number): number => {
        const known = numbers.get(atom);
        if (known !== undefined) {
            return known;
        }
        const given = atoms[atom];
        // What is possible names atoms before it.
        const made = given.kind === 'possible' ? { ...given, condition: renumbered(given.condition) } : given;
        numbers.set(atom, own.push(made) - 1);
        return own.length - 1;
    };
    const renumbered = (part: TemporalFormula): TemporalFormula => {
        switch (part.kind) {
            case 'true':
            case 'false':
                return part;
            case 'atom':
                return { ...part, atom: numberOf(part.atom) };
            case 'and':
            case 'or':
                return { kind: part.kind, operands: part.operands.map(renumbered) };
            default:
                return { kind: part.kind, left: renumbered(part.left), right: renumbered(part.right) };
        }
    };
    return { formula: renumbered(formula), atoms: own };
}
