/** What a model declares, in the order of its text; printed once it is known which cells may be undefined. */
import type { Expression } from './orbit-syntax.js';
import { printComment, printInitial } from './orbit-syntax.js';
import { typeText, type RecordType, type Variable } from './symbols.js';

export type Declaration = { readonly comments: readonly string[] } & (
    | {
          readonly kind: 'parameter';
          readonly name: string;
          readonly least: number;
          readonly most: number;
          readonly value: Expression;
      }
    | { readonly kind: 'constant'; readonly name: string; readonly value: Expression }
    | { readonly kind: 'type'; readonly name: string; readonly text: string }
    | { readonly kind: 'scalarset'; readonly name: string; readonly size: string }
    | { readonly kind: 'enumeration'; readonly name: string; readonly members: readonly string[] }
    | { readonly kind: 'record'; readonly type: RecordType }
    | { readonly kind: 'variable'; readonly variable: Variable }
    /** What is left out: a comment. */
    | { readonly kind: 'nothing' }
);

/** `initial` has the values of variables that begin with one. */
export function printDeclaration(declaration: Declaration, initial: ReadonlyMap<Variable, Expression>): string {
    const comment = printComment(declaration.comments);
    return [comment, withoutComments(declaration, initial)].filter(text => text !== '').join('\n');
}

function withoutComments(declaration: Declaration, initial: ReadonlyMap<Variable, Expression>): string {
    switch (declaration.kind) {
        case 'parameter':
            return `param ${declaration.name}: ${declaration.least} .. ${declaration.most}${printInitial(declaration.value)}`;
        case 'constant':
            return `const ${declaration.name}${printInitial(declaration.value)}`;
        case 'type':
            return `type ${declaration.name} = ${declaration.text}`;
        case 'scalarset':
            return `type ${declaration.name} = 1 .. ${declaration.size}\nassert symmetric values of ${declaration.name}`;
        case 'enumeration':
            return `enum ${declaration.name} = { ${declaration.members.join(', ')} }`;
        case 'record': {
            const fields = declaration.type.fields.map(
                ({ written, type, isOptional }) => `${written}: ${typeText(type, isOptional)}`,
            );
            return `record ${declaration.type.text} = { ${fields.join(', ')} }`;
        }
        case 'variable': {
            const { written, type, isOptional } = declaration.variable;
            return `var ${written}: ${typeText(type, isOptional)}${printInitial(initial.get(declaration.variable))}`;
        }
        case 'nothing':
            return '';
    }
}
