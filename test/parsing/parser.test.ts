/** What the parser leaves out where it runs for users, because it takes long: its check of the grammar and of itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { createDefaultCoreModule, inject } from 'langium';
import { expect, test, vi } from 'vitest';
import { OrbitGeneratedModule, OrbitLanguageMetaData } from '../../language-server/generated/module.js';
import { createOrbitCoreServices, OrbitModule } from '../../language-server/module.js';

test('no token hides another, and no text can be read in two ways by the rules that the models use', () => {
    const { shared } = createOrbitCoreServices();
    const { parser } = inject(createDefaultCoreModule({ shared }), OrbitGeneratedModule, OrbitModule, {
        LanguageMetaData: () => ({ ...OrbitLanguageMetaData, mode: 'development' as const }),
    });
    const log = vi.spyOn(console, 'log');
    for (const file of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        parser.LangiumParser.parse(readFileSync(`models/${file}`, 'utf8'));
    }
    expect(log).not.toHaveBeenCalled();
});
