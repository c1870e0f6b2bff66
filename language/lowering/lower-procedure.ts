/**
 * Calls of procedures: the text of the procedure stands in the place of the call. A parameter is a name of the body that
 * keeps its value, one with `var` the place that is given.
 */
import { invariant } from '../../engine/common/assert.js';
import { domainSize, templateOf, valueOfCode, type Domain } from '../../engine/model/domain.js';
import type { Expression } from '../../engine/model/expression.js';
import type { Statement } from '../../engine/model/model.js';
import * as ast from '../generated/nodes.js';
import { constantOf } from '../representation/build-expression.js';
import type { LoweredValue } from '../representation/shape.js';
import { rangeOf } from '../tree/source-text.js';
import { domainsOfIndices, lowerScalar, lowerValue, shapeOf, type LoweringContext } from './context.js';
import { fieldOf, lowerName } from './lower-reference.js';

/** The statements before the text of the procedure, which evaluate the arguments from left to right. */
export function lowerArguments(call: ast.ProcedureCall, context: LoweringContext): Statement[] {
    const procedure = call.procedure.ref;
    invariant(ast.isProcedure(procedure), 'a checked call is one of a procedure');
    const statements: Statement[] = [];
    procedure.parameters.forEach((parameter, position) => {
        const argument = call.arguments[position];
        invariant(argument !== undefined, 'a checked call has an argument for each parameter');
        if (parameter.isPlace) {
            context.table.givePlace(parameter, heldPlace(argument, statements, context));
        } else {
            const shape = shapeOf(parameter.type, context);
            const values = shape.scalarsOf(lowerValue(argument, context));
            const { temporaries } = context.table.declareTemporaries(parameter, shape);
            const declarations = temporaries.map((temporary, leaf) => ({ temporary, values: values[leaf] ?? [] }));
            statements.push({ kind: 'declare', declarations, range: rangeOf(argument) });
        }
    });
    return statements;
}

/** A place whose indices are evaluated by `statements`, so that it stays the same one. */
function heldPlace(place: ast.Expression, statements: Statement[], context: LoweringContext): LoweredValue {
    const range = rangeOf(place);
    if (ast.isFieldAccess(place) && ast.isRecordField(place.field.ref)) {
        const field = place.field.ref;
        const record = heldPlace(place.record, statements, context);
        return elementHeld(fieldOf(record, place, field, context), place.indices);
    }
    const name = ast.isReference(place) ? place.target.ref : undefined;
    invariant(ast.isReference(place) && name !== undefined, 'a checked place begins with a name');
    return elementHeld(lowerName(name, context, range), place.indices);

    function elementHeld(value: LoweredValue, indices: readonly ast.Expression[]): LoweredValue {
        const domains = domainsOfIndices(value, indices.length);
        return value.at(
            indices.map((index, position) => {
                const domain = domains[position];
                invariant(domain !== undefined, 'checked indices fit their array');
                return heldIndex(lowerScalar(index, context), domain, statements, context);
            }),
        );
    }
}

/** An index that keeps its value. One outside of its type is a fault where the place is given. */
function heldIndex(index: Expression, domain: Domain, statements: Statement[], { table }: LoweringContext): Expression {
    const { range } = index;
    if (index.kind === 'constant' || index.kind === 'binder') {
        return index;
    }
    const options = Array.from({ length: domainSize(domain) }, (_, code) =>
        constantOf(valueOfCode(domain, code), domain, range),
    );
    const value: Expression =
        templateOf(domain) === undefined ? { kind: 'select', index, domain, options, range } : index;
    const temporary = table.newTemporary('index');
    statements.push({ kind: 'declare', declarations: [{ temporary, values: [value] }], range });
    return { kind: 'read', place: { kind: 'temporary', temporary, indices: [], range }, range };
}
