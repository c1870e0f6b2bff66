/** The shapes of records and of cases, from the shapes of their fields: with a `where` a record is one value of a list. */
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import type * as ast from '../generated/nodes.js';
import { formatCount } from '../problems/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import type { Constructor } from '../references/constructors.js';
import { nameRangeOf } from '../tree/source-text.js';
import type { ConstantEvaluator } from './constant-evaluation.js';
import { allTuples } from '../representation/domains.js';
import type { FieldShape } from '../representation/cases.js';
import { EnumerationShape } from '../representation/enumeration.js';
import { RecordShape } from '../representation/record.js';
import { TUPLE_LIMIT, RECORD_LIMIT, type Shape } from '../representation/shape.js';
import { holdsNumber, reportReferenceIn } from './one-cell.js';

/** The most combinations of fields from which the `where` of a record selects. */
const CANDIDATE_LIMIT = 4 * TUPLE_LIMIT;

export interface RecordContext {
    readonly shapeOf: (type: ast.Type) => Shape | undefined;
    readonly evaluator: ConstantEvaluator;
    readonly problems: ProblemCollector;
}

/** Undefined after a problem, here or in the type of a field. */
export function recordShapeOf(declaration: ast.RecordDeclaration, context: RecordContext): RecordShape | undefined {
    const fields = fieldShapesOf(declaration, context);
    const shape = fields && new RecordShape(declaration, fields);
    if (shape === undefined || !isSmall(shape, 'a record', declaration, context)) {
        return undefined;
    }
    return declaration.where === undefined ? shape : filtered(shape, declaration.where, context);
}

/** Undefined after a problem, here or in the type of a field. Fields of one name have one type. */
export function enumerationShapeOf(declaration: ast.Enumeration, context: RecordContext): EnumerationShape | undefined {
    const cases = declaration.values.map(value => {
        const fields = fieldShapesOf(value, context);
        return fields && new RecordShape(value, fields);
    });
    const known = cases.filter(each => each !== undefined);
    const areAlike = known.map((own, position) => areFieldsAlike(own, known.slice(0, position), context));
    const shape = new EnumerationShape(declaration, known);
    return known.length === cases.length && areAlike.every(Boolean) && isSmall(shape, 'a value', declaration, context)
        ? shape
        : undefined;
}

/** Whether the fields of a case have the types that those of other cases with the same names have. */
function areFieldsAlike(own: RecordShape, others: readonly RecordShape[], { problems }: RecordContext): boolean {
    const fields = others.flatMap(other => other.fields.map(field => ({ ...field, owner: other.name })));
    const differing = own.fields.filter(({ name, shape }, position) => {
        const other = fields.find(field => field.name === name);
        const declared = own.declaration.fields[position];
        if (other === undefined || declared === undefined || other.shape.isSame(shape)) {
            return false;
        }
        const message =
            `the field \`${name}\` of \`${own.name}\` has the type ${shape.describe()}, ` +
            `that of \`${other.owner}\` ${other.shape.describe()}; fields of one name have one type`;
        problems.error('case/field-types', message, nameRangeOf(declared));
        return true;
    });
    return differing.length === 0;
}

function fieldShapesOf({ fields: declared }: Constructor, { shapeOf }: RecordContext): FieldShape[] | undefined {
    const fields = declared.flatMap(({ name, type }): readonly FieldShape[] => {
        const shape = shapeOf(type);
        return shape === undefined ? [] : [{ name, shape }];
    });
    return fields.length < declared.length ? undefined : fields;
}

function isSmall(
    shape: Shape,
    what: string,
    declaration: ast.RecordDeclaration | ast.Enumeration,
    { problems }: RecordContext,
): boolean {
    const scalars = shape.scalarCount();
    if (scalars > RECORD_LIMIT) {
        const message = `${what} of ${formatCount(scalars)} parts is too large`;
        problems.tooLarge(message, RECORD_LIMIT, nameRangeOf(declaration));
    }
    return scalars <= RECORD_LIMIT;
}

/** The shape of a record with a `where`, which has the list of its values. */
function filtered(
    shape: RecordShape,
    where: ast.Expression,
    { evaluator, problems }: RecordContext,
): RecordShape | undefined {
    const range = nameRangeOf(shape.declaration);
    const refuse = (count: number, limit: number): undefined => {
        problems.tooLarge(`a record with a \`where\` that has ${formatCount(count)} values is too large`, limit, range);
    };
    if (shape.holdsReference()) {
        reportReferenceIn(shape, 'has no `where`', range, problems);
        return undefined;
    }
    if (holdsNumber(shape)) {
        const message = 'a record with a `where` is one value of a list, and a number without end is in no list';
        problems.error('number/place', message, range);
        return undefined;
    }
    const parts = shape.cellFields();
    if ('problem' in parts) {
        const message = 'a record with a `where` is one value; its fields are too large for that';
        problems.error('type/too-large', message, range);
        return undefined;
    }
    const domains = parts.map(part => part.domain);
    const count = sizeOfArray(domains);
    if (count > CANDIDATE_LIMIT) {
        return refuse(count, CANDIDATE_LIMIT);
    }
    const candidates = allTuples(domains);
    const included = evaluator.evaluateForAll(
        where,
        candidates.map(tuple => {
            const values = shape.fieldValues(tuple);
            return new Map(shape.declaration.fields.map((field, index) => [field, values[index] ?? 0]));
        }),
    );
    if (included === undefined) {
        return undefined;
    }
    const tuples = candidates.filter((_, index) => included[index] !== 0);
    if (tuples.length > TUPLE_LIMIT) {
        return refuse(tuples.length, TUPLE_LIMIT);
    }
    return new RecordShape(shape.declaration, shape.fields, {
        kind: 'record',
        name: shape.name,
        fields: parts,
        tuples,
        format: shape.cellFormat(),
    });
}
