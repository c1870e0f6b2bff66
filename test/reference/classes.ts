/**
 * The reachable states of a model whose instances are created and end, up to the names of the instances: an instance
 * gets a number that none before it had, and states that differ by a renaming are one class. A class is stored as the
 * least text of all its states, which is found by trying all renamings.
 */
import { specialize } from './specialize.js';
import { parseModel } from './parse.js';
import { createdCell, catchFault, interpret, type Semantics, type State } from './interpreter.js';
import { formatValue, type Value } from './values.js';

export interface Classes {
    readonly classes: number;
    /** Firings with a successor, of one state of each class. */
    readonly transitions: number;
    /** Classes without a firing in which some instance may not stop, whether or not the model allows them. */
    readonly deadlocks: number;
    /** The kinds of the faults of steps and invariants, in the order of the alphabet. */
    readonly faults: readonly string[];
    readonly violatedInvariants: readonly string[];
    /** For each template the most instances that live in one state, and that live or are referred to. */
    readonly mostLive: Readonly<Record<string, number>>;
    readonly mostNamed: Readonly<Record<string, number>>;
    /** The longest chain of steps to a class that is not reached by fewer. */
    readonly depth: number;
    /** Of the transitions those that create or end an instance. */
    readonly creations: number;
    readonly ends: number;
    /** Classes in which an ended instance is referred to. */
    readonly heldAfterEnd: number;
    /** Some instance is created after another one has ended. */
    readonly createdAgain: boolean;
}

export interface ClassOptions {
    readonly parameters?: Readonly<Record<string, Value>>;
    /** Types whose values are exchanged by symmetries of the model. No literal of them stands in the text. */
    readonly symmetric?: readonly string[];
}

/**
 * Undefined where there are more classes than `limit`, a state with more names than can be tried, or where it is left
 * open whether a fault arises.
 */
export function referenceResult(text: string, limit = Infinity, options: ClassOptions = {}): Classes | undefined {
    const parameters = new Map(Object.entries(options.parameters ?? {}));
    return exploreClasses(interpret(specialize(parseModel(text), parameters, options.symmetric)), limit);
}

function exploreClasses(semantics: Semantics, limit = Infinity): Classes | undefined {
    const { model } = semantics;
    const templates = [...model.templates.keys()];
    const { classOf } = new Renamings();
    const seen = new Set<string>();
    const faults = new Set<string>();
    const violatedInvariants = new Set<string>();
    const mostLive = Object.fromEntries(templates.map(template => [template, 0]));
    const mostNamed = { ...mostLive };
    const createdIn = (state: State): number =>
        templates.reduce((sum, template) => sum + Number(state.get(createdCell(template)) ?? 0), 0);
    const liveIn = (state: State): number => templates.reduce((sum, template) => sum + liveCount(state, template), 0);
    let [transitions, deadlocks, creations, ends, heldAfterEnd] = [0, 0, 0, 0, 0];
    let createdAgain = false;
    let depth = -1;

    let frontier: State[] = [];
    let isTried = true;
    const reach = (state: State, into: State[]): void => {
        const text = classOf(state);
        isTried &&= text !== undefined;
        if (text !== undefined && !seen.has(text)) {
            seen.add(text);
            into.push(state);
        }
    };
    semantics.initialStates()!.forEach(state => reach(state, frontier));
    while (frontier.length > 0 && isTried) {
        depth++;
        const following: State[] = [];
        for (const state of frontier) {
            if (seen.size > limit) {
                return undefined;
            }
            for (const template of templates) {
                mostLive[template] = Math.max(mostLive[template]!, liveCount(state, template));
                mostNamed[template] = Math.max(mostNamed[template]!, namesIn(state, template).size);
            }
            heldAfterEnd += templates.some(template => namesIn(state, template).size > liveCount(state, template))
                ? 1
                : 0;
            for (const { name, condition } of model.invariants) {
                const value = catchFault(() => semantics.evaluate(condition, state));
                if (value === false) {
                    violatedInvariants.add(name);
                } else if (value !== true) {
                    faults.add(formatValue(value));
                }
            }
            const firings = semantics.fire(state);
            if (firings.some(({ isOpen }) => isOpen === true)) {
                return undefined;
            }
            for (const { successor, fault } of firings) {
                if (successor === undefined) {
                    if (fault !== 'outside') {
                        faults.add(fault!);
                    }
                    continue;
                }
                transitions++;
                const created = createdIn(successor) - createdIn(state);
                creations += created > 0 ? 1 : 0;
                createdAgain ||= created > 0 && liveIn(state) < createdIn(state);
                ends += liveIn(successor) < liveIn(state) + created ? 1 : 0;
                reach(successor, following);
            }
            deadlocks += firings.length === 0 && !semantics.allMayStop(state) ? 1 : 0;
        }
        frontier = following;
    }
    if (!isTried) {
        return undefined;
    }
    return {
        classes: seen.size,
        transitions,
        deadlocks,
        faults: [...faults].sort(),
        violatedInvariants: [...violatedInvariants].sort(),
        mostLive,
        mostNamed,
        depth,
        creations,
        ends,
        heldAfterEnd,
        createdAgain,
    };
}

function liveCount(state: State, template: string): number {
    return [...namesIn(state, template)].filter(name => state.has(`${name}.at`)).length;
}

