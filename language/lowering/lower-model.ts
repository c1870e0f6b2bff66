/**
 * From a syntax tree without errors to the engine's model, which is plain data: parameters and constants are values,
 * names are resolved, records are split into their fields, and imports are replaced by their declarations.
 */
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { BOOLEAN, formatValue, type Domain, type Value } from '../../engine/model/domain.js';
import type { Binder } from '../../engine/model/expression.js';
import type {
    AskedValue,
    ChannelDeclaration,
    EventDeclaration,
    FunctionDeclaration,
    InitialBody,
    Invariant,
    MessageScalar,
    Model,
    NamedType,
    Parameter,
    Process,
    SymmetryAssertion,
} from '../../engine/model/model.js';
import { mapFormat, nameOfCell, sizeOfArray, valuation, withinAt } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { hasCases } from '../references/constructors.js';
import { documentationOf } from '../references/documentation.js';
import { localsOf, receivesIn } from '../references/locals.js';
import { isTypeOfNames, SELF } from '../references/templates.js';
import type { SourceText } from '../tree/node.js';
import { nameRangeOf, rangeOf, sourceOf } from '../tree/source-text.js';
import { isAskedValue, shapeOfAsked } from '../typing/asked-values.js';
import { ArrayShape } from '../representation/array.js';
import { ScalarShape } from '../representation/cell.js';
import { ChannelShape } from '../representation/channel.js';
import { SequenceShape } from '../representation/sequence.js';
import type { Leaf, Shape } from '../representation/shape.js';
import type { CheckedModel } from '../check-values.js';
import { lowerScalar, lowerValue, shapeOf, type LoweringContext } from './context.js';
import { DeclarationTable } from './declaration-table.js';
import { lowerBlock } from './lower-control.js';
import { lowerExpression } from './lower-expression.js';
import { lowerBody, lowerResult } from './lower-statement.js';
import { lowerAssumption, lowerExpectation, lowerFairness, lowerProperty, lowerStatedRun } from './lower-temporal.js';
import { initializersOfValue, lowerVariable } from './lower-variable.js';

/** The model of a text without errors. */
export function lowerModel({ model, constants }: CheckedModel): Model {
    const context: LoweringContext = {
        constants,
        table: new DeclarationTable(model, constants),
        lower: lowerExpression,
        named: new Map(),
        constantShapes: new Map(),
        elements: new Map(),
        assumedCases: new Map(),
    };
    const [header] = model.headers;
    const source = sourceOf(model);
    invariant(source !== undefined, 'the root of a tree has its text');
    const { declarations } = context.table;
    const each = <Node extends ast.Declaration, Lowered>(
        isKind: (declaration: unknown) => declaration is Node,
        lower: (node: Node, context: LoweringContext) => Lowered,
    ): Lowered[] => declarations.filter(isKind).map(node => lower(node, context));
    const parts = {
        parameters: each(ast.isParameter, lowerParameter),
        types: declarations.flatMap(declaration => lowerType(declaration, context)),
        variables: each(ast.isVariable, lowerVariable).flat(),
        channels: each(ast.isChannelDeclaration, lowerChannel),
        events: each(ast.isEventDeclaration, lowerEvent),
        functions: each(ast.isFunctionDeclaration, lowerFunction),
        initialBodies: each(ast.isInitialBody, lowerInitialBody),
        initialConditions: each(ast.isInitialCondition, ({ expression }) => lowerScalar(expression, context)),
        constraints: each(ast.isConstraint, ({ expression }) => lowerScalar(expression, context)),
        processes: [...each(ast.isProcess, lowerProcess), ...each(isTypeOfNames, lowerTypeOfNames)],
        invariants: each(ast.isInvariant, lowerInvariant),
        properties: each(ast.isProperty, lowerProperty),
        assumptions: each(ast.isAssumption, lowerAssumption),
        runs: each(isRunToFind, lowerStatedRun),
        expectations: each(ast.isExpectation, lowerExpectation),
        symmetryAssertions: each(ast.isSymmetryAssertion, lowerAssertion),
    };
    const asked = declarations.flatMap(declaration => lowerAskedValue(declaration, context) ?? []);
    return {
        name: header?.name ?? nameFromPath(source.path),
        documentation: header === undefined ? '' : documentationOf(header),
        ...parts,
        ...(asked.length > 0 && { asked }),
        // Complete only after all parts are lowered.
        channelTypes: context.table.channelTypes,
        assertionTexts: context.table.assertionTexts,
        allowsDeadlock: declarations.some(ast.isDeadlockAllowance),
        nameRange: header === undefined ? wholeRange(source) : nameRangeOf(header),
    };
}

function isRunToFind(declaration: unknown): declaration is ast.StatedRun {
    return ast.isStatedRun(declaration) && !isAskedValue(declaration);
}

