/**
 * Views as text, for certificates: the shared cells, the cells of the members that these name, in the order in which they
 * are named, and the cells of the others, ascending as text. Cells stand in the order of their keys (member-layout.ts), by
 * their codes; a shared cell that names a member has its number, `#0`, and a fixed value or `none` stands as `=1`, `=0`.
 *
 *     1 - #0 | 0:2,1 | 0:0,0 0:0,1
 */
import { NO_VALUE } from '../engine/model/domain.js';
import { FIRST_FIXED, type MemberLayout } from './member-layout.js';

/** A view, or a state: `shared` by position, the others by member. */
export interface ViewText {
    readonly shared: string;
    /** With their family: `0:2,1`. */
    readonly named: readonly string[];
    readonly others: readonly string[];
}

export function formatView({ shared, named, others }: ViewText): string {
    return `${shared} | ${named.join(' ')} | ${[...others].sort().join(' ')}`;
}

/** Undefined if the text is none of a view. */
export function parseView(text: string): ViewText | undefined {
    const parts = text.split('|').map(part => part.trim());
    const [shared, named, others] = parts;
    if (shared === undefined || named === undefined || others === undefined || parts.length !== 3) {
        return undefined;
    }
    const listOf = (part: string): string[] => (part === '' ? [] : part.split(' '));
    return { shared, named: listOf(named), others: listOf(others) };
}

/** A state of an instance, with all its members. */
export function viewTextOf(state: Readonly<Int32Array>, { shared, own, familyOfMember }: MemberLayout): ViewText {
    const names: number[] = [];
    const written = Array.from(shared.cells, (cell, position) => {
        const code = state[cell];
        const member = shared.namedByCode[position]?.[code];
        if (code === NO_VALUE || member === undefined) {
            return code === NO_VALUE ? '-' : String(code);
        }
        if (member < 0) {
            return `=${FIRST_FIXED - member}`;
        }
        if (!names.includes(member)) {
            names.push(member);
        }
        return `#${names.indexOf(member)}`;
    });
    const localOf = (member: number): string =>
        `${familyOfMember[member]}:${Array.from(own[member], cell => (state[cell] === NO_VALUE ? '-' : state[cell])).join()}`;
    return {
        shared: written.join(' '),
        named: names.map(localOf),
        others: own.flatMap((_, member) => (names.includes(member) ? [] : [localOf(member)])),
    };
}

/** The family of a member written with its cells; NaN if it has none. */
export function familyOfText(local: string): number {
    return Number.parseInt(local, 10);
}

/** The state that a text describes, in the instance with exactly its members; undefined if it describes none. */
export function stateOfText({ shared, named, others }: ViewText, layout: MemberLayout): Int32Array | undefined {
    const written = shared === '' ? [] : shared.split(' ');
    const cellCount = layout.keys.length;
    const state = new Int32Array(cellCount).fill(NO_VALUE);
    const next = [...layout.firstMembers];
    const members = [...named, ...others].map(local => {
        const family = familyOfText(local);
        const member = next[family]++;
        const written = local.slice(local.indexOf(':') + 1);
        const codes = written === '' ? [] : written.split(',');
        const cells = layout.own[member] as Int32Array | undefined;
        cells?.forEach((cell, index) => (state[cell] = codeOf(codes[index])));
        return cells === undefined || codes.length !== cells.length ? undefined : member;
    });
    if (written.length !== layout.shared.cells.length || members.includes(undefined)) {
        return undefined;
    }
    for (const [position, cell] of layout.shared.cells.entries()) {
        const text = written[position];
        const namedByCode = layout.shared.namedByCode[position];
        if (text.startsWith('#') || text.startsWith('=')) {
            const number = Number(text.slice(1));
            const member = text.startsWith('#') ? members[number] : FIRST_FIXED - number;
            state[cell] = namedByCode === undefined || member === undefined ? NaN : namedByCode.indexOf(member);
            if (namedByCode === undefined || member === undefined || state[cell] < 0) {
                return undefined;
            }
        } else {
            state[cell] = codeOf(text);
        }
    }
    return state;
}

function codeOf(text: string | undefined): number {
    return text === undefined || text === '-' ? NO_VALUE : Number(text);
}
