/**
 * Views of states: the shared part, with the members that it names and their cells, and the cells of at most k others. In
 * the shared part a named member is written as the number of the first cell order that names it, so states that differ by
 * an exchange of members have the same views. Everything is numbered: the local state of a member, the shared part with
 * the local states of the named ones, and the view.
 */
import { invariant } from '../engine/common/assert.js';
import { NO_VALUE } from '../engine/model/domain.js';
import type { MemberLayout } from './member-layout.js';
import { VectorTable } from './vector-table.js';
import { formatView } from './view-text.js';

/** A state as a shared part and the local states of the members that it does not name, ascending. */
export interface Parts {
    readonly shared: number;
    readonly others: readonly number[];
}

/** A state with the local states of its members; its successors differ from it in few of them. */
export interface PlacedState {
    readonly state: Int32Array;
    readonly locals: Int32Array;
}

const SAME_CELLS = 'the shared part, and each member of a family, has the same cells in all instances';

export class Views {
    /** The number of others in a view. */
    readonly size: number;
    readonly #sharedWidth: number;
    readonly #mostNamed: number;
    /** Codes up to this one are `none` and fixed values; then the named ones follow. */
    readonly #firstNamed: number;
    readonly #familyCount: number;
    /** By family; a local state has the number `number in its table * families + family`. */
    readonly #locals: (VectorTable | undefined)[];
    readonly #shared: VectorTable;
    readonly #views: VectorTable;
    readonly #sharedRow: Int32Array;
    readonly #viewRow: Int32Array;
    readonly #localRows: (Int32Array | undefined)[];
    /** Scratch space: by member its name, or -1; and the local states of the others. */
    #nameOfMember = new Int32Array(0);
    #others = new Int32Array(0);
    #othersCount = 0;
    /** By shared part the local states in its views. */
    readonly #localsWith: Set<number>[] = [];

    /** `layout` is that of any instance, `fixedCount` the number of fixed values. */
    constructor(size: number, { shared, sizes }: MemberLayout, fixedCount: number) {
        this.size = size;
        this.#sharedWidth = shared.cells.length;
        this.#mostNamed = shared.namedByCode.filter(named => named !== undefined).length;
        this.#firstNamed = 2 + fixedCount;
        this.#familyCount = sizes.length;
        this.#locals = sizes.map(() => undefined);
        this.#localRows = sizes.map(() => undefined);
        this.#sharedRow = new Int32Array(this.#sharedWidth + this.#mostNamed);
        this.#shared = new VectorTable(this.#sharedRow.length);
        this.#views = new VectorTable(1 + size);
        this.#viewRow = new Int32Array(1 + size);
    }

    get count(): number {
        return this.#views.count;
    }