/** Undefined for other declarations. */
function lowerAskedValue(declaration: ast.Declaration, context: LoweringContext): AskedValue | undefined {
    const declared = ast.isStatedRun(declaration) ? shapeOfAsked(declaration) : undefined;
    const part = ast.isStatedRun(declaration) ? declaration.parts[0] : undefined;
    if (declared === undefined || part === undefined) {
        return undefined;
    }
    const given = lowerValue(part, context);
    // Of a channel its messages.
    const messages = declared instanceof ChannelShape ? declared.contents(given.toScalar()) : undefined;
    const [shape, value] = messages === undefined ? [declared, given] : [messages.shape(), messages];
    const leaves = shape.leaves();
    const scalars = shape.scalarsOf(shape.valueAs(value));
    const starts = scalars.map((_, leaf) => scalars.slice(0, leaf).flat().length);
    return {
        format: shape.valueFormat((leaf, row) => (starts[leaf] ?? 0) + row),
        scalars: scalars.flatMap((rows, leaf) => {
            const { element: domain = BOOLEAN } = leaves[leaf] ?? {};
            return rows.map(expression => ({ expression, domain }));
        }),
    };
}

function lowerParameter(parameter: ast.Parameter, { constants }: LoweringContext): Parameter {
    const value = constants.valueOf(parameter);
    const shape = constants.shapeOfParameter(parameter);
    invariant(value !== undefined && shape !== undefined, 'a checked parameter has a value');
    return {
        name: parameter.name,
        value: shape.plainValue(value),
        text: shape.formatValue(value),
        nameRange: nameRangeOf(parameter),
    };
}

/** Types of arrays, of split records and of cases with fields are no domains, so the model does not contain them. */
function lowerType(declaration: ast.Declaration, { constants }: LoweringContext): NamedType[] {
    if (ast.isEnumeration(declaration) && !hasCases(declaration)) {
        return [namedType(declaration, constants.domainOfEnumeration(declaration))];
    }
    if (ast.isRecordDeclaration(declaration)) {
        const domain = constants.shapeOfRecord(declaration)?.atomic;
        const { where } = declaration;
        return domain === undefined
            ? []
            : [{ ...namedType(declaration, domain), ...(where === undefined ? {} : { whereRange: rangeOf(where) }) }];
    }
    const shape = ast.isTypeDeclaration(declaration) ? constants.shapeOf(declaration.type) : undefined;
    return ast.isTypeDeclaration(declaration) && shape instanceof ScalarShape
        ? [namedType(declaration, shape.domain)]
        : [];
}

function namedType(
    declaration: ast.Enumeration | ast.RecordDeclaration | ast.TypeDeclaration,
    domain: Domain,
): NamedType {
    const { name } = declaration;
    const isNamed = domain.kind === 'enumeration' || domain.kind === 'record';
    return { name, domain: isNamed ? domain : { ...domain, name }, nameRange: nameRangeOf(declaration) };
}

function lowerChannel(channel: ast.ChannelDeclaration, context: LoweringContext): ChannelDeclaration {
    const capacity = context.constants.capacityOf(channel);
    const indices = context.constants.indicesOf(channel).filter(domain => domain !== undefined);
    invariant(
        capacity !== undefined && indices.length === channel.indices.length,
        'a checked channel has a capacity and types of its indices',
    );
    const message = shapeOf(channel.message, context);
    const { initializer } = channel;
    const contents = new SequenceShape(capacity, message);
    const shape = indices.length === 0 ? contents : new ArrayShape(indices, contents);
    let next = 0;
    return {
        name: channel.name,
        documentation: documentationOf(channel),
        indices,
        capacity,
        message: messageScalars(message),
        leaves: message.leaves().map(({ segments, element, indices: own }) => {
            const first = next;
            next += sizeOfArray(own);
            return { first, element, indices: own, segments };
        }),
        initializers: initializer === undefined ? [] : initializersOfValue(initializer, shape, context),
        range: rangeOf(channel),
        nameRange: nameRangeOf(channel),
    };
}

/** One scalar for each element of each leaf: `.data[1]` for one of the field `data`. */
function messageScalars(message: Shape): MessageScalar[] {
    const leaves = message.leaves();
    const sizes = leaves.map(({ indices }) => sizeOfArray(indices));
    let next = 0;
    const firsts = sizes.map(size => {
        next += size;
        return next - size;
    });
    return leaves.flatMap(({ segments, indices, element, within, format }, leaf) =>
        Array.from({ length: sizeOfArray(indices) }, (_, row): MessageScalar => {
            /** The first scalar of another leaf for the same value. */
            const scalarOf = (other: number): number =>
                (firsts[other] ?? 0) + Math.floor((row * (sizes[other] ?? 0)) / sizeOfArray(indices));
            const values = valuation(indices, row);
            return {
                ...nameInMessage(segments, indices, values),
                segments,
                indices,
                values,
                domain: element,
                ...(within && {
                    within: withinAt(within, scalarOf(leaf - within.before), values, {
                        indices: leaves[leaf - within.before]?.indices ?? [],
                    }),
                }),
                ...(format && { format: mapFormat(format, ({ behind, row: part }) => scalarOf(leaf + behind) + part) }),
            };
        }),
    );
}

