/** Where a `return` may end statements, which Orbit has in functions only. */
import { AstUtils } from 'langium';
import { isDesignator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { partsOf } from './parts.js';

export function mayReturn(...statements: readonly Murphi.Statement[]): boolean {
    return partsOf('Return', ...statements).length > 0;
}

export function alwaysReturns(statements: readonly Murphi.Statement[]): boolean {
    return statements.some(
        statement =>
            statement.$type === 'Return' ||
            (statement.$type === 'AliasStatement' && alwaysReturns(statement.statements)) ||
            (statement.$type === 'If' &&
                statement.hasElse &&
                alwaysReturns(statement.otherwise) &&
                statement.branches.every(branch => alwaysReturns(branch.statements))),
    );
}

/**
 * A loop that only looks for a value with which it returns, as a condition that there is one: then no value is before
 * another. Undefined for other loops; the statements that return do not mention the value.
 */
export function asSearch(loop: Murphi.For, facts: Facts): Murphi.If | undefined {
    const { quantifier, statements } = loop;
    const [only, ...others] = statements;
    const [branch, ...branches] = only?.$type === 'If' ? only.branches : [];
    if (only?.$type !== 'If' || branch === undefined || others.length + branches.length > 0 || only.hasElse) {
        return undefined;
    }
    const mentions = (node: Murphi.Statement): boolean => facts.symbolsIn(node).includes(facts.variableOf(quantifier));
    const isSure = AstUtils.streamAst(branch.condition).every(part =>
        isDesignator(part) ? facts.cellOf(part)?.isOptional !== true : part.$type !== 'Call',
    );
    if (
        quantifier.type === undefined ||
        !isSure ||
        !alwaysReturns(branch.statements) ||
        branch.statements.some(mentions)
    ) {
        return undefined;
    }
    const condition: Murphi.Quantified = {
        $type: 'Quantified',
        $container: branch,
        kind: 'exists',
        quantifier,
        body: branch.condition,
    };
    // The comments in front of the loop stay there.
    const place = loop.$cstNode === undefined ? {} : { $cstNode: loop.$cstNode };
    return { ...only, ...place, branches: [{ ...branch, condition }] };
}

/** The same with `rest` where it goes on; undefined if that is more than one place, or within a loop. */
export function withRest(statement: Murphi.Statement, rest: readonly Murphi.Statement[]): Murphi.If | undefined {
    if (statement.$type !== 'If') {
        return undefined;
    }
    const parts = [...statement.branches.map(({ statements }) => statements), statement.otherwise];
    const loops = [...partsOf('For', statement), ...partsOf('While', statement)];
    if (parts.filter(part => !alwaysReturns(part)).length > 1 || mayReturn(...loops)) {
        return undefined;
    }
    const goOn = (part: Murphi.Statement[]): Murphi.Statement[] => (alwaysReturns(part) ? part : [...part, ...rest]);
    return {
        ...statement,
        branches: statement.branches.map(branch => ({ ...branch, statements: goOn(branch.statements) })),
        otherwise: goOn(statement.otherwise),
    };
}
