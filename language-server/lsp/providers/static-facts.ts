/**
 * Shapes and constant values of names, from the text and the values of parameters, on demand and once for each build.
 * A text with syntax errors or unknown names has no facts; a type with another error is only unknown.
 */
import { AstUtils, type AstNode } from 'langium';
import { remembered } from '../../../engine/common/list-map.js';
import * as ast from '../../generated/ast.js';
import { valuesInForce } from '../../parsing/chosen-parameters.js';
import { declarationsOf, modelsOf } from '../../../language/references/imports.js';
import { hasCases } from '../../../language/references/constructors.js';
import { ScalarShape } from '../../../language/representation/cell.js';
import type { Shape } from '../../../language/representation/shape.js';
import { Constants } from '../../../language/typing/constants.js';
import { TypeInference } from '../../../language/typing/type-inference.js';
import { ProblemCollector } from '../../../language/problems/problem-collector.js';
import type { NamedDeclaration } from './declarations.js';

export interface StaticFacts {
    readonly constants: Constants;
    readonly inference: TypeInference;
}

/** By model. A change of one text may change the meaning of its importers. */
let factsOfModel = new WeakMap<ast.Model, StaticFacts>();

/** Call whenever a text has changed. */
export function forgetFacts(): void {
    factsOfModel = new WeakMap();
}

/** The facts of the text that a node belongs to. */
export function factsOf(node: AstNode): StaticFacts | undefined {
    const { parseResult } = AstUtils.getDocument(node);
    const model = parseResult.value;
    if (!ast.isModel(model) || !modelsOf(model).every(isComplete)) {
        return undefined;
    }
    return remembered(factsOfModel, model, () => {
        const ignored = new ProblemCollector();
        const constants = new Constants(declarationsOf(model), valuesInForce(model), ignored);
        return { constants, inference: new TypeInference(constants, ignored) };
    });
}

function isComplete(model: ast.Model): boolean {
    const { parseResult, references } = AstUtils.getDocument(model);
    return (
        parseResult.parserErrors.length === 0 &&
        parseResult.lexerErrors.length === 0 &&
        references.every(({ error }) => error === undefined)
    );
}

/** The shape of the values of a name. */
export function shapeOf(node: NamedDeclaration, { constants, inference }: StaticFacts): Shape | undefined {
    switch (node.$type) {
        case 'Variable':
        case 'FunctionParameter':
        case 'ProcedureParameter':
        case 'ProcessParameter':
        case 'RecordField':
        case 'TypeDeclaration':
            return constants.shapeOf(node.type);
        case 'FunctionDeclaration':
            return constants.shapeOf(node.result);
        case 'Parameter':
            return constants.shapeOfParameter(node);
        case 'Constant':
            return node.type === undefined ? undefined : constants.shapeOf(node.type);
        case 'ProcessIndex':
        case 'BinderVariable':
            return constants.shapeOfBinder(node);
        case 'RecordDeclaration':
            return constants.shapeOfRecord(node);
        case 'Enumeration':
            return hasCases(node) ? constants.shapeOfCases(node) : new ScalarShape(constants.domainOfEnumeration(node));
        case 'Let':
            return inference.shapeOf(node.value);
        default:
            return undefined;
    }
}

/** The value that a parameter has by default, or a constant always, as the text would write it. */
export function valueTextOf(node: NamedDeclaration, facts: StaticFacts): string | undefined {
    if (!ast.isParameter(node) && !ast.isConstant(node)) {
        return undefined;
    }
    const value = facts.constants.valueOf(node);
    if (value === undefined) {
        return undefined;
    }
    const shape = shapeOf(node, facts) ?? (node.value && facts.inference.shapeOf(node.value));
    return shape?.formatValue(value);
}
