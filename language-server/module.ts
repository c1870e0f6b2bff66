/**
 * The core services of the Orbit language: parsing, linking, validation. All others are Langium's defaults.
 *
 * The language server adds its providers (lsp/lsp-module.ts); the command line and the tests need only the core.
 */
import {
    createDefaultCoreModule,
    createDefaultSharedCoreModule,
    EmptyFileSystem,
    inject,
    type LangiumCoreServices,
    type LangiumSharedCoreServices,
    type Module,
    type PartialLangiumCoreServices,
} from 'langium';
import { OrbitGeneratedModule, OrbitGeneratedSharedModule } from './generated/module.js';
import { OrbitLexer } from './parsing/lexer.js';
import { createOrbitParser } from './parsing/parser.js';
import { OrbitParserErrorMessageProvider } from './parsing/parser-error-message-provider.js';
import { OrbitTokenBuilder, OrbitValueConverter } from './parsing/token-builder.js';
import { OrbitDocumentationProvider } from './references/documentation-provider.js';
import { OrbitScopeComputation, OrbitScopeProvider } from './references/scope-provider.js';
import { OrbitDocumentValidator } from './validation/validator.js';

/** The services that differ from Langium's defaults. */
export const OrbitModule: Module<LangiumCoreServices, PartialLangiumCoreServices> = {
    documentation: {
        DocumentationProvider: () => new OrbitDocumentationProvider(),
    },
    parser: {
        TokenBuilder: () => new OrbitTokenBuilder(),
        LangiumParser: services => createOrbitParser(services),
        Lexer: services => new OrbitLexer(services),
        ValueConverter: () => new OrbitValueConverter(),
        ParserErrorMessageProvider: () => new OrbitParserErrorMessageProvider(),
    },
    references: {
        ScopeComputation: services => new OrbitScopeComputation(services),
        ScopeProvider: services => new OrbitScopeProvider(services),
    },
    validation: {
        DocumentValidator: services => new OrbitDocumentValidator(services),
    },
};

/** The services without an editor: no file system, no connection. */
export function createOrbitCoreServices(): { shared: LangiumSharedCoreServices; Orbit: LangiumCoreServices } {
    const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), OrbitGeneratedSharedModule);
    const Orbit = inject(createDefaultCoreModule({ shared }), OrbitGeneratedModule, OrbitModule);
    shared.ServiceRegistry.register(Orbit);
    return { shared, Orbit };
}
