/**
 * A model whose instances are created and hold numbers without end beside the reference, in which numbers and instances are
 * endless: what holds is violated nowhere near, what is violated is so in as few steps, and up to the names of instances the
 * near states lie in as many classes as are stored at most.
 */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import { findSymmetries, startExploration, type ReducedExplorationOptions } from '../../engine/pipeline.js';
import { loadModel } from '../../language-server/load-model.js';
import { agree } from '../agreement/engine-view.js';
import { Renamings } from '../reference/classes.js';
import type { Semantics, State } from '../reference/interpreter.js';
import { classOf, type Sort, violationsIn, withBound } from '../reference/real-numbers.js';

export interface TemplateLimits {
    /** The largest number of the states that are listed. */
    readonly bound: number;
    /** Of the engine, and of the reference. */
    readonly states: number;
}

export interface ComparedTemplates {
    readonly verdict: ExplorationReport['verdict'];
    readonly isExact: boolean;
    readonly searches: number;
    /** Whether the classes of near states were counted, and were all that are stored. */
    readonly classes: 'not counted' | 'fewer' | 'all';
}

/** Larger than all numbers of states that are listed and of their successors. */
const HIGH = 60;

/** Throws where the two do not agree; what cannot be compared is a word. */
export async function compareTemplates(text: string, limits: TemplateLimits): Promise<ComparedTemplates | string> {
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    const analysis = model && findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis?.sequential?.numbers === undefined) {
        return [...problems, ...(analysis?.problems ?? [])].map(({ code }) => code).join();
    }
    const asked: readonly ReducedExplorationOptions[] = [
        { reduction: 'none' },
        { reduction: 'unique' },
        { reduction: 'auto', leastDistances: 4 },
    ];
    const [none, unique, further] = asked.map(options =>
        explored(analysis, { ...options, maxStates: limits.states }),
    ) as [Explored, Explored, Explored];
    const reports = [none, unique, further];
    const decided = reports.filter(({ verdict }) => verdict !== 'undecided');
    agree(
        new Set(decided.map(({ verdict }) => verdict)).size <= 1,
        () => `verdicts differ: ${decided.map(({ verdict }) => verdict).join()}`,
    );
    const semantics = withBound(text, HIGH);
    const near = nearStates(semantics, limits);
    for (const { verdict, violations } of decided) {
        agree(
            verdict !== 'holds' || near.violated.size === 0,
            () => `it holds, but is violated with small numbers: ${[...near.violated.keys()].join()}`,
        );
        violations.forEach(({ kind, name, trace, run }) => {
            const steps = trace.length - 1;
            const isNear = run.states.every(state => state.every(code => code <= limits.bound));
            const found = near.violated.get(`${kind} ${name}`);
            agree(
                !isNear || (near.depth < steps && found === undefined) || (found !== undefined && found <= steps),
                () => `${kind} ${name} after ${steps} steps is none of the reference: ${found}`,
            );
        });
    }
    const [sort, ...others] = unique.numbers ?? [];
    // With other symmetries, as those of names that nobody reads, fewer are stored.
    const [slots] = (unique.templates ?? []).map(template => template.slots);
    const areAllNames = unique.reduction?.unique === true && unique.order === factorial(slots ?? 0);
    let classes: ComparedTemplates['classes'] = 'not counted';
    if (unique.verdict === 'holds' && sort !== undefined && others.length === 0 && areAllNames) {
        const { modulus } = analysis.sequential.numbers.sorts[0]!;
        const renamings = new Renamings();
        const names = near.states.map(state =>
            renamings.classOf(namedByClass(state, { told: sort.told, kept: sort.kept, modulus })),
        );
        const met = new Set(names);
        if (!met.has(undefined)) {
            agree(met.size <= unique.states, () => `${met.size} classes are near, ${unique.states} are stored`);
            classes = met.size === unique.states ? 'all' : 'fewer';
        }
    }
    return {
        verdict: none.verdict,
        isExact: (unique.numbers ?? []).every(({ depends }) => depends.length === 0),
        searches: Math.max(...reports.map(({ growthRounds = 1 }) => growthRounds)),
        classes,
    };
}

function explored(analysis: Parameters<typeof startExploration>[0], options: ReducedExplorationOptions): Explored {
    const started = startExploration(analysis, options, UNLIMITED);
    const { exploration } = started;
    while (!exploration.advance(UNLIMITED));
    const { report } = exploration.result();
    if (report === undefined) {
        throw new Error('an exploration has a report');
    }
    return { ...report, order: started.group?.order ?? 1n };
}

/** With the number of symmetries in use. */
type Explored = ExplorationReport & { readonly order: bigint };

function factorial(n: number): bigint {
    return n <= 1 ? 1n : BigInt(n) * factorial(n - 1);
}

interface NearStates {
    readonly states: readonly State[];
    /** With the fewest steps that lead there. */
    readonly violated: ReadonlyMap<string, number>;
    /** All states of so few steps are there, if their numbers are within the bound. */
    readonly depth: number;
}

/** One of each set of states that differ in names of instances, with numbers up to the bound. */
function nearStates(semantics: Semantics, { bound, states: most }: TemplateLimits): NearStates {
    const renamings = new Renamings();
    const seen = new Set<string>();
    const states: State[] = [];
    const violated = new Map<string, number>();
    let frontier: State[] = [];
    const add = (state: State, into: State[]): void => {
        const name = renamings.classOf(state);
        if (name !== undefined && !seen.has(name)) {
            seen.add(name);
            states.push(state);
            into.push(state);
        }
    };
    semantics.initialStates()!.forEach(state => {
        add(state, frontier);
    });
    let depth = -1;
    while (frontier.length > 0 && states.length <= most) {
        depth++;
        const next: State[] = [];
        for (const state of frontier) {
            violationsIn(semantics, state).forEach(each => violated.set(each, violated.get(each) ?? depth));
            for (const { successor } of semantics.fire(state)) {
                if (successor !== undefined && placesIn(successor).every(([, value]) => value <= bound)) {
                    add(successor, next);
                }
            }
        }
        frontier = next;
    }
    return { states, violated, depth: frontier.length === 0 ? Infinity : depth };
}

/** All numbers of these texts are without end, but for places of control, lengths, and the counts of instances so far. */
function placesIn(state: State): readonly (readonly [string, number])[] {
    return [...state].flatMap(([cell, value]) =>
        typeof value === 'number' && !/^created\(|^len\(|\.at$/.test(cell) ? [[cell, value] as const] : [],
    );
}

/** The state with the classes of its numbers in their place. */
function namedByClass(state: State, sort: Omit<Sort, 'places'>): State {
    const places = placesIn(state).map(([cell]) => cell);
    const texts = new Map(
        classOf(state, [{ ...sort, places }])
            .split('\n')
            .map(line => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]),
    );
    return new Map([...state].map(([cell, value]) => [cell, places.includes(cell) ? texts.get(cell)! : value]));
}
