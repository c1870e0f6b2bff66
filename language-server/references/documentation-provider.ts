/** Doc comments of declarations; built-in functions have their own texts. */
import type { AstNode, DocumentationProvider } from 'langium';
import { isBuiltinFunction } from '../generated/ast.js';
import { builtinDescriptionOf } from '../../language/references/builtin-functions.js';
import { documentationOf } from '../../language/references/documentation.js';

export class OrbitDocumentationProvider implements DocumentationProvider {
    getDocumentation(node: AstNode): string | undefined {
        const text = isBuiltinFunction(node) ? builtinDescriptionOf(node)?.documentation : documentationOf(node);
        return text === '' ? undefined : text;
    }
}
