/**
 * From the syntax tree to the engine's model. In: a document that was checked without an error. Out: plain data, in
 * which parameters and constants are values and a process's constants are replaced by what they name.
 */
import type { LangiumDocument } from 'langium';
import { invariant } from '../../engine/common/assert.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import type { Domain } from '../../engine/model/domain.js';
import type { Binder } from '../../engine/model/expression.js';
import type {
    EventDeclaration,
    Initializer,
    Invariant,
    Model,
    NamedType,
    Parameter,
    Process,
    Variable,
} from '../../engine/model/model.js';
import * as ast from '../generated/ast.js';
import { documentationOf } from '../references/documentation-provider.js';
import { localsOf } from '../references/locals.js';
import { nameRangeOf, rangeOf, rangeOfProperty } from '../source-range.js';
import type { CheckedModel } from '../validation/validator.js';
import { LoweringContext } from './context.js';
import { lowerExpression } from './lower-expression.js';
import { lowerBlock } from './lower-control.js';

/** The model that a checked document states. */
export function lowerModel(document: LangiumDocument, { model, constants }: CheckedModel): Model {
    const context = new LoweringContext(model, constants);
    const [header] = model.headers;
    const { declarations } = model;
    return {
        name: header?.name ?? nameFromUri(document.uri.path),
        documentation: header === undefined ? '' : documentationOf(header),
        parameters: declarations.filter(ast.isParameter).map(parameter => lowerParameter(parameter, context)),
        types: declarations.flatMap(declaration => lowerType(declaration, context)),
        variables: declarations.filter(ast.isVariable).map(variable => lowerVariable(variable, context)),
        events: declarations.filter(ast.isEventDeclaration).map(event => lowerEvent(event, context)),
        processes: declarations.filter(ast.isProcess).map(process => lowerProcess(process, context)),
        invariants: declarations.filter(ast.isInvariant).map(stated => lowerInvariant(stated, context)),
        allowsDeadlock: declarations.some(ast.isDeadlockAllowance),
        nameRange: header === undefined ? wholeText(document) : nameRangeOf(header),
    };
}

function lowerParameter(parameter: ast.Parameter, context: LoweringContext): Parameter {
    const value = context.constants.valueOf(parameter);
    const domain = context.constants.scalarOf(parameter.type);
    invariant(value !== undefined && domain !== undefined, 'a checked parameter has a value');
    return { name: parameter.name, value, domain, nameRange: nameRangeOf(parameter) };
}

/** Array types are no domains; only their use is visible. */
function lowerType(declaration: ast.Declaration, context: LoweringContext): NamedType[] {
    if (ast.isEnumeration(declaration)) {
        const domain = context.constants.domainOfEnumeration(declaration);
        return [{ name: declaration.name, domain, nameRange: nameRangeOf(declaration) }];
    }
    if (!ast.isTypeDeclaration(declaration)) {
        return [];
    }
    const shape = context.constants.shapeOf(declaration.type);
    return shape === undefined || shape.indices.length > 0
        ? []
        : [
              {
                  name: declaration.name,
                  domain: withName(shape.element, declaration.name),
                  nameRange: nameRangeOf(declaration),
              },
          ];
}

function withName(domain: Domain, name: string): Domain {
    return domain.kind === 'enumeration' ? domain : { ...domain, name };
}

function lowerVariable(variable: ast.Variable, context: LoweringContext): Variable {
    const shape = context.constants.shapeOf(variable.type);
    invariant(shape !== undefined, 'a checked variable has a type');
    return {
        name: variable.name,
        documentation: documentationOf(variable),
        element: shape.element,
        indices: shape.indices,
        initializer: lowerInitializer(variable, context),
        range: rangeOf(variable),
        nameRange: nameRangeOf(variable),
    };
}

function lowerInitializer(variable: ast.Variable, context: LoweringContext): Initializer {
    if (variable.any) {
        return { kind: 'any', range: rangeOfProperty(variable, 'any') };
    }
    return variable.initializer === undefined
        ? { kind: 'default' }
        : { kind: 'value', expression: lowerExpression(variable.initializer, context) };
}

function lowerEvent(event: ast.EventDeclaration, context: LoweringContext): EventDeclaration {
    const domains = context.constants.argumentsOf(event).filter(domain => domain !== undefined);
    invariant(domains.length === event.arguments.length, 'the arguments of a checked event have types');
    return { name: event.name, arguments: domains, nameRange: nameRangeOf(event) };
}

function lowerProcess(process: ast.Process, context: LoweringContext): Process {
    const indices: Binder[] = process.indices.map(index => context.binderOf(index));
    return {
        name: process.name,
        documentation: documentationOf(process),
        indices,
        ...(process.where === undefined ? {} : { where: lowerExpression(process.where, context) }),
        locals: localsOf(process).map(local => lowerVariable(local, context)),
        body: lowerBlock(process.body, context),
        range: rangeOf(process),
        nameRange: nameRangeOf(process),
    };
}

function lowerInvariant(stated: ast.Invariant, context: LoweringContext): Invariant {
    return {
        name: stated.name,
        expression: lowerExpression(stated.expression, context),
        documentation: documentationOf(stated),
        range: rangeOf(stated),
        nameRange: nameRangeOf(stated),
    };
}

/** A model without a name is called after its file. */
function nameFromUri(path: string): string {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return file.replace(/\.orbit$/, '') || 'model';
}

function wholeText(document: LangiumDocument): SourceRange {
    const { textDocument } = document;
    return {
        uri: document.uri.toString(),
        start: { line: 0, character: 0 },
        end: textDocument.positionAt(textDocument.getText().length),
    };
}
