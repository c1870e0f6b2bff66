/**
 * The names that a reference may mean: from the inside out, what the scope computation found; after `at`, the labels of
 * the process before it.
 */
import { AstUtils, DefaultScopeProvider, EMPTY_SCOPE, type ReferenceInfo, type Scope } from 'langium';
import { isLabeled, isProcess, isReference, type Labeled, type Process } from '../generated/ast.js';

export class OrbitScopeProvider extends DefaultScopeProvider {
    override getScope(context: ReferenceInfo): Scope {
        if (isReference(context.container) && context.property === 'label') {
            const process = context.container.target.ref;
            return isProcess(process) ? this.createScopeForNodes(labelsOf(process)) : EMPTY_SCOPE;
        }
        return super.getScope(context);
    }

    protected override getGlobalScope(): Scope {
        return EMPTY_SCOPE;
    }
}

/** The labels of a process in the order of the text. A label may stand at several places. */
export function labelsOf(process: Process): Labeled[] {
    // While a text is being written, a process may still be without its body, whatever the type says.
    const body: Process['body'] | undefined = process.body;
    return body === undefined ? [] : AstUtils.streamAllContents(body).filter(isLabeled).toArray();
}
