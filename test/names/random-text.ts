/**
 * Small models with values without end, as data: a generator, and their text. What a model means is said by reference.ts,
 * which reads the data and not the text.
 */
import { createRandom, type Random } from '../../engine/common/random.js';

/** A variable by its name, a value with a name by `#` and its number, a variable of a choice, or `none`. */
export type Term = string;

export interface Test {
    readonly left: Term;
    readonly isEqual: boolean;
    readonly right: Term;
}

/** `left` less `right`, and a whole number; both are variables whose numbers have no end. */
export interface NumberTest {
    readonly left: string;
    readonly relation: '==' | '!=' | '<' | '<=';
    readonly right: string;
    readonly plus: number;
}

export type Statement =
    | { readonly kind: 'count'; readonly target: string; readonly from: string; readonly plus: number }
    /** Where the test of values holds, that of numbers does. */
    | { readonly kind: 'assertNumber'; readonly test: Test; readonly number: NumberTest }
    | { readonly kind: 'assign'; readonly target: string; readonly value: Term }
    | { readonly kind: 'new'; readonly target: string }
    | { readonly kind: 'assert'; readonly test: Test }
    | { readonly kind: 'append'; readonly value: Term }
    | { readonly kind: 'take'; readonly target: string }
    | { readonly kind: 'if'; readonly test: Test; readonly then: readonly Statement[] };

export interface Step {
    readonly label: string;
    readonly guard: readonly Test[];
    readonly numberGuard?: NumberTest;
    /** `atLeast` and `below`: bounds of the length of the sequence. */
    readonly length?: 'some' | 'room';
    readonly send?: Term;
    readonly receive?: string;
    readonly body: readonly Statement[];
}

export interface Alternative {
    /** The variables of a choice, and its condition. */
    readonly chosen: readonly string[];
    readonly where: readonly Test[];
    readonly steps: readonly Step[];
}

/** A loop with a choice among alternatives, each of one or two steps. Its local variable is optional. */
export interface Process {
    readonly name: string;
    readonly local: string;
    readonly alternatives: readonly Alternative[];
}

export interface NamesModel {
    /** Of so many values without end the text has names. */
    readonly named: number;
    /** By variable its first value. */
    readonly shared: ReadonlyMap<string, Term>;
    /** Variables that begin with 0. */
    readonly numbers?: readonly string[];
    /** The places of the channel; 0 is a rendezvous. */
    readonly capacity: number;
    readonly processes: readonly Process[];
    readonly invariant: Test;
}

export const MOST_IN_SEQUENCE = 2;

export function randomModel(seed: number): NamesModel {
    const random = createRandom(seed);
    const named = random.below(3);
    const names = Array.from({ length: named }, (_, number) => `#${number}`);
    const shared = new Map(
        ['x', 'y', 'z'].slice(0, 2 + random.below(2)).map(name => [name, oneOf(['none', ...names], random)]),
    );
    const processes = ['P', 'Q', 'R'].slice(0, 1 + random.below(2)).map((name): Process => {
        const local = `m${name}`;
        const variables = [...shared.keys(), local];
        return {
            name,
            local,
            alternatives: Array.from({ length: 2 + random.below(2) }, (_, index) =>
                randomAlternative(`${name.toLowerCase()}${index}`, variables, names, random),
            ),
        };
    });
    return {
        named,
        shared,
        capacity: random.below(3),
        processes,
        invariant: randomTest([...shared.keys(), ...names, 'none'], [...shared.keys()], random),
    };
}

/** The same with numbers that steps count up, copy and compare. */
export function withNumbers(model: NamesModel, seed: number): NamesModel {
    const random = createRandom(seed);
    const numbers = ['n', 'm', 'l'].slice(0, 2 + random.below(2));
    const variables = [...model.shared.keys()];
    const test = (): NumberTest => {
        const left = oneOf(numbers, random);
        const others = numbers.filter(number => number !== left);
        return {
            left,
            relation: oneOf(['==', '!=', '<', '<='] as const, random),
            right: oneOf(others, random),
            plus: random.below(3),
        };
    };
    const statement = (): Statement => {
        const target = oneOf(numbers, random);
        switch (random.below(8)) {
            case 0:
                return {
                    kind: 'assertNumber',
                    test: randomTest([...variables, 'none'], variables, random),
                    number: test(),
                };
            case 1:
            case 2:
                return { kind: 'count', target, from: oneOf(numbers, random), plus: 0 };
            default:
                return { kind: 'count', target, from: target, plus: 1 + random.below(2) };
        }
    };
    const stepWith = (step: Step): Step => {
        const isPlain = step.send === undefined && step.receive === undefined;
        return {
            ...step,
            ...(random.below(3) === 0 && { numberGuard: test() }),
            body: isPlain && random.below(3) > 0 ? [...step.body, statement()] : step.body,
        };
    };
    return {
        ...model,
        numbers,
        processes: model.processes.map(process => ({
            ...process,
            alternatives: process.alternatives.map(each => ({ ...each, steps: each.steps.map(stepWith) })),
        })),
    };
}

function randomAlternative(
    label: string,
    variables: readonly string[],
    names: readonly string[],
    random: Random,
): Alternative {
    const chosen = ['v', 'w'].slice(0, random.below(3) === 0 ? 1 + random.below(2) : 0).map(name => `${name}_${label}`);
    const terms = [...variables, ...names, ...chosen, 'none'];
    return {
        chosen,
        where: chosen.length > 0 && random.below(2) === 0 ? [randomTest(terms, chosen, random)] : [],
        steps: Array.from({ length: 1 + random.below(2) }, (_, index) =>
            randomStep(`${label}_${index}`, variables, terms, chosen, random),
        ),
    };
}