    get bytes(): number {
        const tables = [this.#shared, this.#views, ...this.#locals];
        return tables.reduce((sum, table) => sum + (table?.bytes ?? 0), 0);
    }

    /** The local states in the views with this shared part, in the order in which they were met. */
    localsWith(shared: number): Iterable<number> {
        return this.#localsWith[shared] ?? [];
    }

    sharedOf(view: number): number {
        return this.#views.at(view, 0);
    }

    /** The local states of the others of a view, ascending. */
    othersOf(view: number): number[] {
        const others: number[] = [];
        for (let index = 1; index <= this.size; index++) {
            const local = this.#views.at(view, index);
            if (local >= 0) {
                others.push(local);
            }
        }
        return others;
    }

    /** All views as texts, ascending; `layout` is that of an instance with all families. */
    textsOf(layout: MemberLayout): string[] {
        return Array.from({ length: this.count }, (_, view) => this.textOf(view, layout)).sort();
    }

    /** The view as text, as certificates have it. */
    textOf(view: number, { shared: { namedByCode } }: MemberLayout): string {
        const shared = this.sharedOf(view);
        const written = namedByCode.map((named, position) => {
            const entry = this.#shared.at(shared, position);
            if (entry === 0) {
                return '-';
            }
            if (named === undefined) {
                return String(entry - 1);
            }
            return entry < this.#firstNamed ? `=${entry - 1}` : `#${entry - this.#firstNamed}`;
        });
        const localOf = (local: number): string => {
            const family = this.familyOf(local);
            const row = Math.floor(local / this.#familyCount);
            const table = this.#locals[family];
            const codes = Array.from({ length: table?.width ?? 0 }, (_, index) => table?.at(row, index) ?? NO_VALUE);
            return `${family}:${codes.map(code => (code === NO_VALUE ? '-' : code)).join()}`;
        };
        const named = Array.from({ length: this.#mostNamed }, (_, index) =>
            this.#shared.at(shared, this.#sharedWidth + index),
        ).filter(local => local >= 0);
        return formatView({
            shared: written.join(' '),
            named: named.map(localOf),
            others: this.othersOf(view).map(localOf),
        });
    }

    /** By family the number of members that a shared part names. */
    namedSizes(shared: number): number[] {
        const sizes = Array.from({ length: this.#familyCount }, () => 0);
        for (let index = 0; index < this.#mostNamed; index++) {
            const local = this.#shared.at(shared, this.#sharedWidth + index);
            if (local >= 0) {
                sizes[this.familyOf(local)]++;
            }
        }
        return sizes;
    }

    familyOf(local: number): number {
        return local % this.#familyCount;
    }

    /** The parts of a state. */
    partsOf(state: Readonly<Int32Array>, layout: MemberLayout): Parts {
        const shared = this.#takeApart(state, layout, undefined);
        return { shared, others: [...this.#others.subarray(0, this.#othersCount)] };
    }

    /** Adds the views of a state; `before`, if given, is a state like it. */
    addViewsOf(state: Readonly<Int32Array>, layout: MemberLayout, before?: PlacedState): void {
        const shared = this.#takeApart(state, layout, before);
        const size = Math.min(this.size, this.#othersCount);
        this.#viewRow[0] = shared;
        this.#viewRow.fill(-1, 1);
        this.#addSelections(0, this.size - size);
    }

    /** Adds the views with the entries of the row up to `filled` and others from `from` on. */
    #addSelections(from: number, filled: number): void {
        if (filled === this.size) {
            this.#addRow();
            return;
        }
        const last = this.#othersCount - (this.size - filled);
        for (let index = from; index <= last; index++) {
            if (index === from || this.#others[index] !== this.#others[index - 1]) {
                this.#viewRow[1 + filled] = this.#others[index];
                this.#addSelections(index + 1, filled + 1);
            }
        }
    }

    /** Leaves the local states of the others in `#others`, ascending; returns the shared part. Allocates nothing. */
    #takeApart(state: Readonly<Int32Array>, layout: MemberLayout, before: PlacedState | undefined): number {
        const { shared, own, familyOfMember } = layout;
        invariant(shared.cells.length === this.#sharedWidth, SAME_CELLS);
        const row = this.#sharedRow;
        if (this.#nameOfMember.length < own.length) {
            this.#nameOfMember = new Int32Array(own.length);
            this.#others = new Int32Array(own.length);
        }
        const nameOfMember = this.#nameOfMember.fill(-1);
        let named = 0;
        for (let position = 0; position < this.#sharedWidth; position++) {
            const code = state[shared.cells[position]];
            const namedByCode = shared.namedByCode[position];
            if (namedByCode === undefined || code === NO_VALUE) {
                row[position] = code + 1;
                continue;
            }
            const member = namedByCode[code];
            if (member < 0) {
                row[position] = -member;
                continue;
            }
            if (nameOfMember[member] < 0) {
                nameOfMember[member] = named++;
            }
            row[position] = this.#firstNamed + nameOfMember[member];
        }
        row.fill(-1, this.#sharedWidth);
        const others = this.#others;
        let count = 0;
        for (let member = 0; member < own.length; member++) {
            const isSame = before !== undefined && areEqual(own[member], state, before.state);
            const local = isSame ? before.locals[member] : this.#localOf(state, own[member], familyOfMember[member]);
            if (nameOfMember[member] >= 0) {
                row[this.#sharedWidth + nameOfMember[member]] = local;
                continue;
            }
            let place = count++;
            while (place > 0 && others[place - 1] > local) {
                others[place] = others[place - 1];
                place--;
            }
            others[place] = local;
        }
        this.#othersCount = count;
        return this.#shared.add(row);
    }

    #localOf(state: Readonly<Int32Array>, cells: Int32Array, family: number): number {
        const table = this.#tableOf(family, cells);
        const row = (this.#localRows[family] ??= new Int32Array(cells.length));
        for (let index = 0; index < cells.length; index++) {
            row[index] = state[cells[index]];
        }
        return table.add(row) * this.#familyCount + family;
    }

    /** The table for the cells of a member. */
    #tableOf(family: number, cells: Int32Array): VectorTable {
        const table = (this.#locals[family] ??= new VectorTable(cells.length));
        invariant(table.width === cells.length, SAME_CELLS);
        return table;
    }

    /** Writes the state with this shared part and these others into `state`. The layout has exactly so many members. */
    placeInto(placed: PlacedState, { shared, others }: Parts, layout: MemberLayout): void {
        const { state } = placed;
        invariant(layout.shared.cells.length === this.#sharedWidth, SAME_CELLS);
        const next = [...layout.firstMembers];
        const memberOfName: number[] = [];
        state.fill(NO_VALUE);
        for (let index = 0; index < this.#mostNamed; index++) {
            const local = this.#shared.at(shared, this.#sharedWidth + index);
            if (local >= 0) {
                memberOfName.push(this.#placeMember(placed, local, next, layout));
            }
        }
        for (const local of others) {
            this.#placeMember(placed, local, next, layout);
        }
        layout.shared.cells.forEach((cell, position) => {
            const written = this.#shared.at(shared, position);
            const named = layout.shared.namedByCode[position];
            if (named === undefined || written === 0) {
                state[cell] = written - 1;
                return;
            }
            const member = written < this.#firstNamed ? -written : memberOfName[written - this.#firstNamed];
            state[cell] = named.indexOf(member);
            invariant(state[cell] >= 0, 'a shared part names what its cells can hold');
        });
    }

    /** Gives the next member of its family this local state. */
    #placeMember({ state, locals }: PlacedState, local: number, next: number[], { own }: MemberLayout): number {
        const family = this.familyOf(local);
        const row = Math.floor(local / this.#familyCount);
        const member = next[family]++;
        const cells = own[member];
        const table = this.#tableOf(family, cells);
        locals[member] = local;
        for (let index = 0; index < cells.length; index++) {
            state[cells[index]] = table.at(row, index);
        }
        return member;
    }

    /** The number of a view; -1 if it is not known. `others` are ascending, at most as many as a view has. */
    find(shared: number, others: readonly number[]): number {
        this.#write(shared, others);
        return this.#views.find(this.#viewRow);
    }

    /** Adds a view, and those with fewer others that it contains. */
    add(shared: number, others: readonly number[]): void {
        this.#write(shared, others);
        this.#addRow();
    }

    #addRow(): void {
        const before = this.#views.count;
        const view = this.#views.add(this.#viewRow);
        if (view < before) {
            return;
        }
        const shared = this.sharedOf(view);
        const others = this.othersOf(view);
        const locals = (this.#localsWith[shared] ??= new Set());
        others.forEach((local, position) => {
            locals.add(local);
            if (local !== others[position - 1]) {
                this.add(shared, [...others.slice(0, position), ...others.slice(position + 1)]);
            }
        });
        // The selections go on from the row as it was.
        this.#write(shared, others);
    }

    #write(shared: number, others: readonly number[]): void {
        const row = this.#viewRow;
        const absent = this.size - others.length;
        row[0] = shared;
        for (let index = 0; index < this.size; index++) {
            row[1 + index] = index < absent ? -1 : others[index - absent];
        }
    }
}

function areEqual(cells: Int32Array, first: Readonly<Int32Array>, second: Readonly<Int32Array>): boolean {
    for (let index = 0; index < cells.length; index++) {
        if (first[cells[index]] !== second[cells[index]]) {
            return false;
        }
    }
    return true;
}

/** Calls `visit` with each choice of `size` entries of an ascending list, in its order; equal ones may come again. */
export function forEachSelection<Entry>(
    list: readonly Entry[],
    size: number,
    visit: (selection: readonly Entry[]) => void,
): void {
    const selection: Entry[] = [];
    const choose = (from: number): void => {
        if (selection.length === size) {
            visit(selection);
            return;
        }
        for (let index = from; index <= list.length - (size - selection.length); index++) {
            if (index > from && list[index] === list[index - 1]) {
                continue;
            }
            selection.push(list[index]);
            choose(index + 1);
            selection.pop();
        }
    };
    choose(0);
}