/** The instances of a template that live, or to which something in the state refers. */
function namesIn(state: State, template: string): Set<string> {
    return new Set(linesOf(state).flatMap(line => line.match(new RegExp(`\\b${template}@\\d+`, 'g')) ?? []));
}

/** What is the case in a state, one cell a line. How many instances there have been is no part of it. */
export function linesOf(state: State): string[] {
    return [...state]
        .filter(([cell]) => !cell.startsWith('created('))
        .map(([cell, value]) => `${cell} = ${formatValue(value)}`);
}

/** Instances, `Worker@3`, and values of types whose values are exchanged, `Server#1`. */
const NAME = /\b([A-Za-z_]\w*[@#])(\d+)/g;

/** A line of a state: what stands between names, and the names, by their places in the list of all names. */
interface Line {
    readonly between: readonly string[];
    readonly names: readonly number[];
}

/** A state with more names, or for which more renamings would have to be tried, has no class. */
const MOST_NAMES = 10;
const MOST_RENAMINGS = 50_000;

export class Renamings {
    private readonly colors = new Map<string, number>();

    /** The least text of a state under all renamings of its names, of each template and type on its own. */
    readonly classOf = (state: State): string | undefined => {
        const texts = linesOf(state);
        const names = [...new Set(texts.flatMap(text => text.match(NAME) ?? []))];
        if (names.length > MOST_NAMES) {
            return undefined;
        }
        const numberOf = new Map(names.map((name, number) => [name, number]));
        const lines = texts.map((text): Line => {
            return {
                between: text.split(NAME).filter((_, position) => position % 3 === 0),
                names: (text.match(NAME) ?? []).map(name => numberOf.get(name)!),
            };
        });
        const kinds = names.map(name => name.split(/\d/)[0]!);
        const groups = groupsOf(this.refine(lines, kinds));
        const tried = groups.map(group => !isInterchangeable(group, lines, names));
        const count = groups.reduce(
            (product, group, index) => product * (tried[index] ? factorial(group.length) : 1),
            1,
        );
        if (count > MOST_RENAMINGS) {
            return undefined;
        }
        let least: string | undefined;
        for (const order of ordersOf(groups, tried)) {
            const renamed = renamedIn(order, kinds);
            const text = textOf(lines, name => renamed[name]!);
            if (least === undefined || text < least) {
                least = text;
            }
        }
        return least;
    };

    /**
     * Numbers for the names that no renaming changes, so that only those need to be exchanged that have the same: what
     * the lines with a name say, where others stand for their numbers.
     */
    private refine(lines: readonly Line[], kinds: readonly string[]): readonly number[] {
        let colors = kinds.map(() => 0);
        for (let classes = 0; ;) {
            const refined = kinds.map((kind, name) => {
                const said = textOf(
                    lines.filter(({ names }) => names.includes(name)),
                    other => (other === name ? 'self' : `${kinds[other]!}${colors[other]!}`),
                );
                return this.colorOf(`${kind} ${colors[name]!}\n${said}`);
            });
            colors = refined;
            const count = new Set(colors).size;
            if (count === classes) {
                return colors;
            }
            classes = count;
        }
    }

    private colorOf(said: string): number {
        const color = this.colors.get(said) ?? this.colors.size;
        this.colors.set(said, color);
        return color;
    }
}

function textOf(lines: readonly Line[], nameOf: (name: number) => string): string {
    const written = lines.map(({ between, names }) =>
        between.map((text, position) => text + (position < names.length ? nameOf(names[position]!) : '')).join(''),
    );
    return written.sort().join('\n');
}

function groupsOf(colors: readonly number[]): number[][] {
    const distinct = [...new Set(colors)].sort((a, b) => a - b);
    return distinct.map(color => [...colors.keys()].filter(name => colors[name] === color));
}

/** Exchanging any two of the names leaves the state as it is, so all their orders give the same text. */
function isInterchangeable(group: readonly number[], lines: readonly Line[], names: readonly string[]): boolean {
    const text = textOf(lines, name => names[name]!);
    return group.slice(1).every((second, position) => {
        const first = group[position]!;
        const image = (name: number): number => (name === first ? second : name === second ? first : name);
        return textOf(lines, name => names[image(name)]!) === text;
    });
}

function factorial(n: number): number {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

/** The new names: numbers in this order, for each kind on its own. */
function renamedIn(order: readonly number[], kinds: readonly string[]): string[] {
    const counts = new Map<string, number>();
    const renamed: string[] = [];
    for (const name of order) {
        const kind = kinds[name]!;
        const number = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, number);
        renamed[name] = kind + String(number);
    }
    return renamed;
}

/** The orders of the names group by group; of a group that need not be tried, one. */
function* ordersOf(groups: readonly (readonly number[])[], tried: readonly boolean[]): Generator<number[]> {
    const [group, ...others] = groups;
    if (group === undefined) {
        yield [];
        return;
    }
    for (const order of tried[0] === true ? permutationsOf(group) : [group]) {
        for (const rest of ordersOf(others, tried.slice(1))) {
            yield [...order, ...rest];
        }
    }
}

function* permutationsOf(items: readonly number[]): Generator<number[]> {
    if (items.length === 0) {
        yield [];
        return;
    }
    for (const item of items) {
        for (const rest of permutationsOf(items.filter(other => other !== item))) {
            yield [item, ...rest];
        }
    }
}
