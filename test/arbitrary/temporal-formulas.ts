/** Formulas and constraints by the words of the language, in negation normal form, and random formulas. */
import type { Random } from '../../engine/common/random.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import type {
    FairnessConstraint,
    Marker,
    TemporalAtom,
    TemporalFormula,
} from '../../engine/sequential/sequential-model.js';

export const TRUE: TemporalFormula = { kind: 'true' };
export const FALSE: TemporalFormula = { kind: 'false' };

export function atom(number: number): TemporalFormula {
    return { kind: 'atom', atom: number, isNegated: false };
}

export function and(...operands: readonly TemporalFormula[]): TemporalFormula {
    return { kind: 'and', operands };
}

export function or(...operands: readonly TemporalFormula[]): TemporalFormula {
    return { kind: 'or', operands };
}

export function until(left: TemporalFormula, right: TemporalFormula): TemporalFormula {
    return { kind: 'until', left, right };
}

export function weakUntil(left: TemporalFormula, right: TemporalFormula): TemporalFormula {
    return { kind: 'release', left: right, right: or(left, right) };
}

export function eventually(operand: TemporalFormula): TemporalFormula {
    return until(TRUE, operand);
}

export function always(operand: TemporalFormula): TemporalFormula {
    return { kind: 'release', left: FALSE, right: operand };
}

export function infinitelyOften(operand: TemporalFormula): TemporalFormula {
    return always(eventually(operand));
}

export function eventuallyAlways(operand: TemporalFormula): TemporalFormula {
    return eventually(always(operand));
}

export function leadsTo(left: TemporalFormula, right: TemporalFormula): TemporalFormula {
    return always(or(not(left), eventually(right)));
}

export function not(formula: TemporalFormula): TemporalFormula {
    switch (formula.kind) {
        case 'true':
            return FALSE;
        case 'false':
            return TRUE;
        case 'atom':
            return { ...formula, isNegated: !formula.isNegated };
        case 'and':
        case 'or':
            return { kind: formula.kind === 'and' ? 'or' : 'and', operands: formula.operands.map(not) };
        case 'until':
        case 'release':
            return {
                kind: formula.kind === 'until' ? 'release' : 'until',
                left: not(formula.left),
                right: not(formula.right),
            };
    }
}

/** The formula with other numbers for its atoms. */
export function renumbered(formula: TemporalFormula, numberOf: (atom: number) => number): TemporalFormula {
    switch (formula.kind) {
        case 'true':
        case 'false':
            return formula;
        case 'atom':
            return { ...formula, atom: numberOf(formula.atom) };
        case 'and':
        case 'or':
            return { ...formula, operands: formula.operands.map(operand => renumbered(operand, numberOf)) };
        case 'until':
        case 'release':
            return {
                ...formula,
                left: renumbered(formula.left, numberOf),
                right: renumbered(formula.right, numberOf),
            };
    }
}

/** The number of until and release. */
export function temporalSize(formula: TemporalFormula): number {
    switch (formula.kind) {
        case 'true':
        case 'false':
        case 'atom':
            return 0;
        case 'and':
        case 'or':
            return formula.operands.reduce((sum, operand) => sum + temporalSize(operand), 0);
        case 'until':
        case 'release':
            return 1 + temporalSize(formula.left) + temporalSize(formula.right);
    }
}

/** Over atoms 0 … atomCount - 1; `depth` counts the operators above the atoms, with the words of the language. */
export function randomFormula(random: Random, atomCount: number, depth: number): TemporalFormula {
    const operand = (): TemporalFormula => randomFormula(random, atomCount, depth - 1);
    switch (depth === 0 ? random.below(2) : random.below(13)) {
        case 0:
            return atom(random.below(atomCount));
        case 1:
            return not(atom(random.below(atomCount)));
        case 2:
            return and(operand(), operand());
        case 3:
            return or(operand(), operand());
        case 4:
            return always(operand());
        case 5:
            return eventually(operand());
        case 6:
        case 7:
            return infinitelyOften(operand());
        case 8:
            return eventuallyAlways(operand());
        case 9:
            return until(operand(), operand());
        case 10:
            return weakUntil(operand(), operand());
        default:
            return leadsTo(operand(), operand());
    }
}

/** Without until and release, over atoms 0 … atomCount - 1. */
export function randomCondition(random: Random, atomCount: number, depth: number): TemporalFormula {
    const operand = (): TemporalFormula => randomCondition(random, atomCount, depth - 1);
    switch (depth === 0 ? random.below(3) : random.below(5)) {
        case 0:
        case 1:
            return atom(random.below(atomCount));
        case 2:
            return not(atom(random.below(atomCount)));
        case 3:
            return and(operand(), operand());
        default:
            return or(operand(), operand());
    }
}

/** Equal for markers that differ in their atoms only, but not in the kinds of the atoms. */
export function skeletonOf(formulas: readonly TemporalFormula[], atoms: readonly TemporalAtom[]): string {
    return JSON.stringify([
        formulas,
        atoms.map(each => (each.kind === 'possible' ? [each.kind, each.condition] : [each.kind])),
    ]);
}

/** `fair` or `strong fair` before what these summands do. */
export function fairness(kind: 'weak' | 'strong', name: string, summands: readonly number[]): FairnessConstraint {
    const atoms: readonly TemporalAtom[] = [
        { kind: 'enabled', summands },
        { kind: 'taken', summands },
    ];
    const [enabled, taken] = [atom(0), atom(1)];
    return kind === 'weak'
        ? constraint(kind, name, atoms, TRUE, or(not(enabled), taken))
        : constraint(kind, name, atoms, enabled, taken);
}

/** If `asked` is true infinitely often, so is `met`. */
export function assumption(
    name: string,
    atoms: readonly TemporalAtom[],
    asked: TemporalFormula,
    met: TemporalFormula,
): FairnessConstraint {
    return constraint('assumption', name, atoms, asked, met);
}

function constraint(
    kind: FairnessConstraint['kind'],
    name: string,
    atoms: Marker['atoms'],
    asked: TemporalFormula,
    met: TemporalFormula,
): FairnessConstraint {
    return { kind, name, range: NOWHERE, skeleton: skeletonOf([asked, met], atoms), atoms, asked, met };
}
