/**
 * The types that unions have as members are ranges of one row of numbers: enumerations from 0 downward, scalarsets from 1
 * upward. So a union is a range, too; where its members do not stand beside each other, it has holes.
 */
import type { Member, SimpleType } from './symbols.js';

export class Row {
    private readonly members: Member[] = [];
    private least = 1;
    /** The last number, as a text. */
    private last = '';

    /** The union of types, each of which gets its place if it has none. */
    union(text: string, parts: readonly Member[]): SimpleType {
        parts.filter(({ place }) => place === undefined).forEach(part => this.add(part));
        const positions = parts.map(part => this.members.indexOf(part));
        const all = this.members.slice(Math.min(...positions), Math.max(...positions) + 1);
        const range = `${all[0]?.place?.low ?? ''} .. ${all.at(-1)?.place?.high ?? ''}`;
        return { kind: 'union', text, range, members: parts, holes: all.filter(member => !parts.includes(member)) };
    }

    private add(member: Member): void {
        if (member.kind === 'enumeration') {
            const low = this.least - member.members.length;
            member.place = { low: String(low), high: String(this.least - 1) };
            this.least = low;
            this.members.unshift(member);
        } else {
            const low = this.last === '' ? '1' : `${this.last} + 1`;
            this.last = this.last === '' ? member.size : `${this.last} + ${member.size}`;
            member.place = { low, high: this.last };
            this.members.push(member);
        }
    }
}
