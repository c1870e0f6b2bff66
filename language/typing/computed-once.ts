/**
 * Results for declarations, each computed on demand and once, so that declarations may stand in any order. A declaration
 * that needs itself is reported, and has no result.
 */
import type * as ast from '../generated/nodes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { nameRangeOf } from '../tree/source-text.js';

export type Declared =
    | ast.Parameter
    | ast.Constant
    | ast.TypeDeclaration
    | ast.RecordDeclaration
    | ast.Enumeration
    | ast.ChannelDeclaration;

/** A map from declarations to results; undefined for a declaration with an error. */
interface Entries<Key, Entry> {
    has(key: Key): boolean;
    get(key: Key): Entry | undefined;
    set(key: Key, entry: Entry | undefined): unknown;
}

export class ComputedOnce {
    private readonly inProgress = new Set<Declared>();
    private readonly problems: ProblemCollector;

    constructor(problems: ProblemCollector) {
        this.problems = problems;
    }

    isInProgress(declaration: Declared): boolean {
        return this.inProgress.has(declaration);
    }

    /** The entry of a declaration; undefined after a problem. */
    of<Key extends Declared, Entry>(
        entries: Entries<Key, Entry>,
        declaration: Key,
        compute: () => Entry | undefined,
    ): Entry | undefined {
        if (entries.has(declaration)) {
            return entries.get(declaration);
        }
        if (this.inProgress.has(declaration)) {
            const message = `\`${declaration.name}\` is defined in terms of itself`;
            this.problems.error('name/cyclic', message, nameRangeOf(declaration));
            entries.set(declaration, undefined);
            return undefined;
        }
        this.inProgress.add(declaration);
        const entry = compute();
        this.inProgress.delete(declaration);
        // A cycle through this declaration has already entered undefined.
        if (!entries.has(declaration)) {
            entries.set(declaration, entry);
        }
        return entries.get(declaration);
    }
}
