/** Names of cases, tests for a case, and fields that only some cases have. */
import type { Fix } from '../../engine/common/problem.js';
import * as ast from '../generated/nodes.js';
import { instead } from '../problems/remedy.js';
import { nearestName } from '../problems/near-match.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { hasCases } from '../references/constructors.js';
import { EnumerationShape } from '../representation/enumeration.js';
import type { RecordShape } from '../representation/record.js';
import type { Type } from '../representation/shape.js';
import { describeType, typeOfDomain, UNKNOWN } from '../representation/type.js';
import { nodesOf } from '../tree/descendants.js';
import { rangeOf, rangeOfProperty, textOf } from '../tree/source-text.js';
import type { ExpressionChecks } from './expression-checks.js';
import { caseNamedBy, casesBefore } from './possible-cases.js';

/** The type of a case without fields. */
export function inferCaseName(
    reference: ast.Reference,
    named: ast.EnumerationValue,
    { constants, problems }: ExpressionChecks,
): Type {
    const { $container: declaration, fields } = named;
    if (!hasCases(declaration)) {
        return typeOfDomain(constants.domainOfEnumeration(declaration));
    }
    if (fields.length > 0) {
        const names = fields.map(({ name }) => name).join(', ');
        const message = `\`${named.name}\` needs its fields, \`${named.name}(${names})\`; whether a value has this case is \`… is ${named.name}\``;
        problems.error('type/argument-count', message, rangeOf(reference));
        return UNKNOWN;
    }
    return constants.shapeOfCases(declaration)?.type ?? UNKNOWN;
}

/** Checks `value is name`. */
export function checkIsCase({ left, right }: ast.BinaryExpression, checks: ExpressionChecks): void {
    const { problems } = checks;
    const type = checks.typeOf(left);
    const base = type.kind === 'optional' ? type.base : type;
    const names = namesOfCases(base);
    const named = caseNamedBy(right);
    if (base.kind === 'unknown' || (ast.isReference(right) && right.target.ref === undefined)) {
        return;
    }
    if (names === undefined) {
        const message = `\`is\` asks for the case of a value of an \`enum\`, but this is ${describeType(type)}`;
        problems.error('type/mismatch', message, rangeOf(left));
        return;
    }
    const isOwn = named !== undefined && ast.isReference(right) && right.indices.length === 0 && names.has(named);
    if (!isOwn) {
        const text = textOf(right) ?? '';
        const nearest = nearestName(text, names.all);
        const what = `${describeType(base)} has no case \`${text}\``;
        const hint = nearest === undefined ? undefined : instead(`; did you mean \`${nearest}\`?`, nearest);
        problems.advise('case/missing', { ...hint, text: `${what}${hint?.text ?? ''}` }, rangeOf(right));
    }
}

/** The names of the cases of a type, and whether a name is one of them; undefined if it is no enumeration. */
function namesOfCases(
    type: Type,
): { readonly all: readonly string[]; readonly has: (named: ast.EnumerationValue) => boolean } | undefined {
    if (type.kind === 'named' && type.shape instanceof EnumerationShape) {
        const { declaration } = type.shape;
        return { all: declaration.values.map(({ name }) => name), has: named => named.$container === declaration };
    }
    if (type.kind !== 'enumeration' || type.domain.template !== undefined) {
        return undefined;
    }
    const { name, values } = type.domain;
    return { all: values, has: named => named.$container.name === name };
}

/** Reports a field that no case has which the value may have where it is read. */
export function checkFieldOfCases(
    access: ast.FieldAccess,
    field: ast.RecordField,
    owner: RecordShape | EnumerationShape,
    problems: ProblemCollector,
): void {
    if (!(owner instanceof EnumerationShape)) {
        return;
    }
    const possible = [...casesBefore(access)];
    const without = possible.filter(each => !hasField(each, field));
    if (without.length === 0) {
        return;
    }
    const why = whyNoField(without, field, owner.declaration);
    const range = rangeOfProperty(access, 'field');
    const quantifier = quantifierOver(access);
    if (without.length === possible.length) {
        problems.error('case/no-field', why, range);
    } else if (quantifier !== undefined) {
        const having = possible.filter(each => !without.includes(each));
        const test = `where ${having.map(({ name }) => `${textOf(access.record)} is ${name}`).join(' || ')}`;
        const message = `${why}; which member is the first without it depends on their order, and costs their symmetry: \`${test}\``;
        problems.information('case/order', message, range, [], fixBeforeBody(quantifier, test));
    }
}

/** The `forall` or `exists` of a variable that the value before a field depends on. */
function quantifierOver({ record }: ast.FieldAccess): ast.Quantifier | undefined {
    const named = nodesOf(record).map(node => (ast.isReference(node) ? node.target.ref : undefined));
    const binders = named.filter(ast.isBinderVariable).map(variable => variable.$container.$container);
    return binders
        .filter(ast.isQuantifier)
        .find(({ quantifier }) => quantifier === 'forall' || quantifier === 'exists');
}

function fixBeforeBody({ groups, where }: ast.Quantifier, test: string): Fix | undefined {
    const last = groups.at(-1);
    if (where !== undefined || last === undefined) {
        return undefined;
    }
    const range = rangeOf(last);
    return { title: `Insert \`${test}\``, edits: [{ range: { ...range, start: range.end }, newText: ` ${test}` }] };
}

/** `` `ask` has no field `value`; `proposal` and `vote` have ``. */
export function whyNoField(
    without: readonly ast.EnumerationValue[],
    field: ast.RecordField,
    { values }: ast.Enumeration,
): string {
    const having = values.filter(each => hasField(each, field));
    const has = (count: number): string => (count === 1 ? 'has' : 'have');
    const others = `${list(having)} ${has(having.length)}`;
    return `${list(without)} ${has(without.length)} no field \`${field.name}\`; ${others}`;
}

export function hasField({ fields }: ast.EnumerationValue, { name }: ast.RecordField): boolean {
    return fields.some(field => field.name === name);
}

function list(cases: readonly ast.EnumerationValue[]): string {
    const names = cases.map(({ name }) => `\`${name}\``);
    const last = names.pop() ?? '';
    return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}
