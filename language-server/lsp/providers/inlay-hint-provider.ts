/** Inlay hints: values of parameters and constants, and sizes of types. Each kind has a setting, off by default. */
import { AstUtils, GrammarUtils, type AstNode, type CstNode, type LangiumDocument } from 'langium';
import type { InlayHintProvider } from 'langium/lsp';
import { InlayHintKind, type InlayHint, type InlayHintParams, type Range } from 'vscode-languageserver';
import * as ast from '../../generated/ast.js';
import { initialValueOf, isNamedDeclaration, typeOf } from './declarations.js';
import type { OrbitServices } from '../services.js';
import type { OrbitSettings } from '../../../engine/options.js';
import { factsOf, shapeOf, valueTextOf, type StaticFacts } from './static-facts.js';

/** A longer hint would move the text too far. */
const LONGEST_HINT = 40;

export class OrbitInlayHintProvider implements InlayHintProvider {
    private readonly services: OrbitServices;

    constructor(services: OrbitServices) {
        this.services = services;
    }

    getInlayHints(document: LangiumDocument, { range }: InlayHintParams): InlayHint[] {
        const settings = this.services.shared.analysis.Settings.current;
        const facts = factsOf(document.parseResult.value);
        if (facts === undefined) {
            return [];
        }
        return AstUtils.streamAst(document.parseResult.value, { range })
            .flatMap(node => hintsOf(node, facts, settings))
            .filter(hint => isInside(hint, range))
            .toArray();
    }
}

function hintsOf(node: AstNode, facts: StaticFacts, settings: OrbitSettings): InlayHint[] {
    return [
        ...(settings.inlayParameterValues ? parameterValue(node, facts) : []),
        ...(settings.inlayConstants ? constantValue(node, facts) : []),
        ...(settings.inlayDomainSizes ? domainSizeOf(node, facts) : []),
    ];
}

/** `N` in an expression becomes `N = 5`. */
function parameterValue(node: AstNode, facts: StaticFacts): InlayHint[] {
    const target = ast.isReference(node) && node.indices.length === 0 ? node.target.ref : undefined;
    return ast.isParameter(target) ? hintBehind(node.$cstNode, ` = ${valueTextOf(target, facts) ?? ''}`, 3) : [];
}

/** `const half = N div 2` becomes `const half = N div 2 = 2`; a value that stands there already is not repeated. */
function constantValue(node: AstNode, facts: StaticFacts): InlayHint[] {
    if (!ast.isConstant(node) || !ast.isModel(node.$container)) {
        return [];
    }
    const written = initialValueOf(node)?.$cstNode;
    const value = valueTextOf(node, facts) ?? '';
    return written?.text === value ? [] : hintBehind(written, ` = ${value}`, 3);
}

/** `var turn: Proc` becomes `var turn: Proc (3 values)`. */
function domainSizeOf(node: AstNode, facts: StaticFacts): InlayHint[] {
    const isShown = ast.isVariable(node) || ast.isTypeDeclaration(node) || ast.isProcessIndex(node);
    if (!isShown || !isNamedDeclaration(node)) {
        return [];
    }
    const shape = shapeOf(node, facts);
    const size = shape === undefined ? '' : shape.describeValues().replace(/:.*/, '');
    const cst = GrammarUtils.findNodeForProperty(node.$cstNode, 'type') ?? typeOf(node)?.$cstNode;
    return hintBehind(cst, ` ${size}`, 1);
}

/** A label of at most `shortest` characters has no value in it, and gives no hint. */
function hintBehind(cst: CstNode | undefined, label: string, shortest: number): InlayHint[] {
    if (cst === undefined || label.length <= shortest) {
        return [];
    }
    const text = label.length > LONGEST_HINT ? `${label.slice(0, LONGEST_HINT)}…` : label;
    return [{ position: cst.range.end, label: text, kind: InlayHintKind.Type, paddingLeft: false }];
}

function isInside({ position }: InlayHint, { start, end }: Range): boolean {
    return start.line <= position.line && position.line <= end.line;
}
