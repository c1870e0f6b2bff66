/**
 * A model of a family with its text: a part of the model may be a fault if that part of the text may be one from which it
 * is lowered (faults.ts). The two have the same range; what has no text may have every fault.
 */
import { appendTo } from '../engine/common/list-map.js';
import { keyOfRange } from '../engine/common/source-range.js';
import type { Expression } from '../engine/model/expression.js';
import type { Model, Statement } from '../engine/model/model.js';
import * as ast from '../language/generated/nodes.js';
import type { Family } from '../language/instantiate.js';
import { declarationsOf } from '../language/references/imports.js';
import { nodesOf } from '../language/tree/descendants.js';
import { rangeOf } from '../language/tree/source-text.js';
import { BEFORE_LABEL, FaultAnalysis, NO_FAULT, type FaultKinds } from './faults.js';
import { constantsOfFamily } from './linear-bounds.js';

export class LoweredText {
    readonly model: Model;
    readonly #faults: FaultAnalysis;
    readonly #expressions = new Map<string, ast.Expression[]>();
    readonly #statements = new Map<string, (ast.Statement | ast.Step)[]>();

    /** O(size of the text) */
    constructor(family: Family, model: Model) {
        this.model = model;
        this.#faults = new FaultAnalysis(constantsOfFamily(family));
        for (const node of declarationsOf(family.root).flatMap(nodesOf)) {
            if (ast.isExpression(node)) {
                appendTo(this.#expressions, keyOfRange(rangeOf(node)), node);
            } else if (ast.isStatement(node) || ast.isStep(node)) {
                appendTo(this.#statements, keyOfRange(rangeOf(node)), node);
            }
        }
    }

    /** What stands before a label that `at` asks for does not count. */
    mayFault({ kind, range }: Expression): boolean {
        const nodes = this.#expressions.get(keyOfRange(range)) ?? [];
        return kind !== 'constant' && isFaulty(nodes.map(node => this.#faults.of(node, undefined)));
    }

    statementMayFault({ range }: Statement): boolean {
        const nodes = this.#statements.get(keyOfRange(range)) ?? [];
        return isFaulty(nodes.map(node => this.#faults.ofStatement(node)));
    }
}

function isFaulty(all: readonly FaultKinds[]): boolean {
    return all.length === 0 || all.some(kinds => (kinds & ~BEFORE_LABEL) !== NO_FAULT);
}
