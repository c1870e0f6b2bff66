/** What the manifest of the extension promises: files that exist, commands that are registered, a model that is one. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatText } from '../language-server/formatting/format-text.js';
import { loadModel } from '../language-server/load-model.js';

interface Manifest {
    readonly contributes: {
        readonly languages: readonly { readonly icon: Readonly<Record<string, string>> }[];
        readonly commands: readonly { readonly command: string }[];
        readonly walkthroughs: readonly {
            readonly steps: readonly {
                readonly description: string;
                readonly media: { readonly markdown: string };
                readonly completionEvents: readonly string[];
            }[];
        }[];
    };
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commands = contributes.commands.map(({ command }) => command);
const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);

test('the example of the walkthrough is a model without problems', async () => {
    const text = readFileSync('vscode-extension/walkthrough/example.orbit', 'utf8');
    const { model, problems } = await loadModel(text, 'file:///example.orbit');
    expect(problems).toEqual([]);
    expect(model?.name).toBe('Ticket');
    expect(formatText(text, 'file:///example.orbit').text).toBe(text);
});

test('the walkthrough has four steps, with pages that exist and commands that there are', () => {
    expect(steps).toHaveLength(4);
    for (const { description, media, completionEvents } of steps) {
        expect(existsSync(media.markdown)).toBe(true);
        const named = [...description.matchAll(/command:([\w.]+)/g)].map(match => match[1] ?? '');
        const completing = completionEvents.map(event => event.replace('onCommand:', ''));
        expect(commands).toEqual(expect.arrayContaining([...named, ...completing]));
    }
});

test('models have an icon in light and in dark', () => {
    for (const file of Object.values(contributes.languages[0]?.icon ?? {})) {
        expect(readFileSync(file, 'utf8')).toContain('<svg');
    }
    expect(Object.keys(contributes.languages[0]?.icon ?? {}).sort()).toEqual(['dark', 'light']);
});
