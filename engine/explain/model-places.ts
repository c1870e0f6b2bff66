/** The places of a model that can be neutralized: what they are, and which parts of the model they take part in. */
import type { SourceRange } from '../common/source-range.js';
import type { Expression } from '../model/expression.js';
import { keyOfRange, type Place } from './places.js';
import type { PlaceKind, PlaceReport } from '../describe/report.js';

/** A place of the model, and the parts of the model that it takes part in. */
export interface ModelPlace extends Place {
    readonly key: string;
    /** What happens to it when it is neutralized. */
    readonly kind: PlaceKind;
    readonly owners: ReadonlySet<Owner>;
    /** Whether something is worked out there: `(i + 1) mod N`. */
    readonly isComputed: boolean;
    /** The identities of the types of whose values it names one or uses the order. */
    readonly types: ReadonlySet<string>;
    /** Of a condition: the functions that it calls, and what stands elsewhere under a name that it uses. */
    readonly reaches: readonly SourceRange[];
    /** What could be written there instead is told from this. */
    readonly subject?: PlaceSubject;
    /** Of a difference between processes that are written alike: what the others say there; absent for whole steps. */
    readonly instead?: string;
}

export type PlaceSubject =
    /** A condition. */
    | { readonly kind: 'expression'; readonly expression: Expression }
    /** The initial value of a variable, or its declaration where none is written. */
    | { readonly kind: 'start'; readonly name: string; readonly declaration?: SourceRange }
    /** What a name runs through, and the type that it could run through. */
    | { readonly kind: 'range'; readonly name: string; readonly type: string }
    /** What another process says there. */
    | { readonly kind: 'difference'; readonly newText: string };

/** `initial`, or a process or one of its steps (see `ownerOfProcess`, `ownerOfStep`). */
export type Owner = string;

export const INITIAL: Owner = 'initial';

/** What no step has alone: tests between steps, the instances of the family, local variables. */
export function ownerOfProcess(process: number): Owner {
    return `process ${process}`;
}

export function ownerOfStep(process: number, range: SourceRange): Owner {
    return `step ${process} ${keyOfRange(range)}`;
}

/** A communication and the index of its channel or event have one range; what differs, or a comparison, may be a place. */
export function keyOfPlace({ kind, range }: { readonly kind: PlaceKind; readonly range: SourceRange }): string {
    return `${OF_THEIR_OWN.has(kind) ? kind : 'place'} ${keyOfRange(range)}`;
}

const OF_THEIR_OWN: ReadonlySet<PlaceKind> = new Set<PlaceKind>(['communication', 'difference', 'comparison']);

export function reportPlaces(places: readonly ModelPlace[]): PlaceReport[] {
    return places.map(({ range, text, aspect, kind }) => ({ range, text, ...(aspect && { aspect }), kind }));
}
