/**
 * What lowering has written for each member of a family: the rows of whole arrays. Each row names one member, all rows say
 * the same of it, and there is one for each member; elsewhere no member is named. What the text itself says of members is
 * looked at before it is lowered (member-uses.ts).
 */
import type { Problem } from '../engine/common/problem.js';
import { keyOfRange, NOWHERE, type SourceRange } from '../engine/common/source-range.js';
import { domainSize, memberBoundsOf, type Domain } from '../engine/model/domain.js';
import { isMember, type Expression, type Place } from '../engine/model/expression.js';
import type { Model } from '../engine/model/model.js';
import { partsOf } from '../engine/model/walk-model.js';
import { refusal } from './refusal.js';
import { uniformText } from './sizeless-text.js';

/** The expressions of one element of an array, or of one place that is written. */
type Row = readonly Expression[];
type Assignment = { readonly target: Place; readonly value: Expression };

/** The parts of a model that do not treat all members alike. O(size of the model) */
export function unevenRows(model: Model): readonly Problem[] {
    const { functions, variables, channels, events, initialConditions, constraints, processes, invariants } = model;
    const conditions = [initialConditions, constraints, invariants];
    const found = new Map<string, Problem>();
    visit([functions, variables, channels, events, processes, conditions], model.nameRange, false);
    return [...found.values()];

    function refuse(message: string, range: SourceRange): void {
        found.set(`${message} ${keyOfRange(range)}`, refusal(message, range));
    }

    /** Constants that lowering has written have no place of their own: `around` is that of the expression around. */
    function visit(part: unknown, around: SourceRange, isRow: boolean): void {
        if (typeof part !== 'object' || part === null) {
            return;
        }
        const own = placeOf(part);
        const range = own === NOWHERE ? around : own;
        const message = refusalOf(part, isRow);
        if (message !== undefined) {
            refuse(message, range);
            return;
        }
        for (const [name, value] of Object.entries(part)) {
            const lists = 'tuples' in part ? [] : listsOf(part, name, value);
            if (lists === undefined) {
                visit(value, range, isRow);
                continue;
            }
            for (const rows of lists) {
                const uneven = refusalOfRows(rows);
                if (uneven === undefined) {
                    visit(rows, range, true);
                } else {
                    refuse(uneven, range);
                }
            }
        }
    }

    function placeOf(part: object): SourceRange {
        const { range = NOWHERE, nameRange = range } = part as { range?: SourceRange; nameRange?: SourceRange };
        return nameRange;
    }
}

function refusalOf(part: object, isRow: boolean): string | undefined {
    const {
        kind,
        domain,
        indices,
        arguments: places,
    } = part as {
        readonly [Name in 'kind' | 'domain' | 'indices' | 'arguments']?: unknown;
    };
    if (kind === 'constant' && isMember(part as Expression) && !isRow) {
        return 'one member is named here';
    }
    if (kind === 'select' && memberBoundsOf(domain as Domain) !== undefined) {
        return 'this table has an entry for each member';
    }
    if ('tuples' in part && holdsMembers(part as Domain)) {
        // Its values are counted through.
        return 'the values of this type are records with members';
    }
    const isOfIndices = ['id' in part && domain, indices, places].flat().some(isOptionalMember);
    return isOfIndices ? '`none` and members are indices together' : undefined;
}

/** The rows in a property of a part: those of each list stand for one whole array. */
function listsOf(part: object, name: string, value: unknown): readonly (readonly Row[])[] | undefined {
    const kind = 'kind' in part ? part.kind : undefined;
    const single = (values: readonly Expression[]): Row[] => values.map(each => [each]);
    switch (name) {
        case 'assignments':
        case 'bindings':
            return [(value as readonly Assignment[]).map(each => [...each.target.indices, each.value])];
        case 'declarations':
            return (value as readonly { readonly values: Row }[]).map(({ values }) => single(values));
        case 'choices':
            return [value as readonly Row[]];
        case 'expressions':
            return [single(value as Row)];
        case 'values':
            return kind === 'return' ? (value as readonly Row[]).map(single) : undefined;
        case 'arguments':
            return kind === 'call' ? (value as readonly Row[]).map(single) : undefined;
        default:
            return undefined;
    }
}

function refusalOfRows(rows: readonly Row[]): string | undefined {
    const kinds = new Map<string, { readonly members: Set<number>; readonly count: number }>();
    for (const row of rows) {
        const members = row.flatMap(membersIn);
        if (members.length === 0) {
            continue;
        }
        const [{ value: first, count }] = members;
        if (members.some(({ value }) => value !== first)) {
            return 'what is stored for one member depends on another one';
        }
        const text = uniformText(row);
        const kind = kinds.get(text) ?? { members: new Set(), count };
        kind.members.add(first);
        kinds.set(text, kind);
    }
    return [...kinds.values()].some(({ members, count }) => members.size !== count)
        ? 'one member is treated in another way than the others'
        : undefined;
}

function isOptionalMember(domain: unknown): boolean {
    return (
        typeof domain === 'object' &&
        domain !== null &&
        'base' in domain &&
        memberBoundsOf(domain as Domain) !== undefined
    );
}

function holdsMembers(domain: Domain): boolean {
    const base = domain.kind === 'optional' ? domain.base : domain;
    return (
        base.kind === 'record' &&
        base.fields.some(field => memberBoundsOf(field.domain) !== undefined || holdsMembers(field.domain))
    );
}

/** The members that an expression names, with the number of values of their types. */
function membersIn(expression: Expression): readonly { readonly value: number; readonly count: number }[] {
    if (expression.kind === 'constant') {
        return isMember(expression) && expression.domain !== undefined
            ? [{ value: expression.value, count: domainSize(expression.domain) }]
            : [];
    }
    // The arguments of a call are rows of their own.
    const parts = expression.kind === 'call' ? expression.indices : partsOf(expression);
    return parts.flatMap(membersIn);
}
