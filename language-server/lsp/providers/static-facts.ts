/**
 * Shapes and constant values of names, from the text and the values of parameters, on demand and once for each build.
 * A text with syntax errors or unknown names has no facts; a type with another error is only unknown.
 */
import { AstUtils, type AstNode } from 'langium';
import { remembered } from '../../../engine/common/list-map.js';
import { unreachable } from '../../../engine/common/assert.js';
import {
    domainSize,
    formatDomain,
    formatValue,
    valueOfCode,
    type Domain,
    templateOf,
} from '../../../engine/model/domain.js';
import * as ast from '../../generated/ast.js';
import { valuesInForce } from '../../parsing/chosen-parameters.js';
import { declarationsOf, modelsOf } from '../../../language/references/imports.js';
import { formatConstant } from '../../../language/representation/constant-value.js';
import { Constants } from '../../../language/typing/constants.js';
import { cellCount, isOverTemplate, scalarCount, type Shape } from '../../../language/representation/shape.js';
import { TypeInference } from '../../../language/typing/type-inference.js';
import { ProblemCollector } from '../../../language/problems/problem-collector.js';
import type { NamedDeclaration } from './declarations.js';
import { formatNumberOf } from '../../../engine/describe/words.js';

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
            return { kind: 'scalar', domain: constants.domainOfEnumeration(node) };
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
    return shape && formatConstant(shape, value);
}

/** Small domains are listed, larger ones are described by their bounds. */
const LISTED_VALUES = 8;

/** `2 values: 0, 1`; of an array `5 cells, each 2 values: 0, 1`. */
export function describeShape(shape: Shape): string {
    switch (shape.kind) {
        case 'scalar':
        case 'channel':
            return describeDomain(shape.domain);
        case 'record':
            return shape.atomic === undefined
                ? `record of ${formatNumberOf(scalarCount(shape), 'cell')}`
                : formatNumberOf(domainSize(shape.atomic), 'value');
        case 'array':
            return isOverTemplate(shape.indices)
                ? `cells for each instance, each ${describeShape(shape.element)}`
                : `${formatNumberOf(cellCount(shape.indices), 'cell')}, each ${describeShape(shape.element)}`;
        default:
            return unreachable(shape);
    }
}

function describeDomain(domain: Domain): string {
    if (templateOf(domain) !== undefined) {
        return domain.kind === 'optional'
            ? `an instance of ${formatDomain(domain.base)}, or none`
            : `an instance of ${formatDomain(domain)}`;
    }
    const size = domainSize(domain);
    const values =
        size <= LISTED_VALUES
            ? Array.from({ length: size }, (_, code) => formatValue(domain, valueOfCode(domain, code))).join(', ')
            : formatDomain(domain);
    return `${formatNumberOf(size, 'value')}: ${values}`;
}
