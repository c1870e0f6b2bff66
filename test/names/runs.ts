/**
 * A random property of runs of a random model with values without end, by the engine and by the definition on the graph of
 * all classes of the reference. In the text of the property a local variable `mP` is `P.mP`.
 */
import { createRandom, type Random } from '../../engine/common/random.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { NOWHERE } from '../../engine/common/source-range.js';
import { findSymmetries, startExploration } from '../../engine/pipeline.js';
import type { TemporalAtom, TemporalFormula } from '../../engine/sequential/sequential-model.js';
import { loadModel } from '../../language-server/load-model.js';
import { fairness, infinitelyOften, randomFormula, renumbered, temporalSize } from '../arbitrary/temporal-formulas.js';
import { binary, constant, toyModel } from '../arbitrary/toys.js';
import type { Way } from '../dynamic/agreement.js';
import { violationOf } from '../reference/temporal/check.js';
import type { FullGraph } from '../reference/temporal/full-graph.js';
import { randomModel, randomTest, testText, textOf, type NamesModel, type Test } from './random-text.js';
import { holds, referenceOf, type ClassGraph } from './reference.js';

/** A test of variables, or the label of a step that is taken. */
type Atom =
    | { readonly kind: 'test'; readonly test: Test }
    | { readonly kind: 'taken'; readonly label: string; readonly process: string };

export type RunsComparison = 'skipped' | 'holds' | 'violated by a loop' | 'violated by an end';

/** Throws where the two do not agree. */
export async function compareRuns(
    seed: number,
    classLimit: number,
    { reduction, isInterpreted }: Way,
): Promise<RunsComparison> {
    const random = createRandom(seed);
    const data = randomModel(seed);
    const labels = data.processes.flatMap(({ name, alternatives }) =>
        alternatives.flatMap(({ steps }) => steps.map(({ label }) => ({ label, process: name }))),
    );
    const fair = new Map(
        labels.flatMap(({ label }): [string, 'fair' | 'strong fair'][] =>
            random.below(3) > 0 ? [[label, random.below(3) === 0 ? 'strong fair' : 'fair']] : [],
        ),
    );
    const few = [0, 1, 2].map(() => randomAtom(data, labels, random));
    const drawn = randomFormula(random, few.length, 2);
    const numbers = [...atomsIn(drawn)];
    const atoms = numbers.map(number => few[number]!);
    const formula = renumbered(temporalSize(drawn) > 0 ? drawn : infinitelyOften(drawn), atom => numbers.indexOf(atom));
    const written = formulaText(formula, atom => atomText(atoms[atom]!, data));
    const text = `${textOf(data, fair)}\nproperty p = ${written}\n`;
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        throw new Error(`${problems.map(({ message }) => message).join('\n')}\n${text}`);
    }
    const named = new Set(atoms.flatMap(atom => (atom.kind === 'test' ? [atom.test.left, atom.test.right] : [])));
    const reference = referenceOf(data, classLimit, named);
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (reference === undefined || analysis.sequential === undefined) {
        return 'skipped';
    }
    const expected = referenceVerdict(reference.graph, atoms, formula, fair);
    const options = { reduction, isInterpreted, properties: ['p'] } as const;
    const { exploration } = startExploration(analysis, options, UNLIMITED);
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report?.verdict !== expected) {
        throw new Error(
            `seed ${seed}, ${reduction}, ${isInterpreted ? 'interpreted' : 'compiled'}: the engine says ` +
                `${report?.verdict} ${JSON.stringify(report?.limit)}, by definition it is ${expected}\n${text}`,
        );
    }
    const [violation] = report.violations;
    return expected === 'holds'
        ? 'holds'
        : violation?.loop?.start === violation?.run.firings.length
          ? 'violated by an end'
          : 'violated by a loop';
}

function atomsIn(formula: TemporalFormula): ReadonlySet<number> {
    switch (formula.kind) {
        case 'true':
        case 'false':
            return new Set();
        case 'atom':
            return new Set([formula.atom]);
        case 'and':
        case 'or':
            return new Set(formula.operands.flatMap(operand => [...atomsIn(operand)]));
        case 'until':
        case 'release':
            return new Set([...atomsIn(formula.left), ...atomsIn(formula.right)]);
    }
}

