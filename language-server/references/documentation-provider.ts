/** Doc comments of declarations; what is built in has texts of its own. */
import type { AstNode, DocumentationProvider } from 'langium';
import { builtinDescriptionOf, isBuiltin } from '../../language/references/builtin-functions.js';
import { documentationOf } from '../../language/references/documentation.js';

export class OrbitDocumentationProvider implements DocumentationProvider {
    getDocumentation(node: AstNode): string | undefined {
        const text = isBuiltin(node) ? builtinDescriptionOf(node)?.documentation : documentationOf(node);
        return text === '' ? undefined : text;
    }
}
