/** The free names of an expression. Without names of its process, equal binders give equal expressions. */
import { sortAscending } from '../../common/ascending.js';
import type { Expression } from '../../model/expression.js';
import type { Statement } from '../../model/model.js';
import { expressionsOf, forEachStatement, partsOf, targetsOf } from '../../model/walk-model.js';

interface FreeNames {
    /** The ids of the free binders, ascending. */
    readonly binders: readonly number[];
    /** Whether it names a local, a temporary or a message. */
    readonly isLocal: boolean;
    /** The locals of its process that it names. */
    readonly locals: readonly number[];
    /** The locals `P[i].k` that it names, as `process:local`. */
    readonly instanceLocals: readonly string[];
}

const NO_NAMES: FreeNames = { binders: [], isLocal: false, locals: [], instanceLocals: [] };

const known = new WeakMap<Expression, FreeNames>();

/** O(size of the expression), each part looked at once. */
export function freeNamesOf(expression: Expression): FreeNames {
    let names = known.get(expression);
    if (names === undefined) {
        names = computed(expression);
        known.set(expression, names);
    }
    return names;
}

/** The locals of the process that statements read or write, in any branch. O(size of the statements). */
export function localsNamedBy(statements: readonly Statement[]): readonly number[] {
    const locals: number[] = [];
    forEachStatement(statements, statement => {
        locals.push(...targetsOf(statement).flatMap(target => (target.kind === 'local' ? target.local : [])));
        locals.push(...expressionsOf(statement).flatMap(expression => freeNamesOf(expression).locals));
    });
    return locals;
}

function computed(expression: Expression): FreeNames {
    const inner = union(partsOf(expression).map(freeNamesOf));
    switch (expression.kind) {
        case 'binder':
            return { ...NO_NAMES, binders: [expression.binder.id] };
        case 'message':
            return { ...NO_NAMES, isLocal: true };
        case 'read': {
            const { place } = expression;
            const locals = place.kind === 'local' ? [...inner.locals, place.local] : inner.locals;
            return place.kind === 'shared' || place.kind === 'channel' ? inner : { ...inner, isLocal: true, locals };
        }
        case 'quantifier': {
            const bound = new Set(expression.binders.map(({ id }) => id));
            return { ...inner, binders: inner.binders.filter(id => !bound.has(id)) };
        }
        case 'instance-local': {
            const own = `${expression.process}:${expression.local}`;
            return { ...inner, instanceLocals: [...inner.instanceLocals, own] };
        }
        default:
            return inner;
    }
}

function union(names: readonly FreeNames[]): FreeNames {
    return names.length === 0
        ? NO_NAMES
        : {
              binders: sortAscending([...new Set(names.flatMap(({ binders }) => binders))]),
              isLocal: names.some(({ isLocal }) => isLocal),
              locals: [...new Set(names.flatMap(({ locals }) => locals))],
              instanceLocals: [...new Set(names.flatMap(({ instanceLocals }) => instanceLocals))],
          };
}
