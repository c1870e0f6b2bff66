/** Where a `return` may end statements, which Orbit has in functions only. */
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