function randomStep(
    label: string,
    variables: readonly string[],
    terms: readonly Term[],
    chosen: readonly string[],
    random: Random,
): Step {
    const guard = random.below(3) > 0 ? [randomTest(terms, variables, random)] : [];
    const value = oneOf([...variables, ...chosen], random);
    const isThere: readonly Test[] = variables.includes(value) ? [{ left: value, isEqual: false, right: 'none' }] : [];
    const local = variables.at(-1) ?? '';
    switch (random.below(8)) {
        case 0:
            return { label, guard: [...guard, ...isThere], send: value, body: [] };
        case 1:
            return { label, guard, receive: local, body: [] };
        case 2:
            return { label, guard: [...guard, ...isThere], length: 'room', body: [{ kind: 'append', value }] };
        case 3:
            return { label, guard, length: 'some', body: [{ kind: 'take', target: oneOf(variables, random) }] };
        default:
            return {
                label,
                guard,
                body: Array.from({ length: 1 + random.below(2) }, () => randomStatement(variables, terms, random, 1)),
            };
    }
}

function randomStatement(
    variables: readonly string[],
    terms: readonly Term[],
    random: Random,
    depth: number,
): Statement {
    const target = oneOf(variables, random);
    switch (random.below(depth > 0 ? 8 : 6)) {
        case 0:
        case 1:
            return { kind: 'new', target };
        case 6:
            return { kind: 'assert', test: randomTest(terms, variables, random) };
        case 7: {
            const then = [randomStatement(variables, terms, random, 0)];
            return { kind: 'if', test: randomTest(terms, variables, random), then };
        }
        default:
            return { kind: 'assign', target, value: oneOf(terms, random) };
    }
}

export function randomTest(terms: readonly Term[], left: readonly string[], random: Random): Test {
    const first = oneOf(left, random);
    const others = terms.filter(term => term !== first);
    // A variable of a choice is never `none`.
    const second = oneOf(first.includes('_') ? others.filter(term => term !== 'none') : others, random);
    return { left: first, isEqual: random.below(2) === 0, right: second ?? first };
}

function oneOf<T>(list: readonly T[], random: Random): T {
    return list[random.below(list.length)]!;
}

/** `fairness` by label: `fair` or `strong fair`. */
export function textOf(
    { named, shared, numbers = [], capacity, processes, invariant }: NamesModel,
    fairness: ReadonlyMap<string, string> = new Map(),
): string {
    const names = Array.from({ length: named }, (_, number) => `k${number}, `).join('');
    return [
        `enum V = { ${names}.. }`,
        ...[...shared].map(([name, first]) => `var ${name}: V? = ${termText(first)}`),
        ...numbers.map(name => `var ${name}: nat = 0`),
        `var q: seq ${MOST_IN_SEQUENCE} of V = []`,
        `channel c: ${capacity} of V`,
        ...processes.map(process => processText(process, fairness)),
        `invariant i = ${testText(invariant)}`,
    ].join('\n');
}

function processText({ name, local, alternatives }: Process, fairness: ReadonlyMap<string, string>): string {
    const blocks = alternatives.map(({ chosen, where, steps }) => {
        const binders = chosen.map(variable => `${variable} in V`).join(', ');
        const condition = where.length === 0 ? '' : ` where ${where.map(testText).join(' && ')}`;
        return `${binders}${condition} { ${steps.map(step => stepText(step, fairness)).join('; ')} }`;
    });
    return `process ${name} { var ${local}: V? = none loop { choose ${blocks.join(' or ')} } }`;
}

function stepText(
    { label, guard, numberGuard, length, send, receive, body }: Step,
    fairness: ReadonlyMap<string, string>,
): string {
    const tests = [
        ...guard.map(testText),
        ...(numberGuard === undefined ? [] : [numberText(numberGuard)]),
        ...(length === 'some' ? ['len(q) > 0'] : []),
        ...(length === 'room' ? [`len(q) < ${MOST_IN_SEQUENCE}`] : []),
    ];
    const when = tests.length === 0 ? '' : `when ${tests.join(' && ')} `;
    const place = send !== undefined ? `c ! ${termText(send)}` : receive !== undefined ? `c ? ${receive}` : '';
    return `${fairness.get(label) ?? ''} ${label}: ${when}${place}${place === '' ? `{ ${body.map(statementText).join('; ')} }` : ''}`;
}

function statementText(statement: Statement): string {
    switch (statement.kind) {
        case 'assign':
            return `${statement.target} := ${termText(statement.value)}`;
        case 'new':
            return `${statement.target} := new V`;
        case 'count':
            return `${statement.target} := ${statement.from} + ${statement.plus}`;
        case 'assertNumber':
            return `assert (${testText(statement.test)}) implies ${numberText(statement.number)}`;
        case 'assert':
            return `assert ${testText(statement.test)}`;
        case 'append':
            return `q := append(q, ${termText(statement.value)})`;
        case 'take':
            return `${statement.target} := head(q); q := tail(q)`;
        case 'if':
            return `if ${testText(statement.test)} { ${statement.then.map(statementText).join('; ')} }`;
    }
}

function numberText({ left, relation, right, plus }: NumberTest): string {
    return `${left} ${relation} ${right} + ${plus}`;
}

export function testText({ left, isEqual, right }: Test): string {
    return `${termText(left)} ${isEqual ? '==' : '!='} ${termText(right)}`;
}

function termText(term: Term): string {
    return term.startsWith('#') ? `k${term.slice(1)}` : term;
}
