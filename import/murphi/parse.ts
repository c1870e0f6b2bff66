/** From the text of a Murphi model to its syntax tree. The parser is built when the first model is read. */
import { createDefaultCoreModule, createDefaultSharedCoreModule, EmptyFileSystem, inject } from 'langium';
import type { LangiumParser } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { Program } from './generated/ast.js';
import { MurphiGeneratedModule, MurphiGeneratedSharedModule } from './generated/module.js';
import { MARK, SourceText } from './source-text.js';

export type Parsed =
    { readonly program: Program; readonly source: SourceText } | { readonly problems: readonly Problem[] };

/** The tree, or the places that are not understood. */
export function parseMurphi(text: string, uri: string): Parsed {
    const source = new SourceText(text, uri);
    const { value, lexerErrors, parserErrors } = murphiParser().parse<Program>(text);
    const marks = text.includes(MARK) ? [{ offset: text.indexOf(MARK), length: 1 }] : [];
    const unknown = [...marks, ...lexerErrors].map(({ offset, length }) =>
        source.problem(offset, offset + length, 'murphi/syntax', 'this is no text that Murphi has'),
    );
    const unexpected = parserErrors.map(({ token, message }) => {
        // The end of the text has no place.
        const start = Number.isNaN(token.startOffset) ? text.trimEnd().length : token.startOffset;
        return source.problem(start, start + token.image.length, 'murphi/syntax', describe(message, token.image));
    });
    // What follows the first is a matter of what was skipped.
    const [first] = [...unknown, ...unexpected];
    return first === undefined ? { program: value, source } : { problems: [first] };
}

/** Lists of what could stand here are long, and name the tokens of the parser. */
function describe(message: string, found: string): string {
    const [only] = /(?<=Expecting (?:token of type |end of file )?)'[^']*'/.exec(message) ?? [];
    const what = found === '' ? 'the end of the text' : `\`${found}\``;
    return only === undefined ? `${what} is not expected here` : `${what} is not expected here, but ${only}`;
}

let parser: LangiumParser | undefined;

function murphiParser(): LangiumParser {
    if (parser === undefined) {
        const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), MurphiGeneratedSharedModule);
        const services = inject(createDefaultCoreModule({ shared }), MurphiGeneratedModule);
        shared.ServiceRegistry.register(services);
        parser = services.parser.LangiumParser;
    }
    return parser;
}
