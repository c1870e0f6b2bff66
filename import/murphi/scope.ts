/** Names that are known at a place: those of a block hide others of the blocks around it. */
import type { Symbol } from './symbols.js';

export class Scope {
    private readonly outer: Scope | undefined;
    private readonly symbols = new Map<string, Symbol>();

    constructor(outer?: Scope) {
        this.outer = outer;
    }

    /** Whether the name is new in this block. */
    declare(name: string, symbol: Symbol): boolean {
        const isNew = !this.symbols.has(name);
        this.symbols.set(name, symbol);
        return isNew;
    }

    find(name: string): Symbol | undefined {
        return this.symbols.get(name) ?? this.outer?.find(name);
    }
}
