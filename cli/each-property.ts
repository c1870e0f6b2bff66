/** `orbit explore --each`: one exploration for each property or set of alike ones, and one document for all. */
import { isRun, propertyNamed } from '../engine/describe/words.js';
import type { Model } from '../engine/model/model.js';
import type { SymmetryAnalysis } from '../engine/pipeline.js';
import type { ExploreDocument, PropertyOutcome, RunOutcomeDocument } from '../language-server/document-schema.js';

/** The properties of one exploration. */
export interface AskedProperty {
    readonly name: string;
    /** When absent, everything that the model states. */
    readonly properties?: readonly string[];
    /** The other properties that it answers: images of the first by symmetry. */
    readonly images?: readonly string[];
    readonly ignoresFaults?: boolean;
}

/**
 * Faults first, since they belong to the steps and not to a property; then each property alone. Invariants that
 * symmetries exchange are one question if that is less work than one for each.
 */
export function questionsOf(
    { allowsDeadlock, invariants, properties, runs }: Model,
    symmetry: SymmetryAnalysis<unknown> | undefined,
): readonly AskedProperty[] {
    const sets = symmetry === undefined ? [] : cheaperSets(symmetry);
    // A property of runs may be checked as an invariant, and may be the image of one.
    const questions = [...invariants, ...properties, ...runs].flatMap(({ name }): AskedProperty[] => {
        const [first = name, ...images] = sets.find(names => names.includes(name)) ?? [];
        return first === name ? [{ name, properties: [name, ...images], images, ignoresFaults: true }] : [];
    });
    const deadlock = { name: 'deadlock', properties: ['deadlock'], ignoresFaults: true };
    return [{ name: 'faults', properties: ['faults'] }, ...(allowsDeadlock ? [] : [deadlock]), ...questions];
}

/** The group of a set may be smaller than that of one of its members: of the first two of a hundred processes. */
function cheaperSets({
    alikeSets,
    propertyGroups,
    constraints,
}: SymmetryAnalysis<unknown>): readonly (readonly string[])[] {
    return alikeSets
        .filter(({ members, group }) => {
            const alone = propertyGroups[members[0] ?? 0]?.order ?? 0n;
            return group.order * BigInt(members.length) >= alone;
        })
        .map(({ members }) => members.map(member => constraints.properties[member]?.name ?? ''));
}

/** One document for explorations of one property each. `endedAfterSeconds`: the time was over before the last began. */
export function combined(
    parts: readonly { readonly question: AskedProperty; readonly document: ExploreDocument }[],
    questionCount: number,
    endedAfterSeconds: number | undefined,
): ExploreDocument {
    const documents = parts.map(({ document }) => document);
    const sum = (count: (document: ExploreDocument) => number): number =>
        documents.reduce((total, document) => total + count(document), 0);
    const greatest = (count: (document: ExploreDocument) => number): number => Math.max(...documents.map(count));
    const violations = documents.flatMap(document => document.violations);
    const unexpected = documents.flatMap(document => document.unexpected ?? []);
    const limit =
        documents.find(document => document.limit !== undefined)?.limit ??
        (endedAfterSeconds === undefined ? undefined : { kind: 'time' as const, value: endedAfterSeconds });
    const unreached = documents.find(document => document.unreached !== undefined)?.unreached;
    // The smallest group belongs to the most expensive property.
    const least = documents.reduce((one, other) =>
        BigInt(other.reduction.order) < BigInt(one.reduction.order) ? other : one,
    );
    const warnings = documents.flatMap(document => document.warnings ?? []);
    const templates = mostInstances(documents);
    const names = mostHeld(documents);
    const isDecided = limit === undefined && parts.length === questionCount;
    const seconds = sum(document => document.seconds);
    const states = sum(document => document.states);
    // The probability that any of them has missed a state is at most the sum of theirs.
    const omissionProbability = Math.min(
        1,
        sum(document => document.omissionProbability ?? 0),
    );
    const { allStates: _allStates, ...common } = least;
    return {
        ...common,
        checked: parts.flatMap(({ question: { properties = [] } }) => properties).filter(name => name !== 'faults'),
        verdict: documents.some(({ verdict }) => verdict === 'violated')
            ? 'violated'
            : isDecided
              ? 'holds'
              : 'undecided',
        states,
        transitions: sum(document => document.transitions),
        depth: greatest(document => document.depth),
        ...(common.por !== undefined && {
            por: {
                ...common.por,
                fired: sum(({ por }) => por?.fired ?? 0),
                enabled: sum(({ por }) => por?.enabled ?? 0),
                goals: [...new Set(documents.flatMap(({ por }) => por?.goals ?? []))],
            },
        }),
        ...(common.outside !== undefined && { outside: greatest(document => document.outside ?? 0) }),
        deadlocks: greatest(document => document.deadlocks),
        ...(omissionProbability > 0 && { omissionProbability }),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(states / seconds) : 0,
        bytesPerState: greatest(document => document.bytesPerState),
        peakBytes: greatest(document => document.peakBytes),
        violations,
        ...(limit !== undefined && { limit }),
        ...(unexpected.length > 0 && { unexpected }),
        ...(unreached !== undefined && { unreached }),
        ...(templates !== undefined && { templates }),
        ...(names !== undefined && { names }),
        ...((templates ?? names) !== undefined && {
            growthRounds: greatest(document => document.growthRounds ?? 1),
        }),
        ...(warnings.length > 0 && { warnings }),
        properties: parts.flatMap(({ question: { name, images = [] }, document }) => [
            outcomeOf(name, document),
            // What is violated somewhere is violated in an image, too.
            ...images.map(image => ({ ...outcomeOf(image, document), alikeTo: name })),
        ]),
    };
}

/** The explorations have the same templates, in the same order. */
function mostInstances(documents: readonly ExploreDocument[]): ExploreDocument['templates'] {
    return documents[0]?.templates?.map(({ name }, index) => {
        const most = (field: 'mostLive' | 'mostNamed' | 'slots'): number =>
            Math.max(...documents.map(({ templates }) => templates?.[index]?.[field] ?? 0));
        return { name, mostLive: most('mostLive'), mostNamed: most('mostNamed'), slots: most('slots') };
    });
}

/** The same of values without end. */
function mostHeld(documents: readonly ExploreDocument[]): ExploreDocument['names'] {
    return documents[0]?.names?.map(({ name }, index) => {
        const most = (field: 'mostNamed' | 'slots'): number =>
            Math.max(...documents.map(({ names }) => names?.[index]?.[field] ?? 0));
        return { name, mostNamed: most('mostNamed'), slots: most('slots') };
    });
}

function outcomeOf(name: string, document: ExploreDocument): PropertyOutcome | RunOutcomeDocument {
    const { violations, verdict, reduction, states, transitions, depth, seconds, limit } = document;
    const run = document.properties?.filter(isRun).find(property => property.name === name);
    if (run !== undefined) {
        return run;
    }
    return {
        name,
        // That of the document says whether everything is as it is stated.
        verdict: violations.length > 0 ? 'violated' : verdict === 'violated' ? 'holds' : verdict,
        // Of properties that are images of each other one alone may be meant.
        ...(violations.some(
            ({ kind, name: own, expected }) => expected === true && (kind === 'fault' || own === name),
        ) && {
            expected: true as const,
        }),
        reduction,
        states,
        transitions,
        depth,
        seconds,
        ...(limit !== undefined && { limit }),
        ...propertyNamed(document.properties, name),
    };
}
