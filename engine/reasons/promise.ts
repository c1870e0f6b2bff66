/**
 * What a temporal property promises and a run never keeps: `P[1]` is at `enter` from step 1 on and never comes to `leave`.
 * The formula is evaluated at each position of the run; of what is false the first part is told.
 */
import { remembered } from '../common/list-map.js';
import type { Run } from '../explore/verdict.js';
import type { PropertyMember, TemporalAtom, TemporalFormula } from '../sequential/sequential-model.js';
import { locationTest } from './phrase.js';
import { Scene } from './scene.js';

/** Undefined if the formula asks for more than states and steps of the run, or is too deep for a sentence. */
export function brokenPromise(
    { formula, atoms }: PropertyMember,
    run: Run,
    loopStart: number,
    scene: Scene,
): string | undefined {
    const isTold = atoms.every(({ kind }) => kind === 'state' || kind === 'taken');
    const clauses = isTold ? new Promised(atoms, run, loopStart, scene).whyFalse(formula, 0) : undefined;
    return clauses
        ?.map(({ subject, says, when }, index) => {
            const before = clauses[index - 1]?.subject;
            const link = before === undefined ? subject : before === subject ? ' and' : `, and ${subject}`;
            // The clause before has said when.
            return `${link} ${says}${before !== undefined && says.includes('never') ? '' : when}`;
        })
        .join('');
}

/** `` `P[1]` ``, `is at `enter``, ` from step 1 on`. */
interface Clause {
    readonly subject: string;
    readonly says: string;
    readonly when: string;
}

class Promised {
    readonly #atoms: readonly TemporalAtom[];
    readonly #run: Run;
    readonly #loopStart: number;
    readonly #scene: Scene;
    /** The last one is followed by that of `#loopStart`. */
    readonly #positions: readonly number[];
    readonly #truth = new Map<TemporalFormula, readonly boolean[]>();

    constructor(atoms: readonly TemporalAtom[], run: Run, loopStart: number, scene: Scene) {
        this.#atoms = atoms;
        this.#run = run;
        this.#loopStart = loopStart;
        this.#scene = scene;
        const last = run.states.length - 1;
        this.#positions = Array.from({ length: Math.max(last, loopStart + 1) }, (_, position) => position);
    }

    /** For a formula that is false at this position. */
    whyFalse(formula: TemporalFormula, at: number): readonly Clause[] | undefined {
        switch (formula.kind) {
            case 'and': {
                const wrong = formula.operands.find(operand => !this.#truthOf(operand)[at]);
                return wrong && this.whyFalse(wrong, at);
            }
            case 'or': {
                const parts = formula.operands.map(operand => this.whyFalse(operand, at));
                return parts.includes(undefined) ? undefined : parts.flatMap(part => part ?? []);
            }
            case 'release': {
                const wrong = this.#from(at).find(position => !this.#truthOf(formula.right)[position]);
                return wrong === undefined ? undefined : this.whyFalse(formula.right, wrong);
            }
            case 'until':
                return this.#never(formula.right, at);
            case 'atom':
                return this.#clause(formula, this.#whenFalse(formula, at));
            default:
                return undefined;
        }
    }

    /** What is to come about at some time: a condition, or one for ever. */
    #never(formula: TemporalFormula, at: number): readonly Clause[] | undefined {
        const truth = this.#truthOf(formula);
        if (this.#from(at).some(position => truth[position])) {
            return undefined;
        }
        if (formula.kind === 'release' && formula.left.kind === 'false') {
            const { right } = formula;
            const isAlways = this.#from(at).every(position => !this.#truthOf(right)[position]);
            return this.#clause(right, isAlways ? this.#whenFalse(right, at) : ' again and again');
        }
        return this.#clause(formula, at === 0 ? '' : ` after step ${at}`, 'never');
    }

    #whenFalse(formula: TemporalFormula, at: number): string {
        const isForEver = this.#from(at).every(position => !this.#truthOf(formula)[position]);
        if (at === 0) {
            return isForEver ? ' all along' : ' at the start';
        }
        return isForEver ? ` from step ${at} on` : ` after step ${at}`;
    }

    /** That an atom, maybe negated, is false. */
    #clause(formula: TemporalFormula, when: string, never?: 'never'): readonly Clause[] | undefined {
        if (formula.kind !== 'atom') {
            return undefined;
        }
        const atom = this.#atoms[formula.atom];
        if (atom.kind === 'taken') {
            const { model } = this.#scene;
            const steps = atom.summands.map(summand => model.summands[summand]);
            const who = new Set(steps.flatMap(({ participants }) => participants.map(({ instance }) => instance)));
            const what = new Set(steps.map(({ label }) => label));
            const [[instance], [label]] = [who, what];
            if (who.size !== 1 || what.size !== 1 || never === undefined || formula.isNegated) {
                return undefined;
            }
            return [{ subject: `\`${model.instances[instance].name}\``, says: `never takes \`${label}\``, when }];
        }
        if (atom.kind !== 'state') {
            return undefined;
        }
        let { expression } = atom;
        let isTrue = formula.isNegated;
        while (expression.kind === 'not') {
            expression = expression.operand;
            isTrue = !isTrue;
        }
        const place = expression.kind === 'binary' ? locationTest(expression, this.#scene.model) : undefined;
        if (place === undefined) {
            const says = never === undefined || isTrue ? `is ${isTrue}` : 'is never true';
            return [{ subject: this.#scene.quote(expression), says, when }];
        }
        const away = never === undefined ? 'is not at' : 'never comes to';
        const says = `${place.isThere === isTrue ? 'is at' : away} \`${place.name}\``;
        return [{ subject: `\`${place.process}\``, says, when }];
    }

    /** The positions that a run comes to from this one on. */
    #from(at: number): readonly number[] {
        return this.#positions.filter(position => position >= Math.min(at, this.#loopStart));
    }

    /** By position. Going back twice is enough: the second time what follows the last one is known. */
    #truthOf(formula: TemporalFormula): readonly boolean[] {
        return remembered(this.#truth, formula, () => {
            switch (formula.kind) {
                case 'true':
                case 'false':
                    return this.#positions.map(() => formula.kind === 'true');
                case 'atom':
                    return this.#positions.map(at => this.#isTrue(this.#atoms[formula.atom], at) !== formula.isNegated);
                case 'and':
                    return this.#positions.map(at => formula.operands.every(operand => this.#truthOf(operand)[at]));
                case 'or':
                    return this.#positions.map(at => formula.operands.some(operand => this.#truthOf(operand)[at]));
                default: {
                    const [left, right] = [this.#truthOf(formula.left), this.#truthOf(formula.right)];
                    const truth = this.#positions.map(() => formula.kind === 'release');
                    for (const at of [...this.#positions, ...this.#positions].reverse()) {
                        const next = truth[at + 1] ?? truth[this.#loopStart];
                        const goesOn = formula.kind === 'until' ? left[at] && next : left[at] || next;
                        truth[at] = formula.kind === 'until' ? right[at] || goesOn : right[at] && goesOn;
                    }
                    return truth;
                }
            }
        });
    }

    #isTrue(atom: TemporalAtom, at: number): boolean {
        if (atom.kind === 'taken') {
            return atom.summands.includes(this.#run.firings[at]);
        }
        const { model, textOf, compiler } = this.#scene;
        return (
            atom.kind === 'state' &&
            new Scene(model, this.#run.states[at], textOf, compiler).valueOf(atom.expression) === 1
        );
    }
}
