/**
 * No names are collected beforehand. What a name may mean depends on the declarations around it, of the file and of the
 * files it imports; the scope provider looks at the syntax tree when it is asked, so a tree that did not come from the
 * text of a document, such as a value given on the command line, has its names too.
 */
import { DefaultScopeComputation, MultiMap, type AstNodeDescription, type LocalSymbols } from 'langium';

export class OrbitScopeComputation extends DefaultScopeComputation {
    override collectExportedSymbols(): Promise<AstNodeDescription[]> {
        return Promise.resolve([]);
    }

    override collectLocalSymbols(): Promise<LocalSymbols> {
        return Promise.resolve(new MultiMap());
    }
}
