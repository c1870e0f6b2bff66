/** Expressions that are known before the run. */
import { AstUtils } from 'langium';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { Names } from './names.js';
import type { Expression } from './orbit-syntax.js';
import { ExpressionWriter, NOTHING_KNOWN } from './write-expression.js';

/** The expression in Orbit; undefined if a variable decides its value. */
export function writeConstant(node: Murphi.Expression, facts: Facts): Expression | undefined {
    return isConstant(node, facts)
        ? new ExpressionWriter(facts, { names: new Names(), bindings: new Map(), results: new Map() }).value(
              node,
              NOTHING_KNOWN,
          )
        : undefined;
}

export function isConstant(node: Murphi.Expression, facts: Facts): boolean {
    return AstUtils.streamAst(node).every(part => {
        if (part.$type === 'Undefined' || part.$type === 'IsUndefined' || part.$type === 'Quantified') {
            return false;
        }
        const symbol =
            part.$type === 'Name' || part.$type === 'Call'
                ? facts.symbolOf(part as Murphi.Name | Murphi.Call)
                : undefined;
        switch (symbol?.kind) {
            case 'variable':
            case 'refused':
                return false;
            case 'alias':
                return isConstant(symbol.value, facts);
            case 'routine':
                return symbol.reads.size === 0 && symbol.writes.size === 0;
            default:
                return true;
        }
    });
}
