/**
 * `q := append(q, x)`: the place behind the last one and the length are written, and no other place is. Other values write all
 * places. The sequence is read first, then what is added is evaluated, then one more than fits is the fault `range`.
 */
import type { SourceRange } from '../../engine/common/source-range.js';
import { valuesOfDomain, type Domain } from '../../engine/model/domain.js';
import type { Expression, Temporary } from '../../engine/model/expression.js';
import type { Statement } from '../../engine/model/model.js';
import * as ast from '../generated/nodes.js';
import { numberOf } from '../representation/build-expression.js';
import { LoweredSequence, plus } from '../representation/sequence.js';
import type { LoweredValue } from '../representation/shape.js';
import { isSame } from '../typing/narrowing.js';
import { lowerValue, type LoweringContext } from './context.js';
import { lowerAssignment } from './lower-assignment.js';

/** The statements for a sequence `target` to which elements are appended; undefined if the value is another one. */
export function lowerAppend(
    place: ast.Expression,
    value: ast.Expression,
    target: LoweredValue,
    range: SourceRange,
    context: LoweringContext,
): Statement[] | undefined {
    const added = addedTo(place, value);
    const length = target instanceof LoweredSequence ? target.length : undefined;
    if (added === undefined || !(target instanceof LoweredSequence) || length?.kind !== 'read' || target.most === 0) {
        return undefined;
    }
    const { member, capacity } = target.shape();
    const before: Statement[] = [];
    const hold = (name: string, values: readonly Expression[], indices: Temporary['indices'] = []): Temporary => {
        const temporary = { ...context.table.newTemporary(name), indices };
        before.push({ kind: 'declare', declarations: [{ temporary, values }], range });
        return temporary;
    };
    const read = (temporary: Temporary, indices: readonly Expression[] = []): Expression => ({
        kind: 'read',
        place: { kind: 'temporary', temporary, indices, range },
        range,
    });
    const first = read(hold('length', [length]));
    const elements = added.map(element => {
        const scalars = member.scalarsOf(lowerValue(element, context));
        const leaves = member.leaves().map(({ indices }, leaf) => hold('added', scalars[leaf] ?? [], indices));
        return member.read((leaf, indices) => {
            const temporary = leaves[leaf];
            return temporary === undefined ? first : read(temporary, indices);
        }, range);
    });
    const lengths: Domain = { kind: 'range', low: 0, high: capacity };
    const writes = elements.flatMap((element, position): Statement[] => {
        const longer = { target: length.place, value: plus(first, numberOf(position + 1, range), range) };
        // The longer sequence has this place, whatever the length was.
        const places = valuesOfDomain(lengths).map(each => Math.min(each + position, capacity - 1));
        const options = places.map(each => numberOf(each, range));
        const at: Expression = { kind: 'select', index: first, domain: lengths, options, range };
        return [
            { kind: 'assign', assignments: [longer], range },
            { kind: 'assign', assignments: lowerAssignment(target.elementAt(at), element), range },
        ];
    });
    return [...before, ...writes];
}

/** What is appended to a place, in the order of the text; undefined if the value is another one. */
function addedTo(place: ast.Expression, value: ast.Expression): ast.Expression[] | undefined {
    const called = ast.isCall(value) ? value.function.ref : undefined;
    if (!ast.isCall(value) || called?.$type !== 'BuiltinFunction' || called.name !== 'append') {
        return undefined;
    }
    const [sequence, element] = value.arguments;
    if (sequence === undefined || element === undefined) {
        return undefined;
    }
    const before = isSame(sequence, place) ? [] : addedTo(place, sequence);
    return before && [...before, element];
}