/** What follows the name of the message, and of a value in a set or a bag this value. */
function nameInMessage(
    segments: Leaf['segments'],
    indices: readonly Domain[],
    values: readonly Value[],
): Pick<MessageScalar, 'suffix' | 'member'> {
    const [domain, own] = [indices.at(-1), values.at(-1)];
    const of = segments.at(-1)?.member;
    if (of === undefined || domain === undefined || own === undefined) {
        const named = segments.filter(segment => segment.isLength !== true);
        return { suffix: nameOfCell(named, indices, values) };
    }
    const suffix = nameOfCell(segments.slice(0, -1), indices.slice(0, -1), values.slice(0, -1));
    return { suffix, member: { of, element: formatValue(domain, own) } };
}

function lowerFunction(declared: ast.FunctionDeclaration, context: LoweringContext): FunctionDeclaration {
    const result = shapeOf(declared.result, context);
    const parameters = declared.parameters.flatMap(parameter => {
        return context.table.declareTemporaries(parameter, shapeOf(parameter.type, context)).temporaries;
    });
    const { value, body } = declared;
    return {
        name: declared.name,
        documentation: documentationOf(declared),
        parameters,
        results: result.leaves().map(({ element, indices }) => ({ element, indices })),
        body:
            value !== undefined
                ? [{ kind: 'return', values: lowerResult(value, declared, context), range: rangeOf(value) }]
                : body !== undefined
                  ? lowerBody(body, context)
                  : [],
        range: rangeOf(declared),
        nameRange: nameRangeOf(declared),
    };
}

function lowerInitialBody(initial: ast.InitialBody, context: LoweringContext): InitialBody {
    const { name, indices, where, body } = initial;
    return {
        name,
        indices: indices.map(index => context.table.binderOf(index)),
        ...(where === undefined ? {} : { where: lowerScalar(where, context) }),
        body: lowerBody(body, context),
        range: rangeOf(initial),
        nameRange: nameRangeOf(initial),
    };
}

function lowerEvent(event: ast.EventDeclaration, context: LoweringContext): EventDeclaration {
    const domains = context.constants.argumentsOf(event).filter(domain => domain !== undefined);
    invariant(domains.length === event.arguments.length, 'the arguments of a checked event have types');
    return { name: event.name, arguments: domains, ...lowerFairness(event), nameRange: nameRangeOf(event) };
}

function lowerProcess(process: ast.Process, context: LoweringContext): Process {
    const indices: Binder[] = process.isTemplate
        ? [context.table.selfOf(process)]
        : process.indices.map(index => context.table.binderOf(index));
    const parameters = process.parameters.flatMap(({ type }) => shapeOf(type, context).leaves()).length;
    return {
        name: process.name,
        documentation: documentationOf(process),
        indices,
        ...(process.where === undefined ? {} : { where: lowerScalar(process.where, context) }),
        ...lowerFairness(process),
        locals: [...localsOf(process), ...receivesIn(process)].flatMap(local => lowerVariable(local, context)),
        ...(process.isTemplate ? { template: { parameters } } : {}),
        body: lowerBlock(process.body, context),
        range: rangeOf(process),
        nameRange: nameRangeOf(process),
    };
}

/** A template whose instances end as they come to be: what remains of them are their names. */
function lowerTypeOfNames(declared: ast.Enumeration, { constants, table }: LoweringContext): Process {
    return {
        name: declared.name,
        documentation: documentationOf(declared),
        indices: [table.newBinder(SELF, constants.domainOfEnumeration(declared))],
        locals: [],
        template: { parameters: 0 },
        body: [],
        range: rangeOf(declared),
        nameRange: nameRangeOf(declared),
    };
}

function lowerInvariant(stated: ast.Invariant, context: LoweringContext): Invariant {
    return {
        name: stated.name,
        expression: lowerScalar(stated.expression, context),
        documentation: documentationOf(stated),
        range: rangeOf(stated),
        nameRange: nameRangeOf(stated),
    };
}

function lowerAssertion(stated: ast.SymmetryAssertion, context: LoweringContext): SymmetryAssertion {
    return { subject: assertedSubject(stated.target.ref, context), range: rangeOf(stated) };
}

function assertedSubject(target: ast.Named | undefined, context: LoweringContext): SymmetryAssertion['subject'] {
    if (ast.isProcess(target)) {
        return { kind: 'instances', process: context.table.positionOf(target) };
    }
    if (ast.isVariable(target)) {
        return { kind: 'variable-values', variable: context.table.slotOf(target).first };
    }
    const isType = ast.isTypeDeclaration(target) || ast.isEnumeration(target) || ast.isRecordDeclaration(target);
    const [type] = isType ? lowerType(target, context) : [];
    invariant(type !== undefined, 'a checked assertion is about a family, a type or a shared variable');
    return { kind: 'type-values', domain: type.domain };
}

/** A model without a name has the name of its file. */
function nameFromPath(path: string): string {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return file.replace(/\.orbit$/, '') || 'model';
}

function wholeRange({ uri, text }: SourceText): SourceRange {
    const lines = text.split(/\r\n|\r|\n/);
    return {
        uri,
        start: { line: 0, character: 0 },
        end: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
    };
}
