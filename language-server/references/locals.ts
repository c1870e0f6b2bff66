/** The names that live inside a process. */
import { AstUtils } from 'langium';
import * as ast from '../generated/ast.js';
import type { Process, Variable } from '../generated/ast.js';

/** The variables that a process declares, in all its blocks, in the order of the text. */
export function localsOf(process: Process): Variable[] {
    return AstUtils.streamAllContents(process.body).filter(ast.isVariable).toArray();
}
