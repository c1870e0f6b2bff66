/**
 * The results of explorations of one document: those of this session, and those that the editor has kept from earlier
 * ones. A newer one replaces an older one of the same kind and the same values of the parameters.
 */
import { formatPlainValue } from '../../engine/describe/words.js';
import type { DocumentTitle, ExploreDocument, LimitDocument } from '../document-schema.js';
import type { KeptDocument, KeptRun, AskedReduction } from '../protocol.js';

/** A result, and whether the model was edited since. */
export type KnownExploration = KeptRun & { readonly isStale: boolean };

/** Of one document; older ones go first. */
const MOST_RESULTS = 60;

/** The name of a kind of exploration. */
function explorationName(reduction: AskedReduction, property?: string): string {
    return property === undefined ? reduction : `${reduction} ${property}`;
}

/** `N = 5, K = 2`; empty without parameters. */
export function formatParameters({ params }: Pick<DocumentTitle, 'params'>): string {
    return Object.entries(params)
        .map(([name, value]) => `${name} = ${formatPlainValue(value, 'none')}`)
        .join(', ');
}

/** The part of a result that is kept: traces may be long. */
export function withoutTraces(document: ExploreDocument): KeptDocument {
    const { violations, coverage: _coverage, limit, ...rest } = document;
    return {
        ...rest,
        ...(limit !== undefined && { limit: withoutRun(limit) }),
        violations: violations.map(violation => ({ ...violation, trace: { length: violation.trace.length } })),
    };
}

function withoutRun({ trace: _trace, ...limit }: LimitDocument): LimitDocument {
    return limit;
}

export class Explorations {
    /** The oldest first, by kind and parameters. */
    readonly #runs = new Map<string, KeptRun>();

    /** Stores a result of this session. */
    add(run: KeptRun): void {
        const key = keyOf(run);
        this.#runs.delete(key);
        this.#runs.set(key, run);
        for (const oldest of [...this.#runs.keys()].slice(0, -MOST_RESULTS)) {
            this.#runs.delete(oldest);
        }
    }

    /** Stores results of earlier sessions, in any order; a newer one stays. */
    restore(runs: readonly KeptRun[]): void {
        const all = [...runs, ...this.#runs.values()].sort((one, other) => one.finishedAt - other.finishedAt);
        this.#runs.clear();
        for (const run of all) {
            this.add(run);
        }
    }

    /** All results for a text whose model has this key, the newest first. */
    all(modelKey: string | undefined): readonly KnownExploration[] {
        return [...this.#runs.values()].reverse().map(run => ({ ...run, isStale: run.modelKey !== modelKey }));
    }
}

/** Of each kind one result by its `explorationName`: the newest about the present model, else the newest. */
export function latestByName(newestFirst: readonly KnownExploration[]): ReadonlyMap<string, KnownExploration> {
    const latest = new Map<string, KnownExploration>();
    for (const run of newestFirst) {
        const name = explorationName(run.reduction, run.property);
        const known = latest.get(name);
        if (known === undefined || (known.isStale && !run.isStale)) {
            latest.set(name, run);
        }
    }
    return latest;
}

function keyOf({ reduction, property, document }: KeptRun): string {
    return JSON.stringify([reduction, property ?? null, document.params]);
}