function randomAtom(
    { named, shared, processes }: NamesModel,
    labels: readonly { readonly label: string; readonly process: string }[],
    random: Random,
): Atom {
    if (random.below(4) === 0) {
        return { kind: 'taken', ...labels[random.below(labels.length)]! };
    }
    const variables = [...shared.keys(), ...processes.map(({ local }) => local)];
    const names = Array.from({ length: named }, (_, number) => `#${number}`);
    return { kind: 'test', test: randomTest([...variables, ...variables, ...names, 'none'], variables, random) };
}

function atomText(atom: Atom, { processes }: NamesModel): string {
    if (atom.kind === 'taken') {
        return `${atom.process} takes ${atom.label}`;
    }
    const place = (term: string): string => {
        const owner = processes.find(({ local }) => local === term);
        return owner === undefined ? term : `${owner.name}.${term}`;
    };
    const { left, right } = atom.test;
    return testText({ ...atom.test, left: place(left), right: place(right) });
}

function formulaText(formula: TemporalFormula, textOfAtom: (atom: number) => string): string {
    const inside = (operand: TemporalFormula): string => `(${formulaText(operand, textOfAtom)})`;
    switch (formula.kind) {
        case 'true':
        case 'false':
            return formula.kind;
        case 'atom':
            return formula.isNegated ? `!(${textOfAtom(formula.atom)})` : `(${textOfAtom(formula.atom)})`;
        case 'and':
        case 'or':
            return formula.operands.map(inside).join(formula.kind === 'and' ? ' && ' : ' || ');
        case 'until':
            return formula.left.kind === 'true'
                ? `eventually ${inside(formula.right)}`
                : `${inside(formula.left)} until ${inside(formula.right)}`;
        case 'release':
            // One of them is released by the other, which then holds as well.
            return formula.left.kind === 'false'
                ? `always ${inside(formula.right)}`
                : `${inside(formula.right)} weak until (${inside(formula.left)} && ${inside(formula.right)})`;
    }
}

function referenceVerdict(
    { states, firings }: ClassGraph,
    atoms: readonly Atom[],
    formula: TemporalFormula,
    fair: ReadonlyMap<string, 'fair' | 'strong fair'>,
): 'holds' | 'violated' {
    const kinds = [...new Set(firings.map(({ labels }) => labels.join()))];
    const withLabel = (label: string): number[] =>
        kinds.flatMap((labels, kind) => (labels.split(',').includes(label) ? [kind] : []));
    const tests = atoms.flatMap(atom => (atom.kind === 'test' ? [atom.test] : []));
    const moves = firings.map(({ from, to, labels }) => ({ from, to, summand: kinds.indexOf(labels.join()) }));
    const ends = states.flatMap((_, state) =>
        moves.some(({ from }) => from === state) ? [] : [{ from: state, to: state, summand: -1 }],
    );
    const all = [...moves, ...ends];
    const leaving = states.map((): number[] => []);
    all.forEach(({ from }, firing) => leaving[from]!.push(firing));
    const graph: FullGraph = {
        states: states.map(({ variables }) => Int32Array.from(tests, test => (holds(test, variables) ? 1 : 0))),
        initial: [0],
        firings: all,
        leaving,
        outside: states.map(() => []),
    };
    const cells = Object.fromEntries(tests.map((_, cell) => [`t${cell}`, 2]));
    const constraints = [...fair].map(([label, kind]) =>
        fairness(kind === 'fair' ? 'weak' : 'strong', label, withLabel(label)),
    );
    const toy = toyModel({ cells, initial: {}, rules: () => [] });
    let cell = 0;
    const said = atoms.map((atom): TemporalAtom =>
        atom.kind === 'taken'
            ? { kind: 'taken', summands: withLabel(atom.label) }
            : {
                  kind: 'state',
                  expression: binary({ kind: 'cell', cell: cell++, range: NOWHERE }, '==', constant(1)),
              },
    );
    return violationOf({ ...toy, fairness: constraints }, graph, { atoms: said, formula }) === undefined
        ? 'holds'
        : 'violated';
}
