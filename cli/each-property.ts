/** `orbit explore --each`: one exploration for each property, and one document for all. */
import type { Model } from '../engine/model/model.js';
import type { ExploreDocument } from '../language-server/protocol.js';

/** The properties of one exploration. */
export interface Question {
    readonly name: string;
    /** When absent, everything that the model states. */
    readonly properties?: readonly string[];
    readonly ignoresFaults?: boolean;
}

/** Faults first, since they belong to the steps and not to a property; then each property alone. */
export function questionsOf({ allowsDeadlock, invariants }: Model): readonly Question[] {
    const names = [...(allowsDeadlock ? [] : ['deadlock']), ...invariants.map(({ name }) => name)];
    return [
        { name: 'faults', properties: [] },
        ...names.map(name => ({ name, properties: [name], ignoresFaults: true })),
    ];
}

/** One document for explorations of one property each. `endedAfterSeconds`: the time was over before the last began. */
export function combined(
    parts: readonly { readonly name: string; readonly document: ExploreDocument }[],
    questionCount: number,
    endedAfterSeconds: number | undefined,
): ExploreDocument {
    const documents = parts.map(({ document }) => document);
    const sum = (count: (document: ExploreDocument) => number): number =>
        documents.reduce((total, document) => total + count(document), 0);
    const greatest = (count: (document: ExploreDocument) => number): number => Math.max(...documents.map(count));
    const violations = documents.flatMap(document => document.violations);
    const limit =
        documents.find(document => document.limit !== undefined)?.limit ??
        (endedAfterSeconds === undefined ? undefined : { kind: 'time' as const, value: endedAfterSeconds });
    const unreached = documents.find(document => document.unreached !== undefined)?.unreached;
    // The smallest group belongs to the most expensive property.
    const least = documents.reduce((one, other) =>
        BigInt(other.reduction.order) < BigInt(one.reduction.order) ? other : one,
    );
    const isDecided = limit === undefined && parts.length === questionCount;
    const seconds = sum(document => document.seconds);
    const states = sum(document => document.states);
    // The probability that any of them has missed a state is at most the sum of theirs.
    const omissionProbability = Math.min(
        1,
        sum(document => document.omissionProbability ?? 0),
    );
    return {
        ...least,
        verdict: violations.length > 0 ? 'violated' : isDecided ? 'holds' : 'undecided',
        states,
        transitions: sum(document => document.transitions),
        depth: greatest(document => document.depth),
        deadlocks: greatest(document => document.deadlocks),
        ...(omissionProbability > 0 && { omissionProbability }),
        seconds,
        statesPerSecond: seconds > 0 ? Math.round(states / seconds) : 0,
        bytesPerState: greatest(document => document.bytesPerState),
        peakBytes: greatest(document => document.peakBytes),
        violations,
        ...(limit !== undefined && { limit }),
        ...(unreached !== undefined && { unreached }),
        properties: parts.map(({ name, document }) => ({
            name,
            verdict: document.verdict,
            reduction: document.reduction,
            states: document.states,
            transitions: document.transitions,
            depth: document.depth,
            seconds: document.seconds,
            ...(document.limit !== undefined && { limit: document.limit }),
        })),
    };
}
