/** The shapes of records, from the shapes of their fields: with a `where` the record is one value of a list. */
import { sizeOfArray } from '../../engine/sequential/cell-layout.js';
import type * as ast from '../generated/nodes.js';
import { formatCount } from '../problems/describe.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { nameRangeOf } from '../tree/source-text.js';
import type { ConstantEvaluator } from './constant-evaluation.js';
import { allTuples } from '../representation/domains.js';
import { RecordShape, type FieldShape } from '../representation/record.js';
import { TUPLE_LIMIT, RECORD_LIMIT, type Shape } from '../representation/shape.js';
import { reportReferenceIn } from './one-cell.js';

/** The most combinations of fields from which the `where` of a record selects. */
const CANDIDATE_LIMIT = 4 * TUPLE_LIMIT;

interface RecordContext {
    readonly shapeOf: (type: ast.Type) => Shape | undefined;
    readonly evaluator: ConstantEvaluator;
    readonly problems: ProblemCollector;
}

/** Undefined after a problem, here or in the type of a field. */
export function recordShapeOf(declaration: ast.RecordDeclaration, context: RecordContext): RecordShape | undefined {
    const { problems } = context;
    const fields = declaration.fields.flatMap(({ name, type }): readonly FieldShape[] => {
        const shape = context.shapeOf(type);
        return shape === undefined ? [] : [{ name, shape }];
    });
    if (fields.length < declaration.fields.length) {
        return undefined;
    }
    const shape = new RecordShape(declaration, fields);
    const scalars = shape.scalarCount();
    if (scalars > RECORD_LIMIT) {
        const what = `a record of ${formatCount(scalars)} parts is too large`;
        problems.tooLarge(what, RECORD_LIMIT, nameRangeOf(declaration));
        return undefined;
    }
    return declaration.where === undefined ? shape : filtered(shape, declaration.where, context);
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
    });
}
