/**
 * A line of a log as a question to candidates: which step was taken by whom, and which values places had before and after.
 * Keys of a line are names of places, of indices, binders and locals of the step; a mapping says the rest.
 */
import type { Wanted } from './wanted.js';

export interface Observation {
    /** Of the log, from 1. */
    readonly line: number;
    /** The label of the step or its event; without it the line is about a state. */
    readonly step?: string;
    readonly process?: NamedProcess;
    /** Who else takes part in it and what they choose, of a step that a tester asks for. */
    readonly others?: readonly Pick<Observation, 'process' | 'values'>[];
    /** What is sent or received. */
    readonly message?: Wanted;
    /** By template: the instance that the step creates. */
    readonly created: readonly { readonly template: string; readonly wanted: Wanted }[];
    readonly values: readonly ObservedValue[];
}

/** One of a family; one of those that its indices leave if they are not said. */
export interface NamedProcess {
    readonly family: string;
    readonly indices?: readonly Wanted[];
}

export interface ObservedValue {
    /** As the log writes it. */
    readonly key: string;
    readonly place: ObservedPlace;
    readonly wanted: Wanted;
    readonly isBefore: boolean;
}

export type ObservedPlace =
    | { readonly kind: 'shared'; readonly name: string; readonly path: readonly PathPart[] }
    | {
          readonly kind: 'local';
          readonly family: string;
          readonly indices: readonly PathIndex[];
          readonly path: readonly PathPart[];
      }
    | { readonly kind: 'at'; readonly family: string; readonly indices: readonly PathIndex[] }
    /** A name of the participant: an index, a binder, a local, or its own element of a variable. */
    | { readonly kind: 'own'; readonly path: readonly PathPart[] };

export type PathPart =
    { readonly kind: 'field'; readonly name: string } | { readonly kind: 'index'; readonly index: PathIndex };

/** A value, or a name of the step in a mapping. */
export type PathIndex =
    { readonly kind: 'value'; readonly wanted: Wanted } | { readonly kind: 'binder'; readonly name: string };

export interface LogProblem {
    readonly code: 'log/step' | 'log/key' | 'log/value';
    readonly line: number;
    readonly message: string;
}

/** What a mapping says of keys and words; all optional parts are as the model says. */
export interface Vocabulary {
    /** The key of the step. */
    readonly step: string;
    readonly steps: ReadonlyMap<string, string>;
    readonly keys: ReadonlyMap<string, string>;
    readonly values: ReadonlyMap<string, string>;
    readonly ignored: ReadonlySet<string>;
}

export const PLAIN_VOCABULARY: Vocabulary = {
    step: 'step',
    steps: new Map(),
    keys: new Map(),
    values: new Map(),
    ignored: new Set(),
};
